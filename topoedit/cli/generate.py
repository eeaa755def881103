"""`topoedit generate`: make a drawing from a template."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import typer

from topoedit.cli._output import note, print_json
from topoedit.errors import BadInputError
from topoedit.templates.base import Parameter, Template, template, templates

if TYPE_CHECKING:
    from topoedit.app.generate import Generated

_OUTPUT = ("-o", "--output")
_HELP = ("-h", "--help")


def register(app: typer.Typer) -> None:
    """Add the command; its options depend on the template, so it reads them itself."""
    app.command(
        "generate",
        context_settings={
            "allow_extra_args": True,
            "ignore_unknown_options": True,
            "help_option_names": [],
        },
        add_help_option=False,
        help="Make a drawing from a template.",
        short_help="Make a drawing from a template.",
    )(_generate)


def _generate(context: typer.Context) -> None:
    json = "--json" in context.args
    words = [word for word in context.args if word != "--json"]
    if not words or any(word in _HELP for word in words):
        typer.echo("\n".join(_help(words)))
        return
    chosen, params, output = read_arguments(words)
    from topoedit.app.generate import generate_with_notes
    from topoedit.catalog.load import load_catalog
    from topoedit.cli._targets import check_files
    from topoedit.io import native

    if not output.name.endswith(native.SUFFIX):
        raise BadInputError(
            f"a drawing's name ends in {native.SUFFIX}",
            str(output),
            "`convert` makes other formats",
        )
    check_files([("-o", output)])
    name = output.name.removesuffix(native.SUFFIX)
    made = generate_with_notes(chosen.id, params, load_catalog(), name)
    native.save(made.document, output)
    for text in made.built.notes:
        note(text)
    if json:
        print_json(counts(made, output))
        return
    typer.echo(f"{output}: {made.built.summary}")


class Counts(msgspec.Struct, frozen=True):
    """The keys of `topoedit generate --json`; links and cables of all networks."""

    file: str
    template: str
    name: str
    origin: str
    devices: dict[str, int]
    gpus: int | None
    links: int
    cables: int
    notes: tuple[str, ...]


def counts(made: Generated, output: Path) -> Counts:
    """What was drawn, counted on the drawing itself."""
    from topoedit.app.info import count_gpus

    document = made.document
    settings = document.settings
    return Counts(
        file=str(output),
        template=settings.origin.split()[2],
        name=settings.name,
        origin=settings.origin,
        devices=dict(sorted(Counter(d.kind for d in document.devices.values()).items())),
        gpus=count_gpus(document)[0],
        links=len(document.links),
        cables=sum(link.count for link in document.links.values()),
        notes=tuple(made.built.notes),
    )


def read_arguments(words: Sequence[str]) -> tuple[Template, dict[str, object], Path]:
    """The template, its parameters and the file from the words after `generate`.

    Raises:
        BadInputError: a word that is no option, an option without value or given twice.
    """
    chosen: Template | None = None
    params: dict[str, object] = {}
    output: Path | None = None
    for option, value in _pairs(words):
        if not option:
            if chosen is not None:
                raise BadInputError(f'"{value}" is neither an option nor a value', "generate")
            chosen = template(value)
        elif option in _OUTPUT:
            if output is not None:
                raise BadInputError("is given twice", option, "Name one file to write")
            output = Path(value)
        else:
            if option in params:
                raise BadInputError("is given twice", option)
            params[option] = value
    if chosen is None:
        raise BadInputError("name a template", "generate", f"One of: {', '.join(templates())}")
    for option in params:
        if chosen.parameter(option) is None or not option.startswith("--"):
            known = ", ".join(parameter.option for parameter in chosen.parameters)
            raise BadInputError(f"{chosen.id} has no option {option}", mend=f"It has {known}")
    if output is None:
        raise BadInputError("say where to write it", "generate", "-o FILE.topo.json")
    return chosen, params, output


def _pairs(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(option, value) pairs; a bare word has no option."""
    rest = iter(words)
    for word in rest:
        if not word.startswith("-") or word == "-":
            yield "", word
            continue
        option, joined, value = word.partition("=")
        if not joined:
            following = next(rest, None)
            if following is None or _looks_like_option(following):
                raise BadInputError("needs a value", option)
            value = following
        yield option, value


def _looks_like_option(word: str) -> bool:
    return word.startswith("-") and not word[1:2].isdigit() and word != "-"


def _help(words: Sequence[str]) -> list[str]:
    named = [word for word in words if word in templates()]
    chosen = [template(named[0])] if named else list(templates().values())
    lines = ["Usage: topoedit generate TEMPLATE [OPTIONS] -o FILE.topo.json", ""]
    lines.append("Makes a drawing from a template and writes it. With --json, prints what was")
    lines.append("drawn as one JSON object.")
    for one in chosen:
        lines += ["", f"{one.id}: {one.title}, {one.summary}."]
        lines += [
            f"  {parameter.option:<18} {_describe(parameter)}" for parameter in one.parameters
        ]
        lines.append(f"  Checked against: {one.checked}.")
    return lines


def _describe(parameter: Parameter) -> str:
    notes = []
    if parameter.choices:
        notes.append(", ".join(parameter.choices))
    if parameter.low is not None and parameter.high is not None:
        notes.append(f"{parameter.low:g} to {parameter.high:g}")
    if parameter.default is not None:
        default = parameter.default
        notes.append(f"default {','.join(default) if isinstance(default, tuple) else default}")
    return parameter.help + (f" ({'; '.join(notes)})" if notes else "")
