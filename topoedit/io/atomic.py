"""Writing a file whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Callable
from pathlib import Path

from topoedit import system
from topoedit.errors import BadFileError, TopoeditError


def write(path: Path, data: bytes, check: Callable[[bytes], object] | None = None) -> None:
    """Put `data` in the place of `path` in one step; a crash leaves the old or the new file whole.

    A symbolic link stays one: its target is replaced. Permissions are kept.

    Args:
        path: the file to write; its folder must exist.
        data: the new content.
        check: gets what was really written, read back, and raises if that is not good.

    Raises:
        BadFileError: the file is read-only or the disk refuses; the old file is as it was.
    """
    target = Path(os.path.realpath(path))
    mode = _mode_of(target)
    temporary = target.with_name(f".{target.name[:80]}.{secrets.token_hex(4)}.tmp")
    try:
        _write_through(temporary, data)
        if check is not None:
            check(temporary.read_bytes())
        if mode is not None:
            temporary.chmod(mode)
        temporary.replace(target)
        system.sync_folder(target.parent)
    except TopoeditError:
        _remove(temporary)
        raise
    except OSError as error:
        _remove(temporary)
        raise _refused(error, path) from None
    except BaseException:
        _remove(temporary)
        raise


def check(path: Path) -> None:
    """Test that what is at a path may be replaced, if anything is there.

    Raises:
        BadFileError: it is a folder, no regular file or read-only, or the name is not possible.
    """
    _mode_of(Path(os.path.realpath(path)))


def _mode_of(target: Path) -> int | None:
    """The permissions to keep; refuses to replace a file that may not be written."""
    try:
        status = target.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _refused(error, target) from None
    if stat.S_ISDIR(status.st_mode):
        raise BadFileError("is a folder, not a file", str(target), "Add the name of a file")
    if not stat.S_ISREG(status.st_mode):
        raise BadFileError("is not a regular file", str(target), "Choose another name to write to")
    if not status.st_mode & stat.S_IWUSR or not os.access(target, os.W_OK):
        raise BadFileError(
            "cannot be written: it is read-only", str(target), "Save under another name"
        )
    return stat.S_IMODE(status.st_mode)


def _write_through(path: Path, data: bytes) -> None:
    with path.open("xb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


def _refused(error: OSError, path: Path) -> BadFileError:
    mend = {
        errno.ENOSPC: "Make room on the disk, or choose another one",
        errno.EDQUOT: "Make room on the disk, or choose another one",
        errno.ENAMETOOLONG: "Choose a shorter name",
    }.get(error.errno or 0, "Choose another folder to write to")
    return BadFileError(f"cannot be written: {error.strerror or error}", str(path), mend)
