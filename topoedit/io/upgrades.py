"""From files of earlier format versions to the current one, one small step for each version.

Version 1 kept devices, groups and links in arrays of their own, positions as `[x, y]`, the role of
a device as `role`, and the ports and cables of a link as lists of names. Version 2 has one array
of elements, and ranges.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from topoedit.errors import BadFileError
from topoedit.model.ports import collapse

FORMAT_VERSION = 2
JsonObject = dict[str, Any]


def upgrade(content: JsonObject, where: str) -> JsonObject:
    """The same drawing in the current version.

    Raises:
        BadFileError: the version is unknown or from the future, or the file breaks its rules.
    """
    version = content.get("format_version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise BadFileError(f"`format_version` is {version!r}, not a version number", where)
    if version > FORMAT_VERSION:
        raise BadFileError(
            f"was written by a newer topoedit (format version {version}; this one reads up to "
            f"{FORMAT_VERSION})",
            where,
            "Update topoedit to open it",
        )
    while version < FORMAT_VERSION:
        try:
            content = _STEPS[version](content)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadFileError(
                f"does not follow format version {version}: {_reason(error)}", where
            ) from None
        version = content["format_version"]
    return content


def _reason(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


def _from_1(content: JsonObject) -> JsonObject:
    """Version 1 to 2: one array of elements, ranges of ports and cables, `kind` for `role`."""
    known = {"format", "format_version", "name", "groups", "devices", "links"}
    settings = {"is": "settings", "name": content.get("name", "")}
    groups = [{"is": "group", **group} for group in content.get("groups", [])]
    devices = [_device_from_1(device) for device in content.get("devices", [])]
    links = [_link_from_1(link) for link in content.get("links", [])]
    rest = {key: value for key, value in content.items() if key not in known}
    return {
        "format": content["format"],
        "format_version": 2,
        "elements": [settings, *groups, *devices, *links],
        **rest,
    }


def _device_from_1(old: JsonObject) -> JsonObject:
    x, y = old.get("position", (0.0, 0.0))
    moved = {key: value for key, value in old.items() if key not in ("position", "role")}
    return {"is": "device", **moved, "kind": old["role"], "x": x, "y": y}


def _link_from_1(old: JsonObject) -> JsonObject:
    moved = {key: value for key, value in old.items() if key not in ("a_ports", "b_ports")}
    return {
        "is": "link",
        **moved,
        "a": [old["a"], collapse(old["a_ports"])],
        "b": [old["b"], collapse(old["b_ports"])],
        "cables": collapse(old["cables"]),
    }


_STEPS: dict[int, Callable[[JsonObject], JsonObject]] = {1: _from_1}
