"""The shape of a communication group on a fabric: what decides the time of its collectives."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from topoedit.engine.types import Fabric, Longs


def units(fabric: Fabric) -> Longs:
    """(G,) number of the server of each GPU, or of its scale-up domain where that is as wide."""
    server = np.asarray(fabric.gpu_server, dtype=np.int64)
    domain = np.asarray(fabric.gpu_domain, dtype=np.int64)
    if not server.size:
        return server
    in_server = np.bincount(server)[server]
    in_domain = np.bincount(domain - domain.min())[domain - domain.min()]
    wide = (domain >= 0) & (in_domain >= in_server)
    return np.where(wide, domain, server + domain.max() + 1)
