"""Units: bytes, seconds, bytes/s per direction and metres inside; people's units at the edge."""

from __future__ import annotations

import math

GIGA = 1e9
GIB = 2**30
BITS_PER_BYTE = 8
THIN_SPACE = "\u2009"
MINUS = "\u2212"
UNKNOWN = "\u2013"


def bytes_per_s(gbps: float) -> float:
    """Bytes a second for a rate in Gb/s per direction; raises ValueError on a negative rate.

    >>> bytes_per_s(400)
    50000000000.0
    """
    if not gbps >= 0:
        raise ValueError(f"a rate cannot be negative: {gbps}")
    return gbps * GIGA / BITS_PER_BYTE


def gbps(rate: float) -> float:
    """Gb/s per direction for a rate in bytes/s."""
    return rate * BITS_PER_BYTE / GIGA


def format_number(value: float, decimals: int = 0) -> str:
    """A number for people: thin spaces between thousands, a true minus.

    >>> format_number(98304) == "98\u2009304"
    True
    """
    text = f"{abs(value):,.{decimals}f}".replace(",", THIN_SPACE)
    return f"{MINUS}{text}" if value < 0 and float(f"{abs(value):.{decimals}f}") else text


def _three_figures(value: float) -> str:
    if value == 0:
        return "0"
    decimals = max(0, 2 - math.floor(math.log10(abs(value))))
    return format_number(value, min(decimals, 3))


_SECONDS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_BYTES = ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B"))


def format_seconds(seconds: float | None) -> str:
    """Seconds with three figures and the unit that fits.

    >>> format_seconds(0.00472)
    '4.72 ms'
    """
    if seconds is None or not math.isfinite(seconds):
        return UNKNOWN
    for scale, unit in _SECONDS:
        if abs(seconds) >= scale * 0.9995:
            return f"{_three_figures(seconds / scale)} {unit}"
    return "0 s" if seconds == 0 else f"{_three_figures(seconds / 1e-9)} ns"


def format_bytes(count: float | None) -> str:
    """Bytes with three figures in decimal units (GB = 10^9).

    >>> format_bytes(75.16e9)
    '75.2 GB'
    """
    if count is None or not math.isfinite(count):
        return UNKNOWN
    for scale, unit in _BYTES:
        if abs(count) >= scale * 0.9995:
            return f"{_three_figures(count / scale)} {unit}"
    return "0 B" if count == 0 else f"{_three_figures(count)} B"


def format_rate(rate: float | None) -> str:
    """A rate in GB/s per direction."""
    if rate is None or not math.isfinite(rate):
        return UNKNOWN
    return f"{_three_figures(rate / GIGA)} GB/s"


def format_percent(fraction: float | None, decimals: int = 0) -> str:
    """A fraction as a percentage with a thin gap before the sign."""
    if fraction is None or not math.isfinite(fraction):
        return UNKNOWN
    return f"{format_number(fraction * 100, decimals)}{THIN_SPACE}%"
