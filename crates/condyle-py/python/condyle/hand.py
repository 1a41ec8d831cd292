"""A hand from its back and its finger tips: ``condyle.hand.calibrate`` and ``condyle.hand.track``.

>>> import condyle
>>> model = condyle.hand.calibrate("rom.c3d")                      # doctest: +SKIP
>>> condyle.hand.track("grasp.c3d", model).joints["index_tip"]     # doctest: +SKIP
"""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _condyle, _options
from ._files import write_whole
from ._notes import Note, notes
from ._options import PathLike
from ._steps import Recording, _trial

__all__ = ["HandModel", "HandTrack", "calibrate", "track"]

Floats = npt.NDArray[np.float64]


class HandModel:
    """A hand: its markers, bones, limits and couplings, as docs/hand.md has them."""

    def __init__(self, toml: str, evidence: Optional[Dict[str, Any]] = None, notes: Sequence[Note] = ()) -> None:
        self.toml = _condyle.check_hand(toml) if evidence is None else toml
        self.evidence = evidence
        """Of a calibration: how well every finger is known."""
        self.notes = list(notes)

    @classmethod
    def read(cls, path: PathLike) -> "HandModel":
        """Reads a model's file."""
        return cls(_options.text_of("model", path))

    def write(self, path: PathLike, *, force: bool = False) -> List[Note]:
        """Writes a model's file."""
        return write_whole(path, force, lambda _: (self.toml.encode(), []))

    def __reduce__(self) -> Tuple[Any, ...]:
        return HandModel, (self.toml, self.evidence, self.notes)

    def __repr__(self) -> str:
        known = self.evidence
        return "<HandModel>" if known is None else f"<HandModel: {known['side']}, {1e3 * known['hand_length_m']:.0f} mm>"


class HandTrack:
    """A hand in every frame of a recording."""

    def __init__(self, native: _condyle.HandTrack, name: str = "") -> None:
        self._native, self.name = native, name

    @property
    def joints(self) -> Dict[str, Floats]:
        """Where all joints are, frames x 3; NaN where the hand is not placed."""
        return {name: self._native.positions(place) for place, name in enumerate(self._native.joints)}

    @property
    def angles_rad(self) -> Dict[str, Floats]:
        """How far joints are bent and spread, frames x 2; NaN where a joint has no such angle."""
        return {name: self._native.angles(place) for place, name in enumerate(self._native.joints)}

    @property
    def how(self) -> Dict[str, List[str]]:
        """How joints were found: ``measured``, ``solved``, ``predicted``, ``held``, or empty."""
        return {name: self._native.how(place) for place, name in enumerate(self._native.joints)}

    @property
    def placed(self) -> npt.NDArray[np.bool_]:
        """In which frames the hand is placed."""
        return self._native.placed()

    @property
    def model(self) -> HandModel:
        return HandModel(self._native.model())

    @property
    def summary(self) -> Dict[str, Any]:
        """What ``condyle hand --json`` prints."""
        return dict(json.loads(self._native.summary()))

    @property
    def notes(self) -> List[Note]:
        return notes(self._native.notes)

    def write(self, path: PathLike, *, force: bool = False) -> List[Note]:
        """Writes csv, trc, c3d, bvh, glb or parquet, by the extension."""
        return write_whole(path, force, lambda extension: self._native.write(extension))

    def to_bytes(self, format: str) -> bytes:
        """The bytes of such a file."""
        return self._native.write(format)[0]

    def __repr__(self) -> str:
        found = self.summary
        return f"<HandTrack: {found['side']} hand, {found['frames_posed']} of {found['frames']} frames>"


def _length_m(hand_length_mm: Optional[float]) -> Optional[float]:
    return None if hand_length_mm is None else _options.number("hand_length_mm", hand_length_mm, 0) * 1e-3


def calibrate(
    *recordings: Recording,
    side: str = "auto",
    markers: Sequence[str] = (),
    hand_length_mm: Optional[float] = None,
    tips_alone: bool = False,
    **reading: Any,
) -> HandModel:
    """A model from recordings of one hand with the same labels, in which it opens, closes and spreads.

    ``markers`` are three on the back, then the tips of thumb, index, middle, ring and little finger, where their names do
    not say it; further keywords are those of :func:`condyle.read`.
    """
    trials = [_trial(recording, reading) for recording in recordings]
    natives = [(trial.name, trial._native) for trial in trials]
    length_m = _length_m(hand_length_mm)
    toml, evidence, plain = _condyle.calibrate_hand(natives, side, list(markers), length_m, tips_alone)
    return HandModel(toml, json.loads(evidence), notes(plain))


def track(
    recording: Recording,
    model: Union[HandModel, PathLike, None] = None,
    *,
    side: str = "auto",
    markers: Sequence[str] = (),
    hand_length_mm: Optional[float] = None,
    method: str = "closed",
    **reading: Any,
) -> HandTrack:
    """All joints of a hand in every frame; without a model it is calibrated on the recording itself.

    ``method`` is how fingers are posed: ``closed``, ``fabrik``, ``document`` or ``unlimited``.
    """
    trial = _trial(recording, reading)
    if isinstance(model, (str, os.PathLike)):
        model = HandModel.read(model)
    text = None if model is None else model.toml
    length_m = _length_m(hand_length_mm)
    return HandTrack(_condyle.track_hand(trial._native, text, side, list(markers), length_m, method), trial.name)
