"""What the editor and its worker process say to each other: records in MessagePack."""

from __future__ import annotations

import msgspec

from topoedit.model.analysis import Analysis
from topoedit.model.edits import AnyEdit
from topoedit.model.elements import AnyElement
from topoedit.model.plan import Workload

SWEEP_SIZES = "8:16GiB"
"""Message sizes of a sweep, each twice the one before: the range of the nccl-tests."""


class Message(msgspec.Struct, frozen=True, tag_field="say"):
    """Base of everything that goes over the pipe."""


class Open(Message, frozen=True, tag="open"):
    """A whole document, to begin a mirror or to mend one.

    Attributes:
        key: which document; the editor's own number.
        revision: its revision now.
        folder: where its file is, for the catalogue beside it ("" if it was never saved).
    """

    key: int
    revision: int
    elements: tuple[AnyElement, ...]
    folder: str = ""


class Edits(Message, frozen=True, tag="edits"):
    """Edits that take the mirror from revision `base` on, one revision each."""

    key: int
    base: int
    edits: tuple[AnyEdit, ...]


class Close(Message, frozen=True, tag="close"):
    """The document is no longer open."""

    key: int


class Analyse(Message, frozen=True, tag="analyse"):
    """Analyse a document at a revision; a newer request, whatever its document, cancels it.

    Attributes:
        request: number of the request, growing.
        memory: name of the shared memory for the arrays; room: its size in bytes.
        known_links: topology revision whose link ids the editor has, -1 for none.
    """

    key: int
    request: int
    revision: int
    workload: Workload
    memory: str
    room: int
    known_links: int = -1


class Question(msgspec.Struct, frozen=True, tag_field="about"):
    """Base of what may be asked about a document beside its analysis."""


class Why(Question, frozen=True, tag="why"):
    """Why figures of the last analysis are what they are; answered by lists of pairs of texts."""

    figures: tuple[str, ...]


class Check(Question, frozen=True, tag="check"):
    """What the design rules say, with a plan or without; answered by a `Report`."""

    workload: Workload | None = None


class Trace(Question, frozen=True, tag="trace"):
    """Every path between two ends, as `topoedit path` words them.

    Answered by a pair: its `Answer`, and for each path the ids of its drawn links.
    """

    start: str
    goal: str
    workload: Workload | None = None


class Charts(Question, frozen=True, tag="charts"):
    """Loads by tier and memory by stage of the last analysis; answered by `ChartFigures`."""


class Sweep(Question, frozen=True, tag="sweep"):
    """Bus bandwidths of some operations by size; answered by the sweeps, one for each."""

    ops: tuple[str, ...]
    workload: Workload | None = None


class Matrix(Question, frozen=True, tag="matrix"):
    """Who sends how much to whom; answered by a `RankMatrix`.

    Attributes:
        rows, columns: first GPU and the one behind the last, None for all.
    """

    workload: Workload
    rows: tuple[int, int] | None = None
    columns: tuple[int, int] | None = None


class StepTimeline(Question, frozen=True, tag="timeline"):
    """The last analysis on a time axis; answered by a packed `Timeline`."""


class Ranks(Question, frozen=True, tag="ranks"):
    """Which GPU holds which rank of a plan; answered by a packed `RankMap`."""

    workload: Workload


class GroupLinks(Question, frozen=True, tag="group-links"):
    """Links that a rank's groups of a traffic class use; answered by a list of ids."""

    workload: Workload
    group: str
    rank: int


AnyQuestion = Why | Check | Trace | Charts | Sweep | Matrix | StepTimeline | Ranks | GroupLinks


class Ask(Message, frozen=True, tag="ask"):
    """A question about a document at a revision; analyses go first."""

    key: int
    request: int
    revision: int
    question: AnyQuestion


class Stop(Message, frozen=True, tag="stop"):
    """End the process."""


class Ready(Message, frozen=True, tag="ready"):
    """The worker has loaded everything."""


class Progress(Message, frozen=True, tag="progress"):
    """Where a request is: stage in words, fraction from 0 to 1."""

    request: int
    stage: str
    fraction: float


class Done(Message, frozen=True, tag="done"):
    """A result.

    The shared memory holds float32 rows in this order: for each name in `fields`, the forward
    then the backward value of every link (NaN for no data).

    Attributes:
        rows: number of links, drawn ones first.
        drawn: how many of them are drawn links.
        links: their ids if the editor does not know them yet, else None.
        topology: topology revision they belong to.
        memory_needed: bytes; if more than the room given, nothing was written and the editor
            asks again with more.
        seconds: time the analysis took.
        classes: int32 rows of the links of each bottleneck of the analysis, in its order.
    """

    key: int
    request: int
    revision: int
    analysis: Analysis
    fields: tuple[str, ...]
    rows: int
    drawn: int
    topology: int
    memory_needed: int
    seconds: float
    links: tuple[str, ...] | None = None
    classes: tuple[bytes, ...] = ()


class Answer(Message, frozen=True, tag="answer"):
    """The answer to a question.

    Attributes:
        body: the record in MessagePack, empty if there is none.
        line: why there is none, in one line.
        revision: of the document that the answer is about.
    """

    key: int
    request: int
    revision: int
    body: bytes = b""
    line: str = ""


class Failed(Message, frozen=True, tag="failed"):
    """A request that has no result: a plan that cannot exist here, or a fault."""

    request: int
    line: str
    fault: bool = False


class Resync(Message, frozen=True, tag="resync"):
    """The mirror of a document has a gap; the editor sends the whole again."""

    key: int


ToWorker = Open | Edits | Close | Analyse | Ask | Stop
ToEditor = Ready | Progress | Done | Answer | Failed | Resync


def encode(message: Message) -> bytes:
    """The message as bytes."""
    return msgspec.msgpack.encode(message)


def decode_to_worker(data: bytes) -> ToWorker:
    """A message for the worker."""
    return msgspec.msgpack.decode(data, type=ToWorker)


def decode_to_editor(data: bytes) -> ToEditor:
    """A message for the editor."""
    return msgspec.msgpack.decode(data, type=ToEditor)
