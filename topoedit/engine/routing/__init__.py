"""Routing: demand between GPUs to bytes on every directed edge of a fabric."""

from topoedit.engine.routing.classes import edge_classes, split_classes
from topoedit.engine.routing.hashed import HashedRouter
from topoedit.engine.routing.modes import (
    MODES,
    Residual,
    Routes,
    default_mode,
    make_router,
    residual,
)
from topoedit.engine.routing.router import Router
from topoedit.engine.routing.tables import TableRouter

__all__ = [
    "MODES",
    "HashedRouter",
    "Residual",
    "Router",
    "Routes",
    "TableRouter",
    "default_mode",
    "edge_classes",
    "make_router",
    "residual",
    "split_classes",
]
