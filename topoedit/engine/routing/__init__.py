"""Routing: demand between GPUs to bytes on every directed edge of a fabric."""

from topoedit.engine.routing.classes import edge_classes, split_classes
from topoedit.engine.routing.router import Router

__all__ = ["Router", "edge_classes", "split_classes"]
