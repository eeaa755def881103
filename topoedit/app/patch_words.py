"""Words for the links and panels that are to be patched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from topoedit.errors import BadInputError
from topoedit.model.document import Document
from topoedit.model.elements import Device
from topoedit.model.ports import expand, natural_key


def find_links(document: Document, words: Sequence[str]) -> list[str]:
    """Ids of links that words mean: ids, cable ids or ranges, device globs, or `A*:B*` for both.

    Raises:
        BadInputError: a word means no link.
    """
    found: dict[str, None] = {}
    for word in words:
        ids = list(_matching(document, word))
        if not ids:
            raise BadInputError(
                "is no link, cable or device with links", word,
                "Name a link (link-c1), cables (c1-8), a device (node-*) or both ends "
                "(node-*:leaf-*)",
            )  # fmt: skip
        found.update(dict.fromkeys(ids))
    return list(found)


def _matching(document: Document, word: str) -> Iterator[str]:
    if word in document.links:
        yield word
        return
    cables = [document.link_of_cable(cable) for cable in _expanded(word)]
    if cables and all(link is not None for link in cables):
        yield from (link.id for link in cables if link is not None)
        return
    first, _, second = word.partition(":")
    for link in sorted(document.links.values(), key=lambda one: natural_key(one.id)):
        a, b = (document.devices[end.device].name for end in (link.a, link.b))
        if any(
            fnmatchcase(x, first) and fnmatchcase(y, second or "*") for x, y in ((a, b), (b, a))
        ):
            yield link.id


def _expanded(word: str) -> tuple[str, ...]:
    try:
        return expand(word)
    except BadInputError:
        return ()


def find_panels(document: Document, text: str) -> list[str]:
    """Ids of the panels that a comma-separated list names.

    Raises:
        BadInputError: a name is that of no panel.
    """
    found = []
    for name in filter(None, (piece.strip() for piece in text.split(","))):
        device = document.named(name) or document.devices.get(name)
        if not isinstance(device, Device) or device.kind != "panel":
            panels = sorted(d.name for d in document.devices.values() if d.kind == "panel")
            known = f"Panels: {', '.join(panels[:8])}" if panels else "Draw patch panels first"
            raise BadInputError("is no patch panel", name, known)
        found.append(device.id)
    return found
