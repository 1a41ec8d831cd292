"""Joints that reach for targets."""

from __future__ import annotations

import os
from typing import Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _condyle, _options
from ._errors import argument
from ._options import PathLike
from ._subject import Subject
from ._trial import Trial, numbers, points, read

Floats = npt.NDArray[np.float64]


class Reach(NamedTuple):
    """What came of one target."""

    outcome: str
    """``reached``, ``stalled`` or ``unreachable``."""
    distance_m: float
    iterations: int
    restarts: int
    limits_active: int
    held_back: bool
    positions_m: Floats
    """Where all joints are, joints x 3."""


class Reacher:
    """A chain, a tree, a subject, a recorded skeleton or a robot, and the pose that it is in."""

    def __init__(self, model: Union[Subject, Trial, PathLike], *, pin: Optional[str] = None) -> None:
        if isinstance(model, Subject):
            self._native = _condyle.Reacher.from_subject(model._native, pin)
        elif isinstance(model, Trial):
            self._native = _condyle.Reacher.from_trial(model._native, pin)
        else:
            self._native = _from_path(os.fspath(model), pin)

    @property
    def names(self) -> List[str]:
        return self._native.names

    @property
    def effectors(self) -> List[str]:
        """The joints that reach where nothing else is said: the ends of the tree."""
        return [self.names[place] or str(place) for place in self._native.effectors]

    @property
    def positions_m(self) -> Floats:
        return self._native.positions()

    def rest(self) -> None:
        """Goes back to the pose that it began with."""
        self._native.rest()

    def reach(
        self,
        targets: Mapping[str, Sequence[float]],
        *,
        method: str = "fabrik",
        tolerance: Optional[float] = None,
        iterations: int = 10_000,
        track: bool = False,
        max_step: Optional[float] = None,
    ) -> Reach:
        """Moves joints, by name or number, to places, from where it is; limits hold."""
        wanted = []
        for name, at in targets.items():
            joint = self._native.find(name)
            if joint is None:
                raise argument(f"targets: need any of {', '.join(self.names[1:41])}; got {name!r}")
            place = [float(own) for own in at]
            if len(place) != 3:
                raise argument(f"target of {name}: need three numbers, got {len(place)}")
            wanted.append((joint, place))
        near = 1e-6 * self._native.length if tolerance is None else _options.number("tolerance", tolerance, 5e-324)
        found = self._native.reach(wanted, method, near, iterations, track, max_step)
        return Reach(*found, self._native.positions())


def _from_path(path: str, pin: Optional[str]) -> _condyle.Reacher:
    extension = os.path.splitext(path)[1].lower()
    if extension in (".json", ".urdf"):
        text = _options.text_of("model", path)
        if extension == ".json" and '"segments"' in text:
            return _condyle.Reacher.from_subject(_condyle.Subject.from_json(text), pin)
        if pin is not None:
            raise argument("pin: need a subject or a recording with a skeleton; the base of others stays anyway")
        return _condyle.Reacher.from_urdf(text) if extension == ".urdf" else _condyle.Reacher.from_json(text)
    return _condyle.Reacher.from_trial(read(path)._native, pin)


def ik(
    model: Union[Subject, Trial, PathLike],
    targets: Mapping[str, npt.ArrayLike],
    *,
    pin: Optional[str] = None,
    method: str = "fabrik",
    tolerance: Optional[float] = None,
    iterations: int = 10_000,
    track: bool = False,
    max_step: Optional[float] = None,
) -> List[Reach]:
    """Reaches for every row of targets: arrays rows x 3 by the names of joints; NaN where nothing is wanted."""
    rows: Dict[str, Floats] = {}
    for name, own in targets.items():
        rows[name] = points(f"targets: {name}", np.atleast_2d(numbers(f"targets: {name}", own)))
    reacher = Reacher(model, pin=pin)
    lengths = {len(own) for own in rows.values()}
    if len(lengths) != 1:
        raise argument(f"targets: need as many rows for every joint, got {sorted(lengths)}")
    answers = []
    for row in range(lengths.pop()):
        if not track:
            reacher.rest()
        wanted = {name: own[row].tolist() for name, own in rows.items() if not np.isnan(own[row]).any()}
        answers.append(
            reacher.reach(
                wanted, method=method, tolerance=tolerance, iterations=iterations, track=track, max_step=max_step
            )
        )
    return answers
