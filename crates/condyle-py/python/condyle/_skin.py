"""Surfaces that go with skeletons, and one motion after another."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _condyle, _options
from ._files import write_whole
from ._notes import Note, notes
from ._options import PathLike
from ._steps import Recording, _subject, _trial
from ._subject import Subject
from ._trial import Trial, read
from .hand import HandModel

Floats = npt.NDArray[np.float64]


class Skin:
    """A surface bound to a skeleton: four joints a vertex."""

    def __init__(self, native: _condyle.Skin) -> None:
        self._native = native

    @property
    def joints(self) -> List[str]:
        """The joints of the skeleton, in the order in which ``held_by`` counts them."""
        return self._native.joints

    @property
    def triangles(self) -> npt.NDArray[np.uint32]:
        """Three vertices each, counter-clockwise from outside."""
        return self._native.triangles()

    @property
    def held_by(self) -> npt.NDArray[np.uint16]:
        """The four joints of every vertex."""
        return self._native.held_by()

    @property
    def weights(self) -> Floats:
        """How much each of them holds it; they sum to 1."""
        return self._native.weights()

    @property
    def notes(self) -> List[Note]:
        return notes(self._native.notes)

    def vertices_m(self, frame: Optional[int] = None, *, blending: str = "linear") -> Floats:
        """Where the vertices are in a frame of the skeleton's motion, or at rest; n x 3."""
        return self._native.vertices(_frame(frame), blending)

    def summary(self, frame: Optional[int] = None) -> Dict[str, Any]:
        """What ``condyle skin --json`` prints."""
        return dict(json.loads(self._native.summary(_frame(frame))))

    def write(
        self, path: PathLike, *, frame: Optional[int] = None, blending: str = "linear", force: bool = False
    ) -> List[Note]:
        """Writes glb, with the motion of the skeleton, or mesh or ply, which show one pose."""
        number = _frame(frame)
        return write_whole(path, force, lambda extension: (self._native.write(extension, number, blending), []))

    def __repr__(self) -> str:
        return f"<Skin: {len(self.weights)} vertices on {len(self.joints)} joints>"


def _frame(frame: Optional[int]) -> Optional[int]:
    return None if frame is None else int(_options.number("frame", frame, 0))


def skin(
    surface: Union[PathLike, bytes, None] = None,
    *,
    skeleton: Union[Trial, Subject, HandModel, PathLike],
    vertices: int = 8000,
    units: Optional[str] = None,
    up: Optional[str] = None,
) -> Skin:
    """A surface of triangles, from PLY, MESH or STL or one of our own, bound to a skeleton at rest by bone heat.

    ``skeleton`` is a recording that holds one, a subject, the model of a hand, or a file of any of these.
    """
    content = surface if surface is None or isinstance(surface, bytes) else _options.bytes_of("surface", surface)
    count = int(_options.number("vertices", vertices, 100, 500_000))
    return Skin(_condyle.Skin.bind(_skeletal(skeleton, units, up), content, count))


def _skeletal(
    skeleton: Union[Trial, Subject, HandModel, PathLike], units: Optional[str], up: Optional[str]
) -> _condyle.Skeletal:
    if isinstance(skeleton, (str, os.PathLike)):
        extension = os.path.splitext(os.fspath(skeleton))[1].lower()
        if extension == ".toml":
            skeleton = HandModel.read(skeleton)
        elif extension == ".json":
            skeleton = Subject.read(skeleton)
        else:
            skeleton = read(skeleton, units=units, up=up)
    if isinstance(skeleton, HandModel):
        return _condyle.Skeletal.from_hand(skeleton.toml)
    if isinstance(skeleton, Subject):
        return _condyle.Skeletal.from_subject(skeleton._native)
    return _condyle.Skeletal.from_trial(skeleton._native)


class Blended(NamedTuple):
    """Two motions as one."""

    trial: Trial
    """The skeleton and its motion, y up: write it as bvh or glb."""
    passage: Tuple[int, int]
    """The frames in which it is neither of the two: the first, and the first after them."""


def blend(
    first: Recording,
    second: Recording,
    over: float,
    *,
    subject: Union[Subject, PathLike, None] = None,
    **reading: Any,
) -> Blended:
    """One motion after another without a jump, passing over in so many seconds.

    Recordings without a motion of their own are solved: with the subject, or with the one that is fitted to the first.
    """
    seconds = _options.number("over", over, 0, 3600)
    one, other = (_trial(recording, reading) for recording in (first, second))
    native, passage = _condyle.blend((one.name, one._native), (other.name, other._native), seconds, _subject(subject))
    return Blended(Trial(native, "blend"), passage)
