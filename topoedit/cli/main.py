"""The command `topoedit`: finds the sub-commands, runs one, and turns errors into one line.

A sub-command is one module in this package with `register(app: typer.Typer) -> None`; its name is
the command's, with `_` for `-`. Only the module of the command that is run gets imported, and the
editor opens files without loading the option parser: its window should be there at once.
"""

from __future__ import annotations

import os
import pkgutil
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from topoedit.errors import TopoeditError

BUG = 70
BAD_USAGE = 2
INTERRUPTED = 130


def run() -> None:
    """The entry point of the installed command."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            encoding = stream.encoding if stream.isatty() else "utf-8"
            reconfigure(encoding=encoding, errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; never raises."""
    try:
        result = _run(_with_command(list(arguments)))
        sys.stdout.flush()
    except TopoeditError as error:
        return _complain(error.line, error.exit_code)
    except KeyboardInterrupt:
        return _complain("stopped", INTERRUPTED)
    except BrokenPipeError:
        _silence(sys.stdout)
        return 0
    except MemoryError:
        return _complain("there is not enough memory for this", BAD_USAGE)
    except Exception as error:
        return _failed(error)
    return result if isinstance(result, int) else 0


def _run(wanted: list[str]) -> object:
    if wanted[0] == "edit" and not any(word.startswith("-") for word in wanted):
        from topoedit.cli._opening import open_editor

        return open_editor([Path(word) for word in wanted[1:]])
    from topoedit.cli._app import run_app

    return run_app(wanted)


def command_names() -> tuple[str, ...]:
    """Every sub-command there is."""
    found = pkgutil.iter_modules([str(Path(__file__).parent)])
    modules = (module.name for module in found)
    return tuple(
        name.replace("_", "-")
        for name in sorted(modules)
        if name != "main" and not name.startswith("_")
    )


def _with_command(arguments: list[str]) -> list[str]:
    """Put `edit` before a file name, or in the place of nothing at all."""
    if not arguments:
        return ["edit"]
    first = arguments[0]
    names = command_names()
    if first.startswith("-") or first in names:
        return arguments
    if not Path(first).suffix and not Path(first).exists() and os.sep not in first:
        import difflib

        near = difflib.get_close_matches(first, names, n=2, cutoff=0.5)
        hint = f"Nearest: {', '.join(near)}" if near else "`topoedit --help` lists them"
        raise TopoeditError(f'there is no command and no file "{first}"', mend=hint)
    return ["edit", *arguments]


def _complain(line: str, code: int) -> int:
    from topoedit.cli._output import plain

    print(f"topoedit: {plain(line)}", file=sys.stderr)  # noqa: T201 - the one place for errors
    return code


def _failed(error: Exception) -> int:
    format_message = getattr(error, "format_message", None)
    if format_message is not None:  # a usage error of the option parser
        text = " ".join(str(format_message()).split()).rstrip(".")
        command = getattr(getattr(error, "ctx", None), "command_path", "topoedit")
        return _complain(f"{text}. See `{command} --help`", BAD_USAGE)
    if os.environ.get("TOPOEDIT_DEBUG"):
        traceback.print_exception(error)
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(last.filename).name}:{last.lineno}"
    return _complain(
        f"a bug, not your fault: {type(error).__name__}: {' '.join(str(error).split())} ({place}). "
        "Set TOPOEDIT_DEBUG=1 to see where, and report it with the command you ran",
        BUG,
    )


def _silence(stream: object) -> None:
    """Keep Python from complaining about a closed pipe when it ends."""
    fileno = getattr(stream, "fileno", None)
    if fileno is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), fileno())


if __name__ == "__main__":
    run()
