"""What the main job found in a recording."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _condyle
from ._errors import argument
from ._files import write_whole
from ._notes import Note, notes
from ._subject import Subject, SubjectJoint
from ._trial import Trial

Floats = npt.NDArray[np.float64]


class Joint:
    """A joint of a performer: where it is in every frame, its angles, and how sure that is."""

    def __init__(self, native: _condyle.Performance, performer: int, place: int, known: SubjectJoint) -> None:
        self._native, self._performer, self._place = native, performer, place
        self.known = known
        """What the calibration knows of it: kind, covariance, centre in its segments, advice."""

    @property
    def name(self) -> str:
        return self.known.name

    @property
    def sd_m(self) -> float:
        """The standard error of the centre along its worst direction."""
        return self.known.sd_m

    @property
    def covariance_m2(self) -> Floats:
        """The covariance of the centre in the parent's frame, 3 x 3."""
        return self.known.covariance_m2

    @property
    def positions_m(self) -> Floats:
        """Frames x 3, a view; NaN where it was not placed."""
        return self._native.joint_positions(self._performer, self._place)

    @property
    def sds_m(self) -> Floats:
        """The standard error in every frame along the worst direction, of centre and pose together."""
        return self._native.joint_sds(self._performer, self._place)

    @property
    def placed(self) -> npt.NDArray[np.uint8]:
        """How it was placed: 0 not, 1 by markers, 2 with joints, 3 with its twist open."""
        return self._native.joint_placed(self._performer, self._place)

    @property
    def angle_names(self) -> List[str]:
        """What its three angles are: ``flexion``, ``abduction``, ``rotation``."""
        return list(self._native.angle_words(self._performer, self._place)[0])

    @property
    def angle_convention(self) -> str:
        """How they are defined and what their zero is."""
        _, _, convention, zero, _ = self._native.angle_words(self._performer, self._place)
        return f"{convention}; zero: {zero}"

    @property
    def angles_rad(self) -> Floats:
        """Frames x 3; NaN where a segment was not placed."""
        return self._native.angles(self._performer, self._place)

    @property
    def angles_deg(self) -> Floats:
        return np.degrees(self.angles_rad)

    @property
    def angle_velocities_rad_s(self) -> Floats:
        return self._native.angle_velocities(self._performer, self._place)

    @property
    def angle_sds_rad(self) -> Floats:
        """The standard error of the joint's turn in every frame."""
        return self._native.angle_sds(self._performer, self._place)

    def __repr__(self) -> str:
        known = self.known
        return f"<Joint {known.name!r}: {known.kind}, centre {known.centre_known} known ({1e3 * known.sd_m:.0f} mm)>"


class Segment:
    """A segment of a performer in every frame."""

    def __init__(self, native: _condyle.Performance, performer: int, place: int, name: str) -> None:
        self._native, self._performer, self._place = native, performer, place
        self.name = name

    @property
    def positions_m(self) -> Floats:
        """Its origin, frames x 3, a view; NaN where it was not placed."""
        return self._native.segment_positions(self._performer, self._place)

    @property
    def orientations_wxyz(self) -> Floats:
        """Unit quaternions, frames x 4, a view; NaN where it was not placed."""
        return self._native.segment_orientations(self._performer, self._place)


class Performer:
    """A performer of a recording, and its motion."""

    def __init__(self, native: _condyle.Performance, index: int, trial: Trial) -> None:
        self._native, self._index = native, index
        self.rate_hz, self.time_s, self.up = trial.rate_hz, trial.time_s, trial.up
        self.subject = Subject(native.subject(index))
        """Its skeleton and markers, with how sure all that is."""

    @property
    def name(self) -> str:
        return self.subject.name

    @property
    def joints(self) -> Dict[str, Joint]:
        """Its joints by their names."""
        known = enumerate(self.subject.joints.values())
        return {own.name: Joint(self._native, self._index, place, own) for place, own in known}

    @property
    def segments(self) -> Dict[str, Segment]:
        """Its segments by their names."""
        names = enumerate(self.subject.segments)
        return {name: Segment(self._native, self._index, place, name) for place, name in names}

    @property
    def evidence(self) -> Dict[str, Any]:
        """How well the frames fit: residuals of markers, separations of joints."""
        return dict(json.loads(self._native.evidence(self._index)))

    @property
    def notes(self) -> List[Note]:
        """What is doubtful about it."""
        return notes(self._native.performer_notes(self._index))

    def write(
        self,
        path: Union[str, "os.PathLike[str]"],
        *,
        force: bool = False,
        units: Optional[str] = None,
        mot_model: str = "rajagopal",
        weight_kg: Optional[float] = None,
    ) -> List[Note]:
        """Writes its motion; the extension names the format: csv, trc, c3d, bvh, glb, mot, sto, parquet, osim, urdf or json.

        The end of a name may say more, as ``condyle run`` has it: ``angles.csv`` writes joint angles instead of joint
        centres, ``physics.csv`` centre of mass, momentum and energy, ``physics-segments.csv`` the same of every segment,
        ``mjcf.xml`` a robot for MuJoCo, ``qpos.csv`` the joint positions of the robots, ``figure.glb`` a solid figure that
        moves.
        """
        name = os.fspath(path)
        if name.endswith(".json"):
            return self.subject.write(path, force=force)

        def content(extension: str) -> Any:
            if extension == "osim":
                return self._native.osim(self._index, weight_kg).encode(), []
            if name.endswith(("physics.csv", "physics-segments.csv")):
                return self._native.physics(self._index, weight_kg, name.endswith("segments.csv")), []
            if extension == "urdf" or name.endswith("mjcf.xml"):
                robot = "urdf" if extension == "urdf" else "mjcf"
                return self._native.robot(self._index, robot, weight_kg).encode(), []
            if name.endswith("qpos.csv"):
                return self._native.qpos(self._index), []
            if name.endswith("figure.glb"):
                data, held = self._native.figure_glb(self._index, weight_kg)
                text = f"{held} frames in which it keeps a segment as it was: it is not placed there"
                return data, [("figure-held", text, None, None)] if held else []
            wanted = "angles.csv" if name.endswith("angles.csv") else extension
            return self._native.write(self._index, wanted, units, mot_model)

        return write_whole(path, force, content)

    def to_bytes(self, format: str, *, units: Optional[str] = None, mot_model: str = "rajagopal") -> bytes:
        """The bytes of such a file."""
        return self._native.write(self._index, format, units, mot_model)[0]

    def to_pandas(self) -> Any:
        """Joint centres, their standard errors and angles: columns (joint, quantity) over time."""
        from . import _frames

        return _frames.performer_to_pandas(self)

    def to_polars(self) -> Any:
        """The same with columns ``left knee x_m``."""
        from . import _frames

        return _frames.performer_to_polars(self)

    def to_arrow(self) -> Any:
        """The same as an Arrow table."""
        from . import _frames

        return _frames.performer_to_arrow(self)

    def to_xarray(self) -> Any:
        """Joint centres with the dimensions axis, channel and time."""
        from . import _frames

        return _frames.performer_to_xarray(self)

    def __repr__(self) -> str:
        name = f" {self.name!r}" if self.name else ""
        return f"<Performer{name}: {len(self.subject.segments)} segments, {len(self.subject.plain['joints'])} joints>"

    def _repr_html_(self) -> str:
        from . import _picture

        return _picture.of_performer(self)


class Result:
    """A recording and what was found in it."""

    def __init__(self, native: _condyle.Performance, name: str = "") -> None:
        self._native = native
        self.trial = Trial(native.trial(), name)
        """The recording as it was solved: labels exchanged back, gaps filled, the axis that points up known."""
        self.performers = [Performer(native, index, self.trial) for index in range(native.performers)]
        """Everyone in it."""

    @property
    def name(self) -> str:
        return self.trial.name

    @property
    def performer(self) -> Performer:
        """The only performer."""
        if len(self.performers) != 1:
            raise argument(f"performer: need a recording of one, got {len(self.performers)}; look at performers")
        return self.performers[0]

    @property
    def joints(self) -> Dict[str, Joint]:
        """The joints of the only performer."""
        return self.performer.joints

    @property
    def notes(self) -> List[Note]:
        """Everything worth saying: about the file, the repairs, the segments and every performer."""
        return notes(self._native.notes)

    @property
    def repairs(self) -> List[Dict[str, Any]]:
        """What was repaired, in this order."""
        return list(json.loads(self._native.repairs()))

    @property
    def gaps(self) -> List[Dict[str, Any]]:
        """What came of the gaps of the performers' markers."""
        return list(json.loads(self._native.gaps()))

    def write_with_joints(
        self, path: Union[str, "os.PathLike[str]"], *, filled: bool = False, force: bool = False
    ) -> List[Note]:
        """Writes the recording with the joints of everybody as further points, as C3D."""
        return write_whole(path, force, lambda _: self._native.with_joints(filled))

    def write_markers_trc(self, path: Union[str, "os.PathLike[str]"], *, force: bool = False) -> List[Note]:
        """Writes the markers for OpenSim: millimetres, y up."""
        return write_whole(path, force, lambda _: (self._native.markers_trc(), []))

    def write_ground_reaction(self, path: Union[str, "os.PathLike[str]"], *, force: bool = False) -> bool:
        """Writes ground reaction forces for OpenSim; whether there are force plates that can be used."""
        table = self._native.ground_reaction()
        if table is not None:
            content = table
            write_whole(path, force, lambda _: (content, []))
        return table is not None

    def __repr__(self) -> str:
        name = f" {self.name!r}" if self.name else ""
        return f"<Result{name}: {', '.join(map(repr, self.performers))}>"

    def _repr_html_(self) -> str:
        return "".join(performer._repr_html_() for performer in self.performers)


def write(
    thing: Union[Trial, Subject, Performer, Result],
    path: Union[str, "os.PathLike[str]"],
    *,
    force: bool = False,
    **options: Any,
) -> List[Note]:
    """Writes a recording, a subject, or a performer's motion; the extension names the format.

    Of a result it is the motion of the only performer.
    """
    if isinstance(thing, Result):
        thing = thing.performer
    if isinstance(thing, (Trial, Subject)):
        if options:
            raise argument(f"write: need no {', '.join(options)} for a {type(thing).__name__}")
        return thing.write(path, force=force)
    if isinstance(thing, Performer):
        return thing.write(path, force=force, **options)
    raise argument(f"write: need a Trial, Subject, Performer or Result, got {type(thing).__name__}")
