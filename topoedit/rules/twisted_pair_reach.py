"""Twisted-pair copper: 100 m."""

from __future__ import annotations

from topoedit.rules._reach import reach_rule

SOURCE = "IEEE 802.3ab 1000BASE-T, 1999 (100 m)"
RULE = reach_rule("twisted-pair-reach", "Twisted pair stays within 100 m", SOURCE)
