"""Files written whole or not at all, and never over another unasked."""

from __future__ import annotations

import errno
import os
import tempfile
from typing import Callable, List, Sequence, Tuple, Union

from ._errors import argument, make
from ._notes import Note, PlainNote, notes


def write_whole(
    path: Union[str, "os.PathLike[str]"],
    force: bool,
    content: Callable[[str], Tuple[bytes, Sequence[PlainNote]]],
) -> List[Note]:
    """Writes what `content` gives for the path's extension beside the path, and moves it there."""
    name = os.fspath(path)
    extension = os.path.splitext(name)[1].lstrip(".").lower()
    if not extension:
        raise argument(f"{name}: need an extension, which names the format")
    _free(name, force)
    data, plain = content(extension)
    temporary = _beside(name, data)
    try:
        os.replace(temporary, name)
    except BaseException:
        os.unlink(temporary)
        raise
    return notes(plain)


def write_together(files: Sequence[Tuple[str, bytes]], force: bool) -> None:
    """Writes some files, or none if one of them cannot be written."""
    for name, _ in files:
        _free(name, force)
    temporaries: List[str] = []
    try:
        for name, data in files:
            temporaries.append(_beside(name, data))
        for temporary, (name, _) in zip(temporaries, files):
            os.replace(temporary, name)
    finally:
        for temporary in temporaries:
            if os.path.exists(temporary):
                os.unlink(temporary)


def _free(name: str, force: bool) -> None:
    if os.path.exists(name) and not force:
        raise make(f"{name}: there is a file already: need force=True to overwrite it", "io", path=name, errno=errno.EEXIST)


def _beside(name: str, data: bytes) -> str:
    """The content under another name in the same folder."""
    try:
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(name) or ".", prefix=".condyle-")
    except OSError as error:
        raise make(f"{name}: {error.strerror}", "io", path=name, errno=error.errno) from error
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
    except BaseException:
        os.unlink(temporary)
        raise
    return temporary
