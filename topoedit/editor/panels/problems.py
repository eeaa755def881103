"""The Problems panel: what is wrong or in doubt, by severity, and what can be done about it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QMenu, QPushButton, QToolButton, QWidget

from topoedit.editor.dialogs.exclude_dialog import ExcludeDialog
from topoedit.editor.panels.base import TablePage
from topoedit.editor.panels.problems_model import (
    COLORS,
    Problem,
    ProblemsModel,
    excluded_of,
    problems_of,
)
from topoedit.editor.panels.property_extras import dim
from topoedit.editor.panels.tables import Table
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.tips import tip
from topoedit.editor.translating import tr
from topoedit.editor.widgets import IconButton, columns, label, restyle, rows
from topoedit.model.edits import Edit
from topoedit.units import format_number

SHOWN = (("error", "Errors"), ("warning", "Warnings"), ("info", "Notes"))
SEVERITIES = (("error", "Error"), ("warning", "Warning"), ("info", "Note"), ("off", "Off"))
_WIDTHS = (470, 270, 150)


class ProblemsPanel(TablePage):
    """A filter line over the table.

    Signals:
        severities_counted(dict): severity -> number.
    """

    severities_counted = Signal(object)

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming = theming
        self.model = ProblemsModel(theming, self)
        self.table = Table(theming, "Problems")
        self.table.setModel(self.model)
        self.table.set_widths(_WIDTHS)
        self.filters = {key: self._filter(key, words) for key, words in SHOWN}
        self.excluded = self._filter("hide", "Excluded", shown=False)
        self.excluded.toggled.connect(self._mark_excluded)
        self.note = label(role="caption")
        self.fix = QPushButton("Fix")
        self.exclude = QPushButton("Exclude…")
        self.rule = QToolButton()
        self._none = label("No problems.", "caption")
        self._lay_out()
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh)
        theming.changed.connect(self._soon)

    def _filter(self, key: str, words: str, *, shown: bool = True) -> IconButton:
        button = IconButton(self._theming, key, words, 14)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setCheckable(True)
        button.setChecked(shown)
        button.setToolTip(f"Show or hide: {words.lower()}")
        button.toggled.connect(self._soon)
        return button

    def _lay_out(self) -> None:
        head = columns(None, (8, 2, 8, 2), 4)
        for button in (*self.filters.values(), self.excluded):
            head.addWidget(button)
        head.addSpacing(8)
        head.addWidget(self.note)
        head.addStretch(1)
        self.rule.setText("Rule")
        self.rule.setObjectName("flat")
        self.rule.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.rule.setMenu(self._rule_menu())
        self.rule.setToolTip("How grave this rule is in this drawing")
        self.fix.setToolTip("Make the edit that mends this: one step of undo")
        self.exclude.setToolTip("Accept this finding, with the reason; it is saved in the drawing")
        for part in (self.rule, self.exclude, self.fix):
            head.addWidget(part)
        self.fix.clicked.connect(lambda *_: self.mend())
        self.exclude.clicked.connect(lambda *_: self.accept_or_restore())
        foot = columns(None, (12, 0, 12, 0))
        foot.addWidget(self._none)
        self._none.setContentsMargins(0, 10, 0, 10)
        layout = rows(self)
        layout.addLayout(head)
        layout.addLayout(foot)
        layout.addWidget(self.table, 1)
        layout.addStretch(0)
        self.table.visited.connect(self._visit)
        self.table.selectionModel().currentRowChanged.connect(self._show_choices)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._open_menu)

    def _rule_menu(self) -> QMenu:
        menu = QMenu(self)
        for key, words in SEVERITIES:
            menu.addAction(words).triggered.connect(self._setter(key))
        return menu

    def _setter(self, severity: str) -> Callable[[], None]:
        return lambda *_: self.set_severity(severity)

    def focus_target(self) -> QWidget:
        """The rows."""
        return self.table

    def listen(self, session: DocumentSession) -> None:
        """Follow result, state, rules and drawing."""
        self.bind(session.analysis_changed, self._soon)
        self.bind(session.analysis_state_changed, self._soon)
        self.bind(session.analysis_input_changed, self._soon)
        self.bind(session.rules.changed, self._rules_changed)
        session.rules.show_excluded(self.excluded.isChecked())

    def _mark_excluded(self, wanted: bool) -> None:
        """What is listed is marked on the drawing, too."""
        if self.session is not None:
            self.session.rules.show_excluded(wanted)

    def _rules_changed(self) -> None:
        self._dim()
        self._soon()

    def _soon(self, _state: object = None) -> None:
        self._later.start()

    # -- showing -------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Collect the problems."""
        session = self.session
        found = [] if session is None else problems_of(session)
        accepted = [] if session is None else excluded_of(session)
        counts = _counts(session, found)
        for key, button in self.filters.items():
            button.setText(format_number(counts[key]))
            button.set_icon(key, COLORS[key] if counts[key] else "text.tertiary")
        self.excluded.setText(format_number(len(accepted)))
        self.excluded.setVisible(bool(accepted))
        shown = [p for p in found if p.severity not in self.filters or self._shows(p.severity)]
        if self.excluded.isChecked():
            shown += accepted
        if shown != self.model.rows_:
            self._replace(shown)
        self._none.setVisible(not shown)
        self._none.setText("No problems." if not found else "Nothing of the kinds chosen above.")
        self.table.setVisible(bool(shown))
        self._show_note()
        self._show_choices()
        self._dim()
        self.counted.emit(sum(counts.values()))
        self.severities_counted.emit(counts)

    def _shows(self, severity: str) -> bool:
        return self.filters[severity].isChecked()

    def _replace(self, shown: list[Problem]) -> None:
        """Show other rows; the row that was current stays so if it is still there."""
        current = self.current
        self.model.show_rows(shown)
        if current in shown:
            self.table.selectRow(shown.index(current))

    def _show_note(self) -> None:
        session = self.session
        report = None if session is None else session.rules.report
        if session is None or report is None:
            self.note.setText("")
            return
        if session.rules.is_stale:
            self.note.setText("Stale: the drawing has changed since")
            restyle(self.note, "role", "warn")
            return
        restyle(self.note, "role", "caption")
        checked, open_ = sum(report.checked.values()), {u.rule for u in report.unchecked}
        words = f"{len(report.checked)} rules on {format_number(checked)} elements"
        self.note.setText(f"{words}, {len(open_)} in part or not at all" if open_ else words)
        lines = [f"{one.rule}: {one.why}" for one in report.unchecked]
        above = [session.rules.note] if session.rules.note else []
        self.note.setToolTip(tip("\n".join(above + lines)))

    def _dim(self) -> None:
        old = self.session is not None and self.session.rules.is_stale
        dim(self.table, old, self._theming.theme.opacity("state.stale_opacity"))
        if old:
            self._show_note()

    @property
    def current(self) -> Problem | None:
        """The problem of the current row."""
        row = self.table.currentIndex().row()
        return self.model.rows_[row] if 0 <= row < len(self.model.rows_) else None

    def _show_choices(self, *_rows: object) -> None:
        problem = self.current
        finding = None if problem is None else problem.finding
        self.fix.setVisible(finding is not None and finding.mendable)
        self.exclude.setVisible(finding is not None)
        self.rule.setVisible(finding is not None)
        accepted = problem is not None and bool(problem.exclusion)
        self.exclude.setText(tr("Include again" if accepted else "Exclude…"))

    # -- doing ---------------------------------------------------------------------------------

    def mend(self) -> bool:
        """Make the edit that mends the current finding; returns whether there was one."""
        from topoedit.rules.run import fix_edit

        problem, session = self.current, self.session
        if session is None or problem is None or problem.finding is None:
            return False
        edit = fix_edit(session.document, problem.finding)
        if edit is None:
            session.refused.emit("This finding no longer fits the drawing; it is checked again")
            return False
        return session.apply(edit)

    def accept_or_restore(self) -> None:
        """Exclude the current finding after asking for the reason, or include it again."""
        problem, session = self.current, self.session
        if session is None or problem is None or problem.finding is None:
            return
        if problem.exclusion:
            session.apply(Edit("Include a finding again", drop=(problem.exclusion,)))
            return
        ExcludeDialog(session, problem.finding, self).open()

    def set_severity(self, severity: str) -> None:
        """Set how grave the rule of the current finding is in this drawing."""
        from topoedit.rules.run import set_severity

        problem, session = self.current, self.session
        if session is not None and problem is not None and problem.finding is not None:
            session.apply(set_severity(session.document, problem.finding.rule, severity))

    def _open_menu(self, place: QPoint) -> None:
        if self.current is None or self.current.finding is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self.current.finding.mendable:
            menu.addAction("Fix").triggered.connect(lambda *_: self.mend())
        again = menu.addAction(self.exclude.text())
        again.triggered.connect(lambda *_: self.accept_or_restore())
        below = menu.addMenu(f"Severity of {self.current.finding.rule}")
        for key, words in SEVERITIES:
            below.addAction(words).triggered.connect(self._setter(key))
        menu.popup(self.table.viewport().mapToGlobal(place))

    def step(self, by: int) -> None:
        """Go to the next or previous problem, round the end."""
        count = self.model.rowCount()
        if count:
            current = self.table.currentIndex().row()
            row = (current + by) % count if current >= 0 else (0 if by > 0 else count - 1)
            self.table.selectRow(row)
            self._visit(row)

    def _visit(self, row: int) -> None:
        self.visited.emit(self.model.rows_[row].ids)


def _counts(session: DocumentSession | None, found: list[Problem]) -> dict[str, int]:
    """Problems of each severity, also of those that are not listed."""
    counts = {key: sum(p.severity == key for p in found) for key, _ in SHOWN}
    report = None if session is None else session.rules.report
    if report is not None and report.not_listed:
        listed = dict.fromkeys(counts, 0)
        for finding in report.violations:
            listed[finding.severity] += 1
        for key in counts:
            counts[key] += getattr(report.counts, key) - listed[key]
    return counts
