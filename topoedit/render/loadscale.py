"""From a load to a colour code: a small number whose order is the order of painting.

A code is one byte, so that hundreds of thousands of links sort in a millisecond:

====== ======================================================
code   what the half-line shows
====== ======================================================
0      nothing analysed (neutral)
1      no data (dots)
2      idle: carries nothing
3-18   load from 0 to 100 %, 16 bins of 6.25 %
19     over 100 % (+1 px and white dashes)
20     down or unreachable (red dots)
====== ======================================================
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from topoedit.render.loadcodes import (
    BINS,
    CODES,
    DOWN,
    FIRST_BIN,
    IDLE,
    NO_DATA,
    OVERLOAD,
    PLAIN,
)

__all__ = [
    "BINS", "CODES", "DOWN", "FIRST_BIN", "IDLE", "NO_DATA", "OVERLOAD", "PLAIN", "Codes",
    "load_code", "load_codes",
]  # fmt: skip

Codes = NDArray[np.uint8]


def load_codes(loads: ArrayLike) -> Codes:
    """Colour codes of loads (1.0 is 100 %, NaN is no data).

    A load is never stretched: 100 % is always the top of the ramp, whatever the data are.
    """
    values = np.asarray(loads, dtype=np.float64)
    scaled = np.fmax(values * BINS, 0.0)  # fmax takes the number beside a NaN
    codes: Codes = np.minimum(scaled, BINS - 1).astype(np.uint8)
    codes += np.uint8(FIRST_BIN)
    # The engine sums in floating point: 100 % on the nose is not an overload.
    np.copyto(codes, OVERLOAD, where=values > 1.0 + 1e-9)
    np.copyto(codes, IDLE, where=values <= 0.0)
    np.copyto(codes, NO_DATA, where=np.isnan(values))
    return codes


def load_code(load: float | None) -> int:
    """The colour code of one load; None and NaN are no data."""
    return int(load_codes(np.array([np.nan if load is None else load]))[0])
