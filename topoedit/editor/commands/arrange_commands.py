"""Align, distribute, automatic layout, group and collapse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from msgspec.structs import replace

from topoedit.editor.arranging import Block, aligned, distributed
from topoedit.editor.background import Cancel, Progress, copy_of, start_telling
from topoedit.editor.session import DocumentSession
from topoedit.editor.shell import Shell
from topoedit.errors import BadInputError
from topoedit.model import operations
from topoedit.model.edits import Edit, MoveDevices
from topoedit.model.elements import Device, GroupKind, Link
from topoedit.model.operations import plural
from topoedit.model.plan import choices
from topoedit.render.sizes import size_of

LARGE_LAYOUT = 300
"""Devices from which they are arranged beside the window: springs take about 0.2 s there."""


@dataclass
class ArrangeCommands:
    """Acts on the selection of the current drawing."""

    shell: Shell

    def align(self, edge: str) -> None:
        """Bring edges or centres of the selection into line."""
        session = self.shell.session
        if session is None:
            return
        blocks = selected_blocks(session)
        self._move(session, blocks, aligned(blocks, edge), f"Align {edge}")

    def distribute(self, axis: str) -> None:
        """Make the gaps between the selected blocks equal."""
        session = self.shell.session
        if session is None:
            return
        blocks = selected_blocks(session)
        words = "Distribute across" if axis == "x" else "Distribute down"
        self._move(session, blocks, distributed(blocks, axis), words)

    def _move(
        self,
        session: DocumentSession,
        blocks: Sequence[Block],
        shifts: Sequence[tuple[float, float]],
        label: str,
    ) -> None:
        ids: list[str] = []
        xs: list[float] = []
        ys: list[float] = []
        for block, (dx, dy) in zip(blocks, shifts, strict=True):
            if dx == dy == 0:
                continue
            for device_id in block.devices:
                device = session.document.devices[device_id]
                if not device.locked:
                    ids.append(device_id)
                    xs.append(device.x + dx)
                    ys.append(device.y + dy)
        session.apply(MoveDevices(label, tuple(ids), tuple(xs), tuple(ys)))

    def layout(self, kind: str = "clos") -> None:
        """Show an arrangement of the selection, or of everything; locked devices stay."""
        session = self.shell.session
        if session is None or self.shell.canvas is None:
            return
        from topoedit.layout.registry import layout

        chosen, document = layout(kind), session.document
        ids = [device.id for device in operations.with_members(document, session.selection)]
        if len(ids or document.devices) < LARGE_LAYOUT:
            self._show(session, chosen.title, chosen.arrange(document, ids))
            return
        copied, revision = copy_of(document), document.revision

        def work(_progress: Progress, _cancelled: Cancel) -> object:
            return chosen.arrange(copied(), ids)

        def arranged(edit: object) -> None:
            if session is not self.shell.session or document.revision != revision:
                self.shell.tell(f"{chosen.title}: the drawing has changed meanwhile. Start again.")
            else:
                self._show(session, chosen.title, cast("MoveDevices", edit))

        start_telling(self.shell, f"Arranging: {chosen.title}", work, arranged)

    def _show(self, session: DocumentSession, title: str, edit: MoveDevices) -> None:
        """Show an arrangement as ghosts, to be kept or left."""
        canvas = self.shell.canvas
        if canvas is None or session is not self.shell.session:
            return
        if edit.is_empty:
            self.shell.tell(f"{title}: nothing would move.")
            return
        withdraw = self.shell.offer(
            f"{title}: {plural(len(edit.ids), 'device')} would move",
            (
                ("Keep", lambda: canvas.end_preview(keep=True)),
                ("Leave", lambda: canvas.end_preview(keep=False)),
            ),
        )
        canvas.preview(edit, title, lambda _kept: withdraw())

    def route(self) -> None:
        """Lead the selected links, or those among the selected devices, around devices."""
        session = self.shell.session
        if session is None:
            return
        from topoedit.layout.orthogonal import route

        edit = route(session.document, chosen_links(session), again=True)
        if edit.is_empty:
            self.shell.tell("No selected link needs a corner.")
        else:
            session.apply(edit)

    def straighten(self) -> None:
        """Take the waypoints of the selected links away."""
        session = self.shell.session
        if session is None:
            return
        links = session.document.links
        bent = [replace(links[i], via=()) for i in chosen_links(session) if links[i].via]
        session.apply(Edit(f"Straighten {plural(len(bent), 'link')}", put=tuple(bent)))

    def group(self, kind: str) -> None:
        """Put the selection into a new group."""
        session = self.shell.session
        if session is None:
            return
        known: dict[str, GroupKind] = {word: word for word in choices(GroupKind)}  # type: ignore[misc]
        try:
            edit = operations.group(session.document, session.selection, known[kind])
        except BadInputError as error:
            self.shell.tell(error.line, "error")
            return
        if session.apply(edit):
            session.select([edit.put[0].id])

    def ungroup(self) -> None:
        """Remove the selected groups and keep what they hold."""
        session = self.shell.session
        if session is None:
            return
        groups = session.selected_groups()
        if len(groups) > 1:
            session.undo_stack.beginMacro(f"Ungroup {plural(len(groups), 'group')}")
        freed: list[str] = []
        for group in groups:
            freed += (*session.document.members(group.id), *session.document.subgroups(group.id))
            session.apply(operations.ungroup(session.document, group.id))
        if len(groups) > 1:
            session.undo_stack.endMacro()
        session.select(freed)

    def collapse(self) -> None:
        """Show the selected groups as one block each."""
        self._collapse(True)

    def expand(self) -> None:
        """Show what is inside the selected groups; zoom in where only the zoom hides it."""
        self._collapse(False)
        session, canvas = self.shell.session, self.shell.canvas
        groups = () if session is None else session.selected_groups()
        if canvas is None or not groups or not canvas.draws_as_block(groups[-1].id):
            return
        self.shell.tell(
            f"{groups[-1].name} was drawn as a block at that zoom: zooming in shows it.", "info"
        )
        canvas.open_up(groups[-1].id)

    def _collapse(self, collapsed: bool) -> None:
        session = self.shell.session
        if session is not None:
            ids = [group.id for group in session.selected_groups()]
            session.apply(operations.set_collapsed(session.document, ids, collapsed))


def chosen_links(session: DocumentSession) -> list[str]:
    """The selected links; without any, those that join two of the selected devices."""
    links = [link.id for link in session.selected_links()]
    if links:
        return links
    document = session.document
    chosen = {device.id for device in operations.with_members(document, session.selection)}
    found = dict.fromkeys(link for device in chosen for link in document.links_of(device))
    both = [link for link in map(document.links.__getitem__, found) if _inside(link, chosen)]
    return sorted(link.id for link in both)


def _inside(link: Link, devices: set[str]) -> bool:
    return link.a.device in devices and link.b.device in devices


def selected_blocks(session: DocumentSession) -> list[Block]:
    """The selected devices, and each selected group as one block of its devices."""
    document = session.document
    found: list[Block] = []
    inside: set[str] = set()
    for group in session.selected_groups():
        held = operations.devices_inside(document, group.id)
        inside.update(device.id for device in held)
        if held:
            found.append(_block(session, held))
    found += [_block(session, [d]) for d in session.selected_devices() if d.id not in inside]
    return found


def _block(session: DocumentSession, devices: Sequence[Device]) -> Block:
    edges: list[tuple[float, float, float, float]] = []
    for device in devices:
        width, height = size_of(device.kind, session.document.device_type(device))
        edges.append(
            (
                device.x - width / 2,
                device.y - height / 2,
                device.x + width / 2,
                device.y + height / 2,
            )
        )
    lefts, tops, rights, bottoms = zip(*edges, strict=True)
    return Block(
        tuple(device.id for device in devices), min(lefts), min(tops), max(rights), max(bottoms)
    )
