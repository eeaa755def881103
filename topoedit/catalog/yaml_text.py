"""Reading YAML that may be hostile: no tags, no anchors, no aliases, bounded size and depth."""

from __future__ import annotations

import re
from collections.abc import Hashable
from pathlib import Path
from typing import ClassVar

import yaml

from topoedit.errors import BadCatalogError

MAX_BYTES = 4_000_000
MAX_DEPTH = 24
_Base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Base):  # type: ignore[misc, valid-type]
    """Plain data only: strings, numbers, true, false, null, lists and mappings.

    Words such as `no` and figures such as `1:30` stay text, and a key may not come twice.
    """

    yaml_implicit_resolvers: ClassVar[dict[str, list[tuple[str, re.Pattern[str]]]]] = {}

    def construct_mapping(
        self, node: yaml.MappingNode, deep: bool = False
    ) -> dict[Hashable, object]:
        """A mapping; raises ConstructorError where a key is repeated."""
        made: dict[Hashable, object] = super().construct_mapping(node, deep=deep)
        if len(made) != len(node.value):
            keys = [key.value for key, _ in node.value]
            twice = next((key for key in keys if keys.count(key) > 1), "?")
            raise yaml.constructor.ConstructorError(
                None, None, f'the key "{twice}" is used twice', node.start_mark
            )
        return made


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:null", re.compile(r"^(?:~|null|)$"), ["~", "n", ""]
)
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), ["t", "f"])
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:int", re.compile(r"^[-+]?(?:0|[1-9][0-9]{0,17})$"), list("-+0123456789")
)
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?(?:[0-9]+\.[0-9]*|[0-9]*\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]{1,3})?$"),
    list("-+.0123456789"),
)


def read_text(path: Path) -> str:
    """The text of a catalogue file.

    Raises:
        BadCatalogError: it cannot be read, is too large or is not UTF-8.
    """
    try:
        if not path.is_file():
            raise BadCatalogError("this is not a file", str(path))
        if path.stat().st_size > MAX_BYTES:
            raise BadCatalogError(f"larger than {MAX_BYTES // 1_000_000} MB", str(path))
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadCatalogError(f"cannot be read: {error.strerror}", str(path)) from None
    except UnicodeDecodeError:
        raise BadCatalogError("not a text file in UTF-8", str(path)) from None


def parse(text: str, where: str, *, trusted: bool = False) -> object:
    """The data in a YAML text.

    Args:
        text: at most MAX_BYTES characters.
        where: the file, for messages.
        trusted: skip the search for aliases and deep nesting (the product's own files).

    Raises:
        BadCatalogError: the text is not plain YAML.
    """
    if len(text) > MAX_BYTES:
        raise BadCatalogError(f"larger than {MAX_BYTES // 1_000_000} MB", where)
    try:
        if not trusted:
            _refuse_tricks(text, where)
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - a SafeLoader without tags
    except yaml.YAMLError as error:
        raise BadCatalogError(_problem(error), where) from None
    except (ValueError, TypeError, OverflowError, RecursionError):
        raise BadCatalogError("a value in it cannot be read", where) from None


def _refuse_tricks(text: str, where: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise BadCatalogError("anchors and aliases are not allowed", _at(event, where))
        if getattr(event, "tag", None):
            raise BadCatalogError("tags are not allowed", _at(event, where))
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEPTH:
            raise BadCatalogError(f"nested deeper than {MAX_DEPTH} levels", _at(event, where))


def _at(event: yaml.Event, where: str) -> str:
    mark = event.start_mark
    return where if mark is None else f"{where}: line {mark.line + 1}"


def _problem(error: yaml.YAMLError) -> str:
    problem = getattr(error, "problem", None) or "not YAML"
    mark = getattr(error, "problem_mark", None)
    line = f" (line {mark.line + 1})" if mark is not None else ""
    return f"{problem}{line}"
