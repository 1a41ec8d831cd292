"""The steps, one function each; options are named as on the command line."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _condyle, _options
from ._errors import argument
from ._notes import Note, notes
from ._options import PathLike
from ._result import Result
from ._subject import Subject
from ._trial import Trial, numbers, points, read

Floats = npt.NDArray[np.float64]
Recording = Union[Trial, PathLike]

_READING = ("units", "up", "assume_rate", "rate", "skeleton", "keep_invalid", "columns", "left_handed", "scale", "set")


def _subject(subject: Union[Subject, PathLike, None]) -> Optional[_condyle.Subject]:
    if subject is None:
        return None
    return (subject if isinstance(subject, Subject) else Subject.read(subject))._native


def _split(options: Dict[str, Any]) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """Options of reading, and all others."""
    reading = {name: value for name, value in options.items() if name in _READING}
    return reading, {name: value for name, value in options.items() if name not in _READING}


def _trial(recording: Recording, reading: Dict[str, Any]) -> Trial:
    if isinstance(recording, Trial):
        if reading:
            raise argument(f"{', '.join(reading)}: need a file to read, got a Trial that is read already")
        return recording
    return read(recording, **reading)


def run(recording: Recording, *, subject: Union[Subject, PathLike, None] = None, **options: Any) -> Result:
    """Finds the performers of a recording and their motion: the main job.

    Keywords are those of ``condyle run``: ``by``, ``plan``, ``root``, ``soft_tissue``, ``knowledge``, ``weights``,
    ``height_m``, ``knee_width_mm``, ``ankle_width_mm``, ``elbow_width_mm``, ``wrist_width_mm``, ``leg_length_mm``,
    ``performer``, ``frames``, ``fill``, ``max_gap``, ``smooth``, ``zero_frame``, ``keep_orientations``, ``anyway``; and,
    for a path, those of :func:`read`.
    """
    reading, rest = _split(options)
    text = _options.job(**rest)
    trial = _trial(recording, reading)
    return Result(_condyle.run(trial._native, trial.name, text, _subject(subject)), trial.name)


def solve(recording: Recording, subject: Union[Subject, PathLike], **options: Any) -> Result:
    """Where a subject that was fitted before is in every frame of a recording; options as those of :func:`run`."""
    return run(recording, subject=subject, **options)


def key(*, subject: Union[Subject, PathLike, None] = None, **options: Any) -> str:
    """What results follow from besides the recording's content: the options of a run and the version."""
    reading, rest = _split(options)
    return _options.reading(**reading) + _condyle.key(_options.job(**rest), _subject(subject))


class Fitted(NamedTuple):
    """Subjects that were fitted."""

    subjects: List[Subject]
    plan: str
    """How the segments were found: the name of a marker set, ``file``, ``motion`` or ``bodies``."""
    notes: List[Note]


def fit(*recordings: Recording, **options: Any) -> Fitted:
    """Fits every performer of calibration recordings of the same performers with the same markers."""
    reading, rest = _split(options)
    text = _options.job(**rest)
    trials = [_trial(recording, reading) for recording in recordings]
    subjects, plan, plain = _condyle.fit([(trial.name, trial._native) for trial in trials], text)
    return Fitted([Subject(subject) for subject in subjects], plan, notes(plain))


class Plan(NamedTuple):
    """Which markers are on which segment."""

    by: str
    """What told it: the name of a marker set, ``file``, ``motion`` or ``bodies``."""
    performers: List[Dict[str, Any]]
    excluded: List[Dict[str, str]]
    toml: str
    """The plan as a file, to be edited and given to ``plan``."""
    notes: List[Note]


def groups(recording: Recording, **options: Any) -> Plan:
    """Which markers are on which segment, by their names, a file or their motion."""
    reading, rest = _split(options)
    by, toml, text, plain = _condyle.plan(_trial(recording, reading)._native, _options.job(**rest))
    found = json.loads(text)
    return Plan(by, found["performers"], found["excluded"], toml, notes(plain))


class Filled(NamedTuple):
    """A recording with its gaps filled."""

    trial: Trial
    gaps: List[Dict[str, Any]]
    notes: List[Note]


def fill(
    recording: Recording,
    *,
    method: str = "auto",
    max_gap: Optional[float] = None,
    subject: Union[Subject, PathLike, None] = None,
    rays: Optional[PathLike] = None,
    **reading: Any,
) -> Filled:
    """Fills gaps, labels that changed places put back before; what came of every gap, and how far off it may be."""
    trial = _trial(recording, reading)
    limit = None if max_gap is None else _options.number("max_gap", max_gap, 0)
    csv = None if rays is None else _options.text_of("rays", rays).encode()
    filled, gaps, plain = _condyle.fill_gaps(trial._native, method, limit, _subject(subject), csv)
    return Filled(Trial(filled, trial.name), json.loads(gaps), notes(plain))


class Labelled(NamedTuple):
    """A recording whose trajectories have got names."""

    trial: Trial
    fragments: List[Dict[str, Any]]
    evidence: Dict[str, Any]


def label(
    recording: Recording,
    *,
    subject: Union[Subject, PathLike, None] = None,
    set: Optional[str] = None,
    labelled_frame: Optional[int] = None,
    anyway: bool = False,
    **reading: Any,
) -> Labelled:
    """Names for trajectories that have none, from a subject, or from a marker set and a frame that is labelled."""
    trial = _trial(recording, reading)
    native, text = _condyle.label_tracks(trial._native, _subject(subject), set, labelled_frame, anyway)
    found = json.loads(text)
    return Labelled(Trial(native, trial.name), found.pop("fragments"), found)


class Gait(NamedTuple):
    """The gait of one performer in one recording."""

    name: str
    kind: Optional[str]
    events: List[Dict[str, Any]]
    strides: List[Dict[str, Any]]
    parameters: List[Dict[str, Any]]
    cycles: List[Dict[str, Any]]
    """Angles over every stride, in degrees at 0 to 100 %."""
    means_csv: str
    """Mean cycles as the table that ``norm`` takes."""
    scores: List[Tuple[str, Optional[str], float]]
    """The gait profile score against ``norm``: name, side, degrees."""
    notes: List[Note]
    centres: List[Dict[str, Any]]
    """Joint centres over every stride, in metres at 0 to 100 %, ahead, up and to the right of a point that goes evenly with
    the hips."""

    def to_pandas(self) -> Any:
        """Angles over the cycle: columns (side, joint, angle, stride), a row a per cent."""
        from . import _frames

        return _frames.gait_to_pandas(self)


def gait(
    recording: Union[Recording, Result],
    *,
    events: str = "auto",
    norm: Optional[PathLike] = None,
    subject: Union[Subject, PathLike, None] = None,
    **options: Any,
) -> List[Gait]:
    """Foot strikes and offs, strides and what they measure, angles over the cycle, scores, of everybody.

    A recording is solved first, with the options of :func:`run`; where that fails there are no angles.
    """
    result: Optional[Result]
    extra: List[Note] = []
    if isinstance(recording, Result):
        trial, result = recording.trial, recording
    else:
        reading, rest = _split(options)
        trial = _trial(recording, reading)
        try:
            result = run(trial, subject=subject, **rest)
        except ValueError:
            raise
        except Exception as error:  # noqa: BLE001
            result, extra = None, [Note("gait-no-angles", f"no angles: {error}")]
    found = json.loads(_condyle.gait_of(trial._native, result._native if result else None, events))
    reference = None if norm is None else _condyle.gait_means([_options.text_of("norm", norm)])
    every = []
    for own in found:
        scores = [] if reference is None else _condyle.gait_scores(own["means_csv"], reference)
        remarks = [Note(n["code"], n["text"], n.get("about"), n.get("frame")) for n in own["notes"]]
        every.append(
            Gait(
                own["name"], own["kind"], own["events"], own["strides"], own["parameters"], own["cycles"],
                own["means_csv"], scores, extra + remarks, own["centres"],
            )
        )
    return every


def centre(
    *markers: npt.ArrayLike,
    method: str = "auto",
    shape: str = "sphere",
    sigma: Optional[float] = None,
    robust: bool = False,
    soft_tissue: Union[str, float] = "none",
    known_radius: Optional[float] = None,
    known_centre: Optional[Sequence[float]] = None,
) -> Dict[str, Any]:
    """The centre that points rotate about, with its evidence; of several arrays the centre that they share.

    Arrays are n x 3 in metres, NaN where missing. ``soft_tissue`` is how far skin carries them, in millimetres. With a
    ``known_radius``, as of a wand about a fixed tip, and a ``known_centre`` where that is known too, the answer says how
    noisy the recording is.
    """
    if not markers:
        raise argument("centre: need an array n x 3, got none")
    arrays = [np.ascontiguousarray(points(f"points {place}", own)) for place, own in enumerate(markers)]
    skin_m = 0.0 if soft_tissue == "none" else _options.number("soft_tissue", soft_tissue, 0, 100) * 1e-3
    if sigma is not None:
        _options.number("sigma", sigma, 0)
    if known_centre is not None and (known_radius is None or len(known_centre) != 3):
        raise argument(f"known_centre: need three numbers and a known_radius, got {known_centre!r} and {known_radius!r}")
    if known_radius is not None:
        _options.number("known_radius", known_radius, 5e-324)
        if shape != "sphere":
            raise argument(f"known_radius: need shape sphere, got {shape!r}")
    if len(arrays) == 1:
        at = None if known_centre is None else (float(known_centre[0]), float(known_centre[1]), float(known_centre[2]))
        text = _condyle.centre(arrays[0], shape, method, sigma, robust, skin_m, known_radius, at)
    else:
        if robust or shape != "sphere" or known_radius is not None:
            raise argument(f"robust, shape and known_radius: need one marker, got {len(arrays)}")
        text = _condyle.centre_many(arrays, method, sigma, skin_m)
    found: Dict[str, Any] = json.loads(text)
    for name in ("centre", "axis", "covariance"):
        if found.get(name) is not None:
            found[name] = np.array(found[name])
    return found


class Simulation(NamedTuple):
    """A recording made up, and the truth."""

    trial: Trial
    joints: Dict[str, Floats]
    """Where every joint truly is, frames x 3."""
    segments: Dict[str, Tuple[str, str]]
    """The parent and the child of every joint."""


def simulate(performer: PathLike = "human", **options: Any) -> Simulation:
    """A recording made up, with its truth; keywords are those of ``condyle simulate``.

    ``performer`` is ``human``, ``dog``, ``arm``, ``hand``, ``left-hand`` or a description's path (docs/performer.md,
    docs/hand.md).
    """
    name = os.fspath(performer)
    who = name if name in ("human", "dog", "arm", "hand", "right-hand", "left-hand") else _options.text_of("performer", name)
    native, joints = _condyle.simulate_trial(who, _options.simulation(**options))
    truth = {joint: positions for joint, _, _, positions in joints}
    return Simulation(Trial(native, f"simulated {name}"), truth, {own[0]: (own[1], own[2]) for own in joints})


def describe(performer: str) -> str:
    """The description of a performer that is built in, to be edited."""
    return _condyle.describe(performer)


def sniff(content: bytes) -> str:
    """The format of some bytes."""
    return _condyle.sniff(content)


def pivot(poses: npt.ArrayLike, *, robust: bool = False) -> Dict[str, Any]:
    """The tip of a tool that was turned about it, from its poses n x 7: x, y, z, qw, qx, qy, qz."""
    array = numbers("poses", poses)
    if array.ndim != 2 or array.shape[1] != 7:
        raise argument(f"poses: need an array n x 7 of x, y, z, qw, qx, qy, qz, got shape {array.shape}")
    return dict(json.loads(_condyle.pivot(array, robust)))


def scale(trial: Trial, bodies: Sequence[str], distance_mm: float) -> Dict[str, Any]:
    """What lengths are to be multiplied by, from two bodies on one rigid thing at a known distance."""
    if len(bodies) != 2:
        raise argument(f"bodies: need two names, got {len(bodies)}")
    return dict(json.loads(_condyle.scale(trial._native, list(bodies), distance_mm * 1e-3)))
