"""Active optical cables: 3 to 100 m."""

from __future__ import annotations

from topoedit.rules._reach import reach_rule

SOURCE = (
    "NVIDIA Cable Management Guidelines and FAQ, 2023, "
    "https://docs.nvidia.com/networking/display/cablemanagfaq; NVIDIA 800Gb/s XDR Twin-port "
    "OSFP Part Numbers (200G-PAM4), 2025, "
    "https://docs.nvidia.com/networking/display/800g200gpam4list"
)
RULE = reach_rule("aoc-reach", "Active optical cables stay within their reach", SOURCE)
