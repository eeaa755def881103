"""Every visible word goes through one place: a translator that brackets texts shows that."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from topoedit.catalog.catalog import Catalog
from topoedit.editor import translating
from topoedit.editor.dialogs.preferences_dialog import PreferencesDialog
from topoedit.editor.preferences import Preferences
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import Section
from topoedit.editor.window import MainWindow
from topoedit.model.document import Document

from .conftest import forget_changes
from .doubles import CanvasDouble


class Brackets(QTranslator):
    """Puts every text of ours into brackets, once."""

    def translate(self, context, source, disambiguation=None, n=-1) -> str | None:
        if context != translating.CONTEXT or source.startswith("["):
            return None
        return f"[{source}]"

    def isEmpty(self) -> bool:
        return False


@pytest.fixture
def bracketed(
    qtbot: QtBot, qapp: QApplication, catalog: Catalog, theming: Theming, document: Document
) -> Iterator[MainWindow]:
    translator = Brackets(qapp)
    qapp.installTranslator(translator)
    window = MainWindow(
        lambda: (catalog, ()),
        theming,
        Preferences(),
        lambda session, _theming, parent: CanvasDouble(session, parent),
    )
    window.resize(1600, 1000)
    qtbot.addWidget(window, before_close_func=forget_changes)
    window.show_welcome()
    window.show()
    window.add_session(DocumentSession(document, title="Two nodes"))
    yield window
    qapp.removeTranslator(translator)


def plain(text: str) -> bool:
    return not text.replace("&", "").startswith("[")


def entries(menu: QMenu) -> Iterator[QAction]:
    for action in menu.actions():
        if action.isSeparator():
            continue
        yield action
        if isinstance(submenu := action.menu(), QMenu):
            yield from entries(submenu)


def test_menus_are_translated(bracketed: MainWindow) -> None:
    assert [m.title() for m in bracketed.menus.values() if plain(m.title())] == []
    texts = [action.text() for menu in bracketed.menus.values() for action in entries(menu)]
    assert len(texts) > 100
    assert [text for text in texts if plain(text)] == []


def test_tooltips_of_the_tool_bar_are_translated(bracketed: MainWindow) -> None:
    buttons = [b for b in bracketed.tool_bar.findChildren(QToolButton) if b.toolTip()]
    assert len(buttons) > 10
    assert [b.toolTip() for b in buttons if "[" not in b.toolTip()] == []


def test_tabs_and_section_heads_are_translated(bracketed: MainWindow) -> None:
    sides = bracketed.sides
    for tabs in (sides.inspector.tabs, sides.bottom.tabs):
        assert [t for i in range(tabs.count()) if plain(t := tabs.tabText(i))] == []
    for key in sides.left.segments.keys():  # noqa: SIM118  (no mapping)
        assert not plain(sides.left.segments.button(key).text())
    heads = [s.header.text() for s in bracketed.findChildren(Section)]
    assert len(heads) > 10
    assert [text for text in heads if plain(text)] == []


def test_form_labels_and_buttons_are_translated(bracketed: MainWindow) -> None:
    form = bracketed.sides.inspector.properties
    named = [word for field in form.fields.values() for word in field.findChildren(QLabel)]
    assert [w.text() for w in named if w.text() and w.property("role") == "secondary"][:1]
    assert [w.text() for w in named if w.property("role") == "secondary" and plain(w.text())] == []
    plan = bracketed.sides.inspector.plan
    words = [w.text() for w in plan.findChildren(QLabel) if w.buddy() is not None]
    assert len(words) > 8
    assert [text for text in words if plain(text)] == []
    buttons = [b for b in bracketed.sides.bottom.findChildren(QPushButton) if b.text()]
    assert len(buttons) > 2
    assert [b.text() for b in buttons if plain(b.text())] == []


def test_words_of_the_status_bar_are_translated(bracketed: MainWindow) -> None:
    words = [w.text() for w in bracketed.status.findChildren(QLabel)]
    assert {"[GPUs]", "[Switches]", "[Cables]", "[Step]", "[MFU]", "[Memory]"} <= set(words)


def test_dialogs_are_translated(bracketed: MainWindow) -> None:
    bracketed.actions_["edit.preferences"].trigger()
    dialog = bracketed.findChild(PreferencesDialog)
    assert dialog.windowTitle() == "[Preferences]"
    assert dialog.accept_button.text() == "[Apply]"
    assert dialog.cancel_button.text() == "[Cancel]"
    assert dialog.shortcuts.text() == "[Change shortcuts…]"
    assert [w.text() for w in dialog.findChildren(QLabel) if plain(w.text())] == []
    dialog.reject()


def test_without_a_translation_the_words_stay(qapp: QApplication) -> None:
    assert translating.tr("Save") == "Save"
    assert translating.tr("") == ""
    assert translating.install(qapp, QLocale("en_GB")) == []


def test_the_words_of_qt_are_those_of_the_system(qapp: QApplication) -> None:
    found = translating.install(qapp, QLocale("de_DE"))
    try:
        assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Abbrechen"
    finally:
        for translator in found:
            qapp.removeTranslator(translator)
            translator.deleteLater()
