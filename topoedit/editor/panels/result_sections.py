"""Step time and memory of the last result: the same two blocks in Plan and Analysis."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton

from topoedit.editor.bar_widgets import FigureGrid, FigureRow, MemoryBar, StackBar
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import Section, columns, label, restyle, rows, unbroken
from topoedit.model.analysis import Analysis, Interval, Memory
from topoedit.render.bars import memory_parts, step_parts
from topoedit.units import UNKNOWN, format_number, format_seconds

GB = 1e9
LONGEST = 5
"""Characters of a figure that is shown large; a longer one would widen the panel."""


def split_unit(text: str) -> tuple[str, str]:
    """Figure and unit of a formatted value: `18.9 s` -> `18.9`, `s`."""
    figure, _, unit = text.rpartition(" ")
    return (figure, unit) if figure else (text, "")


def interval_words(interval: Interval) -> str:
    """An 80 % interval in words, with what it rests on."""
    low, high = format_seconds(interval.low_s), format_seconds(interval.high_s)
    return f"80 % interval {low} to {high}"


def basis_words(interval: Interval) -> str:
    """Where an interval comes from and whether it is stretched."""
    text = f"From {interval.rows} published rows ({interval.basis})"
    if interval.nearest:
        text += f", nearest {interval.nearest}"
    if interval.extrapolated:
        text += f". Outside the measured range: {', '.join(interval.extrapolated)}"
    return text


class BigNumber(QLabel):
    """A figure of 24 px, 16 if it is long, with its unit beside it, small."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.RichText)
        self._plain = ""

    @property
    def plain(self) -> str:
        """What it says, without mark-up."""
        return self._plain

    def show_figure(self, figure: str, unit: str, small: str) -> None:
        """Show a figure; `small` is the colour of the unit."""
        self._plain = f"{figure} {unit}".strip()
        size = 24 if len(figure) <= LONGEST else 16
        self.setText(
            f"<span style='font-size:{size}px; font-weight:500'>{figure}</span>"
            f"<span style='font-size:11px; color:{small}'> {unit}</span>"
        )
        self.setAccessibleName(self._plain)


class WhyLink(QPushButton):
    """The word Why beside a figure.

    Signals:
        why_asked(str): key of the explanation wanted.
    """

    why_asked = Signal(str)

    def __init__(self, key: str, spoken: str) -> None:
        super().__init__("Why")
        self.setObjectName("link")
        self.setProperty("explain", key)
        self.setAccessibleName(f"Why is the {spoken} what it is")
        self.setToolTip("Formula, inputs and source (Alt+Enter)")
        self.clicked.connect(lambda *_: self.why_asked.emit(key))


class StepSection(Section):
    """Step time with its interval, compute utilisation, and where the time goes.

    Signals:
        why_asked(str): key of a figure to explain.
    """

    why_asked = Signal(str)

    def __init__(self, theming: Theming) -> None:
        super().__init__(theming, "Step time", "per step")
        self.time, self.mfu = BigNumber(), BigNumber()
        self._under_time = label(role="secondary", wrap=True)
        self._under_mfu = label(role="secondary", wrap=True)
        self.interval = label(role="caption", wrap=True)
        self.bar = StackBar(theming)
        self._grid = FigureGrid()
        numbers = columns(gap=12)
        for big, under, key, spoken in (
            (self.time, self._under_time, "step_time_s", "step time"),
            (self.mfu, self._under_mfu, "mfu", "MFU"),
        ):
            column, line = rows(gap=0), columns(gap=8)
            why = WhyLink(key, spoken)
            why.why_asked.connect(self.why_asked)
            line.addWidget(big)
            line.addWidget(why, 0, Qt.AlignmentFlag.AlignBottom)
            line.addStretch(1)
            column.addLayout(line)
            column.addWidget(under)
            numbers.addLayout(column, 1)
        self.body.addLayout(numbers)
        self.body.addWidget(self.interval)
        self.body.addWidget(self.bar)
        self.body.addLayout(self._grid)

    def show_result(self, result: Analysis) -> None:
        """Show a result."""
        small = self._theming.theme.color("text.tertiary").name()
        self.time.show_figure(*split_unit(format_seconds(result.step_time_s)), small)
        mfu = UNKNOWN if result.mfu is None else format_number(result.mfu * 100, 1)
        self.mfu.show_figure(mfu, "% MFU", small)
        self.mfu.setToolTip(_utilisation(result))
        pace = f"{format_number(result.tokens_per_s)} tokens/s"
        self._under_time.setText(unbroken(pace))
        work = f"{format_number(result.tflops_per_gpu)} TFLOP/s per GPU"
        self._under_mfu.setText(unbroken(work))
        stretched = bool(result.interval.extrapolated)
        words = interval_words(result.interval)
        self.interval.setText(f"{words}, outside the measured range" if stretched else words)
        self.interval.setToolTip(basis_words(result.interval))
        self._show_parts(result)

    def _show_parts(self, result: Analysis) -> None:
        parts = step_parts(result.breakdown_s)
        self.bar.show_parts(parts)
        found = []
        for part in parts:
            text, key = format_seconds(part.value), f"breakdown_s.{part.name.lower()}"
            row = FigureRow(self._theming, part.name, text, part.color, key)
            row.why_asked.connect(self.why_asked)
            found.append(row)
        self._grid.show_rows(found)


def _utilisation(result: Analysis) -> str:
    def percent(value: float | None) -> str:
        return UNKNOWN if value is None else f"{value * 100:.1f} %"

    return (
        f"Model FLOP utilisation, full attention counted: {percent(result.mfu)}\n"
        f"Causal attention counted: {percent(result.mfu_causal)}\n"
        f"Hardware, with recomputation: {percent(result.hfu)}"
    )


class MemorySection(Section):
    """Memory of one GPU on the worst stage against its capacity.

    Signals:
        why_asked(str): key of a figure to explain.
    """

    why_asked = Signal(str)

    def __init__(self, theming: Theming) -> None:
        super().__init__(theming, "Memory per GPU")
        self.bar = MemoryBar(theming)
        self.verdict = label(role="secondary", wrap=True)
        self._grid = FigureGrid()
        self.body.addWidget(self.bar)
        why = WhyLink("memory.total_bytes", "memory")
        why.why_asked.connect(self.why_asked)
        line = columns(gap=8)
        line.addWidget(self.verdict, 1)
        line.addWidget(why, 0, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(line)
        self.body.addLayout(self._grid)

    def show_memory(self, memory: Memory) -> None:
        """Show predicted memory."""
        capacity = memory.capacity_bytes
        have = UNKNOWN if capacity is None else format_number(capacity / GB, 1)
        self.note.setText(f"{format_number(memory.total_bytes / GB, 1)} of {have} GB")
        self.verdict.setText(memory_verdict(memory))
        restyle(self.verdict, "role", "bad" if memory.risk == "no" else "secondary")
        self.bar.show_memory(memory)
        found = []
        for part in memory_parts(memory):
            text = format_number(part.value / GB, 1)
            key = f"memory.{part.name.lower()}_bytes"
            row = FigureRow(self._theming, part.name, f"{text} GB", part.color, key)
            row.why_asked.connect(self.why_asked)
            found.append(row)
        self._grid.show_rows(found)


def memory_verdict(memory: Memory) -> str:
    """Whether it fits, in one line."""
    stage = f"on stage {memory.stage}, the fullest"
    if memory.headroom_bytes is None:
        return f"The capacity of this GPU is not known ({stage})"
    gap = format_number(abs(memory.headroom_bytes) / GB, 1)
    if memory.risk == "no":
        return f"Does not fit: {gap} GB too much {stage}"
    if memory.risk == "tight":
        return f"Tight: {gap} GB free {stage}, less than the model's error"
    return f"Fits: {gap} GB free {stage}"


def stale(session: DocumentSession) -> bool:
    """Whether the result shown belongs to an earlier state."""
    return session.analysis is not None and not session.analysis_is_current
