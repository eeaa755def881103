"""Writing a report in a process of its own: a window stays smooth, and painting has no rivals.

The child is started by spawn and gets the drawing over a pipe in pieces; it answers with how far
it is, and at last with what it wrote or one line on what went wrong. Anything sent to it after
the drawing asks it to stop.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from topoedit.errors import BadInputError, CancelledError, TopoeditError
from topoedit.model.elements import AnyElement

if TYPE_CHECKING:
    from topoedit.catalog.catalog import Catalog
    from topoedit.model.document import Document

Progress = Callable[[str, float], None]
Cancel = Callable[[], bool]
_PIECE = 4096  # elements a message, so that packing them never holds up a window
_TICK_S = 0.1
_PATIENCE_S = 10.0  # for a child that was asked to stop


class ReportJob(msgspec.Struct, frozen=True, kw_only=True):
    """What to write.

    Attributes:
        elements: number of elements of the drawing, which follow.
        revision: of the drawing.
        folder: where its file is, "" if it was never saved; file: the file's name.
        target: what to write; sections: ids, all if empty.
        template: a company template, "" for none.
    """

    elements: int
    revision: int
    folder: str
    file: str
    target: str
    sections: tuple[str, ...] = ()
    template: str = ""


class Told(msgspec.Struct, frozen=True, tag="told"):
    """How far it is."""

    words: str
    fraction: float


class Written(msgspec.Struct, frozen=True, tag="written"):
    """What was written: files, bytes together, lines that are marked."""

    files: tuple[str, ...]
    bytes: int
    marked: int


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """What went wrong, in one line; `stopped` if it was asked to stop."""

    line: str
    stopped: bool = False


_Answer = Told | Written | Failed


def write_beside(
    job: ReportJob, elements: Iterable[AnyElement], progress: Progress, cancel: Cancel
) -> Written:
    """Write a report in a child process; returns when it has ended.

    Args:
        job: what to write.
        elements: the drawing.
        progress: told what goes on and how far it is.
        cancel: asked whether to stop.

    Raises:
        BadInputError: the report cannot be written; the line says why.
        CancelledError: `cancel` said so; no file was written.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=run, args=(theirs,), name="topoedit-report", daemon=True)
    process.start()
    theirs.close()
    try:
        ours.send_bytes(msgspec.msgpack.encode(job))
        for piece in _pieces(elements):
            ours.send_bytes(msgspec.msgpack.encode(piece))
        return _answer(ours, progress, cancel)
    except (EOFError, OSError):
        raise BadInputError("the report ended by itself", mend="Try again") from None
    finally:
        _end(process, ours)


def _pieces(elements: Iterable[AnyElement]) -> Iterable[tuple[AnyElement, ...]]:
    whole = tuple(elements)
    return (whole[start : start + _PIECE] for start in range(0, len(whole), _PIECE))


def _answer(pipe: Connection, progress: Progress, cancel: Cancel) -> Written:
    asked = False
    while True:
        if not asked and cancel():
            pipe.send_bytes(b"stop")
            asked = True
            deadline = time.monotonic() + _PATIENCE_S
        if asked and time.monotonic() > deadline:
            raise CancelledError("stopped; no file was written")
        if not pipe.poll(_TICK_S):
            continue
        answer = msgspec.msgpack.decode(pipe.recv_bytes(), type=_Answer)
        match answer:
            case Told():
                if not asked:
                    progress(answer.words, answer.fraction)
            case Written():
                return answer
            case Failed():
                raise (CancelledError if answer.stopped else BadInputError)(answer.line)


def _end(process: BaseProcess, pipe: Connection) -> None:
    pipe.close()
    process.join(1.0)
    if process.is_alive():
        process.kill()
        process.join()
    process.close()


# -- in the child -------------------------------------------------------------------------------


def run(pipe: Connection) -> None:
    """Write one report; the target of the child process."""
    from topoedit import system

    system.lower_priority()
    system.ignore_interrupts()
    try:
        answer: _Answer = _written(pipe)
    except CancelledError as error:
        answer = Failed(error.line, stopped=True)
    except TopoeditError as error:
        answer = Failed(_spoken(error))
    except (EOFError, BrokenPipeError):
        return  # nobody waits any more
    except Exception as error:
        answer = Failed(f"topoedit has a fault: {type(error).__name__}, {error}")
    pipe.send_bytes(msgspec.msgpack.encode(answer))


def _spoken(error: TopoeditError) -> str:
    """The line of an error without the option that only a command line has."""
    if not error.where.startswith("--"):
        return error.line
    return f"{error.what}. {error.mend}" if error.mend else error.what


def _written(pipe: Connection) -> Written:
    from topoedit.app.report import active_workload, make_report, write_report

    job = msgspec.msgpack.decode(pipe.recv_bytes(), type=ReportJob)
    document = _document(job, pipe)
    workload, plan_from = active_workload(document)

    def told(words: str, fraction: float) -> None:
        pipe.send_bytes(msgspec.msgpack.encode(Told(words, fraction)))

    made = make_report(
        document, workload, file=job.file, base=Path(job.folder) if job.folder else None,
        plan_from=plan_from, sections=job.sections, revision=job.revision, progress=told,
        cancel=pipe.poll,
    )  # fmt: skip
    template = Path(job.template) if job.template else None
    files = write_report(made, Path(job.target), template=template, progress=told, cancel=pipe.poll)
    size = sum(path.stat().st_size for path in files)
    return Written(tuple(map(str, files)), size, made.report.marked)


def _document(job: ReportJob, pipe: Connection) -> Document:
    from topoedit.model.document import Document

    elements: list[AnyElement] = []
    while len(elements) < job.elements:
        elements += msgspec.msgpack.decode(pipe.recv_bytes(), type=tuple[AnyElement, ...])
    return Document(_catalog(job.folder), elements)


def _catalog(folder: str) -> Catalog:
    """The catalogue with what lies beside the drawing."""
    from topoedit.catalog.load import catalogs_beside, load_catalog_lenient

    beside = catalogs_beside(Path(folder) / "drawing") if folder else ()
    return load_catalog_lenient(beside)[0]
