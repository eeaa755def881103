"""Prices from the user's own file; the product has none of its own."""

from __future__ import annotations

import math
from pathlib import Path

import msgspec

from topoedit.errors import BadFileError
from topoedit.io.reading import decode_text, read_bytes
from topoedit.io.spreadsheet import csv_rows

_MAX_BYTES = 32 * 2**20
_NEEDED = ("item", "price", "currency")


class Price(msgspec.Struct, frozen=True):
    """What one piece costs, and where the figure is from ("" if the file does not say)."""

    price: float
    currency: str
    source: str = ""


def read_prices(path: Path) -> dict[str, Price]:
    """Prices by part number, item or type, in lower case.

    The file is CSV with the columns `item`, `price`, `currency` and, if there is one, `source`;
    `item` is a part number, an item of the bill of materials or a catalogue id.

    Raises:
        BadFileError: it cannot be read, lacks a column, or holds something else than a price.
    """
    text = decode_text(read_bytes(path, _MAX_BYTES), str(path))
    rows = list(csv_rows(text, str(path)))
    header = [name.strip().lower() for name in rows[0][1]] if rows else []
    lacking = [name for name in _NEEDED if name not in header]
    if lacking:
        raise BadFileError(
            f"has no column {', '.join(lacking)}", str(path),
            "Its first line is item,price,currency,source",
        )  # fmt: skip
    found: dict[str, Price] = {}
    for number, row in rows[1:]:
        if not any(cell.strip() for cell in row):
            continue
        cells = dict(zip(header, (cell.strip() for cell in row), strict=False))
        key, price = cells.get("item", "").lower(), _price(cells, f"{path}:{number}")
        if key in found:
            raise BadFileError(f'prices "{key}" twice', f"{path}:{number}", "Leave one of them out")
        found[key] = price
    return found


def _price(cells: dict[str, str], where: str) -> Price:
    text = cells.get("price", "")
    try:
        price = float(text)
    except ValueError:
        price = math.nan
    if not 0 <= price < 1e12:
        raise BadFileError(
            f'"{text[:40]}" is not a price', where, "Write digits with a decimal point: 1234.50"
        )
    if not cells.get("currency"):
        raise BadFileError("a price has no currency", where, "Write for example USD")
    return Price(price, cells["currency"][:12], cells.get("source", "")[:400])
