"""The one script of an HTML report, run over a page of stand-ins."""

from __future__ import annotations

import pytest
from PySide6.QtQml import QJSEngine

from topoedit.paths import resources

PAGE = """
var frame = [];
function Thing(name) {
  this.name = name; this.attributes = {}; this.listeners = {}; this.children = [];
  this.classes = {}; this.style = {}; this.hidden = false;
  this.offsetWidth = this.offsetHeight = 20;
  var classes = this.classes;
  this.classList = {
    add: function (word) { classes[word] = true; },
    remove: function (word) { delete classes[word]; }
  };
}
Thing.prototype.setAttribute = function (key, value) { this.attributes[key] = String(value); };
Thing.prototype.getAttribute = function (key) { return this.attributes[key] || null; };
Thing.prototype.addEventListener = function (kind, act) { this.listeners[kind] = act; };
Thing.prototype.appendChild = function (child) { this.children.push(child); };
Thing.prototype.focus = function () { document.activeElement = this; };
Thing.prototype.blur = function () { document.activeElement = null; };
Thing.prototype.setPointerCapture = function () {};
Thing.prototype.getBoundingClientRect = function () {
  return { left: 0, top: 0, width: 400, height: 200 };
};
Thing.prototype.fire = function (kind, event) {
  event.preventDefault = function () { event.prevented = true; };
  this.listeners[kind](event);
  return event;
};
var svg = new Thing("svg"), viewer = new Thing("viewer"), tip = new Thing("tip");
var target = new Thing("path"), title = new Thing("title");
title.textContent = "leaf-1 – spine-1";
title.remove = function () { target.gone = true; };
target.querySelector = function () { return title; };
svg.viewBox = { baseVal: { x: 0, y: 0, width: 800, height: 400 } };
svg.querySelectorAll = function () { return [target]; };
svg.getScreenCTM = function () {
  var v = (svg.attributes.viewBox || "0 0 800 400").split(" ").map(Number);
  return { inverse: function () { return { x: v[0], y: v[1], scale: v[2] / 400 }; } };
};
function DOMPoint(x, y) { this.x = x; this.y = y; }
DOMPoint.prototype.matrixTransform = function (m) {
  return { x: m.x + this.x * m.scale, y: m.y + this.y * m.scale };
};
viewer.querySelector = function (what) { return what === ".tip" ? tip : svg; };
var document = {
  activeElement: null,
  getElementById: function () { return viewer; },
  createElement: function (kind) { return new Thing(kind); }
};
"""


@pytest.fixture
def page(qapp: object) -> QJSEngine:
    engine = QJSEngine()
    for text in (PAGE, (resources() / "report" / "report.js").read_text(encoding="utf-8")):
        done = engine.evaluate(text)
        assert not done.isError(), done.toString()
    return engine


def view(page: QJSEngine) -> list[float]:
    return [float(word) for word in run(page, "svg.attributes.viewBox").split(" ")]


def run(page: QJSEngine, text: str) -> str:
    done = page.evaluate(text)
    assert not done.isError(), done.toString()
    return done.toString()


def test_buttons_zoom_about_the_middle_and_fit(page: QJSEngine) -> None:
    tools = "viewer.children[0].children"
    run(page, f"{tools}[0].fire('click', {{}})")
    assert view(page) == pytest.approx([120, 60, 560, 280])
    run(page, f"{tools}[2].fire('click', {{}})")
    assert view(page) == [0, 0, 800, 400]


def test_the_wheel_scrolls_the_page_until_the_diagram_is_clicked(page: QJSEngine) -> None:
    wheel = "{clientX: 0, clientY: 0, deltaY: -240, ctrlKey: false}"
    assert run(page, f"String(viewer.fire('wheel', {wheel}).prevented)") == "undefined"
    run(page, "svg.fire('pointerdown', {button: 0, clientX: 5, clientY: 5, pointerId: 1})")
    run(page, "svg.fire('pointerup', {})")
    assert run(page, f"String(viewer.fire('wheel', {wheel}).prevented)") == "true"
    x, y, width, _ = view(page)
    assert (x, y) == (0, 0)  # the point under the cursor stays where it is
    assert width < 800


def test_dragging_moves_and_stays_inside(page: QJSEngine) -> None:
    run(page, "viewer.children[0].children[0].fire('click', {})")
    run(page, "svg.fire('pointerdown', {button: 0, clientX: 200, clientY: 100, pointerId: 1})")
    run(page, "svg.fire('pointermove', {clientX: 190, clientY: 100, target: svg})")
    assert view(page)[0] == pytest.approx(120 + 10 * 560 / 400)
    run(page, "svg.fire('pointermove', {clientX: -4000, clientY: 100, target: svg})")
    assert view(page)[0] == pytest.approx(800 - 560)
    run(page, "svg.fire('pointerup', {})")


def test_pointing_shows_the_loads_of_a_line(page: QJSEngine) -> None:
    assert run(page, "String(target.gone)") == "true"  # no second tip by the browser
    run(page, "svg.fire('pointermove', {clientX: 30, clientY: 40, target: target})")
    assert run(page, "tip.textContent") == "leaf-1 – spine-1"
    assert run(page, "tip.style.left") == "44px"
    run(page, "svg.fire('pointermove', {clientX: 30, clientY: 40, target: svg})")
    assert run(page, "String(tip.hidden)") == "true"


def test_keys_move_zoom_and_leave(page: QJSEngine) -> None:
    run(page, "viewer.fire('keydown', {key: '+'})")
    run(page, "viewer.fire('keydown', {key: 'ArrowRight'})")
    assert view(page)[0] == pytest.approx(120 + 56)
    run(page, "viewer.fire('keydown', {key: '0'})")
    assert view(page) == [0, 0, 800, 400]
    assert run(page, "String(viewer.fire('keydown', {key: 'Tab'}).prevented)") == "undefined"
