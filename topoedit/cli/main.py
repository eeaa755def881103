"""The command `topoedit`: finds the sub-commands, runs one, and turns errors into one line.

A sub-command is one module in this package with `register(app: typer.Typer) -> None`; its name is
the command's, with `_` for `-`. Only the module of the command that is run gets imported.
"""

from __future__ import annotations

import difflib
import importlib
import os
import pkgutil
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

import topoedit
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
        wanted = _with_command(list(arguments))
        result = build_app(wanted)(args=wanted, prog_name="topoedit", standalone_mode=False)
        sys.stdout.flush()
    except TopoeditError as error:
        return _complain(error.line, error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return _complain("stopped", INTERRUPTED)
    except BrokenPipeError:
        _silence(sys.stdout)
        return 0
    except MemoryError:
        return _complain("there is not enough memory for this", BAD_USAGE)
    except Exception as error:
        return _failed(error)
    return result if isinstance(result, int) else 0


def command_names() -> tuple[str, ...]:
    """Every sub-command there is."""
    found = pkgutil.iter_modules([str(Path(__file__).parent)])
    modules = (module.name for module in found)
    return tuple(
        name.replace("_", "-")
        for name in sorted(modules)
        if name != "main" and not name.startswith("_")
    )


def build_app(arguments: Sequence[str] = ()) -> typer.Typer:
    """The Typer application; with a command among the arguments, with that one alone."""
    app = typer.Typer(
        name="topoedit",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=False, no_args_is_help=True)(_options)
    names = command_names()
    first = arguments[0] if arguments else ""
    chosen = () if first == "--version" else (first,) if first in names else names
    for name in chosen:
        module = importlib.import_module(f"topoedit.cli.{name.replace('-', '_')}")
        module.register(app)
    return app


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"topoedit {topoedit.__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Say the version."),
    ] = False,
) -> None:
    """Draw an AI cluster, see the load on every link, hand on the result.

    `topoedit FILE` opens the editor; every other command works without a display.
    """


def _with_command(arguments: list[str]) -> list[str]:
    """Put `edit` before a file name, or in the place of nothing at all."""
    if not arguments:
        return ["edit"]
    first = arguments[0]
    names = command_names()
    if first.startswith("-") or first in names:
        return arguments
    if not Path(first).suffix and not Path(first).exists() and os.sep not in first:
        near = difflib.get_close_matches(first, names, n=2, cutoff=0.5)
        hint = f"Nearest: {', '.join(near)}" if near else "`topoedit --help` lists them"
        raise TopoeditError(f'there is no command and no file "{first}"', mend=hint)
    return ["edit", *arguments]


def _complain(line: str, code: int) -> int:
    print(f"topoedit: {line}", file=sys.stderr)  # noqa: T201 - the one place for errors
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
