"""Links that no length is drawn for, and whose way between racks is longer than their medium.

A length that is drawn decides alone. Without one, the way from rack to rack (`layout.routes`)
does: where even that way, without slack and from the nearest rack unit a device may sit in, is
longer than the medium reaches, no cable makes the link work, and it is failed as if the length
were drawn. A way that only the slack makes too long is left to the rules, as a warning.
"""

from __future__ import annotations

from collections.abc import Iterable

from topoedit.layout.routes import Router
from topoedit.model.document import Document
from topoedit.model.elements import Link

_NONE: frozenset[str] = frozenset()


def has_no_length(link: Link) -> bool:
    """Whether a link's length would follow from the way between its racks."""
    return link.length_m is None and link.km is None and bool(link.medium)


def far_links(document: Document, links: Iterable[Link]) -> frozenset[str]:
    """Ids of the links whose way is certainly longer than their medium reaches."""
    open_links = [link for link in links if has_no_length(link)]
    if not open_links or not any(group.kind == "rack" for group in document.groups.values()):
        return _NONE
    media, devices = document.catalog.media, document.devices
    reach = {
        name: medium.max_m
        for name in {link.medium for link in open_links}
        if (medium := media.get(name)) is not None and medium.max_m is not None
    }
    router = Router(document)
    berths = {i: router.berth(devices[i]) for link in open_links for i in _ends(link)}
    found = []
    for link in open_links:
        most = reach.get(link.medium)
        if most is None:
            continue
        route = router.between(berths[link.a.device], berths[link.b.device])
        if route is not None and route.least_m > most:
            found.append(link.id)
    return frozenset(found)


def _ends(link: Link) -> tuple[str, str]:
    return link.a.device, link.b.device
