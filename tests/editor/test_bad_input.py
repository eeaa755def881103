"""What others hand to the window: files, folders, texts, clipboards, catalogues, hostile words."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QModelIndex, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QDialog,
    QLabel,
    QListView,
    QMessageBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.editor.test_random_gestures import resident
from topoedit import paths
from topoedit.editor import preferences
from topoedit.editor.application import make_canvas, make_window
from topoedit.editor.canvas.hover_card import card_for
from topoedit.editor.canvas.view import CanvasView
from topoedit.editor.commands.edit_commands import CLIP_TYPE
from topoedit.editor.preferences import Preferences
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.tips import MOST, tip
from topoedit.editor.window import MainWindow
from topoedit.errors import BadFileError, TopoeditError
from topoedit.io import native
from topoedit.io.salvage import salvage
from topoedit.model import clipboard
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import Device, Group, Link, Note, Ports

_PLAIN = Qt.TextFormat.PlainText
MARKUP = "<b>bold</b><img src='x.png'>"
HOSTILE = (
    MARKUP,
    "<a href='https://example.org'>click</a>",
    "ما هذا الاسم",
    "e\u0301\u0302\u0303" * 30,
    "&amp; & && <br>",
    "%s %d {0} {name} \\n",
    "x" * 200,
    "👩‍🚀🛰️",
)


def drop(window: MainWindow, data: QMimeData) -> None:
    place, left = QPoint(300, 300), Qt.MouseButton.LeftButton
    entered = QDragEnterEvent(
        place, Qt.DropAction.CopyAction, data, left, Qt.KeyboardModifier.NoModifier
    )
    entered.ignore()
    window.dragEnterEvent(entered)
    assert entered.isAccepted() == data.hasUrls()
    window.dropEvent(
        QDropEvent(
            QPointF(place), Qt.DropAction.CopyAction, data, left, Qt.KeyboardModifier.NoModifier
        )
    )


def files(*names: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(name)) for name in names])
    return data


def line_of(window: MainWindow) -> str:
    text = window.documents.messages.text
    assert text
    assert "\n" not in text
    return text


def test_a_dropped_folder_is_one_line(window: MainWindow, tmp_path: Path) -> None:
    drop(window, files(tmp_path))
    assert "is a folder" in line_of(window)


def test_a_dropped_text_is_not_taken(window: MainWindow) -> None:
    data = QMimeData()
    data.setText("leaf-1, leaf-2")
    drop(window, data)
    assert line_of(window) == "Only files of this computer can be dropped here."


def test_a_dropped_file_that_vanished_is_one_line(window: MainWindow, tmp_path: Path) -> None:
    drop(window, files(tmp_path / "gone.topo.json"))
    assert "there is no such file" in line_of(window)
    assert window.session is None


def test_a_file_of_ten_million_links_is_refused_without_being_read(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    target = tmp_path / "huge.topo.json"
    with target.open("wb") as stream:  # 130 bytes a link; sparse, so that it takes no disk
        stream.write(b'{"format":"topoedit","format_version":1,"elements":[\n')
        stream.truncate(1_300_000_000)
    before = resident()
    drop(window, files(target))
    qtbot.waitUntil(lambda: bool(window.documents.messages.text))
    assert "is larger than 512 MiB, the limit" in line_of(window)
    assert resident() < before + 60 * 2**20
    assert window.session is None


def test_millions_of_short_elements_are_refused_before_they_are_built(tmp_path: Path) -> None:
    one = b'{"is":"link","id":"l"},\n'
    head = b'{"format":"topoedit","format_version":1,"elements":[\n'
    data = head + one * (native.MAX_ELEMENTS + 1) + b'{"is":"note","id":"n","text":""}]}'
    before = resident()
    for read in (native.loads, salvage):
        with pytest.raises(BadFileError, match="3,000,000 elements, the limit"):
            read(data, None, "huge")  # type: ignore[arg-type,operator]
    assert resident() < before + 60 * 2**20


def clips(document: Document) -> Iterator[object]:
    """The text of a good clip, spoiled in one place, again and again."""
    good = clipboard.to_text(clipboard.copy(document, ["node-1", "leaf-1", "rack-1"]))
    values = (None, -1, 1e300, "", "leaf-1", "no-such", [], {}, "1-999999999", True)
    choose = random.Random(5)
    for _ in range(150):
        clip = json.loads(good)
        part = clip
        while True:
            keys = list(part) if isinstance(part, dict) else list(range(len(part)))
            key = choose.choice(keys)
            if isinstance(part[key], dict | list) and part[key] and choose.random() < 0.8:
                part = part[key]
                continue
            part[key] = choose.choice(values)
            break
        yield clip


def test_a_spoiled_clip_is_pasted_or_refused_in_one_line(document: Document, session) -> None:
    before = {e.id: e for e in document.elements()}
    lines: list[str] = []
    session.refused.connect(lines.append)
    for clip in clips(document):
        try:
            found = clipboard.from_text(json.dumps(clip))
            if session.apply(clipboard.paste(document, found, 24.0, 24.0)):
                session.undo()
        except TopoeditError as error:
            lines.append(error.line)
        assert {e.id: e for e in document.elements()} == before
    assert lines
    assert not any("\n" in line for line in lines)


@pytest.mark.parametrize(
    "raw", [b"", b"\xff\xfe\x00", b"[" * 100_000, b'{"format":"topoedit-clip","links":[{}]}']
)
def test_garbage_under_our_own_clipboard_type_is_one_line(drawn: MainWindow, raw: bytes) -> None:
    data = QMimeData()
    data.setData(CLIP_TYPE, raw)
    QGuiApplication.clipboard().setMimeData(data)
    drawn.actions_.refresh()
    drawn.actions_["edit.paste"].trigger()
    assert "clipboard" in line_of(drawn)
    QGuiApplication.clipboard().clear()


def test_a_broken_catalogue_is_named_and_the_program_starts(qtbot: QtBot) -> None:
    folder = paths.config_dir() / "catalog"
    folder.mkdir(parents=True)
    (folder / "mine.yaml").write_text("devices: [{broken", encoding="utf-8")
    window = make_window(welcome=False)
    qtbot.addWidget(window)
    window.show()
    assert window.catalog.devices
    assert "mine.yaml" in line_of(window)


def test_an_unknown_theme_is_named_and_the_program_starts(qtbot: QtBot) -> None:
    place = preferences._settings_file()
    place.parent.mkdir(parents=True)
    place.write_text('{"theme": "no-such-theme"}', encoding="utf-8")
    window = make_window()
    qtbot.addWidget(window)
    window.show()
    assert "no-such-theme" in line_of(window)
    assert window.theming.theme.name in ("light", "dark")


@pytest.mark.parametrize(
    "name",
    ["a\nb", "a\x00b", "a\u202eb", "x" * 10_000, ""],
    ids=["break", "nul", "rtl", "long", ""],
)
def test_names_with_controls_or_without_end_are_refused(document: Document, name: str) -> None:
    device = Device(id="bad", name=name, type="qm9700", kind="leaf")
    with pytest.raises(TopoeditError) as caught:
        document.apply(Edit("Bad", put=(device,)))
    assert "\n" not in caught.value.line
    assert len(caught.value.line) < 600


# -- words that look like mark-up ------------------------------------------------------------------


@pytest.fixture
def hostile(qtbot: QtBot, catalog, theming: Theming, tmp_path: Path) -> MainWindow:
    """A window with a drawing whose every word is hostile."""
    document = Document(catalog)
    devices = [
        Device(id=f"d-{n}", name=f"{words[:190]} {n}", type="qm9700", kind="leaf", group="g",
               x=200.0 * n, tags=(words[:60],), address=words[:60])
        for n, words in enumerate(HOSTILE)
    ]  # fmt: skip
    links = [
        Link(id=f"l-{n}", a=Ports(f"d-{n}", "1-2"), b=Ports(f"d-{n + 1}", "3-4"), label=MARKUP,
             cables=f"c{2 * n + 1}-{2 * n + 2}", gbps=400, medium="dr4", length_m=3.0)
        for n in range(len(HOSTILE) - 1)
    ]  # fmt: skip
    notes = [Note(id=f"n-{n}", text=words * 40, y=300.0 * n) for n, words in enumerate(HOSTILE)]
    group = Group(id="g", name=f"{MARKUP} rack", kind="rack")
    document.apply(Edit(f"Draw {MARKUP}", put=(group, *devices, *links, *notes)))
    made = MainWindow(lambda: (catalog, ()), theming, Preferences(), make_canvas)
    made.resize(1600, 1000)

    def forget(window: MainWindow) -> None:
        for session in window.documents.sessions():
            session.mark_saved(tmp_path / "gone.topo.json")

    qtbot.addWidget(made, before_close_func=forget)
    made.show()
    made.add_session(DocumentSession(document, title=f"{MARKUP}.topo.json"))
    return made


def rich(text: object) -> bool:
    """Whether Qt would take a hostile text for mark-up."""
    return isinstance(text, str) and any(tag in text for tag in ("<b>bold", "<img", "<a href"))


def bad_words(top: QWidget) -> list[str]:
    """Labels and tooltips of a window that show words of a drawing as mark-up."""
    found = []
    for widget in (top, *top.findChildren(QWidget)):
        if rich(widget.toolTip()):
            found.append(f"tooltip of {type(widget).__name__}: {widget.toolTip()[:60]}")
        if isinstance(widget, QLabel) and rich(widget.text()):
            plain = widget.textFormat() == _PLAIN
            if not plain:
                found.append(f"{type(widget).__name__}: {widget.text()[:60]}")
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            found += [f"{type(widget).__name__} row: {t[:60]}" for t in tips_of(widget)]
    return found


def tips_of(view: QAbstractItemView) -> Iterator[str]:
    model, waiting = view.model(), [QModelIndex()]
    while waiting:
        parent = waiting.pop()
        for row in range(min(model.rowCount(parent), 40)):
            for column in range(1 if isinstance(view, QListView) else model.columnCount(parent)):
                text = model.index(row, column, parent).data(Qt.ItemDataRole.ToolTipRole)
                if rich(text):
                    yield str(text)
            waiting.append(model.index(row, 0, parent))


def test_hostile_words_are_shown_as_they_are_in_every_panel(hostile: MainWindow) -> None:
    session, canvas = hostile.session, hostile.canvas
    assert session is not None
    assert isinstance(canvas, CanvasView)
    for selected in (["d-0"], ["l-0"], ["n-0"], ["g"], ["d-0", "d-1"], [*session.document.devices]):
        session.select(selected)
        QApplication.processEvents()
        assert bad_words(hostile) == []
    for key in hostile.sides.bottom._pages.keys() - {"plots"}:  # that one has numbers alone
        hostile.show_panel(key)
        QApplication.processEvents()
        assert bad_words(hostile) == []
    canvas.picture.finish()
    assert not canvas.grab().isNull()


def test_hostile_words_are_shown_as_they_are_in_every_dialog(hostile: MainWindow) -> None:
    session = hostile.session
    assert session is not None
    session.apply(Edit(f"Rename {MARKUP}", drop=("n-0",)))
    for action in (
        "edit.replace", "insert.array", "insert.wire", "file.export", "file.labels",
        "file.close", "file.report", "insert.patch", "help.shortcuts", "help.remap", "help.about",
    ):  # fmt: skip
        session.select(["d-0", "d-1"])
        hostile.actions_.refresh()
        hostile.actions_[action].trigger()
        QApplication.processEvents()
        dialogs = [d for d in hostile.findChildren(QDialog) if d.isVisible()]
        for dialog in dialogs:
            assert bad_words(dialog) == [], action
            if isinstance(dialog, QMessageBox):
                assert not rich(dialog.text()) or dialog.textFormat() == _PLAIN
            dialog.reject()
        QApplication.processEvents()


def test_hostile_words_are_shown_as_they_are_on_the_canvas(hostile: MainWindow) -> None:
    session, canvas = hostile.session, hostile.canvas
    assert session is not None
    assert isinstance(canvas, CanvasView)
    for element in (*session.document.devices, "l-0", "g"):
        card = card_for(session.document, element, None)
        assert card is not None
        session.hover(element)
        canvas._show_card()
        canvas.repaint()
    hostile.tell(MARKUP, "error")
    assert bad_words(hostile.documents.messages) == []
    assert hostile.documents.messages.text == MARKUP


def test_a_tooltip_shows_exactly_its_text() -> None:
    assert tip("a < b\nc") == "<span>a &lt; b<br>c</span>"
    assert tip("plain & simple\nsecond") == "plain & simple\nsecond"
    assert len(tip("x" * 10_000)) == MOST
