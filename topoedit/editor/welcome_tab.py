"""The welcome page as a tab of the window: shown, filled, dropped, with what a crash left."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from topoedit.editor import preferences
from topoedit.editor.recovery import Recovery
from topoedit.editor.translating import translate_fields
from topoedit.editor.welcome import WelcomePage, template_rows

if TYPE_CHECKING:
    from topoedit.editor.window import MainWindow


class WelcomeTab:
    """At most one welcome page in a window.

    Attributes:
        page: the page, None while it is not open.
        recovery: what earlier runs left behind.
    """

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.page: WelcomePage | None = None
        self.recovery = Recovery(window, window.add_session)

    def show(self) -> None:
        """Bring the page to the front."""
        window = self._window
        if self.page is not None:
            window.documents.tabs.setCurrentIndex(window.documents.index_of(self.page))
            return
        page = WelcomePage(window.theming, window.actions_)
        page.template_chosen.connect(lambda key: window.files.from_named_template(key))
        page.file_chosen.connect(lambda name: window.files.open_path(Path(name)))
        page.recovery_chosen.connect(self.recover)
        page.review_asked.connect(self.review)
        self.page = page
        page.show_found(self.recovery.lines())
        translate_fields(page)
        window.documents.add(None, page)
        page.setFocus()
        if window.isVisible():
            self.fill()

    def fill(self) -> None:
        """Show templates and files, once the window is painted."""
        self.show_recent()
        if self.page is not None and not self.page.cards:
            self.page.show_templates(template_rows())

    def show_recent(self) -> None:
        """List the recent files anew."""
        if self.page is not None:
            self.page.show_recent(preferences.load_recent())

    def drop(self) -> None:
        """Close the page's tab."""
        if self.page is None:
            return
        index = self._window.documents.index_of(self.page)
        self.page = None
        if index >= 0:
            self._window.documents.remove(index)

    def offer_recovery(self) -> None:
        """Offer what a crash left behind; nothing is deleted before the user chooses."""
        self.recovery.look()
        self._show_found()

    def recover(self, key: str, restore: bool) -> None:
        """Restore what was found under this key, or discard it."""
        if restore:
            self.recovery.restore(key)
            if self.page is None and self._window.session is not None:
                self._offer_next()
        else:
            self._discard(key)
        if self.page is not None:
            self.page.show_found(self.recovery.lines())

    def _discard(self, key: str) -> None:
        found = self.recovery.found.get(key)
        bring_back = self.recovery.discard(key)
        if found is None or bring_back is None:
            return
        messages = self._window.documents.messages

        def undo() -> None:
            if bring_back():
                self._show_found()
            else:
                self._window.tell(f"The unsaved work of {found.name} is gone.", "error")

        messages.show_line(f"Discarded the unsaved work of {found.name}", "info", (("Undo", undo),))

    def _offer_next(self) -> None:
        """Say what was restored, and offer what else was found."""
        messages = self._window.documents.messages
        self.recovery.offer(messages, self.review, f"{messages.text} ")

    def review(self, key: str) -> None:
        """Show what was found before anything is restored or discarded."""
        from topoedit.editor.dialogs.recovery_dialog import RecoveryDialog

        dialog = RecoveryDialog(self._window, self.recovery, key, self._window)
        dialog.chosen.connect(self.recover)
        dialog.open()

    def _show_found(self) -> None:
        if self.page is not None:
            self.page.show_found(self.recovery.lines())
        else:
            self.recovery.offer(self._window.documents.messages, self.review)
