"""The worker process: mirrors of open documents, one analysis at a time, no Qt.

It is started by spawn, lowers its own priority and uses one BLAS thread, so that the window stays
smooth. Requests come over a pipe; a newer request cancels the running one between two stages.
"""

from __future__ import annotations

import os
import time
import traceback
from collections import deque
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

from topoedit.app import protocol
from topoedit.app.answers import answer
from topoedit.app.mirror import Mirror
from topoedit.errors import CancelledError, TopoeditError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from topoedit.catalog.catalog import Catalog
    from topoedit.engine.analyse import Result

_THREAD_SETTINGS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def serve(connection: Connection) -> None:
    """Answer an editor until it says stop or goes away; the target of the child process."""
    for setting in _THREAD_SETTINGS:
        os.environ[setting] = "1"
    from topoedit import system

    system.lower_priority()
    system.ignore_interrupts()
    Server(connection).run()


def spoken(error: TopoeditError) -> str:
    """The line of an error for a window: without the option that only a command line has."""
    if not error.where.startswith("--"):
        return error.line
    return f"{error.what}. {error.mend}" if error.mend else error.what


class Server:
    """The worker's loop over one pipe."""

    def __init__(self, connection: Connection) -> None:
        from topoedit.catalog.load import load_catalog_lenient

        self._connection = connection
        self._catalog = load_catalog_lenient()[0]
        self._mirrors: dict[int, Mirror] = {}
        self._results: dict[int, Result] = {}
        self._unreadable: dict[int, str] = {}
        self._waiting: deque[protocol.ToWorker] = deque()
        self._stopped = False

    def run(self) -> None:
        """Serve until stopped."""
        import topoedit.engine.analyse  # noqa: F401 - loaded now, so that the first answer is quick

        self._say(protocol.Ready())
        while not self._stopped:
            try:
                self._take(block=not self._waiting)
            except (EOFError, OSError):
                return
            if self._waiting:
                self._handle(self._waiting.popleft())

    def _say(self, message: protocol.Message) -> None:
        self._connection.send_bytes(protocol.encode(message))

    def _take(self, *, block: bool) -> None:
        """Move what is on the pipe into the queue."""
        while block or self._connection.poll():
            self._waiting.append(protocol.decode_to_worker(self._connection.recv_bytes()))
            block = False

    def _overtaken(self) -> bool:
        """Whether a newer request, or the end, is waiting."""
        self._take(block=False)
        return any(isinstance(m, protocol.Analyse | protocol.Stop) for m in self._waiting)

    def _between_sizes(self) -> bool:
        """Whether a sweep must stop; else questions that wait are answered, and it goes on.

        Only those before the next edit: what they ask about is what the sweep runs on.
        """
        while not self._overtaken():
            first = self._waiting[0] if self._waiting else None
            if not isinstance(first, protocol.Ask) or isinstance(first.question, protocol.Sweep):
                return False
            self._waiting.popleft()
            self._ask(first)
        return True

    def _handle(self, message: protocol.ToWorker) -> None:
        match message:
            case protocol.Open():
                self._open(message)
            case protocol.Edits():
                self._follow(message)
            case protocol.Close():
                for known in (self._mirrors, self._results, self._unreadable):
                    known.pop(message.key, None)
            case protocol.Analyse():
                self._analyse(message)
            case protocol.Ask():
                self._ask(message)
            case protocol.Stop():
                self._stopped = True

    def _open(self, message: protocol.Open) -> None:
        """Begin a mirror; what stands in its way is the answer to every question about it."""
        self._mirrors.pop(message.key, None)
        self._unreadable.pop(message.key, None)
        catalog = self._catalog_beside(message.folder)
        try:
            mirror = Mirror(catalog, message.revision, message.elements, message.folder)
        except TopoeditError as error:
            self._unreadable[message.key] = error.line
            return
        self._mirrors[message.key] = mirror

    def _catalog_beside(self, folder: str) -> Catalog:
        """The catalogue with what lies beside the drawing."""
        from topoedit.catalog.load import catalogs_beside, load_catalog_lenient

        beside = catalogs_beside(Path(folder) / "drawing") if folder else ()
        return load_catalog_lenient(beside)[0] if beside else self._catalog

    def _follow(self, message: protocol.Edits) -> None:
        if message.key in self._unreadable:
            self._say(protocol.Resync(message.key))
            return
        mirror = self._mirrors.get(message.key)
        if mirror is None or not mirror.follow(message.base, message.edits):
            self._mirrors.pop(message.key, None)
            self._say(protocol.Resync(message.key))

    def _ask(self, request: protocol.Ask) -> None:
        """Answer a question, after the analyses that wait; it is asked again if one comes."""
        if self._outdated(request):
            return
        if self._overtaken():
            self._waiting.append(request)
            return
        if request.key in self._unreadable:
            line = self._unreadable[request.key]
            self._say(protocol.Answer(request.key, request.request, request.revision, line=line))
            return
        mirror = self._mirrors.get(request.key)
        if mirror is None or mirror.revision < request.revision:
            self._say(protocol.Resync(request.key))
            return
        revision, body, line = mirror.revision, b"", ""
        try:
            result = self._results.get(request.key)
            long = isinstance(request.question, protocol.Sweep)
            cancel = self._between_sizes if long else self._overtaken
            body = answer(request.question, mirror, result, cancel)
        except CancelledError:
            self._waiting.append(request)
            return
        except TopoeditError as error:
            line = spoken(error)
        except Exception as error:  # a fault in one answer must not end the worker
            traceback.print_exc()
            line = f"This failed: {type(error).__name__}: {error}"
        self._say(protocol.Answer(request.key, request.request, revision, body, line))

    def _outdated(self, request: protocol.Ask) -> bool:
        """Whether the same is asked once more further on, or the document has been closed."""
        kind = type(request.question)
        self._take(block=False)
        return any(
            (isinstance(m, protocol.Ask) and m.key == request.key and type(m.question) is kind)
            or (isinstance(m, protocol.Close) and m.key == request.key)
            for m in self._waiting
        )

    def _analyse(self, request: protocol.Analyse) -> None:
        if self._overtaken():
            return
        if request.key in self._unreadable:
            self._say(protocol.Failed(request.request, self._unreadable[request.key]))
            return
        mirror = self._mirrors.get(request.key)
        if mirror is None or mirror.revision != request.revision:
            self._say(protocol.Resync(request.key))
            return
        try:
            self._answer(request, mirror)
        except CancelledError:
            return
        except TopoeditError as error:
            self._say(protocol.Failed(request.request, spoken(error)))
        except Exception as error:  # a fault in one analysis must not end the worker
            traceback.print_exc()
            text = f"The analysis failed: {type(error).__name__}: {error}"
            self._say(protocol.Failed(request.request, text, fault=True))

    def _answer(self, request: protocol.Analyse, mirror: Mirror) -> None:
        from topoedit.app.analyse import analyse_fabric
        from topoedit.engine.linkloads import link_arrays

        started = time.perf_counter()

        def progress(stage: str, fraction: float) -> None:
            self._say(protocol.Progress(request.request, stage, fraction))

        progress("Reading the drawing", 0.0)
        result = analyse_fabric(
            mirror.fabric(),
            request.workload,
            self._catalog,
            base=mirror.folder,
            cancel=self._overtaken,
            progress=progress,
        )
        self._results[request.key] = result
        arrays = link_arrays(result.fabric, result.figures)
        rows = arrays.values
        written = _write(request.memory, request.room, rows)
        known = request.known_links == mirror.topology
        self._say(
            protocol.Done(
                key=request.key,
                request=request.request,
                revision=request.revision,
                analysis=result.analysis,
                fields=arrays.names,
                rows=rows.shape[1],
                drawn=result.fabric.drawn_links,
                topology=mirror.topology,
                memory_needed=0 if written else rows.nbytes,
                seconds=time.perf_counter() - started,
                links=None if known else result.fabric.link_ids,
                classes=tuple(rows.tobytes() for rows in result.findings.bottleneck_links()),
            )
        )


def _write(name: str, room: int, rows: NDArray[np.float32]) -> bool:
    if rows.nbytes > room:
        return False
    from multiprocessing.shared_memory import SharedMemory

    import numpy as np

    memory = SharedMemory(name=name)  # the editor made it and removes it
    try:
        view = np.ndarray(rows.shape, np.float32, memory.buf)
        view[:] = rows
        del view
    finally:
        memory.close()
    return True
