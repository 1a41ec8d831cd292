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
    if os.path.exists(name) and not force:
        raise make(f"{name}: there is a file already: need force=True to overwrite it", "io", path=name, errno=errno.EEXIST)
    data, plain = content(extension)
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
        os.replace(temporary, name)
    except BaseException:
        os.unlink(temporary)
        raise
    return notes(plain)
