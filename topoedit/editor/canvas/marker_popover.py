"""What a mark on the drawing is about: message, remedy, source, one-click fix, exclusion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGraphicsDropShadowEffect,
    QLabel,
    QPushButton,
    QToolButton,
    QWidget,
)

from topoedit.editor.widgets import columns, label, rows
from topoedit.model.edits import Edit

if TYPE_CHECKING:
    from topoedit.editor.canvas.stage import Stage
    from topoedit.rules.base import Finding

WIDTH = 340
GAP, EDGE = 14, 8
_ICON = 16


class MarkerPopover(QFrame):
    """Stands beside a mark and moves with it; Esc, the cross or a click elsewhere closes it.

    It walks from finding to finding: first those of the element whose mark was clicked, then the
    rest of the report, and the drawing follows.
    """

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._stage = stage
        self._element = ""
        self._findings: tuple[Finding, ...] = ()
        self._at = 0
        self._accepted: dict[Finding, tuple[str, str]] = {}
        self.setObjectName("overlay")
        self.setFixedWidth(WIDTH)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.sign = QLabel()
        self.title, self.words = label("", "title", wrap=True), label("", wrap=True)
        self.remedy = label("", "secondary", wrap=True)
        self.source = label("", "caption", wrap=True)
        self.place = label("", "caption")
        self.fix, self.exclude = QPushButton("Fix"), QPushButton("Exclude…")
        self.back = self._arrow("‹", "The finding before")
        self.forward = self._arrow("›", "The next finding")
        self.cross = self._arrow("×", "Close (Esc)")
        self._lay_out()
        shadow = QGraphicsDropShadowEffect(self, blurRadius=24, offset=QPointF(0, 6))
        self.setGraphicsEffect(shadow)
        stage.session.rules.changed.connect(self._rules_changed)
        self.hide()

    def _arrow(self, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName("flat")
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setFixedSize(24, 24)
        return button

    def _lay_out(self) -> None:
        self.fix.setProperty("primary", True)
        self.fix.setToolTip("Make the edit that mends this: one step of undo")
        self.exclude.setToolTip("Accept this finding, with the reason; it is saved in the drawing")
        self.sign.setFixedSize(_ICON, 20)
        head = columns(None, (0, 0, 0, 0), 10)
        head.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.title, 1)
        head.addWidget(self.cross, 0, Qt.AlignmentFlag.AlignTop)
        foot = columns(None, (0, 4, 0, 0), 8)
        parts: tuple[QWidget, ...] = (self.fix, self.exclude, self.back, self.place, self.forward)
        for part in parts:
            foot.addWidget(part)
        foot.insertStretch(2, 1)
        inside = rows(None, (_ICON + 10, 0, 0, 0), 4)
        for text in (self.words, self.remedy, self.source):
            inside.addWidget(text)
        whole = rows(self, (14, 10, 10, 12), 6)
        whole.addLayout(head)
        whole.addLayout(inside)
        whole.addLayout(foot)
        self.fix.clicked.connect(lambda *_: self.mend())
        self.exclude.clicked.connect(lambda *_: self.accept())
        self.back.clicked.connect(lambda *_: self.step(-1))
        self.forward.clicked.connect(lambda *_: self.step(1))
        self.cross.clicked.connect(lambda *_: self.close_it())

    # -- what it shows -------------------------------------------------------------------------

    @property
    def finding(self) -> Finding | None:
        """The finding shown."""
        return self._findings[self._at] if self.isVisible() and self._findings else None

    @property
    def element(self) -> str:
        """The element beside whose mark it stands."""
        return self._element

    def open_at(self, element: str) -> bool:
        """Show the worst finding of an element; False if the report has none of it."""
        report = self._stage.session.rules.report
        if report is None:
            return False
        known = list(report.violations)
        self._accepted = {}
        if self._stage.session.rules.with_excluded:
            known += [e.finding for e in report.excluded]
            self._accepted = {e.finding: (e.exclusion, e.comment) for e in report.excluded}
        own = [f for f in known if element in f.elements]
        if not own:
            return False
        others = [f for f in known if element not in f.elements]
        self._findings, self._at = (*own, *others), 0
        self._show(element)
        return True

    def step(self, by: int) -> None:
        """Go to another finding, round the end; the drawing follows."""
        if not self._findings:
            return
        self._at = (self._at + by) % len(self._findings)
        elements = self._findings[self._at].elements
        document = self._stage.session.document
        present = [e for e in elements if document.element(e) is not None]
        if present and self._element not in elements:
            self._stage.session.select(present)
            self._stage.centre_on(self._boxes(present))
        self._show(self._element if self._element in elements else (present or [""])[0])

    def _boxes(self, elements: list[str]) -> list[str]:
        """Devices at the ends in place of links, which have no box."""
        links = self._stage.session.document.links
        found: list[str] = []
        for element in elements:
            link = links.get(element)
            found += [element] if link is None else [link.a.device, link.b.device]
        return found

    def _show(self, element: str) -> None:
        from topoedit.rules.base import rules

        finding = self._findings[self._at]
        self._element = element
        rule = rules().get(finding.rule)
        self.title.setText(rule.title if rule is not None else finding.rule)
        self.words.setText(finding.message)
        exclusion, comment = self._accepted.get(finding, ("", ""))
        remedy = f"Excluded: {comment}" if exclusion else finding.fix
        self.remedy.setText(remedy)
        self.remedy.setVisible(bool(remedy))
        self.exclude.setText("Include again" if exclusion else "Exclude…")
        self.source.setText(" · ".join(filter(None, (finding.rule, finding.source))))
        self.fix.setVisible(finding.mendable)
        self.place.setText(f"{self._at + 1} of {len(self._findings)}")
        for arrow in (self.back, self.forward, self.place):
            arrow.setVisible(len(self._findings) > 1)
        self.restyle()
        self.setAccessibleName(f"{finding.severity}: {finding.message}")
        self.show()
        self.raise_()
        self._fit()
        self.follow()
        (self.fix if finding.mendable else self.exclude).setFocus(Qt.FocusReason.PopupFocusReason)

    def _fit(self) -> None:
        layout = self.layout()
        if layout is not None:
            layout.activate()
            self.setFixedHeight(layout.totalHeightForWidth(WIDTH))

    def restyle(self) -> None:
        """Another theme: draw the sign anew."""
        if not self._findings:
            return
        severity = self._findings[self._at].severity
        theme = self._stage.theme
        icon = theme.icon(severity, f"severity.{severity}", _ICON)
        self.sign.setPixmap(icon.pixmap(_ICON, _ICON))

    def follow(self) -> None:
        """The drawing moves below: stay beside the mark, wholly inside the canvas."""
        if not self.isVisible():
            return
        x, y = self._stage.mark_of(self._element) or (self._stage.width() / 2, EDGE)
        left = x + GAP if x + GAP + WIDTH + EDGE <= self._stage.width() else x - GAP - WIDTH
        left = max(EDGE, min(left, self._stage.width() - WIDTH - EDGE))
        top = max(EDGE, min(y - GAP, self._stage.height() - self.height() - EDGE))
        self.move(round(left), round(top))

    # -- what it does --------------------------------------------------------------------------

    def mend(self) -> None:
        """Make the edit that mends the finding, as one step."""
        from topoedit.rules.run import fix_edit

        finding, session = self.finding, self._stage.session
        if finding is None:
            return
        edit = fix_edit(session.document, finding)
        if edit is None:
            session.refused.emit("This finding no longer fits the drawing; it is checked again")
        elif session.apply(edit):
            self.close_it()

    def accept(self) -> None:
        """Ask for the reason why the finding is all right, or include it again; then close."""
        from topoedit.editor.dialogs.exclude_dialog import ExcludeDialog

        finding, session = self.finding, self._stage.session
        exclusion, _ = self._accepted.get(finding, ("", "")) if finding is not None else ("", "")
        if exclusion:
            session.apply(Edit("Include a finding again", drop=(exclusion,)))
            self.close_it()
        elif finding is not None:
            dialog = ExcludeDialog(self._stage.session, finding, self._stage)
            dialog.accepted.connect(self.close_it)
            dialog.open()

    def close_it(self) -> None:
        """Close, and give the keys back to the drawing."""
        keys = QApplication.focusWidget()
        had_keys = keys is not None and (keys is self or self.isAncestorOf(keys))
        if had_keys:
            self._stage.setFocus(Qt.FocusReason.OtherFocusReason)
        self.hide()
        self._findings = ()

    def _rules_changed(self) -> None:
        """A finding that is no longer in the report is not shown any more."""
        report = self._stage.session.rules.report
        if not self.isVisible() or report is None or self._stage.session.rules.is_stale:
            return
        finding = self.finding
        if finding not in report.violations and finding not in self._accepted:
            self.close_it()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes; the arrows walk."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_it()
        elif event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.step(1 if event.key() == Qt.Key.Key_Right else -1)
        else:
            event.accept()

    def event(self, event: QEvent) -> bool:
        """Presses beside the buttons do not reach the drawing below."""
        handled = super().event(event)
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick):
            event.accept()
            return True
        return handled
