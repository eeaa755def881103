"""UALink copper: 4 m."""

from __future__ import annotations

from topoedit.rules._reach import reach_rule

SOURCE = (
    "UALink Consortium, UALink 200G 1.0 Webinar Q&A, 2025, "
    "https://ualinkconsortium.org/blog/a-deeper-dive-responding-to-the-ualink-200g-1-0-specification-webinar-qa-session-822"
)
RULE = reach_rule("ualink-reach", "UALink copper stays within its reach", SOURCE)
