"""What stands on the canvas and does not move with it: legend, minimap, hint, chips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoedit.editor.canvas.empty_hint import EmptyHint
from topoedit.editor.canvas.layer_chip import LayerChip
from topoedit.editor.canvas.legend_widget import LegendWidget
from topoedit.editor.canvas.minimap_widget import MinimapWidget
from topoedit.editor.canvas.phase_chip import PhaseChip
from topoedit.editor.canvas.rank_bar import RankBar
from topoedit.editor.canvas.rulers import THICK

if TYPE_CHECKING:
    from topoedit.editor.canvas.marker_popover import MarkerPopover
    from topoedit.editor.canvas.stage import Stage

EDGE, GAP = 16, 8
NARROW, LOW = 560, 260
"""Under this width or height of the canvas legend and minimap are hidden."""


class Furniture:
    """Places the three and shows what makes sense."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.legend = LegendWidget(stage)
        self.minimap = MinimapWidget(stage)
        self.phase = PhaseChip(stage)
        self.rank = RankBar(stage)
        self.rank.resized.connect(self.place)
        self.layers = LayerChip(stage)
        self.hint = EmptyHint(stage)
        self._minimap_wanted = True
        self._popover: MarkerPopover | None = None

    @property
    def popover(self) -> MarkerPopover:
        """What a mark is about; made when it is first wanted."""
        if self._popover is None:
            from topoedit.editor.canvas.marker_popover import MarkerPopover

            self._popover = MarkerPopover(self._stage)
        return self._popover

    def close_popover(self) -> bool:
        """Close it; whether it was open."""
        was_open = self._popover is not None and self._popover.isVisible()
        if self._popover is not None:
            self._popover.close_it()
        return was_open

    def _follow(self) -> None:
        if self._popover is not None:
            self._popover.follow()

    @property
    def room(self) -> int:
        """Pixels at the foot of the canvas that a fitted drawing leaves to the furniture."""
        return self.legend.height() + EDGE if self._is_roomy else 0

    @property
    def _is_roomy(self) -> bool:
        return (
            self._stage.width() - self._stage.covered_right >= NARROW
            and self._stage.height() >= LOW
        )

    def place(self) -> None:
        """The canvas has another size."""
        stage = self._stage
        width, height = stage.width() - stage.covered_right, stage.height()
        ruler = round(THICK) if stage.rulers else 0
        self.layers.move(EDGE + ruler, stage.covered_top + 4 + ruler)
        self.legend.move(EDGE, height - EDGE - self.legend.height())
        right = width - EDGE - self.minimap.width()
        self._place_plates(self.legend.x() + self.legend.width() + GAP, right - GAP)
        self.minimap.move(right, height - EDGE - self.minimap.height())
        hint = self.hint.sizeHint()
        self.hint.setGeometry(
            (width - hint.width()) // 2, (height - hint.height()) // 2, hint.width(), hint.height()
        )
        self._show()

    def _place_plates(self, left: int, right: int) -> None:
        """Phase and rank between legend and minimap, or where there is no room, over the drawing.

        Args:
            left: where the legend ends.
            right: where the minimap begins.
        """
        foot = self._stage.height() - EDGE
        if left + self.phase.width() <= right:
            self.phase.move(left, self.legend.y())
        else:
            self.phase.move(EDGE, self.legend.y() - GAP - self.phase.height())
        if self._is_roomy and left + self.rank.width() <= right:
            self.rank.move(left, foot - self.rank.height())
        else:
            self.rank.move(
                max(
                    (self._stage.width() - self._stage.covered_right - self.rank.width()) // 2, GAP
                ),
                GAP + self._stage.covered_top,
            )

    @property
    def is_empty(self) -> bool:
        """Whether nothing is drawn yet."""
        document = self._stage.session.document
        return not (document.devices or document.groups or document.notes)

    def show(self) -> None:
        """Show what makes sense now: no hint under something that hangs on the pointer."""
        self._show()

    def _show(self) -> None:
        empty = self.is_empty
        roomy = self._is_roomy
        self.legend.setVisible(roomy and not empty)
        self.minimap.setVisible(roomy and not empty and self._minimap_wanted)
        self.hint.setVisible(empty and self._stage.gesture is None)

    def show_minimap(self, wanted: bool) -> None:
        """Show or hide the minimap."""
        self._minimap_wanted = wanted
        self._show()

    @property
    def minimap_shown(self) -> bool:
        """Whether the minimap is wanted."""
        return self._minimap_wanted

    def refresh(self) -> None:
        """The drawing has changed."""
        self._follow()
        self.minimap.refresh()
        self.legend.update()
        self._show()

    def moved(self) -> None:
        """Another part of the drawing is visible."""
        self._follow()
        self.minimap.update()

    def restyle(self) -> None:
        """Another theme."""
        self.minimap.refresh()
        self.legend.update()
        if self._popover is not None:
            self._popover.restyle()
