"""Time and traffic of collectives: one module for each algorithm in `algorithms`."""

from topoedit.engine.collectives.choose import collective_time, collective_times
from topoedit.engine.collectives.flows import demands

__all__ = ["collective_time", "collective_times", "demands"]
