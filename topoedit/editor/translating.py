"""Words of the window in the language of the system, where there is a translation.

`tr` is the one place that every visible text goes through: the tables of actions, labels, sections,
tabs, segments, menus and forms call it. A translation is a file `translations/topoedit_<locale>.qm`
in the resources, whose context is `topoedit` and whose sources are the English words.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QAbstractButton, QGroupBox, QLineEdit, QWidget

from topoedit.paths import resources

CONTEXT = "topoedit"


def tr(text: str) -> str:
    """A text in the language of the window; the text itself where it has no translation."""
    return QCoreApplication.translate(CONTEXT, text) if text else text


def install(app: QCoreApplication, locale: QLocale | None = None) -> list[QTranslator]:
    """Load the translations of Qt's own words and of ours for a locale, that of the system.

    Returns:
        The translators in use; none where the language is that of the sources.
    """
    wanted = locale or QLocale.system()
    if wanted.language() == QLocale.Language.English:
        return []
    places = (
        ("qtbase", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)),
        (CONTEXT, str(resources() / "translations")),
    )
    found: list[QTranslator] = []
    for name, folder in places:
        made = QTranslator(app)
        if made.load(wanted, name, "_", folder):
            app.installTranslator(made)
            found.append(made)
    return found


def translate_fields(root: QWidget) -> None:
    """Translate what plain buttons, check boxes and hints of a new panel or dialog say."""
    for button in root.findChildren(QAbstractButton):
        if button.text() and not button.actions():
            button.setText(tr(button.text()))
    for box in root.findChildren(QGroupBox):
        box.setTitle(tr(box.title()))
    for line in root.findChildren(QLineEdit):
        if line.placeholderText():
            line.setPlaceholderText(tr(line.placeholderText()))
