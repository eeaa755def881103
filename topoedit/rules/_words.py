"""Words of the messages: names of links, lists cut short, rates and counts."""

from __future__ import annotations

from collections.abc import Sequence

from topoedit.units import bytes_per_s, format_bytes

SHOWN = 3


def some(names: Sequence[str], shown: int = SHOWN) -> str:
    """The first names and how many more there are.

    >>> some(["a", "b", "c", "d"])
    'a, b, c and 1 more'
    """
    more = len(names) - shown
    head = ", ".join(names[:shown])
    return f"{head} and {more} more" if more > 0 else head


def rate(gbps: float) -> str:
    """A rate per direction: Gb/s, or bytes for what is slower than a megabit.

    >>> rate(400.0), rate(0.00048)
    ('400 Gb/s', '60.0 kB/s')
    """
    return (
        f"{gbps:g} Gb/s" if gbps >= 0.001 or gbps == 0 else f"{format_bytes(bytes_per_s(gbps))}/s"
    )


def count(number: int, one: str, many: str = "") -> str:
    """A number with its word.

    >>> count(1, "switch", "switches"), count(2, "switch", "switches")
    ('1 switch', '2 switches')
    """
    return f"{number} {one}" if number == 1 else f"{number} {many or one + 's'}"


def lacking(number: int, of: int, what: str, lack: str) -> str:
    """Why something was not checked; "" if nothing lacks.

    >>> lacking(3, 10, "links", "no length")
    '3 of 10 links have no length'
    """
    return f"{number} of {of} {what} {'has' if number == 1 else 'have'} {lack}" if number else ""


def metres(length: float) -> str:
    """A length for people."""
    return f"{length / 1000:g} km" if length >= 10_000 else f"{length:g} m"
