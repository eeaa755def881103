"""Coherent optics: 120 km for ZR, 450 km for ZR+, amplified."""

from __future__ import annotations

from topoedit.rules._reach import reach_rule

SOURCE = (
    "NVIDIA Interconnect Structured Cabling Requirements for NDR/XDR and 400/800G ETH, 2025, "
    "https://docs.nvidia.com/networking/display/intrcnctcabreqndr400eth; NVIDIA Cable "
    "Management Guidelines and FAQ, 2023, "
    "https://docs.nvidia.com/networking/display/cablemanagfaq; IDS, How Can 400ZR Be Used For "
    "Regional Networks, 2023, https://ids-g.com/how-can-400zr-be-used-for-regional-networks/"
)
RULE = reach_rule("coherent-reach", "Coherent optics stay within their reach", SOURCE)
