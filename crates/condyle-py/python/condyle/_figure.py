"""Solid figures: of subjects, of files, and how one follows a recording."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import _condyle, _options
from ._errors import argument
from ._files import write_together, write_whole
from ._notes import Note, notes
from ._options import PathLike
from ._result import Result
from ._steps import Recording, run
from ._subject import Subject


class Figure:
    """Solid segments in a tree, with masses, joints and the limits of their freedoms."""

    def __init__(self, native: _condyle.Figure) -> None:
        self._native = native

    @property
    def name(self) -> str:
        return self._native.name

    @property
    def height_m(self) -> float:
        return self._native.height_m

    @property
    def mass_kg(self) -> float:
        return self._native.mass_kg

    @property
    def segments(self) -> List[Dict[str, Any]]:
        """Mass, volume, centre of mass, principal moments and freedoms of every segment, as docs/figure.md has them."""
        return list(json.loads(self._native.segments()))

    @property
    def notes(self) -> List[Note]:
        return notes(self._native.notes)

    def write(
        self,
        path: PathLike,
        *,
        motion: Union["Analysis", PathLike, None] = None,
        rate: float = 30.0,
        force: bool = False,
    ) -> List[Note]:
        """Writes atm with its meshes beside it, mesh, meshb, ply, stl or glb, by the extension; a motion goes into glb."""
        name = os.fspath(path)
        stem, extension = os.path.splitext(os.path.basename(name))
        if extension.lower() == ".atm":
            if motion is not None:
                raise argument("motion: need a .glb to write, got .atm")
            folder = os.path.dirname(name)
            write_together([(os.path.join(folder, own), content) for own, content in self._native.atm(stem)], force)
            return []
        _options.number("rate", rate, 0.01, 100_000)
        moving = _motion(motion)
        held: List[Note] = []

        def content(extension: str) -> Tuple[bytes, List[Any]]:
            data, count = self._native.write(extension, moving, rate)
            if count:
                held.append(Note("freedoms-held", f"{count} values outside the limits of their freedoms were held there"))
            return data, []

        write_whole(path, force, content)
        return held

    def to_bytes(self, format: str) -> bytes:
        """The bytes of a mesh, meshb, ply, stl or glb file."""
        return self._native.write(format)[0]

    def __repr__(self) -> str:
        return f"<Figure {self.name!r}: {len(self.segments)} segments, {self.height_m:.2f} m, {self.mass_kg:.1f} kg>"


class Analysis(NamedTuple):
    """The freedoms of a figure that follows a recording, as polynomials of time."""

    motion: bytes
    """The motion's file, as ``condyle analyse`` writes it."""
    freedoms: List[Dict[str, Any]]
    """Of every freedom what the polynomial leaves in the window, and over the next one, in radians or metres."""
    notes: List[Note]

    def write(self, path: PathLike, *, force: bool = False) -> List[Note]:
        """Writes the motion's file."""
        return write_whole(path, force, lambda _: (self.motion, []))


def _motion(motion: Union[Analysis, PathLike, None]) -> Optional[bytes]:
    if motion is None or isinstance(motion, Analysis):
        return None if motion is None else motion.motion
    return _options.text_of("motion", motion).encode()


def figure(
    source: Union[Subject, PathLike],
    *,
    height_m: Optional[float] = None,
    weight_kg: Optional[float] = None,
    solid: bool = False,
) -> Figure:
    """A solid figure of a subject, of its file, or of an ATM, MESH, PLY or STL file; ``solid`` fills it with tetrahedra.

    People get their masses from a table of segments, everything else as water fills it.
    """
    for name, value in (("height_m", height_m), ("weight_kg", weight_kg)):
        if value is not None:
            _options.number(name, value, 1e-3, 1e4)
    if not isinstance(source, Subject) and os.fspath(source).lower().endswith(".json"):
        source = Subject.read(source)
    if isinstance(source, Subject):
        native = _condyle.Figure.from_subject(source._native, weight_kg)
    else:
        native = _condyle.Figure.read_path(os.fspath(source))
    return Figure(native.changed(height_m, weight_kg, solid))


def analyse(
    recording: Union[Recording, Result],
    figure: Union[Figure, PathLike],
    window: Sequence[float],
    *,
    order: int = 6,
    map: Optional[Mapping[str, str]] = None,
    subject: Union[Subject, PathLike, None] = None,
    **options: Any,
) -> Analysis:
    """The freedoms of a figure that follows a recording, each fitted by a polynomial over the window, in seconds.

    ``map`` has for segments of the figure their names in the recording, where they differ; a recording is solved first,
    with the options of :func:`run`.
    """
    if not isinstance(figure, Figure):
        figure = Figure(_condyle.Figure.read_path(os.fspath(figure)))
    result = recording if isinstance(recording, Result) else run(recording, subject=subject, **options)
    if len(window) != 2:
        raise argument(f"window: need two times, got {len(window)}")
    span = (float(window[0]), float(window[1]))
    degree = int(_options.number("order", order, 0, 20))
    motion, freedoms, plain = _condyle.analyse(figure._native, result._native, span, degree, dict(map or {}))
    return Analysis(motion, json.loads(freedoms), notes(plain))
