"""A recording: markers as arrays that look into its memory, channels, events, notes."""

from __future__ import annotations

import os
from typing import IO, Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _condyle, _options
from ._errors import argument
from ._files import write_whole
from ._notes import Note, notes

Floats = npt.NDArray[np.float64]
Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, IO[bytes]]


def times(count: int, start_s: float, rate_hz: float) -> Floats:
    """The times of samples; NaN where the rate is not known."""
    every = np.arange(count, dtype=np.float64)
    return start_s + every / rate_hz if rate_hz > 0 else every * np.nan


class Trajectory(np.ndarray):
    """The positions of a marker, frames x 3 in metres: a read-only view into the trial, NaN where missing.

    ``origin`` has a number a frame: 0 missing, 1 measured, 2 filled, 3 predicted. ``sd_m`` is how far estimated samples
    may be off along each axis, zero of measured ones. Parts and results of arithmetic are plain in that they have none.
    """

    label: Optional[str] = None
    _of: Optional[Tuple[_condyle.Trial, int]] = None

    @property
    def origin(self) -> Optional[npt.NDArray[np.uint8]]:
        return None if self._of is None else self._of[0].origin(self._of[1])

    @property
    def sd_m(self) -> Optional[npt.NDArray[np.float32]]:
        sds = None if self._of is None else self._of[0].sds(self._of[1])
        return None if sds is None or len(sds) == 0 else sds


class Event(NamedTuple):
    """A named moment: ``Foot Strike`` of ``Left``."""

    label: str
    context: str
    subject: str
    time_s: float


class Channel:
    """A scalar signal with a rate and a time of its own."""

    def __init__(self, trial: _condyle.Trial, index: int) -> None:
        self._trial, self._index = trial, index
        self.label, self.description, self.unit, self.rate_hz, self.scale, self.offset = trial.channels[index]

    @property
    def raw(self) -> Floats:
        """The stored numbers, a view."""
        return self._trial.raw(self._index)

    @property
    def values(self) -> Floats:
        """The physical quantity, ``(raw - offset) * scale``; the stored numbers themselves where both change nothing."""
        if self.offset == 0.0 and self.scale == 1.0:
            return self.raw
        return (self.raw - self.offset) * self.scale

    @property
    def time_s(self) -> Floats:
        """The time of every sample on the recording's clock."""
        return times(len(self.raw), self._trial.start_s, self.rate_hz)

    def __len__(self) -> int:
        return len(self.raw)

    def __repr__(self) -> str:
        return f"<Channel {self.label!r}: {len(self)} samples at {self.rate_hz:g} Hz [{self.unit}]>"


def _places(names: List[str]) -> Dict[str, int]:
    return dict(zip(reversed(names), range(len(names) - 1, -1, -1)))


class Markers(Mapping[str, Trajectory]):
    """Markers by their labels; ``"RKNE"`` finds ``"JOE:RKNE"`` too."""

    def __init__(self, trial: _condyle.Trial) -> None:
        self._trial = trial
        self._labels: List[str] = trial.labels
        # Of two of a name the first.
        self._whole = _places(self._labels)
        self._short: Optional[Dict[str, int]] = None

    def _place(self, label: object) -> Optional[int]:
        place = self._whole.get(label)  # type: ignore[call-overload]
        if place is not None:
            return int(place)
        if self._short is None:
            self._short = _places([own.split(":", 1)[-1] for own in self._labels])
        return self._short.get(label)  # type: ignore[call-overload, no-any-return]

    def __getitem__(self, label: str) -> Trajectory:
        place = self._place(label)
        if place is None:
            known = ", ".join(self._labels[:40]) + (", ..." if len(self._labels) > 40 else "")
            raise KeyError(f"marker: need any of {known}; got {label!r}")
        return self.at(place)

    def at(self, place: int) -> Trajectory:
        """A marker by its place in the recording; labels may occur twice."""
        trajectory = self._trial.positions(place).view(Trajectory)
        trajectory.label = self._labels[place]
        trajectory._of = (self._trial, place)
        return trajectory

    def residuals_m(self, label: str) -> Floats:
        """The residuals that the file has of a marker; NaN where it has none."""
        place = self._place(label)
        if place is None:
            raise KeyError(label)
        return self._trial.residuals(place)

    def __iter__(self) -> Iterator[str]:
        return iter(self._labels)

    def __len__(self) -> int:
        return len(self._labels)

    def __contains__(self, label: object) -> bool:
        return self._place(label) is not None

    def __repr__(self) -> str:
        return f"<Markers: {', '.join(self._labels)}>"


class Trial:
    """One recording, in metres and seconds, right-handed. It does not change; edits give another."""

    def __init__(self, native: _condyle.Trial, name: str = "") -> None:
        self._native = native
        self.name = name
        """The file, for messages."""

    @classmethod
    def from_markers(
        cls, markers: Mapping[str, npt.ArrayLike], rate_hz: float, *, up: Optional[str] = None, name: str = ""
    ) -> "Trial":
        """A recording of arrays frames x 3 in metres, NaN where missing, in any memory order."""
        rows = [(label, points(f"marker {label}", array)) for label, array in markers.items()]
        return cls(_condyle.Trial.of_markers(rows, float(rate_hz), up), name)

    @classmethod
    def from_other(cls, source: Any, rate_hz: float = 0.0) -> "Trial":
        """A recording from a pandas table with columns (marker, axis), an xarray array with the dimensions axis, channel
        and time (pyomeca), or a kineticstoolkit TimeSeries."""
        from . import _frames

        return _frames.trial_from(source, rate_hz)

    @property
    def markers(self) -> Markers:
        """Point trajectories by their labels."""
        return Markers(self._native)

    @property
    def labels(self) -> List[str]:
        return self._native.labels

    @property
    def frames(self) -> int:
        return self._native.frames

    @property
    def rate_hz(self) -> float:
        """Frames a second; 0 if the file does not say."""
        return self._native.rate_hz

    @property
    def first_frame(self) -> int:
        """The number that the file gives to its first frame."""
        return self._native.first_frame

    @property
    def time_s(self) -> Floats:
        """The time of every frame on the recording's clock."""
        return times(self.frames, self._native.start_s, self.rate_hz)

    @property
    def duration_s(self) -> float:
        return self.frames / self.rate_hz if self.rate_hz > 0 else 0.0

    @property
    def format(self) -> str:
        return self._native.source[0]

    @property
    def unit(self) -> str:
        """The unit that lengths are written in; arrays are metres whatever it is."""
        return self._native.source[1]

    @property
    def up(self) -> Optional[str]:
        """The axis that points up, if the file says it."""
        return self._native.source[2]

    @property
    def subjects(self) -> List[str]:
        return self._native.subjects

    @property
    def channels(self) -> Dict[str, Channel]:
        """Scalar signals by their labels."""
        native = self._native
        return {channel[0]: Channel(native, place) for place, channel in enumerate(native.channels)}

    @property
    def bodies(self) -> Dict[str, Floats]:
        """Rigid bodies by their names: frames x 7, x, y, z, qw, qx, qy, qz; NaN where missing."""
        return {name: self._native.poses(place) for place, name in enumerate(self._native.bodies)}

    @property
    def skeleton(self) -> Dict[str, Floats]:
        """The joints of a skeleton that the file holds solved: frames x 3."""
        joints = enumerate(self._native.skeleton)
        return {name: self._native.skeleton_positions(place) for place, (name, _) in joints}

    @property
    def events(self) -> List[Event]:
        return [Event(*event) for event in self._native.events]

    @property
    def notes(self) -> List[Note]:
        """Whatever was odd in the file."""
        return notes(self._native.notes)

    @property
    def missing_fraction(self) -> float:
        """The share of point samples that are missing."""
        native = self._native
        samples = len(native.labels) * native.frames
        seen = sum(np.count_nonzero(native.origin(place)) for place in range(len(native.labels)))
        return 1.0 - seen / samples if samples else 0.0

    def infer_orientation(self) -> Tuple[Optional[Tuple[str, float]], Optional[Tuple[str, float]]]:
        """The axis that points up and the way that people face, each with how sure that is, 0 to 1."""
        up, forward = self._native.infer_orientation()
        return up, forward

    def with_markers(self, *patterns: str) -> "Trial":
        """Some of the markers, by labels or patterns with ``*``."""
        return Trial(self._native.with_markers(list(patterns)), self.name)

    def with_frames(self, first: int, end: int) -> "Trial":
        """Frames from ``first`` up to ``end``, counted from 0, ``end`` left out."""
        _options.number("first", first, 0)
        _options.number("end", end, 0)
        return Trial(self._native.with_frames(first, end), self.name)

    def with_up(self, up: str) -> "Trial":
        """Turned so that this axis is up."""
        return Trial(self._native.with_up(up), self.name)

    def with_unit(self, unit: str) -> "Trial":
        """Lengths in another unit when it is written."""
        return Trial(self._native.with_unit(unit), self.name)

    def mirrored(self) -> "Trial":
        """Left-handed axes made right-handed: z to -z."""
        return Trial(self._native.mirrored(), self.name)

    def scaled(self, factor: float) -> "Trial":
        """All lengths by a factor."""
        return Trial(self._native.scaled(factor), self.name)

    def resampled(self, rate_hz: float) -> "Trial":
        """Another rate."""
        return Trial(self._native.resampled(rate_hz), self.name)

    def with_channel(self, label: str, values: npt.ArrayLike, rate_hz: float, unit: str = "") -> "Trial":
        """A channel more."""
        found = numbers(f"channel {label}", values)
        if found.ndim != 1:
            raise argument(f"channel {label}: need one number a sample, got an array of shape {found.shape}")
        return Trial(self._native.with_channel(label, unit, rate_hz, found.tolist()), self.name)

    def write(self, path: Union[str, "os.PathLike[str]"], *, force: bool = False) -> List[Note]:
        """Writes a file whose extension names the format; returns what it cannot hold. Nothing is overwritten unasked."""
        return write_whole(path, force, lambda extension: self._native.write(extension))

    def to_bytes(self, format: str) -> bytes:
        """The bytes of a file in a format."""
        return self._native.write(format)[0]

    def to_pandas(self) -> Any:
        """Columns (marker, axis) over time."""
        from . import _frames

        return _frames.trial_to_pandas(self)

    def to_polars(self) -> Any:
        """Columns ``time_s``, ``RKNE_x`` and so on."""
        from . import _frames

        return _frames.trial_to_polars(self)

    def to_xarray(self) -> Any:
        """Dimensions axis, channel and time, as pyomeca has them; a view of all markers where they lie side by side."""
        from . import _frames

        return _frames.trial_to_xarray(self)

    def to_arrow(self) -> Any:
        """Columns ``time_s``, ``RKNE_x`` and so on, which look into the trial."""
        from . import _frames

        return _frames.trial_to_arrow(self)

    def to_timeseries(self) -> Any:
        """kineticstoolkit's TimeSeries: points frames x 4, events."""
        from . import _frames

        return _frames.trial_to_timeseries(self)

    def __repr__(self) -> str:
        what = f"{len(self.labels)} markers" if self.labels else f"{len(self._native.bodies)} bodies"
        name = f" {self.name!r}" if self.name else ""
        return f"<Trial{name}: {what}, {self.frames} frames at {self.rate_hz:g} Hz>"

    def _repr_html_(self) -> str:
        from . import _picture

        return _picture.of_trial(self)


def points(name: str, array: npt.ArrayLike) -> Floats:
    """An array n x 3 of floating-point numbers, from whatever holds one."""
    found = numbers(name, array)
    if found.ndim != 2 or found.shape[1] != 3:
        raise argument(f"{name}: need an array frames x 3, got shape {found.shape}")
    return found


def numbers(name: str, array: npt.ArrayLike) -> Floats:
    """An array of floating-point numbers, from whatever holds one."""
    try:
        found = np.asarray(array)
    except ValueError as error:
        raise argument(f"{name}: need an array of numbers, got {type(array).__name__}: {error}") from error
    if found.dtype.kind not in "fiu":
        raise argument(f"{name}: need numbers, got an array of {found.dtype}")
    return found.astype(np.float64, copy=False)


def read(source: Source, **options: Any) -> Trial:
    """Reads a recording, whatever its format: a path, bytes, or a file that is open for reading bytes.

    Keywords: ``units``, ``up``, ``assume_rate`` (or ``rate``), ``skeleton``, ``keep_invalid``, ``columns``,
    ``left_handed``, ``scale``, ``set``: what the caller knows better than the file.
    """
    text = _options.reading(**options)
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        return Trial(_condyle.Trial.read_path(path, text), path)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return Trial(_condyle.Trial.read_bytes(bytes(source), text))
    if not hasattr(source, "read"):
        raise argument(f"source: need a path, bytes or an open file, got {type(source).__name__}")
    if getattr(source, "closed", False):
        raise argument(f"source: need an open file, got a closed one: {getattr(source, 'name', '')}")
    content = source.read()
    if not isinstance(content, (bytes, bytearray)):
        raise argument("source: need a file that is open for reading bytes ('rb'), got one of text")
    name = getattr(source, "name", "")
    return Trial(_condyle.Trial.read_bytes(bytes(content), text), name if isinstance(name, str) else "")
