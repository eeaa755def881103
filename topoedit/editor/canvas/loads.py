"""Which load colours a link: the chosen figure, of all traffic or of one class, by direction."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from topoedit.editor.engine_client import LinkLoads
    from topoedit.engine.timeline_types import Pace

Row = NDArray[np.float32]


@dataclass(frozen=True)
class Moment:
    """A phase of the step.

    Attributes:
        classes: traffic classes that run; pace: how they load a link; step_time: seconds.
    """

    classes: tuple[str, ...]
    pace: Pace
    step_time: float


class LoadView:
    """Loads of one result as the canvas shows them.

    Args:
        loads: figures of every link by direction.
        metric: `demand`, `utilisation`, `phase_share` or `bytes`.
        traffic_class: one class alone, None for all together.
        moment: a phase of the step; its load takes the place of the figure.
    """

    def __init__(
        self,
        loads: LinkLoads,
        metric: str,
        traffic_class: str | None,
        moment: Moment | None = None,
    ) -> None:
        self.loads = loads
        self.metric = metric
        self.traffic_class = traffic_class
        self.moment = moment

    @cached_property
    def rows(self) -> dict[str, int]:
        """Link id -> row."""
        return {link: row for row, link in enumerate(self.loads.links)}

    @property
    def drawn_ids(self) -> tuple[str, ...]:
        """Ids of the drawn links, in row order."""
        return self.loads.links[: self.loads.drawn]

    def fractions(self) -> tuple[Row, Row]:
        """What colours each drawn link forward and backward; 1.0 is the top of the ramp.

        Bytes have no natural top: they are shown as shares of the busiest link.
        """
        drawn = self.loads.drawn
        forward, backward = self._sides
        return forward[:drawn], backward[:drawn]

    @cached_property
    def _sides(self) -> tuple[Row, Row]:
        return self._row(self.loads.forward), self._row(self.loads.backward)

    def inner_load(self, link: str) -> float | None:
        """The fraction of an inner link such as `node-01/nvlink/gpu3`, the higher direction."""
        row = self.rows.get(link)
        if row is None:
            return None
        forward, backward = self._sides
        worst = float(np.fmax(forward[row], backward[row]))
        return None if np.isnan(worst) else worst

    def _row(self, side: dict[str, Row]) -> Row:
        if self.moment is not None:
            return self._in_phase(side, self.moment)
        if self.metric == "bytes":
            name = self.traffic_class or "bytes"
            top = max(self._largest(self.loads.forward, name),
                      self._largest(self.loads.backward, name))  # fmt: skip
            sent = self._sent(side, name)
            return sent / np.float32(top) if top > 0 else sent
        figure = side[self.metric]
        if self.traffic_class is None:
            return figure
        with np.errstate(divide="ignore", invalid="ignore"):
            sent = self._sent(side, self.traffic_class)
            share = np.where(side["bytes"] > 0, sent / side["bytes"], 0.0)
        return (figure * share).astype(np.float32)

    @staticmethod
    def _sent(side: dict[str, Row], name: str) -> Row:
        """Bytes of a class; none, where links have data, for one that the plan does not use."""
        if name in side:
            return side[name]
        whole = side["bytes"]
        return np.where(np.isnan(whole), whole, np.float32(0))

    def _in_phase(self, side: dict[str, Row], moment: Moment) -> Row:
        """Share of the capacity that the fullest of the running classes takes."""
        used, sent = side["utilisation"], side["bytes"]
        with np.errstate(divide="ignore", invalid="ignore"):
            slowness = np.where(sent > 0, used * np.float32(moment.step_time) / sent, used)
        by_class = {name: side[name] for name in moment.pace.seconds if name in side}
        most = np.where(np.isnan(used), used, np.float32(0))
        for name in moment.classes:
            if name in by_class and self.traffic_class in (None, name):
                most = np.maximum(most, moment.pace.share(name, by_class, slowness))
        return most.astype(np.float32)

    def _largest(self, side: dict[str, Row], name: str) -> float:
        values = self._sent(side, name)[: self.loads.drawn]
        return float(np.nanmax(values)) if len(values) and not np.isnan(values).all() else 0.0

    def in_phase(self, link: str) -> tuple[float, float] | None:
        """Load of a link in the phase shown, forward and backward; None for the whole step."""
        row = self.rows.get(link)
        if self.moment is None or row is None:
            return None
        forward, backward = self._sides
        return float(forward[row]), float(backward[row])

    def of_link(self, link: str, name: str) -> tuple[float, float] | None:
        """One figure of a link, forward and backward; None for a link without a row."""
        row = self.rows.get(link)
        if row is None:
            return None
        return float(self.loads.forward[name][row]), float(self.loads.backward[name][row])
