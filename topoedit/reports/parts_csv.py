"""Lists of parts as CSV: one row for each part number, families told by their first column."""

from __future__ import annotations

import math
import re

from topoedit.errors import BadCatalogError, BadFileError
from topoedit.io.spreadsheet import csv_rows

COLUMNS = (
    "family", "part_number", "name", "vendor", "medium", "length_m", "connector", "fibre", "ways",
    "cage_type", "cage_type_b", "ports", "ports_b", "shell", "shell_b", "gbps", "connectors",
    "max_watts", "max_m", "price", "currency", "source",
)  # fmt: skip
FAMILIES = {"module": "modules", "fibre": "fibres", "copper": "copper"}
_NOT_ID = re.compile(r"[^A-Za-z0-9._+-]+")


def sections_of_csv(text: str, where: str) -> dict[str, list[dict[str, object]]]:
    """The sections of a YAML file; rows that agree in all but number and length are one part.

    Args:
        text: CSV with the columns `COLUMNS`, of which `family` and `medium` must be there.
        where: the file, for messages.

    Raises:
        BadCatalogError: it is no such table; names file and line.
    """
    try:
        rows = list(csv_rows(text.lstrip("\ufeff"), where))
    except BadFileError as error:
        raise BadCatalogError(error.what, where, error.mend) from None
    header = [name.strip().lower() for name in rows[0][1]] if rows else []
    unknown = [name for name in header if name not in COLUMNS]
    lacking = [name for name in ("family", "medium") if name not in header]
    if unknown or lacking or len(set(header)) != len(header):
        wrong = f'has an unknown column "{unknown[0][:40]}"' if unknown else (
            f"has no column {', '.join(lacking)}" if lacking else "has a column twice"
        )  # fmt: skip
        raise BadCatalogError(wrong, where, f"The columns are {', '.join(COLUMNS)}")
    sections: dict[str, list[dict[str, object]]] = {"prices": []}
    entries: dict[tuple[str, ...], dict[str, object]] = {}
    for number, row in rows[1:]:
        if not any(cell.strip() for cell in row):
            continue
        cells = {
            name: cell for name, cell in zip(header, map(str.strip, row), strict=False) if cell
        }
        _add_row(cells, sections, entries, f"{where}:{number}")
    return sections


def _add_row(
    cells: dict[str, str],
    sections: dict[str, list[dict[str, object]]],
    entries: dict[tuple[str, ...], dict[str, object]],
    where: str,
) -> None:
    family = cells.get("family", "").lower()
    if family not in FAMILIES:
        raise BadCatalogError(
            f'"{family[:40]}" is no family of parts', where, f"Write {', '.join(FAMILIES)}"
        )
    entry = _entry(family, cells, where)
    if family == "module":
        entry["part_number"] = cells.get("part_number", "")
        key: tuple[str, ...] = (family, str(len(entries)))
    else:
        same = ("name", "medium", "connector", "fibre", "ways", "cage_type", "cage_type_b",
                "ports", "ports_b", "shell", "shell_b", "vendor")  # fmt: skip
        key = (family, *(cells.get(name, "") for name in same))
    known = entries.get(key)
    if known is None:
        entry["id"] = _id(cells, len(entries))
        entries[key] = known = entry
        sections.setdefault(FAMILIES[family], []).append(entry)
    if family != "module":
        _add_length(known, cells, where)
    if "price" in cells:
        sections["prices"].append(
            {
                "part_number": cells.get("part_number", ""),
                "price": _number(cells["price"], "price", where),
                "currency": cells.get("currency", ""),
                "source": cells.get("source", ""),
            }
        )


def _add_length(entry: dict[str, object], cells: dict[str, str], where: str) -> None:
    lengths = entry.setdefault("lengths", {})
    length = _number(cells.get("length_m", ""), "length", where)
    if not isinstance(lengths, dict) or length in lengths:
        raise BadCatalogError(f"has {length:g} m twice for one part", where)
    lengths[length] = cells.get("part_number", "")


def _entry(family: str, cells: dict[str, str], where: str) -> dict[str, object]:
    media = [name.strip() for name in cells.get("medium", "").split(";") if name.strip()]
    entry: dict[str, object] = {
        "name": cells.get("name") or cells.get("part_number") or cells.get("medium", ""),
        "vendor": cells.get("vendor", ""),
        "media": media,
    }
    if "source" in cells:
        entry["source"] = cells["source"]
    if family == "copper":
        entry["cage_types"] = [cells.get("cage_type", ""), cells.get("cage_type_b") or
                               cells.get("cage_type", "")]  # fmt: skip
        entry["shells"] = [cells.get("shell", ""), cells.get("shell_b") or cells.get("shell", "")]
        first = _whole(cells.get("ports", "0"), "ports", where)
        entry["ports"] = [first, _whole(cells.get("ports_b", str(first)), "ports_b", where)]
        return entry
    for name in ("connector", "fibre"):
        if name in cells:
            entry[name] = cells[name]
    if family == "fibre":
        entry["ways"] = _whole(cells.get("ways", "1"), "ways", where)
        return entry
    for name in ("cage_type", "shell"):
        if name in cells:
            entry[name] = cells[name]
    if "ports" in cells:
        entry["ports"] = [_whole(word, "ports", where) for word in cells["ports"].split(";")]
    if "connectors" in cells:
        entry["connectors"] = _whole(cells["connectors"], "connectors", where)
    for column, field in (("gbps", "gbps"), ("max_watts", "watts"), ("max_m", "max_m")):
        if column in cells:
            entry[field] = _number(cells[column], column, where)
    return entry


def _id(cells: dict[str, str], number: int) -> str:
    words = _NOT_ID.sub("-", cells.get("part_number") or cells.get("name", "")).strip("-._+")
    return f"own-{number + 1}-{words}"[:100]


def _number(text: str, what: str, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1e12:
        raise BadCatalogError(
            f'"{text[:40]}" is not a {what.replace("_", " ")}', where,
            "Write digits with a decimal point: 2.5",
        )  # fmt: skip
    return value


def _whole(text: str, what: str, where: str) -> int:
    value = _number(text.strip(), what, where)
    if value != int(value) or value > 100_000:
        raise BadCatalogError(f'"{text[:40]}" is not a number of {what}', where)
    return int(value)
