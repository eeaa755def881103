"""Single-mode fibre: 500 m for DR, 2 km for FR, 10 km for LR, 20 km for ER."""

from __future__ import annotations

from topoedit.rules._reach import reach_rule

SOURCE = (
    "NVIDIA Interconnect Structured Cabling Requirements for NDR/XDR and 400/800G ETH, 2025, "
    "https://docs.nvidia.com/networking/display/intrcnctcabreqndr400eth; NVIDIA Cable "
    "Management Guidelines and FAQ, 2023, "
    "https://docs.nvidia.com/networking/display/cablemanagfaq; IDS, How Can 400ZR Be Used For "
    "Regional Networks, 2023, https://ids-g.com/how-can-400zr-be-used-for-regional-networks/"
)
RULE = reach_rule("smf-reach", "Single-mode optics stay within their reach", SOURCE)
