"""What the window remembers between runs: look, sizes, recent types and files, shortcuts."""

from __future__ import annotations

from pathlib import Path

import msgspec

from topoedit import paths
from topoedit.errors import TopoeditError
from topoedit.io import atomic

MAX_RECENT = 12
_LIMIT = 1 << 20


class Layout(msgspec.Struct, frozen=True, omit_defaults=True):
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


class Preferences(msgspec.Struct, omit_defaults=True):
    """Everything kept in `editor.json` of the settings folder."""

    theme: str = "system"
    layout: Layout = Layout()
    recent_types: tuple[str, ...] = ()
    shortcuts: dict[str, str] = {}


class RecentFile(msgspec.Struct, frozen=True):
    """A file opened or saved before; `note` says what was in it."""

    path: str
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
        data = place.read_bytes()[:_LIMIT]
        return msgspec.json.decode(data, type=Preferences), ""
    except (OSError, msgspec.DecodeError) as error:
        return (
            Preferences(),
            f"{place}: the settings cannot be read ({error}); standard ones are used",
        )


def save_preferences(preferences: Preferences) -> str:
    """Write the preferences; one line on what went wrong ("" if nothing did)."""
    return _write(_settings_file(), msgspec.json.format(msgspec.json.encode(preferences)))


def load_recent() -> list[RecentFile]:
    """Files opened before, newest first; an unreadable list is an empty one."""
    try:
        data = _recent_file().read_bytes()[:_LIMIT]
        return msgspec.json.decode(data, type=list[RecentFile])[:MAX_RECENT]
    except (OSError, msgspec.DecodeError):
        return []


def remember(path: Path, note: str, when: float) -> list[RecentFile]:
    """Put a file on top of the recent ones."""
    text = str(path.resolve())
    kept = [entry for entry in load_recent() if entry.path != text]
    entries = [RecentFile(text, note, when), *kept][:MAX_RECENT]
    _write(_recent_file(), msgspec.json.encode(entries))
    return entries


def forget(path: str) -> list[RecentFile]:
    """Take a file off the list."""
    entries = [entry for entry in load_recent() if entry.path != path]
    _write(_recent_file(), msgspec.json.encode(entries))
    return entries


def _write(place: Path, data: bytes) -> str:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        atomic.write(place, data)
    except TopoeditError as error:
        return error.line
    except OSError as error:
        return f"{place}: {error.strerror or error}"
    return ""
