"""What every command prints with: JSON on standard output, notes on standard error, tables."""

from __future__ import annotations

import sys
import time
import unicodedata
from collections.abc import Callable, Iterable, Sequence

import msgspec

from topoedit.units import UNKNOWN

_PROGRESS_EVERY_S = 0.5


def print_json(value: object) -> None:
    """Print one JSON object, indented, and nothing else; NaN and infinity become null."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    sys.stdout.write(text + "\n")


def note(text: str) -> None:
    """A line on standard error: progress or a warning."""
    print(f"topoedit: {plain(' '.join(text.split()))}", file=sys.stderr)  # noqa: T201


def progress_line() -> Callable[[str, float], None]:
    """What shows on a terminal's standard error how far work is, after half a second of it."""
    last = time.monotonic()

    def show(words: str, fraction: float) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _PROGRESS_EVERY_S and sys.stderr.isatty():
            last = now
            print(f"topoedit: {words}, {fraction:.0%}", file=sys.stderr)  # noqa: T201

    return show


def warn(warnings: Iterable[str]) -> None:
    """Warnings on standard error, one a line."""
    for warning in warnings:
        note(f"warning: {warning}")


def print_pairs(pairs: Iterable[tuple[str, object]]) -> None:
    """Names and values in two aligned columns; None is shown as –."""
    rows = [(plain(name), plain(value)) for name, value in pairs]
    width = max((len(name) for name, _ in rows), default=0)
    for name, value in rows:
        sys.stdout.write(f"{name:<{width}}  {value}".rstrip() + "\n")


def print_table(headers: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A plain table: numbers to the right, texts to the left; None is shown as –."""
    body = [[plain(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(headers, *body, strict=True)]
    right = [
        bool(body) and all(_is_number(row[index]) for row in body) for index in range(len(headers))
    ]
    for line in (headers, *body):
        cells = (
            f"{cell:>{width}}" if to_right else f"{cell:<{width}}"
            for cell, width, to_right in zip(line, widths, right, strict=True)
        )
        sys.stdout.write("  ".join(cells).rstrip() + "\n")


def plain(value: object) -> str:
    """A value as text; control characters of foreign files do not reach the terminal."""
    text = UNKNOWN if value is None else str(value)
    if text.isprintable():
        return text
    return "".join("\ufffd" if unicodedata.category(c)[0] == "C" else c for c in text)


def _is_number(cell: str) -> bool:
    return cell == UNKNOWN or cell[:1].isdigit() or cell[:2].lstrip("\u2212-")[:1].isdigit()
