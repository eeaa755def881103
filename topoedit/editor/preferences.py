"""What the window remembers between runs: look, sizes, recent types and files, shortcuts.

Read before the first paint, so with `json` alone: msgspec takes longer to load than to use.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from topoedit import paths
from topoedit.errors import TopoeditError

THEMES = ("system", "light", "dark")
MAX_RECENT = 12
_LIMIT = 1 << 20


@dataclass(frozen=True)
class Layout:
    """Place and panels of the window, pixels; zeros leave it to the design."""

    x: int = 0
    y: int = 0
    width: int = 0
    height: int = 0
    maximised: bool = False
    left: int = 240
    inspector: int = 320
    bottom: int = 224
    show_left: bool = True
    show_inspector: bool = True
    show_bottom: bool = True


LABELS = ("none", "hot", "all")


@dataclass(frozen=True)
class Habits:
    """How drawings behave and look for this person.

    Attributes:
        high_contrast: edges of controls are as strong as text.
        reduce_motion: everything that would move or fade is there at once.
        snap: what is moved snaps; holding Alt does the opposite.
        grid: the dots of the grid are drawn.
        labels: which links say their load when a drawing is opened, one of LABELS.
    """

    high_contrast: bool = False
    reduce_motion: bool = False
    snap: bool = True
    grid: bool = True
    labels: str = "hot"


@dataclass
class Preferences:
    """Everything kept in `editor.json` of the settings folder.

    Attributes:
        theme: `system`, `light` or `dark`.
        layout: place and panels of the window.
        recent_types: ids of the types placed last.
        shortcuts: action id -> keys chosen in place of the standard ones.
        habits: how drawings behave and look.
        hints_seen: keys of the first-run hints that have been used or closed.
    """

    theme: str = "system"
    layout: Layout = Layout()
    recent_types: tuple[str, ...] = ()
    shortcuts: dict[str, str] = field(default_factory=dict)
    habits: Habits = Habits()
    hints_seen: tuple[str, ...] = ()


@dataclass(frozen=True)
class RecentFile:
    """A file opened or saved before; `note` says what was in it."""

    path: str = ""
    note: str = ""
    when: float = 0.0


def _settings_file() -> Path:
    return paths.config_dir() / "editor.json"


def _recent_file() -> Path:
    return paths.state_dir() / "recent.json"


def load_preferences() -> tuple[Preferences, str]:
    """The preferences, and one line on what was wrong with the file ("" if nothing was)."""
    place = _settings_file()
    if not place.is_file():
        return Preferences(), ""
    try:
        return _preferences(_mapping(_read(place))), ""
    except (OSError, ValueError, RecursionError) as error:
        return (
            Preferences(),
            f"{place}: the settings cannot be read ({error}); standard ones are used",
        )


def _read(place: Path) -> object:
    read: object = json.loads(place.read_bytes()[:_LIMIT])
    return read


def _mapping(data: object) -> Mapping[str, object]:
    if not isinstance(data, dict):
        raise ValueError("an object is expected")
    return data


def _preferences(data: Mapping[str, object]) -> Preferences:
    keys = _mapping(data.get("shortcuts", {}))
    if not all(isinstance(text, str) for text in keys.values()):
        raise ValueError("shortcuts: texts are expected")
    habits = _filled(Habits, _mapping(data.get("habits", {})))
    if habits.labels not in LABELS:
        raise ValueError(f"habits.labels: one of {', '.join(LABELS)} is expected")
    layout = _filled(Layout, _mapping(data.get("layout", {})))
    theme = data.get("theme", "system")
    if not isinstance(theme, str):
        raise ValueError("theme: a text is expected")
    if theme not in THEMES:
        raise ValueError(f"theme: {theme[:40]!r} is none; {', '.join(THEMES)} are expected")
    return Preferences(
        theme,
        layout,
        _texts(data, "recent_types"),
        {key: str(text) for key, text in keys.items()},
        habits,
        _texts(data, "hints_seen"),
    )


def _texts(data: Mapping[str, object], name: str) -> tuple[str, ...]:
    found = data.get(name, ())
    if not isinstance(found, list | tuple):
        raise ValueError(f"{name}: a list is expected")
    if not all(isinstance(text, str) for text in found):
        raise ValueError(f"{name}: texts are expected")
    return tuple(found)


_Record = TypeVar("_Record", Layout, RecentFile, Habits)


def _filled(kind: type[_Record], data: Mapping[str, object]) -> _Record:
    """A flat record; every value must be of the type of its default.

    Raises:
        ValueError: one is not.
    """
    values: dict[str, Any] = {}  # checked against the type of each default below
    for one in fields(kind):
        wanted = type(one.default)
        value = data.get(one.name, one.default)
        if wanted is float and type(value) is int:
            value = float(value)
        if type(value) is not wanted:
            raise ValueError(f"{one.name}: {wanted.__name__} is expected")
        values[one.name] = value
    return kind(**values)


def save_preferences(preferences: Preferences) -> str:
    """Write the preferences; one line on what went wrong ("" if nothing did)."""
    return _write(_settings_file(), asdict(preferences))


def load_recent() -> list[RecentFile]:
    """Files opened before, newest first; an unreadable list is an empty one."""
    try:
        read = _read(_recent_file())
        rows = read if isinstance(read, list) else []
        entries = [_filled(RecentFile, _mapping(row)) for row in rows[:MAX_RECENT]]
    except (OSError, ValueError, RecursionError):
        return []
    return [entry for entry in entries if entry.path]


def remember(path: Path, note: str, when: float) -> list[RecentFile]:
    """Put a file on top of the recent ones."""
    text = str(path.resolve())
    kept = [entry for entry in load_recent() if entry.path != text]
    entries = [RecentFile(text, note, when), *kept][:MAX_RECENT]
    _write(_recent_file(), [asdict(entry) for entry in entries])
    return entries


def forget(path: str) -> list[RecentFile]:
    """Take a file off the list."""
    entries = [entry for entry in load_recent() if entry.path != path]
    _write(_recent_file(), [asdict(entry) for entry in entries])
    return entries


def _write(place: Path, data: object) -> str:
    from topoedit.io import atomic

    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        atomic.write(place, json.dumps(data, indent=2, ensure_ascii=False).encode())
    except TopoeditError as error:
        return error.line
    except OSError as error:
        return f"{place}: {error.strerror or error}"
    return ""
