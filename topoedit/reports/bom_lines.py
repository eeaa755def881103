"""The records of a bill of materials."""

from __future__ import annotations

import msgspec


class Line(msgspec.Struct, frozen=True):
    """One line; the first twelve fields are the columns of the contract.

    Attributes:
        spares: pieces to buy beyond `quantity`; None if no percentage was given or none are kept.
        watts_each: most that one module draws; None if unknown.
        ordered_m: length of one piece as it is ordered.
        routed_m_total, slack_m_total: metres of all pieces of the line, None if unknown for any.
    """

    category: str
    item: str
    part_number: str
    quantity: int
    unit: str
    spares: int | None
    type: str
    role: str
    network: str
    rack: str
    building: str
    phase: str
    site: str = ""
    vendor: str = ""
    watts_each: float | None = None
    ordered_m: float | None = None
    routed_m_total: float | None = None
    slack_m_total: float | None = None
    price_each: float | None = None
    price_total: float | None = None
    currency: str = ""
    price_source: str = ""


class Total(msgspec.Struct, frozen=True):
    """All of one category in one unit; `watts` of the modules whose draw is known."""

    category: str
    unit: str
    quantity: int
    spares: int | None
    watts: float | None = None
    watts_known: int | None = None


class VendorShare(msgspec.Struct, frozen=True):
    """How much of one category a vendor supplies; "" is an unknown vendor."""

    category: str
    vendor: str
    quantity: int
    share: float


class RollUp(msgspec.Struct, frozen=True):
    """What is inside rack systems of one type and so not bought apart.

    Attributes:
        copper_pairs: copper pairs of the scale-up network, None if not known for its switch.
        TBps: its bandwidth, both directions of all GPUs added.
    """

    type: str
    item: str
    racks: int
    gpus: int
    compute_trays: int | None
    switch_trays: int | None
    scale_up_links: int
    copper_pairs: int | None
    TBps: float | None
    source: str


class Cost(msgspec.Struct, frozen=True):
    """The priced lines of one category in one currency, without spares and with them."""

    category: str
    currency: str
    price: float
    with_spares: float


class Bom(msgspec.Struct, frozen=True):
    """A bill of materials.

    Attributes:
        networks: network or `fabric manager` -> `included` or `not drawn`.
        priced, unpriced: lines with a price from the user's file, and without; None without file.
        sources: item -> source of its catalogue or parts entry.
        notes: what was assumed, rounded or could not be known.
    """

    name: str
    lines: tuple[Line, ...]
    networks: dict[str, str]
    totals: tuple[Total, ...]
    vendors: tuple[VendorShare, ...]
    rollups: tuple[RollUp, ...]
    costs: tuple[Cost, ...]
    priced: int | None
    unpriced: int | None
    spares_percent: float | None
    sources: dict[str, str]
    notes: tuple[str, ...]
