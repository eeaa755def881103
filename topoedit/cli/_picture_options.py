"""The options of a picture, as parameters of a command and as what they ask for."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Annotated, cast

import typer

from topoedit.errors import BadInputError
from topoedit.model.layers import Key, Layers, parse_key

if TYPE_CHECKING:
    from topoedit.app.export import ExportChoice, PaperChoice

Command = Callable[..., int]
_PAGES = re.compile(r"(\d{1,4})[x×](\d{1,4})")
_PAPERS = ("A4", "A3", "A2", "A1", "A0", "Letter", "Tabloid")


@dataclass(frozen=True)
class _Option:
    """One option: name, type, default, what stands for its value, help, and its flags."""

    name: str
    kind: object
    default: object
    metavar: str | None
    help: str
    flags: tuple[str, ...] = ()

    @property
    def parameter(self) -> inspect.Parameter:
        """The option as typer reads it."""
        option = typer.Option(*self.flags, metavar=self.metavar, help=self.help)
        return inspect.Parameter(
            self.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=self.default,
            annotation=Annotated[self.kind, option],
        )


_MANY, _TEXT = list[str] | None, str
_OPTIONS = (
    _Option("theme", _TEXT, "light", "light or dark", "Look (light)."),
    _Option("scale", float, 1.0, "X", "Enlargement (1)."),
    _Option("selection", _MANY, None, "NAME",
            "Show only this element, name or pattern; may be given again."),
    _Option("metric", str | None, None, "WORD",
            "demand, utilisation or phase_share (demand)."),
    _Option("background", _TEXT, "theme", "WORD", "theme, white or transparent (theme)."),
    _Option("margin", float | None, None, "PIXELS", "Room around the drawing (32)."),
    _Option("labels", _TEXT, "hot", "WORD", "Loads on links: none, hot or all (hot)."),
    _Option("legend", bool, True, None, "Explain the colours."),
    _Option("title_block", bool, True, None, "Name, counts and plan under the diagram."),
    _Option("title", _TEXT, "", "TEXT", "In place of the drawing's name."),
    _Option("date", _TEXT, "", "TEXT", "Date in the title block; none by itself."),
    _Option("revision", _TEXT, "", "TEXT", "Revision in the title block."),
    _Option("author", _TEXT, "", "TEXT", "Author in the title block."),
    _Option("note", _TEXT, "", "TEXT", "Free text in the title block."),
    _Option("hide", _MANY, None, "LAYER",
            "Leave out storage, rail=3, plane=1, phase=2, tag=new…"),
    _Option("dim", _MANY, None, "LAYER", "Let such a layer sink back."),
    _Option("complete", bool, False, None,
            "Every device of a large drawing; open what is collapsed.", ("--complete",)),
    _Option("paper", str | None, None, "SIZE", f"Lay a PDF on {', '.join(_PAPERS)}."),
    _Option("pages", str | None, None, "CxR",
            "A poster of columns x rows pages, or auto: as --scale asks (1x1)."),
    _Option("landscape", bool | None, None, None, "How the paper lies (what fits better).",
            ("--landscape/--portrait",)),
    _Option("overlap", float | None, None, "MM", "What neighbouring pages share (10)."),
    _Option("marks", bool, True, None, "Crop and page marks on a poster."),
    _Option("embed", bool, False, None,
            "Put the drawing into the PNG or SVG, to open it again.", ("--embed",)),
)  # fmt: skip


def with_picture(command: Command) -> Command:
    """Give a command the options of a picture and, as `choice` and `metric`, what they say."""
    parameters = [option.parameter for option in _OPTIONS]
    own = inspect.signature(command, eval_str=True).parameters

    @wraps(command)
    def run(**values: object) -> int:
        given = {p.name: values.pop(p.name) for p in parameters}
        choice = _choice(given)
        return command(**values, choice=choice, metric_given=given["metric"] is not None)

    merged = [
        p.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for name, p in own.items()
        if name not in ("choice", "metric_given")
    ]
    run.__signature__ = inspect.Signature([*merged, *parameters])  # type: ignore[attr-defined]
    run.__annotations__ = {}
    return run


def _choice(given: dict[str, object]) -> ExportChoice:
    """What the options ask for.

    Raises:
        BadInputError: a layer, paper or number of pages that does not exist.
    """
    from topoedit.app.export import ExportChoice, TitleBlock

    def text(name: str) -> str:
        return str(given[name] or "")

    plain = (
        "theme", "scale", "background", "margin", "labels", "legend", "title_block", "complete",
        "embed",
    )  # fmt: skip
    return ExportChoice(
        **{name: given[name] for name in plain},  # type: ignore[arg-type]
        selection=tuple(cast("list[str] | None", given["selection"]) or ()),
        metric=text("metric") or "demand",  # type: ignore[arg-type]
        titles=TitleBlock(
            text("title"), text("date"), text("revision"), text("author"), text("note")
        ),
        layers=Layers(_keys(given, "hide"), _keys(given, "dim")),
        paper=_paper(given),
    )


def _keys(given: dict[str, object], name: str) -> frozenset[Key]:
    texts = cast("list[str] | None", given[name]) or ()
    try:
        return frozenset(parse_key(text) for text in texts)
    except BadInputError as error:
        raise BadInputError(error.what, f"--{name}", error.mend) from None


def _paper(given: dict[str, object]) -> PaperChoice | None:
    from topoedit.app.export import PaperChoice

    size = given["paper"]
    if size is None:
        for name, option in (
            ("pages", "--pages"), ("landscape", "--landscape/--portrait"), ("overlap", "--overlap"),
        ):  # fmt: skip
            if given[name] is not None:
                raise BadInputError("there is no paper to lay it on", option, "Add --paper A3")
        return None
    named = {name.lower(): name for name in _PAPERS}
    overlap = cast("float | None", given["overlap"])
    return PaperChoice(
        named.get(str(size).lower(), str(size)),
        cast("bool | None", given["landscape"]),
        _page_grid(str(given["pages"] or "1x1")),
        10.0 if overlap is None else overlap,
        bool(given["marks"]),
    )


def _page_grid(text: str) -> tuple[int, int] | None:
    if text == "auto":
        return None
    found = _PAGES.fullmatch(text)
    if found is None:
        raise BadInputError(f'"{text}" is no number of pages', "--pages", "Use 3x2 or auto")
    return int(found.group(1)), int(found.group(2))
