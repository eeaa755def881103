"""The picture of a document as arrays: where everything is and how hot every line is.

A scene knows nothing of themes, zoom or selection: painting takes those. It follows a document
edit by edit and an analysis result by result:

    scene = DiagramScene(document)
    document.listen(scene.apply)
    scene.set_loads(link_ids, forward, backward)     # 1.0 is 100 %, NaN is no data
    paint_diagram(painter, scene, theme, View.fit(scene.bounds(), 1200, 800))

Everything is in canvas units, y downwards. Nodes are numbered: first the devices in row order,
then the groups (device count + group index). Numbers hold until the next `apply`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from topoedit.model.document import Document
from topoedit.model.edits import Change, MoveDevices
from topoedit.model.elements import CustomType, Device, Group, Link, Note
from topoedit.model.layers import HIDDEN, Layers
from topoedit.render import bends as bends_
from topoedit.render import extents, visibility
from topoedit.render import grouping as groups_
from topoedit.render import strokes as strokes_
from topoedit.render.anchors import MAX_PITCH, Rects
from topoedit.render.facts import Facts as Facts
from topoedit.render.facts import no_load
from topoedit.render.facts import note_box as note_box
from topoedit.render.grouping import Box, GroupBox
from topoedit.render.heat import HeatIndex
from topoedit.render.loadscale import PLAIN, Codes, load_codes
from topoedit.render.sizes import REFERENCE_WIDTH
from topoedit.render.tables import Bools, DeviceTable, Floats, Ints, LinkTable
from topoedit.render.touched import changed_kind, only_words
from topoedit.render.trunks import Trunks

AFAR_SCALE = 12 / REFERENCE_WIDTH
"""Below this zoom a device is narrower than 12 pixels."""
FAN_SCALE = 4 / MAX_PITCH  # below it, links beside each other are less than 4 pixels apart
AFAR_LINKS = 1500
"""Smaller drawings never close by themselves."""


class DiagramScene:
    """Arrays derived from a document, patched by each of its changes.

    Args:
        document: the drawing. It is read, never changed, and not listened to: call `apply`.

    Attributes:
        devices, links: one row each.
        grouping: boxes of racks, pods, buildings and sites.
        strokes: the lines to draw.
        rects: boxes of all nodes as rows left, top, right, bottom; shape (4, nodes).
        node_codes: hottest colour code of the lines at each node, uint8 (nodes).
        facts: figures of the analysis for the servers.
        inner_load: load of an inner link by id, None if unknown.
        bent: strokes with a manual route.
        notes: notes by id.
        revision: grows whenever colours may have changed.
        analysed: whether loads are known.
        states: which devices and links layers or a selection dim or hide.
        dim_strokes: lines whose links are all dimmed.
        is_afar: seen from far away, with pods as tiles.
        closes: whether pods close by themselves when they are looked at from far away.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.facts = Facts()
        self.inner_load: Callable[[str], float | None] = no_load
        self.analysed = False
        self.revision = 0
        self.node_codes: Codes
        self._codes: tuple[Codes, Codes]
        self._node_loads: Floats | None = None
        self._afar: DiagramScene | None = None
        self._hidden: Callable[[Link], bool] | None = None
        self._layers = Layers()
        self._only: tuple[str, ...] | None = None
        self._focus: tuple[str, ...] = ()
        self.closes = True
        self.is_afar = self._bundles = False
        self._trunks = Trunks()
        self.rebuild()

    # -- following the document ----------------------------------------------------------------

    def rebuild(self) -> None:
        """Read the whole document again; loads are forgotten."""
        self.devices, self.links = DeviceTable(), LinkTable()
        self.devices.extend(self.document, list(self.document.devices.values()))
        self.links.extend(self.document, self.devices, list(self.document.links.values()))
        self._loads = np.full((2, len(self.links)), np.nan)
        self.analysed = False
        self._arrange()

    def apply(self, change: Change) -> None:
        """Follow one change of the document; loads of links that stay are kept."""
        if isinstance(change.edit, MoveDevices):
            self._move(change.edit)
            return
        present = self.document.element
        put = [e for i in (*change.added, *change.changed) if (e := present(i)) is not None]
        if any(isinstance(e, CustomType) for e in put):  # sizes and rails of many may differ
            self.rebuild()
            return
        everything = self._layers.all_shown and self._only is None
        if everything and only_words(self.document, change):
            self._take_words(put)
            return
        self._drop((*change.removed, *changed_kind(put, self.devices, self.links)))
        self._put(put)
        self._arrange()

    def _take_words(self, put: Sequence[object]) -> None:
        """Follow an edit that moves and colours nothing (see `only_words`)."""
        self.notes = dict(self.document.notes)
        scenes = (self,) if self._afar is None else (self, self._afar)
        for scene in scenes:
            scene.notes = self.notes
            for group in (e for e in put if isinstance(e, Group)):
                scene.grouping.groups[scene.grouping.row[group.id]].group = group

    def _drop(self, ids: Iterable[str]) -> None:
        gone = set(ids)
        link_rows = [self.links.row[i] for i in gone if i in self.links.row]
        if link_rows:
            kept = np.ones(len(self.links), np.bool_)
            kept[link_rows] = False
            self.links.keep(kept)
            self._loads = self._loads[:, kept]
        device_rows = [self.devices.row[i] for i in gone if i in self.devices.row]
        if device_rows:
            kept = np.ones(len(self.devices), np.bool_)
            kept[device_rows] = False
            self.devices.keep(kept)
            self.links.remap_devices((np.cumsum(kept) - 1).astype(np.int32))

    def _put(self, elements: Sequence[object]) -> None:
        devices = [e for e in elements if isinstance(e, Device)]
        known = self.devices.row
        self.devices.put(self.document, [d for d in devices if d.id in known])
        fresh = [d for d in devices if d.id not in known]
        if fresh:
            self.devices.extend(self.document, fresh)
        links = [e for e in elements if isinstance(e, Link)]
        kept = (e for e in links if e.id in self.links.row)
        self.links.put(self.document, self.devices, [*kept, *self._links_at(devices)])
        new_links = [e for e in links if e.id not in self.links.row]
        if new_links:
            self.links.extend(self.document, self.devices, new_links)
            unknown = np.full((2, len(new_links)), np.nan)
            self._loads = np.concatenate((self._loads, unknown), axis=1)

    def _links_at(self, devices: Sequence[Device]) -> list[Link]:
        """Links with a row that end at devices whose type may have changed."""
        found = dict.fromkeys(i for d in devices for i in self.document.links_of(d.id))
        return [self.document.links[i] for i in found if i in self.links.row]

    def _move(self, edit: MoveDevices) -> None:
        rows = [self.devices.row[i] for i in edit.ids]
        self.devices.x[rows], self.devices.y[rows] = edit.xs, edit.ys
        before = self.rects
        self._place_nodes()
        moved = (self.rects != before).any(axis=0)
        self._afar = None
        near = strokes_.nodes_to_place(self.strokes, moved)
        strokes_.place_strokes(self.strokes, self.links, self.rects, self._rails(), near)
        self._bend()

    def _arrange(self) -> None:
        self.grouping = groups_.build_grouping(self.document, self.devices)
        groups_.choose_title_edges(self.grouping, self.links, self.devices)
        self._place_nodes()
        self._find_states()
        self._mark_empty_groups()
        self._draw_strokes()
        self._bend()
        self.notes = dict(self.document.notes)
        if self._only is not None:
            self.notes = {i: note for i, note in self.notes.items() if i in self._only}
        self._ends: tuple[NDArray[np.intp], NDArray[np.intp]] | None = None
        self._afar = None
        self._heat = HeatIndex(self.grouping, self.links)
        self._down = strokes_.down_links(self.links, self.devices.failed)
        self._known_ids: tuple[str, ...] = ()
        self._known_rows: NDArray[np.int64] | None = None
        self._asked: tuple[tuple[str, ...], NDArray[np.intp]] = ((), np.zeros(0, np.intp))
        self._colour()

    def _find_states(self) -> None:
        self.states = visibility.find_states(
            self.document, self.devices, self.links, self._layers, self._only, self._focus
        )

    def for_scale(self, scale: float) -> DiagramScene:
        """The scene that a view of this zoom shows and that is under its pointer.

        In a large drawing whose devices would be mere dots, pods, and racks outside pods, close
        into tiles, and their links into bundles; in a small one, parallel links into one line.
        """
        few = len(self.links) < AFAR_LINKS or not self.grouping.groups
        if scale >= (FAN_SCALE if few else AFAR_SCALE) or not self.closes:
            return self
        if few and (len(self.strokes) > AFAR_LINKS or not self.strokes.has_parallels):
            return self
        if self._afar is None:
            self._afar = copy.copy(self)
            self._afar.bundle() if few else self._afar.close_groups()
        if self._afar.revision != self.revision:
            self._afar.take_colours(self)
        return self._afar

    def bundle(self) -> None:
        """Draw parallel links as one line (on a copy, see `for_scale`)."""
        self._bundles = True
        self._regroup(self.grouping)

    def close_groups(self) -> None:
        """Show pods, and racks outside pods, as tiles (on a copy of a scene, see `for_scale`)."""
        self.is_afar, self._trunks = True, Trunks()
        self._regroup(groups_.closed_from_afar(self.grouping))

    def snapshot(self) -> DiagramScene:
        """A scene of the same document whose filters and groups may be changed apart."""
        (found := copy.copy(self)).show_only(self._hidden)
        return found

    def closed(self) -> DiagramScene:
        """The scene as it is seen from far away, see `for_scale`."""
        (found := copy.copy(self)).close_groups()
        found.take_colours(self)
        return found

    def open_groups(self) -> None:
        """Show everything that closed groups hide, for a complete picture."""
        self.closes = False
        self._regroup(groups_.all_open(self.grouping))
        self._colour()

    def _regroup(self, grouping: groups_.Grouping) -> None:
        self.grouping = grouping
        self._mark_empty_groups()
        self._draw_strokes()
        self._bend()
        self._ends = None
        self._asked = ((), np.zeros(0, np.intp))
        self.revision = -1

    def _draw_strokes(self) -> None:
        apart = bends_.routed_links(self.document, self.links) if self._bundles else None
        self.strokes = strokes_.build_strokes(
            self.links, self.grouping.node, self.rects, self._rails(), self._hidden_links(),
            self._bundles, apart,
        )  # fmt: skip
        self.dim_strokes = visibility.dim_strokes(self.strokes, self.states)

    def take_colours(self, source: DiagramScene) -> None:
        """Colour this scene by the loads of another one with the same links and groups."""
        self._loads, self.analysed, self.revision = source._loads, source.analysed, source.revision
        strokes_.colour_strokes(self.strokes, *source._codes, self._down)
        self.node_codes, self._node_loads = source.node_codes, source._node_loads

    def _place_nodes(self) -> None:
        x, y, w, h = self.devices.x, self.devices.y, self.devices.w / 2, self.devices.h / 2
        own = np.stack((x - w, y - h, x + w, y + h))
        groups_.place_groups(self.grouping, own)
        boxes = np.array([g.box for g in self.grouping.groups], dtype=np.float64).reshape(-1, 4)
        self.rects: Rects = np.concatenate((own, boxes.T), axis=1)

    def _rails(self) -> Ints:
        none = np.zeros(len(self.grouping.groups), np.int32)
        return np.concatenate((self.devices.rails, none))

    def _bend(self) -> None:
        """Lead trunks between closed groups around boxes; manual routes win."""
        groups = [g.collapsed and not (g.hidden or g.empty) for g in self.grouping.groups]
        shown = np.concatenate((self.shown_devices(), np.array(groups, dtype=np.bool_)))
        count = len(self.devices)
        found = self._trunks.routes(self.strokes, self.rects, count, shown) if any(groups) else {}
        if not self.is_afar or found:
            found = found | bends_.manual_bends(self.document, self.links, self.strokes)
        self._bends, self.bent = found, frozenset(found)

    # -- loads ---------------------------------------------------------------------------------

    def set_loads(
        self, link_ids: Sequence[str], forward: ArrayLike, backward: ArrayLike
    ) -> NDArray[np.int32]:
        """Take the loads of an analysis.

        Args:
            link_ids: ids of links, in the order of the two arrays; unknown ids are skipped.
            forward: load from end `a` to end `b`; 1.0 is 100 %, NaN is unknown.
            backward: load from end `b` to end `a`.

        Returns:
            Rows of the strokes whose colour changed: only these must be painted again.
        """
        loads, at = np.array((forward, backward), np.float64), self._rows_of(link_ids)
        if at is not None:
            some, loads = loads, np.full((2, len(self.links)), np.nan)
            loads[:, at[at >= 0]] = some[:, at >= 0]
        before = (self.strokes.forward, self.strokes.backward)
        self._loads, self.analysed = loads, True
        self._colour()
        changed = (self.strokes.forward != before[0]) | (self.strokes.backward != before[1])
        return np.flatnonzero(changed).astype(np.int32)

    def _rows_of(self, link_ids: Sequence[str]) -> NDArray[np.int64] | None:
        """Rows of ids, None if they are those of all links; an engine sends the same ones often."""
        given = tuple(link_ids)
        if given != self._known_ids:  # mostly the very same texts: compared in a millisecond
            row, same = self.links.row, list(given) == self.links.ids
            self._known_rows = None if same else np.array([row.get(i, -1) for i in given], np.int64)
            self._known_ids = given
        return self._known_rows

    def clear_loads(self) -> None:
        """Back to a drawing without an analysis."""
        self._loads = np.full((2, len(self.links)), np.nan)
        self.analysed, self.facts, self.inner_load = False, Facts(), no_load
        self._colour()

    def load_of(self, link_id: str) -> tuple[float, float]:
        """Load from `a` to `b` and from `b` to `a` of one link, NaN if unknown."""
        forward, backward = self._loads[:, self.links.row[link_id]]
        return float(forward), float(backward)

    def stroke_load(self, stroke: int) -> tuple[float, float]:
        """Highest load of each direction of one line, NaN if unknown."""
        rows = self.links_at(stroke) if self.strokes.links[stroke] > 1 else None
        return strokes_.load_of(self.strokes, stroke, self._loads, rows)

    def links_at(self, stroke: int) -> NDArray[np.intp]:
        """Rows of the links that a line stands for."""
        order, starts = self.strokes.by_stroke
        return order[starts[stroke] : starts[stroke + 1]]

    def link_codes(self) -> tuple[Codes, Codes]:
        """Colour codes of all links, both directions, in row order."""
        return self._codes

    def _colour(self) -> None:
        self.revision += 1
        if self.analysed:
            self._codes = load_codes(self._loads[0]), load_codes(self._loads[1])
            self.node_codes = self._heat.codes(np.maximum(*self._codes))
        else:
            plain: Codes = np.full(len(self.links), PLAIN, np.uint8)
            self._codes = plain, plain
            self.node_codes = np.full(self.node_count, PLAIN, np.uint8)
        self._node_loads = None
        strokes_.colour_strokes(self.strokes, *self._codes, self._down)

    @property
    def node_loads(self) -> Floats:
        """Highest load at each node, NaN for none (nodes); worked out when first asked for."""
        if self._node_loads is None:
            self._node_loads = self._heat.loads(self._loads)
        return self._node_loads

    def set_inner_loads(self, loads: Mapping[str, float] | Callable[[str], float | None]) -> None:
        """Take the loads of inner links (`node-01/nvlink/gpu3`), the higher of both directions.

        They are asked for one by one, only for the devices whose inside is shown.
        """
        self.inner_load = loads.get if isinstance(loads, Mapping) else loads

    def ends_at(self, node: int) -> list[tuple[int, bool]]:
        """Lines that end at a node, each with whether the node is its `a`."""
        if self._ends is None:
            self._ends = strokes_.ends_by_node(self.strokes, self.node_count)
        (order, starts), count = self._ends, len(self.strokes)
        found = order[starts[node] : starts[node + 1]].tolist()
        return [(end % count, end < count) for end in found]

    # -- filters ---

    def show_only(self, hidden: Callable[[Link], bool] | None) -> None:
        """Leave out the links for which `hidden` is true (None shows all)."""
        self._hidden = hidden
        self._arrange()

    def set_layers(self, layers: Layers) -> None:
        """Dim and hide what some layers say."""
        if layers == self._layers:
            return
        self._layers, before = layers, self.states
        self._find_states()
        if visibility.hide_alike(before, self.states):
            self._take_dimming()
            return
        revision, self._afar = self.revision, None
        self._regroup(self.grouping)
        self.revision = revision
        self._colour()

    def _take_dimming(self) -> None:
        """Follow states that hide nothing else than before."""
        for scene in (self,) if self._afar is None else (self, self._afar):
            scene.states = self.states
            scene.dim_strokes = visibility.dim_strokes(scene.strokes, self.states)

    def set_focus(self, ids: tuple[str, ...]) -> None:
        """Dim all but some elements, their links and neighbours (nothing for no element)."""
        self._focus = ids
        self._find_states()
        self._take_dimming()

    def select_only(self, ids: Iterable[str]) -> None:
        """Leave out everything but some elements, what is in them and the links between them."""
        self._only = tuple(ids)
        self._arrange()

    def _mark_empty_groups(self) -> None:
        empty = visibility.empty_groups(self.grouping, self.states.device, self._only)
        for group, nothing in zip(self.grouping.groups, empty.tolist(), strict=True):
            group.empty = nothing

    def _hidden_links(self) -> Bools | None:
        gone: Bools = self.states.link == HIDDEN
        if self._hidden is not None:
            links, hidden = self.document.links, self._hidden
            gone |= np.array([hidden(links[i]) for i in self.links.ids], dtype=np.bool_)
        return gone if gone.any() else None

    # -- asking --------------------------------------------------------------------------------

    @property
    def node_count(self) -> int:
        """Devices and groups."""
        return len(self.devices) + len(self.grouping.groups)

    def node_of(self, element_id: str) -> int | None:
        """The node of a device or group id, whether it is visible or not."""
        row = self.devices.row.get(element_id)
        if row is not None:
            return row
        index = self.grouping.row.get(element_id)
        return None if index is None else len(self.devices) + index

    def id_of(self, node: int) -> str:
        """The id of the device or group of a node."""
        count = len(self.devices)
        return self.devices.ids[node] if node < count else self.group_at_node(node).id

    def group_at_node(self, node: int) -> GroupBox:
        """The group of a node that is one."""
        return self.grouping.groups[node - len(self.devices)]

    def rect_of(self, element_id: str) -> Box | None:
        """The box of a device, group or note; of the tile that hides it, if it is hidden."""
        node = self.node_of(element_id)
        if node is None:
            note = self.document.element(element_id)
            return note_box(note) if isinstance(note, Note) else None
        left, top, right, bottom = self.rects[:, self.shown_node(node)]
        return float(left), float(top), float(right), float(bottom)

    def shown_node(self, node: int) -> int:
        """The node drawn for a node: itself, or the tile of the group that hides it."""
        if node < len(self.devices):
            return int(self.grouping.node[node])
        group = self.group_at_node(node)
        while group.hidden:
            node = len(self.devices) + group.parent
            group = self.group_at_node(node)
        return node

    def nodes_of(self, ids: tuple[str, ...]) -> NDArray[np.intp]:
        """The nodes drawn for many devices and groups; other ids are skipped. The last are kept."""
        if self._asked[0] != ids:
            nodes = {n for i in ids if (n := self.node_of(i)) is not None}
            shown = {self.shown_node(n) for n in nodes}
            self._asked = (ids, np.array(sorted(shown), dtype=np.intp))
        return self._asked[1]

    def shown_devices(self) -> Bools:
        """Devices that neither a collapsed group nor a layer hides."""
        shown: Bools = self.grouping.node == np.arange(len(self.devices))
        shown &= self.states.device != HIDDEN
        return shown

    def bends(self, stroke: int) -> tuple[tuple[float, float], ...]:
        """Waypoints of the manual route of a line, from `a` to `b` of its link."""
        return self._bends.get(stroke, ())

    def bounds(self, ids: Iterable[str] | None = None) -> Box:
        """The box around everything, or around some elements; a default for an empty drawing."""
        return extents.bounds(self, ids)
