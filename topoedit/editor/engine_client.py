"""The editor's side of the worker process: sends edits and requests, hands results to sessions."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.shared_memory import SharedMemory
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal

from topoedit.app import protocol, worker

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from topoedit.editor.bottleneck_classes import InnerLinks
    from topoedit.model.analysis import Analysis
    from topoedit.model.document import Document
    from topoedit.model.edits import Change
    from topoedit.model.plan import Workload

FIRST_ROOM = 1 << 20
DEBOUNCE_MS = 120
RESTARTS = 3


@dataclass(frozen=True)
class LinkLoads:
    """Figures of every link by direction, as the canvas paints them.

    Attributes:
        links: ids in row order, drawn links first.
        drawn: number of drawn links.
        forward, backward: field -> (links,) float32; fields are `demand`, `utilisation`,
            `phase_share`, `bytes` and one for each traffic class (bytes); NaN is no data.
    """

    links: tuple[str, ...]
    drawn: int
    forward: dict[str, NDArray[np.float32]]
    backward: dict[str, NDArray[np.float32]]


@dataclass(frozen=True)
class EngineResult:
    """An analysis of one document at one revision.

    Attributes:
        classes: for each bottleneck of the analysis the rows in `loads.links` of its links.
        inner: which devices the links that are not drawn are in; None if it is to be found out.
    """

    key: int
    revision: int
    analysis: Analysis
    loads: LinkLoads
    seconds: float
    classes: tuple[NDArray[np.int32], ...] = ()
    inner: InnerLinks | None = None


@dataclass(frozen=True)
class Reply:
    """The answer to a question about one document.

    Attributes:
        body: the record in MessagePack, empty if there is none; line: then why.
        revision: of the document that it is about.
    """

    key: int
    request: int
    revision: int
    body: bytes = b""
    line: str = ""


@dataclass
class _Mirrored:
    """What the worker knows of one document."""

    document: Document
    folder: Callable[[], str]
    forget: Callable[[], None]
    sent: bool = False
    topology: int = -1
    links: tuple[str, ...] = ()
    inner: InnerLinks | None = None


@dataclass
class _Request:
    number: int
    key: int
    revision: int
    workload: Workload


@dataclass
class _Process:
    """A running worker with its pipe, the thread that reads it, and what was asked of it."""

    process: BaseProcess
    connection: Connection
    reader: threading.Thread | None = None
    ready: bool = False
    closed: bool = field(default=False)


class EngineClient(QObject):
    """One warm worker process for all open documents.

    Signals:
        started(int): key of the document whose analysis has begun.
        progressed(int, str, float): key, stage in words, fraction.
        finished(object): an EngineResult; sessions compare its revision with theirs.
        failed(int, str): key and the one line that says why there is no result.
        answered(object): the Reply to a question.
        stopped(str): the worker has died too often; `restart` begins again.
    """

    started = Signal(int)
    progressed = Signal(int, str, float)
    finished = Signal(object)
    failed = Signal(int, str)
    answered = Signal(object)
    stopped = Signal(str)
    _arrived = Signal(object, object, object)
    _gone = Signal(object)

    def __init__(self, parent: QObject | None = None, *, debounce_ms: int = DEBOUNCE_MS) -> None:
        super().__init__(parent)
        self._mirrored: dict[int, _Mirrored] = {}
        self._process: _Process | None = None
        self._memory: SharedMemory | None = None
        self._room = FIRST_ROOM
        self._running: _Request | None = None
        self._wanted: dict[int, Workload] = {}
        self._questions: dict[tuple[int, type], tuple[int, protocol.AnyQuestion]] = {}
        self._numbers = 0
        self._deaths = 0
        self._timer = QTimer(self, singleShot=True, interval=debounce_ms)
        self._timer.timeout.connect(self._send_next)
        self._arrived.connect(self._receive)
        self._gone.connect(self._lost)

    # -- documents -----------------------------------------------------------------------------

    def add(self, key: int, document: Document, folder: Callable[[], str]) -> None:
        """Follow a document from now on; `folder` tells where its file is."""

        def note(change: Change) -> None:
            self._forward(key, change)

        self._mirrored[key] = _Mirrored(document, folder, document.listen(note))

    def remove(self, key: int) -> None:
        """Forget a document."""
        mirrored = self._mirrored.pop(key, None)
        self._wanted.pop(key, None)
        self._questions = {k: v for k, v in self._questions.items() if k[0] != key}
        if mirrored is None:
            return
        mirrored.forget()
        if mirrored.sent:
            self._say(protocol.Close(key))

    def _forward(self, key: int, change: Change) -> None:
        if self._mirrored[key].sent:
            self._say(protocol.Edits(key, change.revision - 1, (change.edit,)))

    # -- requests ------------------------------------------------------------------------------

    def submit(self, key: int, workload: Workload) -> None:
        """Ask for an analysis of a document as it is when the debounce time is over."""
        self._wanted[key] = workload
        self._timer.start()

    def withdraw(self, key: int) -> None:
        """No analysis of this document is wanted any more."""
        self._wanted.pop(key, None)

    def ask(self, key: int, question: protocol.AnyQuestion) -> int:
        """Ask something about a document as it is now; returns the number of the request.

        A newer question of the same kind about the same document takes the place of an older one,
        which is then never answered.
        """
        self._numbers += 1
        self._questions[key, type(question)] = (self._numbers, question)
        if self._process is None:
            self.start()
        elif self._process.ready:
            self._put(key, self._numbers, question)
        return self._numbers

    def _put(self, key: int, request: int, question: protocol.AnyQuestion) -> None:
        mirrored = self._mirrored.get(key)
        if mirrored is None:
            return
        self._introduce(key, mirrored)
        self._say(protocol.Ask(key, request, mirrored.document.revision, question))

    def _put_again(self, only: int | None = None) -> None:
        for (key, _), (request, question) in tuple(self._questions.items()):
            if only is None or key == only:
                self._put(key, request, question)

    def _send_next(self) -> None:
        if not self._wanted:
            return
        if self._process is None:
            self.start()
        if self._process is None or not self._process.ready:
            return
        key, workload = next(reversed(self._wanted.items()))
        del self._wanted[key]
        mirrored = self._mirrored.get(key)
        if mirrored is None:
            return
        self._ask(key, mirrored, workload)

    def _introduce(self, key: int, mirrored: _Mirrored) -> None:
        """Send the whole of a document that the worker does not follow yet."""
        if mirrored.sent:
            return
        document = mirrored.document
        elements = tuple(document.elements())
        self._say(protocol.Open(key, document.revision, elements, mirrored.folder()))
        mirrored.sent = True
        mirrored.topology = -1

    def _ask(self, key: int, mirrored: _Mirrored, workload: Workload) -> None:
        document = mirrored.document
        self._introduce(key, mirrored)
        if self._running is not None and self._running.key != key:
            self._wanted.setdefault(self._running.key, self._running.workload)
        self._numbers += 1
        self._running = _Request(self._numbers, key, document.revision, workload)
        memory = self._shared_memory()
        self._say(
            protocol.Analyse(
                key, self._numbers, document.revision, workload,
                memory.name, memory.size, mirrored.topology,
            )
        )  # fmt: skip
        self.started.emit(key)

    def _shared_memory(self) -> SharedMemory:
        if self._memory is None or self._memory.size < self._room:
            self._drop_memory()
            self._memory = SharedMemory(create=True, size=self._room)
        return self._memory

    def _drop_memory(self) -> None:
        if self._memory is not None:
            self._memory.close()
            self._memory.unlink()
            self._memory = None

    # -- the process ---------------------------------------------------------------------------

    @property
    def is_running(self) -> bool:
        """Whether there is a worker process."""
        return self._process is not None

    def start(self) -> None:
        """Start the worker; its first answer takes a fraction of a second."""
        if self._process is not None:
            return
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=worker.serve, args=(theirs,), name="topoedit-engine", daemon=True
        )
        process.start()
        theirs.close()
        self._process = _Process(process, ours)
        reader = threading.Thread(
            target=self._read, args=(self._process,), name="engine-pipe", daemon=True
        )
        self._process.reader = reader
        reader.start()

    def restart(self) -> None:
        """End the worker, busy or not, and start another."""
        self._deaths = 0
        self._end(kill=True)
        self.start()
        self._ask_again()

    def shut_down(self) -> None:
        """End the worker and free everything; the client can be started again."""
        self._timer.stop()
        self._wanted.clear()
        self._end(kill=False)
        self._drop_memory()

    def _read(self, process: _Process) -> None:
        """In the reader thread: hand each message, decoded, to the GUI thread."""
        while True:
            try:
                data = process.connection.recv_bytes()
                message = protocol.decode_to_editor(data)
            except (EOFError, OSError, msgspec.DecodeError):
                break
            self._arrived.emit(process, message, _inner_links(message))
        if not process.closed:
            self._gone.emit(process)

    def _say(self, message: protocol.Message) -> None:
        if self._process is None:
            return
        try:
            self._process.connection.send_bytes(protocol.encode(message))
        except (BrokenPipeError, OSError):
            return  # the reader notices and reports it

    def _end(self, *, kill: bool) -> None:
        process, self._process, self._running = self._process, None, None
        for mirrored in self._mirrored.values():
            mirrored.sent = False
        if process is None:
            return
        process.closed = True
        if not kill:
            self._tell_to_stop(process)
        if process.process.is_alive():
            process.process.kill()
            process.process.join()
        process.connection.close()
        if process.reader is not None:
            process.reader.join()
        process.process.close()

    @staticmethod
    def _tell_to_stop(process: _Process) -> None:
        try:
            process.connection.send_bytes(protocol.encode(protocol.Stop()))
        except OSError:
            return
        process.process.join(timeout=2)

    def _lost(self, process: object) -> None:
        """The worker has died by itself: start it again, but not for ever."""
        if process is not self._process:
            return
        running = self._running
        self._end(kill=True)
        self._deaths += 1
        if running is not None and running.key in self._mirrored:
            self._wanted.setdefault(running.key, running.workload)
        if self._deaths > RESTARTS:
            self._give_up()
            self.stopped.emit("The analysis process has stopped several times")
            return
        self.start()

    def _give_up(self) -> None:
        """Nobody answers any more."""
        questions, self._questions = self._questions, {}
        for (key, _), (request, _question) in questions.items():
            self.answered.emit(Reply(key, request, -1, line="The analysis process has stopped"))

    def _ask_again(self) -> None:
        if self._wanted:
            self._timer.start()

    # -- answers -------------------------------------------------------------------------------

    def _receive(self, process: object, message: object, inner: InnerLinks | None) -> None:
        if process is not self._process or self._process is None:
            return
        match message:
            case protocol.Ready():
                self._process.ready = True
                self._ask_again()
                self._put_again()
            case protocol.Progress() as progress if self._is_current(progress.request):
                key = self._running.key if self._running else -1
                self.progressed.emit(key, progress.stage, progress.fraction)
            case protocol.Failed() as failed if self._is_current(failed.request):
                key = self._running.key if self._running else -1
                self._running = None
                self.failed.emit(key, failed.line)
                self._ask_again()
            case protocol.Resync() as resync:
                self._send_whole(resync.key)
            case protocol.Done() as done:
                self._take(done, inner)
            case protocol.Answer() as answer:
                self._hand_on(answer)

    def _hand_on(self, answer: protocol.Answer) -> None:
        for place, (request, _question) in tuple(self._questions.items()):
            if request == answer.request:
                del self._questions[place]
                self.answered.emit(
                    Reply(answer.key, request, answer.revision, answer.body, answer.line)
                )

    def _is_current(self, request: int) -> bool:
        return self._running is not None and self._running.number == request

    def _send_whole(self, key: int) -> None:
        mirrored = self._mirrored.get(key)
        if mirrored is None:
            return
        mirrored.sent = False
        if self._running is not None and self._running.key == key:
            self.submit(key, self._running.workload)
        self._put_again(key)

    def _take(self, done: protocol.Done, inner: InnerLinks | None) -> None:
        mirrored = self._mirrored.get(done.key)
        if mirrored is None or not self._is_current(done.request) or self._running is None:
            return
        self._deaths = 0
        workload, self._running = self._running.workload, None
        if done.links is not None:
            mirrored.links, mirrored.topology = done.links, done.topology
            mirrored.inner = inner
        if done.memory_needed:
            self._room = done.memory_needed * 5 // 4
            self._wanted.setdefault(done.key, workload)
            self._send_next()
            return
        loads = self._loads(done, mirrored.links)
        classes = _rows(done.classes)
        self.finished.emit(
            EngineResult(
                done.key, done.revision, done.analysis, loads, done.seconds, classes, mirrored.inner
            )
        )
        self._ask_again()

    def _loads(self, done: protocol.Done, links: tuple[str, ...]) -> LinkLoads:
        import numpy as np

        if self._memory is None:
            raise RuntimeError("a result arrived without shared memory")
        shape = (2 * len(done.fields), done.rows)
        rows = np.ndarray(shape, np.float32, self._memory.buf).copy()
        forward = {name: rows[2 * i] for i, name in enumerate(done.fields)}
        backward = {name: rows[2 * i + 1] for i, name in enumerate(done.fields)}
        return LinkLoads(links, done.drawn, forward, backward)


def _inner_links(message: object) -> InnerLinks | None:
    """Where the inner links are, if a message names the links anew; takes long for many."""
    if not isinstance(message, protocol.Done) or message.links is None:
        return None
    from topoedit.editor.bottleneck_classes import InnerLinks

    return InnerLinks(message.links, message.drawn)


def _rows(classes: tuple[bytes, ...]) -> tuple[NDArray[np.int32], ...]:
    import numpy as np

    return tuple(np.frombuffer(rows, np.int32) for rows in classes)
