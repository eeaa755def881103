"""Active copper: linear cables to 5 m (3 m at 200G lanes), retimed ones from 2 to 7 m."""

from __future__ import annotations

from topoedit.rules._reach import reach_rule

SOURCE = (
    "NVIDIA LinkX 100G-PAM4 Product Line Overview, 2025, "
    "https://docs.nvidia.com/networking/display/400g100gpam4ovpub/linkx-100g-pam4-product-line-overview; "  # noqa: E501
    "Yingda, 800G OSFP AEC Active Electrical Cable, 2026, "
    "https://ydfiberoptic.com/800g-osfp-aec-active-electrical-cable"
)
RULE = reach_rule("acc-aec-reach", "Active copper stays within its reach", SOURCE)
