"""Errors whose text a user can act on: what is wrong, where, and how to mend it."""

from __future__ import annotations


class TopoeditError(Exception):
    """Base of every expected error; its text is one line that a person can act on.

    Args:
        what: what is wrong, as a sentence without the final full stop.
        where: the file, element or option concerned ("" if there is none).
        mend: what would make it right ("" if nothing can).
    """

    exit_code = 2

    def __init__(self, what: str, where: str = "", mend: str = "") -> None:
        self.what, self.where, self.mend = what, where, mend
        super().__init__(self.line)

    @property
    def line(self) -> str:
        """The error on one line: where, what, how to mend."""
        head = f"{self.where}: {self.what}" if self.where else self.what
        text = f"{head}. {self.mend}" if self.mend else head
        return " ".join(text.split())


class BadInputError(TopoeditError):
    """A file, option or value that cannot be used as it is."""


class BadFileError(BadInputError):
    """A file that cannot be read or written."""


class BadCatalogError(BadInputError):
    """A catalogue entry that is wrong; `where` names file, entry and field."""


class BadEditError(BadInputError):
    """An edit that would break an invariant of the document; nothing was changed."""


class BadPlanError(BadInputError):
    """A parallelism plan that cannot exist for this model or this cluster."""


class CancelledError(TopoeditError):
    """The user, or a newer request, cancelled the work."""

    exit_code = 1
