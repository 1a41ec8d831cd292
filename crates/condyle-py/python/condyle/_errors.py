"""The library's error as an exception."""

from __future__ import annotations

from typing import Optional, Tuple

Place = Tuple[str, int]


class Error(Exception):
    """Why something could not be read, written, fitted or solved.

    ``kind`` is one of ``io``, ``empty``, ``not-recognised``, ``malformed``, ``cannot-hold``, ``undetermined`` and
    ``argument``; ``code`` a short name where there is something to do about it (docs/notes.md); ``path`` the file, and
    ``place`` where in it: ``("byte", 512)`` or ``("line", 7)``.
    """

    kind: str = "other"
    code: Optional[str] = None
    path: Optional[str] = None
    place: Optional[Place] = None

    def __reduce__(self) -> Tuple[object, Tuple[object, ...]]:
        # It has to cross from a worker to whoever asked.
        return make, (str(self), self.kind, self.code, self.path, self.place, getattr(self, "errno", None))


class ArgumentError(Error, ValueError):
    """An argument that makes no sense: what was needed and what was found."""


class FileError(Error, OSError):
    """The operating system refused; ``errno`` says why."""


def make(
    text: str,
    kind: str,
    code: Optional[str] = None,
    path: Optional[str] = None,
    place: Optional[Place] = None,
    errno: Optional[int] = None,
) -> Error:
    """An exception of the class that its kind asks for."""
    error: Error
    if kind == "argument":
        error = ArgumentError(text)
    elif kind == "io":
        error = FileError(text)
        error.errno = errno
    else:
        error = Error(text)
    error.kind, error.code, error.path, error.place = kind, code, path, place
    return error


def argument(text: str) -> ArgumentError:
    """An argument that makes no sense."""
    error = ArgumentError(text)
    error.kind = "argument"
    return error
