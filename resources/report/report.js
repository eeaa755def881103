"use strict";
(function () {
  var viewer = document.getElementById("viewer");
  var svg = viewer && viewer.querySelector("svg.diagram");
  if (!svg) { return; }
  var tip = viewer.querySelector(".tip");
  var whole = svg.viewBox.baseVal;
  var home = { x: whole.x, y: whole.y, w: whole.width, h: whole.height };
  var view = Object.assign({}, home);
  var drag = null;
  var tools = document.createElement("div");

  function show() {
    svg.setAttribute("viewBox", [view.x, view.y, view.w, view.h].join(" "));
  }
  function clamp(value, low, high) { return Math.min(Math.max(value, low), high); }
  function at(event) {
    var point = new DOMPoint(event.clientX, event.clientY);
    return point.matrixTransform(svg.getScreenCTM().inverse());
  }
  function zoom(factor, x, y) {
    var w = clamp(view.w * factor, home.w / 40, home.w);
    var share = w / view.w;
    view = { x: x - (x - view.x) * share, y: y - (y - view.y) * share, w: w, h: view.h * share };
    keep();
  }
  function keep() {
    view.x = clamp(view.x, home.x, home.x + home.w - view.w);
    view.y = clamp(view.y, home.y, home.y + home.h - view.h);
    show();
  }
  function middle() { return { x: view.x + view.w / 2, y: view.y + view.h / 2 }; }
  function button(text, words, act) {
    var made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.title = words;
    made.setAttribute("aria-label", words);
    made.addEventListener("click", act);
    tools.appendChild(made);
  }

  tools.className = "tools";
  button("+", "Zoom in", function () { var m = middle(); zoom(0.7, m.x, m.y); });
  button("\u2212", "Zoom out", function () { var m = middle(); zoom(1 / 0.7, m.x, m.y); });
  button("Fit", "Show all", function () { view = Object.assign({}, home); show(); });
  viewer.appendChild(tools);
  viewer.classList.add("live");
  viewer.tabIndex = 0;
  viewer.setAttribute("aria-label", "Diagram: plus and minus zoom, arrow keys move, 0 shows all");

  // The page scrolls with the wheel; it zooms with Ctrl, or once the diagram has been clicked.
  viewer.addEventListener("wheel", function (event) {
    if (!event.ctrlKey && document.activeElement !== viewer) { return; }
    event.preventDefault();
    var p = at(event);
    zoom(Math.pow(1.0015, clamp(event.deltaY, -240, 240)), p.x, p.y);
  }, { passive: false });
  viewer.addEventListener("dblclick", function (event) {
    var p = at(event);
    zoom(0.5, p.x, p.y);
  });
  svg.addEventListener("pointerdown", function (event) {
    if (event.button !== 0) { return; }
    viewer.focus({ preventScroll: true });
    drag = at(event);
    svg.setPointerCapture(event.pointerId);
    viewer.classList.add("moving");
    event.preventDefault();
  });
  svg.addEventListener("pointermove", function (event) {
    if (drag) {
      var p = at(event);
      view.x += drag.x - p.x;
      view.y += drag.y - p.y;
      keep();
      tip.hidden = true;
      return;
    }
    point(event);
  });
  function drop() { drag = null; viewer.classList.remove("moving"); }
  svg.addEventListener("pointerup", drop);
  svg.addEventListener("pointercancel", drop);
  viewer.addEventListener("pointerleave", function () { tip.hidden = true; });
  viewer.addEventListener("keydown", function (event) {
    var m = middle(), step = 0.1;
    var moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === "+" || event.key === "=") { zoom(0.7, m.x, m.y); }
    else if (event.key === "-") { zoom(1 / 0.7, m.x, m.y); }
    else if (event.key === "0") { view = Object.assign({}, home); show(); }
    else if (event.key === "Escape") { viewer.blur(); return; }
    else if (moves[event.key]) {
      view.x += moves[event.key][0] * step * view.w;
      view.y += moves[event.key][1] * step * view.h;
      keep();
    } else { return; }
    event.preventDefault();
  });

  // The titles are for readers without script; with it a tip shows them at once.
  svg.querySelectorAll(".targets > *").forEach(function (target) {
    var title = target.querySelector("title");
    if (title) {
      target.setAttribute("data-tip", title.textContent);
      target.setAttribute("aria-label", title.textContent);
      title.remove();
    }
  });
  function point(event) {
    var text = event.target.getAttribute && event.target.getAttribute("data-tip");
    if (!text) { tip.hidden = true; return; }
    tip.textContent = text;
    tip.hidden = false;
    var box = viewer.getBoundingClientRect();
    var x = event.clientX - box.left + 14, y = event.clientY - box.top + 14;
    tip.style.left = clamp(x, 4, box.width - tip.offsetWidth - 4) + "px";
    tip.style.top = clamp(y, 4, box.height - tip.offsetHeight - 4) + "px";
  }
})();
