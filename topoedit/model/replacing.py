"""Find and replace in the texts of a drawing: names, labels, tags, notes, phases, addresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from topoedit.errors import BadInputError
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import AnyElement, Device, Group, Link, Note
from topoedit.model.operations import plural
from topoedit.model.ports import natural_key

FIELDS = ("name", "label", "tags", "text", "phase", "address")
"""What may be searched: names of devices and groups, labels of links, tags, texts of notes,
build phases, addresses."""
MAX_PATTERN = 200
_NUMBER = re.compile(r"\{n(?::(\d{1,6}))?\}")

Change = Callable[[str], str]


@dataclass(frozen=True)
class Search:
    r"""What to look for.

    Attributes:
        find: the text, or a regular expression.
        put: what stands in its place; `{n}` numbers the finds on from 1 in natural order, `{n:01}`
            from 01. With an expression `\1` is its first bracket.
        fields: some of `FIELDS`.
        expression: read `find` as a regular expression.
        match_case: tell capitals from small letters.
    """

    find: str
    put: str = ""
    fields: tuple[str, ...] = ("name",)
    expression: bool = False
    match_case: bool = True


@dataclass(frozen=True)
class Found:
    """One text that would change."""

    element: str
    field: str
    before: str
    after: str


def pattern_of(search: Search) -> re.Pattern[str]:
    """The expression that finds what is looked for.

    Raises:
        BadInputError: nothing to look for, too long, or no regular expression.
    """
    if not search.find:
        raise BadInputError("nothing to look for", mend="Type a text to find")
    if len(search.find) > MAX_PATTERN:
        raise BadInputError(f"a text of over {MAX_PATTERN} characters cannot be looked for")
    text = search.find if search.expression else re.escape(search.find)
    try:
        return re.compile(text, 0 if search.match_case else re.IGNORECASE)
    except re.error as error:
        raise BadInputError(f"this is no regular expression: {error}", search.find) from None


def look(document: Document, search: Search, ids: Collection[str] = ()) -> tuple[Found, ...]:
    """Every text that would change, in natural order of the texts.

    Args:
        document: the drawing.
        search: what to look for.
        ids: look only at these elements; at all when empty.

    Raises:
        BadInputError: the search cannot be made, or the replacement names a bracket that is not
            there.
    """
    pattern = pattern_of(search)
    wanted = set(ids)
    hits = [
        (element.id, field, text)
        for element in document.elements()
        if not wanted or element.id in wanted
        for field, text in _texts(element, search.fields)
        if pattern.search(text)
    ]
    hits.sort(key=lambda hit: (natural_key(hit[2]), natural_key(hit[0])))
    found: list[Found] = []
    for number, (element_id, field, text) in enumerate(hits):
        after = _replaced(pattern, search, text, number)
        if after != text:
            found.append(Found(element_id, field, text, after))
    return tuple(found)


def replace_all(document: Document, found: Sequence[Found]) -> Edit:
    """One edit that makes these changes.

    Raises:
        BadInputError: a name would be empty or taken twice.
    """
    _check_names(document, found)
    changed: dict[str, AnyElement] = {}
    for one in found:
        element = changed.get(one.element) or document.element(one.element)
        if element is not None:
            changed[one.element] = _with(element, one)
    return Edit(f"Replace in {plural(len(changed), 'element')}", put=tuple(changed.values()))


def _texts(element: AnyElement, fields: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    if not isinstance(element, Device | Group | Link | Note):
        return
    for field in fields:
        value = getattr(element, field, "")
        if isinstance(value, str):
            yield field, value
        elif isinstance(value, tuple):
            yield from ((field, text) for text in value)


def _replaced(pattern: re.Pattern[str], search: Search, text: str, number: int) -> str:
    put = _NUMBER.sub(lambda found: _counted(found.group(1), number), search.put)
    if not search.expression:
        return pattern.sub(lambda _found: put, text)
    try:
        return pattern.sub(put, text)
    except (re.error, IndexError) as error:
        raise BadInputError(f"the replacement cannot be read: {error}", search.put) from None


def _counted(start: str | None, number: int) -> str:
    if start is None:
        return str(number + 1)
    return str(int(start) + number).zfill(len(start))


def _with(element: AnyElement, one: Found) -> AnyElement:
    value = getattr(element, one.field)
    if isinstance(value, tuple):
        kept = dict.fromkeys(one.after if text == one.before else text for text in value)
        return replace(element, **{one.field: tuple(text for text in kept if text)})
    return replace(element, **{one.field: one.after})


def _check_names(document: Document, found: Sequence[Found]) -> None:
    renamed = {one.element: one.after for one in found if one.field == "name"}
    if not renamed:
        return
    taken = {
        element.name
        for element in document.elements()
        if isinstance(element, Device | Group) and element.id not in renamed
    }
    for name in renamed.values():
        if not name.strip():
            raise BadInputError("a name would be empty", mend="Put something in its place")
        if name in taken:
            raise BadInputError(
                f'"{name}" would be the name of two things', mend="Number them with {n}"
            )
        taken.add(name)
