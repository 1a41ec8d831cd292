"""Remarks about what was odd."""

from __future__ import annotations

from typing import List, NamedTuple, Optional, Sequence, Tuple

PlainNote = Tuple[str, str, Optional[str], Optional[int]]


class Note(NamedTuple):
    """Something odd that was read, repaired or left out; codes are listed in docs/notes.md."""

    code: str
    text: str
    about: Optional[str] = None
    frame: Optional[int] = None

    def __str__(self) -> str:
        return f"{self.code}: {self.text}"


def notes(plain: Sequence[PlainNote]) -> List[Note]:
    """Notes from plain data."""
    return [Note(*note) for note in plain]
