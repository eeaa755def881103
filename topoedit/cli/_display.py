"""Whether Qt could open a window here, found out before it would abort the process."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import socket
import sys
from pathlib import Path

NO_DISPLAY = "there is no display to open a window on"
HEADLESS = (
    "info, analyze, collective, path, check, diff, generate, convert, export, validate, catalog "
    "and formats work without one"
)
DEBIAN = (
    "On Debian and Ubuntu: apt install libegl1 libgl1 libdbus-1-3 libfontconfig1 libxkbcommon0 "
    "libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 "
    "libxcb-render-util0 libxcb-shape0 libxcb-xkb1"
)
_WINDOWLESS = ("offscreen", "minimal", "minimalegl", "vnc", "linuxfb", "eglfs", "vkkhrdisplay")
_TIMEOUT_S = 3.0


def display_problem() -> tuple[str, str] | None:
    """What stands in the way of a window and how to mend it; None if nothing does."""
    if sys.platform in ("win32", "darwin"):
        return None
    chosen = os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0]
    if chosen in _WINDOWLESS:
        return None
    displays = {
        "wayland": (os.environ.get("WAYLAND_DISPLAY", ""), wayland_reachable),
        "xcb": (os.environ.get("DISPLAY", ""), x_reachable),
    }
    problem = (NO_DISPLAY, HEADLESS)
    for plugin, (display, reachable) in displays.items():
        if not display:
            continue
        if not reachable(display):
            problem = (f'the display "{display}" cannot be reached', HEADLESS)
            continue
        missing = missing_library(plugin)
        if missing is None:
            return None
        problem = (f"Qt lacks a system library: {missing}", DEBIAN)
    return problem


def wayland_reachable(display: str) -> bool:
    """Whether a compositor listens on this display."""
    folder = os.environ.get("XDG_RUNTIME_DIR", "")
    return _connects(str(Path(folder) / display))


def x_reachable(display: str) -> bool:
    """Whether an X server listens on a display such as `:0` or `host:10.0`."""
    host, _, rest = display.rpartition(":")
    number = rest.partition(".")[0]
    if not number.isdecimal():
        return False
    if host in ("", "unix"):
        name = f"/tmp/.X11-unix/X{number}"  # noqa: S108 - where X servers listen
        return _connects(name) or _connects("\0" + name)
    try:
        with socket.create_connection((host.strip("[]"), 6000 + int(number)), _TIMEOUT_S):
            return True
    except (OSError, OverflowError, UnicodeError):
        return False


def _connects(name: str) -> bool:
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            probe.settimeout(_TIMEOUT_S)
            probe.connect(name)
            return True
    except (OSError, UnicodeError):
        return False


def missing_library(plugin: str) -> str | None:
    """The first system library that a platform plugin of Qt needs and that is not there."""
    found = importlib.util.find_spec("PySide6")
    for place in (found.submodule_search_locations if found else None) or ():
        file = Path(place) / "Qt" / "plugins" / "platforms" / f"libq{plugin}.so"
        if file.exists():
            try:
                ctypes.CDLL(str(file))
            except OSError as error:
                return str(error).partition(":")[0]
    return None
