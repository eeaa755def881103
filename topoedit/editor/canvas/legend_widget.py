"""The legend on the canvas: what the colours mean, and which figure and class they show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QActionGroup, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from topoedit.editor.load_view import carried
from topoedit.editor.session import METRICS
from topoedit.model.plan import TRAFFIC_CLASSES
from topoedit.render.ink import Ink
from topoedit.render.legend import (
    HEIGHT,
    WIDTH,
    Rates,
    draw_legend,
    legend_of,
    legend_parts,
    rates_of,
)

if TYPE_CHECKING:
    from topoedit.editor.canvas.stage import Stage

METRIC_WORDS = {
    "demand": "Demand",
    "utilisation": "Utilisation",
    "phase_share": "Phase share",
    "bytes": "Bytes per step",
}
METRIC_TIPS = {
    "demand": "Bytes over capacity × the time they may hide in; over 100 % the step must grow.",
    "utilisation": "Bytes over capacity × step time.",
    "phase_share": "Share of the capacity in the busiest phase.",
    "bytes": "Bytes in one step, as a share of the busiest link.",
}
CLASS_WORDS = {
    "": "All classes",
    "TP": "Tensor parallel (TP)",
    "CP": "Context parallel (CP)",
    "EP": "Expert parallel (EP)",
    "PP": "Pipeline parallel (PP)",
    "DP": "Data parallel (DP)",
    "KV": "Key-value cache (KV)",
    "WAN": "Between sites (WAN)",
}

_PLAIN_BUTTONS = """
QToolButton#legendChoice { border: none; background: transparent; padding: 0; }
QToolButton#legendChoice::menu-indicator { image: none; width: 0; }
"""  # words and arrows are painted with the legend, the buttons lie over them


class LegendWidget(QWidget):
    """264 × 92 pixels, bottom left; two buttons choose figure and traffic class."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._stage = stage
        self.setFixedSize(round(WIDTH), round(HEIGHT))
        self.setAccessibleName("Legend")
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setStyleSheet(_PLAIN_BUTTONS)
        session = stage.session
        self._known: tuple[int, Rates] = (-1, Rates())
        self._metric = self._button(
            "metric", METRICS, METRIC_WORDS, METRIC_TIPS, session.set_metric
        )
        self._class = self._button(
            "traffic",
            ("", *TRAFFIC_CLASSES),
            CLASS_WORDS,
            {},
            lambda name: session.set_traffic_class(name or None),
        )
        self._class.menu().aboutToShow.connect(self._offer_classes)
        session.metric_changed.connect(self._show)
        session.timeline.moved.connect(self.update)
        self._show()

    def _button(
        self,
        part: str,
        names: Sequence[str],
        words: dict[str, str],
        tips: dict[str, str],
        choose: Callable[[str], None],
    ) -> QToolButton:
        made = QToolButton(self)
        made.setObjectName("legendChoice")
        made.setAutoRaise(True)
        made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        made.setGeometry(legend_parts(0, 0)[part].toRect())
        menu = QMenu(made)
        menu.setToolTipsVisible(True)
        group = QActionGroup(menu)
        for name in names:
            action = menu.addAction(words[name])
            action.setCheckable(True)
            action.setData(name)
            action.setToolTip(tips.get(name, words[name]))
            group.addAction(action)
        menu.triggered.connect(lambda action: choose(action.data()))
        made.setMenu(menu)
        return made

    def _offer_classes(self) -> None:
        """Classes that load no link cannot be chosen."""
        used = carried(self._stage.session.loads)
        for action in self._class.menu().actions():
            action.setEnabled(not action.data() or action.data() in used)

    def _show(self) -> None:
        session = self._stage.session
        for button, chosen, what in (
            (self._metric, session.metric, "Figure that colours the links"),
            (self._class, session.traffic_class or "", "Traffic class that colours the links"),
        ):
            words = METRIC_WORDS | CLASS_WORDS
            button.setAccessibleName(f"{what}: {words[chosen]}")
            button.setToolTip(f"{what}. {METRIC_TIPS.get(chosen, words[chosen])}")
            for action in button.menu().actions():
                action.setChecked(action.data() == chosen)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The plate, the ramp and its scale."""
        session = self._stage.session
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            traffic = session.traffic_class or CLASS_WORDS[""]
            metric = session.metric if session.timeline.classes is None else "phase_share"
            revision = session.document.topology_revision
            if self._known[0] != revision:  # counted once, not with every paint
                self._known = (revision, rates_of(self._stage.scene))
            shown = legend_of(self._known[1], METRIC_WORDS[metric], traffic, menus=True)
            draw_legend(Ink(painter, self._stage.theme), 0, 0, shown)
