"""What a template is: parameters as data, and a function from their values to one edit."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from topoedit.catalog.catalog import Catalog
from topoedit.errors import BadInputError
from topoedit.model.edits import Edit

Value = int | float | str | tuple[str, ...] | None
ParameterKind = Literal["int", "float", "text", "device", "words"]


@dataclass(frozen=True)
class Parameter:
    """One option of a template.

    Attributes:
        name: its key; the option on the command line is `--name` with dashes.
        kind: `device` is the id of a device type, `words` a comma-separated list.
        help: one line for people.
        default: value when it is not given; None means that the template works it out.
        low, high: inclusive range of a number.
        choices: allowed words (empty: any).
    """

    name: str
    kind: ParameterKind
    help: str
    default: Value = None
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def option(self) -> str:
        """Its name on the command line."""
        return "--" + self.name.replace("_", "-")

    def read(self, given: object) -> Value:
        """A checked value from a text or a plain value.

        Raises:
            BadInputError: it is not of this kind or out of range.
        """
        if given is None:
            return self.default
        if self.kind in ("int", "float"):
            return self._number(given)
        if self.kind == "words":
            return self._words(given)
        text = str(given).strip()
        if not text:
            raise BadInputError("a value is missing", self.option, self.help)
        self._check_choice(text)
        return text

    def _number(self, given: object) -> int | float:
        wanted = "a whole number" if self.kind == "int" else "a number"
        try:
            number = float(str(given))
        except ValueError:
            raise BadInputError(f'"{given}" is not {wanted}', self.option, self._range()) from None
        whole = number == number // 1 if abs(number) < 1e15 else False
        if number != number or (self.kind == "int" and not whole):
            raise BadInputError(f'"{given}" is not {wanted}', self.option, self._range())
        if (self.low is not None and number < self.low) or (
            self.high is not None and number > self.high
        ):
            raise BadInputError(f"{given} is out of range", self.option, self._range())
        return int(number) if self.kind == "int" else number

    def _range(self) -> str:
        if self.low is not None and self.high is not None:
            return f"Give {self.low:g} to {self.high:g}"
        return "" if self.low is None else f"Give {self.low:g} or more"

    def _words(self, given: object) -> tuple[str, ...]:
        texts = given if isinstance(given, list | tuple) else str(given).split(",")
        words = tuple(str(text).strip() for text in texts if str(text).strip())
        for word in words:
            self._check_choice(word)
        return tuple(dict.fromkeys(words))

    def _check_choice(self, word: str) -> None:
        if self.choices and word not in self.choices:
            raise BadInputError(
                f'"{word}" is not a choice', self.option, f"One of: {', '.join(self.choices)}"
            )


@dataclass(frozen=True)
class Values:
    """Checked values of a template's parameters, by name.

    Attributes:
        given: names that were given and not left to their default.
    """

    values: Mapping[str, Value] = field(default_factory=dict)
    given: frozenset[str] = frozenset()

    def integer(self, name: str) -> int | None:
        """A whole number, or None if it was left out and has no default."""
        value = self.values.get(name)
        return int(value) if isinstance(value, int | float) else None

    def number(self, name: str, default: float = 0.0) -> float:
        """A number."""
        value = self.values.get(name)
        return float(value) if isinstance(value, int | float) else default

    def text(self, name: str) -> str:
        """A text, "" if it was left out."""
        value = self.values.get(name)
        return value if isinstance(value, str) else ""

    def words(self, name: str) -> tuple[str, ...]:
        """A list of words."""
        value = self.values.get(name)
        return value if isinstance(value, tuple) else ()


@dataclass(frozen=True)
class Built:
    """What a template made.

    Attributes:
        edit: puts all elements into an empty document.
        name: a short name for the drawing.
        summary: one line with the counts.
        notes: what was checked against what, what was rounded, what the next unit costs.
    """

    edit: Edit
    name: str
    summary: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Template:
    """A parametric cluster.

    Attributes:
        checked: the document and rows its counts were checked against.
        make: builds it from checked values.
    """

    id: str
    title: str
    summary: str
    parameters: tuple[Parameter, ...]
    checked: str
    make: Callable[[Values, Catalog], Built]

    def parameter(self, name: str) -> Parameter | None:
        """The parameter with this key or option name."""
        key = name.lstrip("-").replace("-", "_")
        return next((p for p in self.parameters if p.name == key), None)

    def read(self, params: Mapping[str, object]) -> Values:
        """Checked values for all parameters.

        Raises:
            BadInputError: an unknown option or a value out of range.
        """
        for name in params:
            if self.parameter(name) is None:
                known = ", ".join(p.option for p in self.parameters)
                raise BadInputError(f'{self.id} has no option "{name}"', mend=f"It has {known}")
        given = {p.name: params[k] for k in params if (p := self.parameter(k)) is not None}
        present = frozenset(name for name, value in given.items() if value is not None)
        return Values({p.name: p.read(given.get(p.name)) for p in self.parameters}, present)

    def build(self, params: Mapping[str, object], catalog: Catalog) -> Built:
        """Build it; raises BadInputError on values that cannot be built."""
        return self.make(self.read(params), catalog)


@lru_cache(maxsize=1)
def templates() -> Mapping[str, Template]:
    """All templates by id: the object `TEMPLATE` of each module of this package."""
    package = importlib.import_module("topoedit.templates")
    found: dict[str, Template] = {}
    for info in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"topoedit.templates.{info.name}")
        template = getattr(module, "TEMPLATE", None)
        if isinstance(template, Template):
            found[template.id] = template
    return dict(sorted(found.items()))


def template(template_id: str) -> Template:
    """The template with this id; raises BadInputError with the ids there are."""
    found = templates().get(template_id)
    if found is None:
        raise BadInputError(
            f'there is no template "{template_id}"', mend=f"One of: {', '.join(templates())}"
        )
    return found
