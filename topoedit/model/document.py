"""The document: elements, indexes over them, and `apply`, the only way to change them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from types import MappingProxyType

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import DeviceType
from topoedit.errors import BadEditError, BadInputError
from topoedit.model import invariants, opening
from topoedit.model.edits import AnyEdit, Change, Edit, MoveDevices
from topoedit.model.elements import (
    AnyElement,
    CustomType,
    Device,
    Exclusion,
    Group,
    Link,
    Note,
    SavedWorkload,
    Settings,
    Trunk,
)
from topoedit.model.indexes import Indexes
from topoedit.model.topology import topology_differs

Listener = Callable[[Change], None]


class Document:
    """A drawing.

    Args:
        catalog: the installed catalogue; custom types in the document come before it.
        elements: what it holds at the start, checked like an edit.

    Raises:
        BadEditError: the elements break an invariant.
    """

    def __init__(self, catalog: Catalog, elements: Iterable[AnyElement] = ()) -> None:
        self.catalog = catalog
        self.revision = 0
        self.topology_revision = 0
        self._elements: dict[str, AnyElement] = {"document": Settings()}
        self._indexes = Indexes()
        self._devices = MappingProxyType(self._indexes.devices)
        self._links = MappingProxyType(self._indexes.links)
        self._groups = MappingProxyType(self._indexes.groups)
        self._type_of: dict[str, DeviceType] = {}
        self._listeners: list[Listener] = []
        first = tuple(elements)
        if first and not self._index_at_once(first, opening.MOST_NAMES):
            self._run(Edit("Open", put=first))
            self.revision = self.topology_revision = 0

    @classmethod
    def quick(
        cls, catalog: Catalog, elements: Sequence[AnyElement], most_cables: int
    ) -> Document | None:
        """A document that is plainly right and holds no more cables; None if it must be looked at.

        No more than so many cable ids, and as many port names for each, are ever spelled out.
        """
        document = cls(catalog)
        return document if document._index_at_once(elements, most_cables) else None

    def _index_at_once(self, elements: Sequence[AnyElement], most: int) -> bool:
        by_id = {element.id: element for element in elements}
        if len(by_id) != len(elements) or not by_id.keys().isdisjoint(("",)):
            return False
        before, self._elements = self._elements, {**self._elements, **by_id}
        try:
            opening.index(self, self._indexes, elements, most)
        except (opening.UnusualError, BadEditError, BadInputError, ValueError):
            self._elements = before
            self._indexes.rebuild(())
            return False
        return True

    # -- reading -------------------------------------------------------------------------------

    @property
    def devices(self) -> Mapping[str, Device]:
        """Devices by id."""
        return self._devices

    @property
    def links(self) -> Mapping[str, Link]:
        """Links by id."""
        return self._links

    @property
    def groups(self) -> Mapping[str, Group]:
        """Racks, pods, buildings and sites by id."""
        return self._groups

    @property
    def trunks(self) -> Mapping[str, Trunk]:
        """Trunks between patch panels by id."""
        return MappingProxyType(self._indexes.trunks)

    @property
    def notes(self) -> Mapping[str, Note]:
        """Notes by id."""
        return {k: v for k, v in self._indexes.rest.items() if isinstance(v, Note)}

    @property
    def workloads(self) -> Mapping[str, SavedWorkload]:
        """Saved workloads by id."""
        return {k: v for k, v in self._indexes.rest.items() if isinstance(v, SavedWorkload)}

    @property
    def exclusions(self) -> Mapping[str, Exclusion]:
        """Accepted rule findings by id."""
        return {k: v for k, v in self._indexes.rest.items() if isinstance(v, Exclusion)}

    @property
    def types(self) -> Mapping[str, CustomType]:
        """Device types carried in the document, by id."""
        return MappingProxyType(self._indexes.types)

    @property
    def settings(self) -> Settings:
        """Settings of the whole document."""
        settings = self._elements["document"]
        if not isinstance(settings, Settings):
            raise TypeError("the element `document` is not Settings")
        return settings

    def elements(self) -> Iterator[AnyElement]:
        """Every element, in no particular order."""
        return iter(self._elements.values())

    def element(self, element_id: str) -> AnyElement | None:
        """The element with this id."""
        return self._elements.get(element_id)

    def present(self, ids: Iterable[str]) -> tuple[AnyElement, ...]:
        """The elements with these ids; ids that nothing has are left out."""
        return tuple(filter(None, map(self._elements.get, ids)))

    def holds(self, ids: Set[str]) -> bool:
        """Whether all of these ids are there."""
        return ids <= self._elements.keys()

    def __contains__(self, element_id: object) -> bool:
        return element_id in self._elements

    def __len__(self) -> int:
        return len(self._elements)

    def device_type(self, device: Device) -> DeviceType:
        """The type of a device: from the document, else from the catalogue."""
        custom = self._indexes.types.get(device.type)
        if custom is not None:
            return custom.type
        known = self._type_of.get(device.type)
        if known is None:
            known = self._type_of[device.type] = self.catalog.device(device.type)
        return known

    def named(self, name: str) -> Device | Group | None:
        """The device or group with this name."""
        found = self._elements.get(self._indexes.names.get(name, ""))
        return found if isinstance(found, Device | Group) else None

    def links_of(self, device_id: str) -> tuple[str, ...]:
        """Ids of the links that end at a device, in the order they were drawn."""
        return tuple(self._indexes.device_links.get(device_id, ()))

    def ports_in_use(self, device_id: str) -> Mapping[str, str]:
        """Port name -> id of the link in it, for one device."""
        return MappingProxyType(self._indexes.port_links.get(device_id, {}))

    def links_through(self, panel_id: str) -> tuple[str, ...]:
        """Ids of the links that run through a patch panel."""
        return tuple(self._indexes.patched.get(panel_id, ()))

    @property
    def patched_links(self) -> tuple[str, ...]:
        """Ids of the links that run through patch panels."""
        return tuple(dict.fromkeys(i for ids in self._indexes.patched.values() for i in ids))

    def rear_ports(self, panel_id: str) -> Mapping[str, str]:
        """Port name -> id of the trunk behind it, for one patch panel."""
        return MappingProxyType(self._indexes.rear_ports.get(panel_id, {}))

    def beyond(self, panel_id: str, port: str) -> tuple[str, str] | None:
        """The panel and port at the far end of the trunk behind a port; None if there is none."""
        return self._indexes.beyond.get((panel_id, port))

    def trunks_at(self, panel_id: str) -> tuple[str, ...]:
        """Ids of the trunks behind a patch panel."""
        return tuple(dict.fromkeys(self._indexes.rear_ports.get(panel_id, {}).values()))

    def link_of_cable(self, cable_id: str) -> Link | None:
        """The link that holds a cable."""
        return self._indexes.links.get(self._indexes.cables.get(cable_id, ""))

    def members(self, group_id: str) -> tuple[str, ...]:
        """Ids of the devices directly in a group."""
        return tuple(self._indexes.members.get(group_id, ()))

    def subgroups(self, group_id: str) -> tuple[str, ...]:
        """Ids of the groups directly in a group ("" for the top)."""
        return tuple(self._indexes.subgroups.get(group_id, ()))

    # -- new ids -------------------------------------------------------------------------------

    def new_id(self, base: str, taken: Iterable[str] = ()) -> str:
        """An id that nothing has yet: `base`, or `base` with a number."""
        reserved = set(taken)
        candidate, number = base, 2
        while candidate in self._elements or candidate in reserved:
            candidate, number = f"{base}-{number}", number + 1
        return candidate

    def new_name(self, base: str, taken: Iterable[str] = ()) -> str:
        """A name that no device or group has yet."""
        reserved = set(taken)
        candidate, number = base, 2
        while candidate in self._indexes.names or candidate in reserved:
            candidate, number = f"{base}-{number}", number + 1
        return candidate

    def new_cables(self, count: int, skip: int = 0) -> str:
        """A range text of `count` cable ids never used in this document (after `skip` others)."""
        first = self._indexes.next_cable + skip
        return f"c{first}" if count == 1 else f"c{first}-{first + count - 1}"

    # -- changing ------------------------------------------------------------------------------

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with every Change from now on; the result stops that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def apply(self, edit: AnyEdit) -> AnyEdit:
        """Make an edit and return the one that takes it back.

        Raises:
            BadEditError: it would break an invariant; the document is as it was.
        """
        change = self._run(edit)
        for listener in tuple(self._listeners):
            listener(change)
        return change.inverse

    def _run(self, edit: AnyEdit) -> Change:
        concrete = self._moves(edit) if isinstance(edit, MoveDevices) else edit
        old = self._replaced(concrete)
        try:
            self._swap(old.values(), concrete.put)
            self._check(concrete, old)
        except (BadEditError, BadInputError):
            self._swap_back(concrete, old)
            raise
        return self._record(edit, concrete, old)

    def _moves(self, edit: MoveDevices) -> Edit:
        if not len(edit.ids) == len(edit.xs) == len(edit.ys):
            raise BadEditError("a move needs one x and one y for each device")
        moved = []
        for device_id, x, y in zip(edit.ids, edit.xs, edit.ys, strict=True):
            device = self._indexes.devices.get(device_id)
            if device is None:
                raise BadEditError("there is no such device to move", device_id)
            moved.append(replace_position(device, x, y))
        return Edit(edit.label, put=tuple(moved))

    def _replaced(self, edit: Edit) -> dict[str, AnyElement]:
        """Old versions of everything the edit drops or puts anew."""
        for element_id in edit.drop:
            if element_id not in self._elements or element_id == "document":
                raise BadEditError("there is no such element to remove", element_id)
        ids = dict.fromkeys((*edit.drop, *(element.id for element in edit.put)))
        if len(ids) != len(edit.drop) + len(edit.put):
            twice = _first_twice((*edit.drop, *(element.id for element in edit.put)))
            raise BadEditError(
                "an element with this id is there already", twice, "Give one of them another id"
            )
        return {i: self._elements[i] for i in ids if i in self._elements}

    def _swap(self, old: Iterable[AnyElement], new: Iterable[AnyElement]) -> None:
        for element in old:
            del self._elements[element.id]
            self._indexes.remove(element)
        for element in new:
            self._elements[element.id] = element
            self._indexes.add(element)

    def _swap_back(self, edit: Edit, old: dict[str, AnyElement]) -> None:
        present = [e for e in edit.put if self._elements.get(e.id) is e]
        self._indexes.forgiving = True
        for element in present:
            del self._elements[element.id]
            self._indexes.remove(element)
        missing = [element for key, element in old.items() if key not in self._elements]
        self._indexes.rebuild((*self._elements.values(), *missing))
        self._elements.update((element.id, element) for element in missing)

    def _check(self, edit: Edit, old: dict[str, AnyElement]) -> None:
        invariants.check(self, edit, old)

    def _record(self, edit: AnyEdit, concrete: Edit, old: dict[str, AnyElement]) -> Change:
        added = tuple(e.id for e in concrete.put if e.id not in old)
        changed = tuple(e.id for e in concrete.put if e.id in old)
        topology = topology_differs(old, concrete)
        self.revision += 1
        self.topology_revision += topology
        inverse: AnyEdit
        if isinstance(edit, MoveDevices):
            places = [old[i] for i in edit.ids]
            devices = [d for d in places if isinstance(d, Device)]
            inverse = MoveDevices(
                edit.label, edit.ids, tuple(d.x for d in devices), tuple(d.y for d in devices)
            )
        else:
            inverse = Edit(edit.label, put=tuple(old.values()), drop=added)
        return Change(self.revision, edit, inverse, added, changed, concrete.drop, topology)


def _first_twice(ids: Iterable[str]) -> str:
    seen: set[str] = set()
    return next((i for i in ids if i in seen or seen.add(i)), "")  # type: ignore[func-returns-value]


def replace_position(device: Device, x: float, y: float) -> Device:
    """The same device with its centre at x, y."""
    from msgspec.structs import replace

    return replace(device, x=float(x), y=float(y))
