"""The Devices panel: searching, keys, dragging out."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import DeviceType, Inside
from topoedit.editor.matching import best, score
from topoedit.editor.panels.palette import PalettePanel, folded_at_first, palette_items
from topoedit.editor.theming import Theming
from topoedit.editor.window import MainWindow

from .doubles import canvas_of


@pytest.fixture
def panel(qtbot: QtBot, theming: Theming, catalog: Catalog) -> PalettePanel:
    made = PalettePanel(theming, catalog, ("qm9700", "gone-from-the-catalogue"))
    made.resize(240, 700)
    qtbot.addWidget(made)
    made.show()
    return made


def test_types_stand_in_sections_with_one_figure(catalog: Catalog) -> None:
    items = {item.type_id: item for item in palette_items(catalog)}
    assert items["dgx-h100"].section == "Compute"
    assert items["dgx-h100"].figure == "8 GPU"
    assert items["qm9700"].section == "Fabric"
    assert items["qm9700"].figure == "64 × 400G"
    assert items["group:rack"].section == "Containers"
    assert items["note:"].name == "Note"


def test_recent_types_come_first_and_unknown_ones_are_left_out(panel: PalettePanel) -> None:
    assert panel.shown()[0] == "QM9700"
    assert panel.recent == ("qm9700",)
    panel.used("dgx-h100")
    assert panel.shown()[:2] == ["DGX H100", "QM9700"]
    assert panel.view._model.item(0).text() == "Recent"


def test_typing_finds_by_any_word(panel: PalettePanel, qtbot: QtBot) -> None:
    qtbot.keyClicks(panel.search, "h100 dgx")
    assert panel.shown() == ["DGX H100"]
    panel.search.clear()
    qtbot.keyClicks(panel.search, "zzz")
    assert panel.shown() == []
    assert panel._nothing.isVisible()
    qtbot.keyClick(panel.search, Qt.Key.Key_Escape)
    assert len(panel.shown()) > 5


def test_enter_in_the_search_places_the_first(panel: PalettePanel, qtbot: QtBot) -> None:
    qtbot.keyClicks(panel.search, "q34")
    with qtbot.wait_signal(panel.chosen) as caught:
        qtbot.keyClick(panel.search, Qt.Key.Key_Return)
    assert caught.args == ["q3400"]


def test_arrows_go_on_into_the_list_and_enter_places(panel: PalettePanel, qtbot: QtBot) -> None:
    qtbot.keyClick(panel.search, Qt.Key.Key_Down)
    assert panel.view.type_at(panel.view.currentIndex()) == "qm9700"
    qtbot.keyClick(panel.view, Qt.Key.Key_Down)
    qtbot.keyClick(panel.view, Qt.Key.Key_Down)
    with qtbot.wait_signal(panel.chosen) as caught:
        qtbot.keyClick(panel.view, Qt.Key.Key_Return)
    assert caught.args == ["dgx-h100"]


def row_of(panel: PalettePanel, type_id: str) -> QPoint:
    index = next(i for i in panel.view._type_rows() if panel.view.type_at(i) == type_id)
    return panel.view.visualRect(index).center()


def test_a_drag_begins_after_a_few_pixels_only(panel: PalettePanel, qtbot: QtBot) -> None:
    at = row_of(panel, "dgx-h100")
    seen: list[str] = []
    panel.drag_started.connect(seen.append)
    port = panel.view.viewport()
    qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseMove(port, at + QPoint(1, 1))
    assert seen == []
    qtbot.mouseMove(port, at + QPoint(12, 0))
    assert seen == ["dgx-h100"]
    qtbot.mouseRelease(port, Qt.MouseButton.LeftButton, pos=at)


def test_a_click_folds_a_section_and_it_stays_folded(panel: PalettePanel, qtbot: QtBot) -> None:
    header = panel.view._model.index(1, 0)
    assert header.data() == "Compute"
    qtbot.mouseClick(
        panel.view.viewport(), Qt.MouseButton.LeftButton, pos=panel.view.visualRect(header).center()
    )
    assert not panel.view.isExpanded(header)
    panel.used("q3400")
    again = panel.view._model.index(1, 0)
    assert not panel.view.isExpanded(again)


def test_double_click_places_in_the_middle_and_selects(drawn: MainWindow, qtbot: QtBot) -> None:
    panel = drawn.sides.left.palette_panel
    panel.search.setText("q3400")
    qtbot.mouseDClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=row_of(panel, "q3400"))
    session = drawn.session
    assert session is not None
    spine = session.document.devices["spine-1"]
    assert (spine.x, spine.y) == canvas_of(drawn).centre()
    assert session.selection == ("spine-1",)
    assert session.undo_stack.undoText() == "Add spine-1"


def test_a_drag_is_handed_to_the_canvas(drawn: MainWindow) -> None:
    drawn.sides.left.palette_panel.drag_started.emit("dgx-h100")
    assert canvas_of(drawn).calls[-1] == ("drag", "dgx-h100", 1)


def test_starts_of_words_rank_before_middles() -> None:
    texts = ["Big leaf switch", "Leaf", "Cloverleaf"]
    assert best("leaf", texts, 3) == [1, 0, 2]
    assert score("leaf sw", texts[0]) is not None
    assert score("leaf sw", texts[1]) is None


def vendor_catalog() -> Catalog:
    """Three servers of one maker, one of another, one of none; a pod of chips; a switch."""

    def server(name: str, vendor: str, gpus: int | None) -> DeviceType:
        return DeviceType(
            id=name.lower().replace(" ", "-"), name=f"{vendor} {name}".strip(), source="made",
            vendor=vendor, kind="server", inside=Inside(accelerator="h100", gpus=gpus),
        )  # fmt: skip

    kinds = [
        server("One (with a remark)", "Big", 8), server("Two", "Big", 8), server("Three", "Big", 8),
        server("Alone", "Small", 8), server("Server", "", None), server("Bare", "", 0),
        server("Pod A", "Google", 4096), server("Pod B", "Google", 64),
        server("Pod C", "Google", 8),
    ]  # fmt: skip
    return Catalog(devices={kind.id: kind for kind in kinds})


def test_types_stand_by_vendor_and_few_of_one_vendor_with_others() -> None:
    items = {item.name: item for item in palette_items(vendor_catalog())}
    assert items["Two"].section == "Compute · Big"
    assert items["Small Alone"].section == "Compute · other vendors"
    assert items["Server"].section == "Compute"
    heads = list(dict.fromkeys(item.section for item in palette_items(vendor_catalog())))
    assert heads[:4] == ["Compute", "Compute · Big", "Compute · Google", "Compute · other vendors"]
    assert folded_at_first(items.values()) == {"Compute · Google", "Compute · other vendors"}


def test_figures_name_chips_and_group_digits() -> None:
    items = {item.type_id: item for item in palette_items(vendor_catalog())}
    assert items["pod-a"].figure == "4\u2009096 chips"
    assert items["two"].figure == "8 GPU"
    assert items["bare"].figure == "no GPU"


def test_remarks_are_left_to_the_tooltip(qtbot: QtBot, theming: Theming) -> None:
    panel = PalettePanel(theming, vendor_catalog())
    qtbot.addWidget(panel)
    row = next(i for i in panel.view._type_rows() if i.data() == "One")
    assert row.data(Qt.ItemDataRole.ToolTipRole) == "Big One (with a remark) · 8 GPU"


def test_what_is_found_by_typing_shows_in_folded_sections(qtbot: QtBot, theming: Theming) -> None:
    panel = PalettePanel(theming, vendor_catalog())
    qtbot.addWidget(panel)
    panel.show()
    panel.search.setText("pod b")
    (row,) = panel.view._type_rows()
    assert panel.view.isExpanded(row.parent())
    panel.search.clear()
    again = next(i for i in panel.view._type_rows() if i.data() == "Pod B")
    assert not panel.view.isExpanded(again.parent())


def test_rows_stay_under_the_pointer_when_a_type_becomes_recent(
    qtbot: QtBot, theming: Theming
) -> None:
    panel = PalettePanel(theming, vendor_catalog())
    panel.resize(240, 160)
    qtbot.addWidget(panel)
    panel.show()
    before = row_of(panel, "two")
    panel.used("two")
    second = [i for i in panel.view._type_rows() if panel.view.type_at(i) == "two"][-1]
    assert panel.view.visualRect(second).center() == before
    panel.used("three")
    second = [i for i in panel.view._type_rows() if panel.view.type_at(i) == "two"][-1]
    assert panel.view.visualRect(second).center() == before
