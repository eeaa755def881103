"""Multimode fibre: 50 m at 100G lanes, 100 m at 25G and 50G."""

from __future__ import annotations

from topoedit.rules._reach import reach_rule

SOURCE = (
    "NVIDIA LinkX 100G-PAM4 Product Line Overview, 2025, "
    "https://docs.nvidia.com/networking/display/400g100gpam4ovpub/linkx-100g-pam4-product-line-overview; "  # noqa: E501
    "NVIDIA Interconnect Structured Cabling Requirements for NDR/XDR and 400/800G ETH, 2025, "
    "https://docs.nvidia.com/networking/display/intrcnctcabreqndr400eth; NVIDIA Structured "
    "Cabling Requirements, MPO/LC Cable Requirements, 2025, "
    "https://docs.nvidia.com/networking/display/intrcnctcabreqndr400eth/mpo/lc+cable+requirements"
)
RULE = reach_rule("mmf-reach", "Multimode optics stay within their reach", SOURCE)
