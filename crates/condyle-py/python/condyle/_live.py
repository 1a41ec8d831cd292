"""The main job for a stream: a frame in; joints, angles and how sure they are, out."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _condyle, _options
from ._errors import argument
from ._notes import Note, notes
from ._options import PathLike
from ._result import Result
from ._steps import _subject
from ._subject import Subject

Floats = npt.NDArray[np.float64]


class Certainty(NamedTuple):
    """What a joint of a stream is, and how well its centre is known; words are None until they are sure."""

    kind: Optional[str]
    centre_known: Optional[str]
    sd_m: float


class Live:
    """A stream of frames, and its performers in the last of them.

    With a subject every frame is placed from the first on; without one it is fitted to the frames again and again.
    Options are those of :func:`run`.
    """

    def __init__(
        self,
        labels: Sequence[str],
        rate_hz: float = 0.0,
        *,
        subject: Union[Subject, PathLike, None] = None,
        sensors: bool = False,
        **options: Any,
    ) -> None:
        if isinstance(labels, str):
            raise argument(f"labels: need a list of names, got the text {labels!r}")
        text = _options.job(**options)
        self.labels = list(labels)
        self._native = _condyle.Live(self.labels, float(rate_hz), text, _subject(subject), sensors)
        self.push = self._native.push
        """Takes the next frame, an array markers x 3 of float64 in metres, NaN where one is not seen (of sensors x 7:
        x, y, z, qw, qx, qy, qz); returns how many performers are known."""

    @property
    def frames(self) -> int:
        """How many have come."""
        return self._native.frames

    @property
    def performers(self) -> int:
        return self._native.performers

    def subject(self, performer: int = 0) -> Subject:
        """Its skeleton, as the last calibration has it."""
        return Subject(self._native.subject(performer))

    def joints_m(self, performer: int = 0) -> Floats:
        """Where every joint is in the last frame, joints x 3 in the subject's order; NaN where it is not placed."""
        return self._native.joints(performer)

    def angles_rad(self, performer: int = 0) -> Floats:
        """The three angles of every joint in the last frame."""
        return self._native.angles(performer)

    def sds_m(self, performer: int = 0) -> Floats:
        """The standard error of every joint in the last frame along its worst direction."""
        return self._native.sds(performer)

    def certainties(self, performer: int = 0) -> Dict[str, Certainty]:
        """What is known of every joint."""
        names = self.subject(performer).joints
        return {name: Certainty(*own) for name, own in zip(names, self._native.certainties(performer))}

    def predicted_m(self, label: str) -> Optional[Any]:
        """Where a marker that is not seen is taken to be, and its standard deviation along each axis."""
        return self._native.predicted(self.labels.index(label))

    @property
    def notes(self) -> List[Note]:
        return notes(self._native.notes)

    @property
    def last_fit_error(self) -> Optional[str]:
        """Why the last calibration gave no subject, if it did not."""
        return self._native.last_fit_error

    def finish(self) -> Result:
        """Ends the stream: what :func:`run` makes of its frames."""
        return Result(self._native.finish())
