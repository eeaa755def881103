"""Where the product's own files and the user's folders are."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


@lru_cache(maxsize=1)
def _data_root() -> Path:
    installed = _PACKAGE / "_data"
    return installed if installed.is_dir() else _PACKAGE.parent


def resources() -> Path:
    """The folder `resources/` with catalogue, icons, tokens, schema and calibration."""
    return _data_root() / "resources"


def samples() -> Path:
    """The folder `sample_topologies/`."""
    return _data_root() / "sample_topologies"


def _user(kind: str) -> Path:
    override = os.environ.get("TOPOEDIT_HOME")
    if override:
        return Path(override) / kind
    import platformdirs

    places = {
        "config": platformdirs.user_config_path,
        "state": platformdirs.user_state_path,
        "cache": platformdirs.user_cache_path,
    }
    return places[kind]("topoedit", appauthor=False)


def config_dir() -> Path:
    """The user's settings and catalogues (`$TOPOEDIT_HOME/config` where that is set)."""
    return _user("config")


def state_dir() -> Path:
    """Journals, backups and recent files."""
    return _user("state")


def cache_dir() -> Path:
    """Files that can be made again."""
    return _user("cache")
