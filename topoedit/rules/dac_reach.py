"""Passive copper: 5 m at 25G lanes, 3 m at 50G and 100G (with care above 2 m), 1 m at 200G."""

from __future__ import annotations

from topoedit.rules._reach import reach_rule

SOURCE = (
    "NVIDIA LinkX 100G-PAM4 Product Line Overview, 2025, "
    "https://docs.nvidia.com/networking/display/400g100gpam4ovpub/linkx-100g-pam4-product-line-overview; "  # noqa: E501
    "NVIDIA 800Gb/s XDR Twin-port OSFP Part Numbers (200G-PAM4), 2025, "
    "https://docs.nvidia.com/networking/display/800g200gpam4list; Yingda, When will use AOC "
    "or DAC cable in 800G network, 2026, "
    "https://ydfiberoptic.com/when-will-use-aoc-or-dac-cable-in-800g-network; NVIDIA Cable "
    "Management Guidelines and FAQ, 2023, "
    "https://docs.nvidia.com/networking/display/cablemanagfaq"
)
RULE = reach_rule("dac-reach", "Passive copper stays within its reach", SOURCE)
