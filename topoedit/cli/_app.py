"""The option parser: the commands as one Typer application."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Annotated

import typer

import topoedit
from topoedit.cli.main import command_names


def run_app(wanted: Sequence[str]) -> object:
    """Run the command of these arguments.

    Raises:
        KeyboardInterrupt: the user stopped it.
        BrokenPipeError: whoever read standard output has closed it.
    """
    try:
        return build_app(wanted)(args=list(wanted), prog_name="topoedit", standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except SystemExit:  # the option parser ends the process itself when a pipe is closed
        raise BrokenPipeError from None


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
