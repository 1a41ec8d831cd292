"""Keyword options, named as on the command line, as the library's options in JSON: here and nowhere else.

Frames are counted from 0, as everywhere in Python; the command line counts from 1.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Dict, Optional, Sequence, Union

from . import _condyle
from ._errors import argument, make

PathLike = Union[str, "os.PathLike[str]"]

UNITS = {"m": "metre", "dm": "decimetre", "cm": "centimetre", "mm": "millimetre", "in": "inch", "ft": "foot"}
ROUTINES = ("rom", "walk", "exercise", "chicken-walk", "fist", "spread", "count", "grasp", "random")
AXES = ("x", "y", "z", "-x", "-y", "-z")


def one_of(name: str, value: str, words: Sequence[str]) -> str:
    """The value, if it is one of these words."""
    if value not in words:
        raise argument(f"{name}: need any of {', '.join(words)}; got {value!r}")
    return value


def number(name: str, value: object, low: float, high: float = float("inf")) -> float:
    """The value as a number within bounds."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        bounds = f"from {low:g} up" if high == float("inf") else f"from {low:g} to {high:g}"
        raise argument(f"{name}: need a number {bounds}, got {value!r}")
    return float(value)


def text_of(name: str, path: PathLike) -> str:
    """The text of a file that an option names."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        what = f"{os.fspath(path)}: {name}: {error.strerror}"
        raise make(what, "io", path=os.fspath(path), errno=error.errno) from error


def bytes_of(name: str, path: PathLike) -> bytes:
    """The content of a file that an option names."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        what = f"{os.fspath(path)}: {name}: {error.strerror}"
        raise make(what, "io", path=os.fspath(path), errno=error.errno) from error


def reading(
    units: Optional[str] = None,
    up: Optional[str] = None,
    assume_rate: Optional[float] = None,
    skeleton: Optional[PathLike] = None,
    keep_invalid: bool = False,
    columns: Optional[Sequence[str]] = None,
    left_handed: bool = False,
    scale: Optional[float] = None,
    set: Optional[str] = None,
    rate: Optional[float] = None,
) -> str:
    """What the caller knows better than the file."""
    hertz = rate if rate is not None else assume_rate
    return json.dumps(
        {
            "unit": None if units is None else UNITS[one_of("units", units, tuple(UNITS))],
            "up": None if up is None else one_of("up", up, AXES),
            "rate_hz": None if hertz is None else number("rate", hertz, 5e-324),
            "skeleton": None if skeleton is None else os.fspath(skeleton),
            "keep_invalid": bool(keep_invalid),
            "columns": None if columns is None else list(columns),
            "is_left_handed": bool(left_handed),
            "scale": None if scale is None else number("scale", scale, 5e-324),
            "point_set": set,
        }
    )


def _soft_tissue(value: Union[str, float]) -> Any:
    if isinstance(value, str):
        return one_of("soft_tissue", value, ("auto", "none"))
    return {"metres": number("soft_tissue", value, 0, 100) * 1e-3}


def _smooth(value: Union[str, float]) -> Any:
    if isinstance(value, str):
        return one_of("smooth", value, ("auto", "off"))
    return {"at": number("smooth", value, 5e-324)}


def _metres(name: str, mm: Optional[float]) -> Optional[float]:
    return None if mm is None else number(name, mm, 0) * 1e-3


def job(
    by: str = "auto",
    plan: Optional[PathLike] = None,
    root: Optional[str] = None,
    soft_tissue: Union[str, float] = "auto",
    knowledge: PathLike = "auto",
    weights: Union[PathLike, Dict[str, float], None] = None,
    height_m: Optional[float] = None,
    knee_width_mm: Optional[float] = None,
    ankle_width_mm: Optional[float] = None,
    elbow_width_mm: Optional[float] = None,
    wrist_width_mm: Optional[float] = None,
    leg_length_mm: Optional[float] = None,
    performer: Optional[str] = None,
    frames: str = "all",
    fill: str = "auto",
    max_gap: Optional[float] = None,
    smooth: Union[str, float] = "auto",
    zero_frame: Optional[int] = None,
    keep_orientations: bool = False,
    anyway: bool = False,
) -> str:
    """The options of the main job."""
    options: Dict[str, Any] = json.loads(_condyle.default_options())
    options["segments_by"] = one_of("by", by, ("auto", "names", "motion", "bodies"))
    if plan is not None:
        options["plan"] = json.loads(_condyle.read_plan(os.fspath(plan)))
    options["root"] = root
    options["soft_tissue"] = _soft_tissue(soft_tissue)
    known = os.fspath(knowledge)
    options["knowledge"] = known if known in ("auto", "none") else {"text": text_of("knowledge", known)}
    if isinstance(weights, dict):
        options["weights"] = {label: number(f"weights: {label}", own, 0) for label, own in weights.items()}
    elif weights is not None:
        options["weights"] = json.loads(_condyle.weights(text_of("weights", weights), os.fspath(weights)))
    options["measured"] = {
        "stature_m": None if height_m is None else number("height_m", height_m, 0),
        "knee_width_m": _metres("knee_width_mm", knee_width_mm),
        "ankle_width_m": _metres("ankle_width_mm", ankle_width_mm),
        "elbow_width_m": _metres("elbow_width_mm", elbow_width_mm),
        "wrist_width_m": _metres("wrist_width_mm", wrist_width_mm),
        "leg_length_m": _metres("leg_length_mm", leg_length_mm),
    }
    options["performer"] = performer
    options["segment_frame"] = {"all": "all-markers", "triads": "triads"}[one_of("frames", frames, ("all", "triads"))]
    one_of("fill", fill, ("auto", "off", "short", "all"))
    options["fill"] = "short" if fill == "auto" and max_gap is not None else fill
    if max_gap is not None:
        options["max_gap_s"] = number("max_gap", max_gap, 0, 10)
    options["smoothing"] = _smooth(smooth)
    if zero_frame is not None:
        options["zero_frame"] = int(number("zero_frame", zero_frame, 0))
    options["playback"] = "orientations" if keep_orientations else "least-squares"
    options["accept_any_subject"] = bool(anyway)
    return json.dumps(options)


def simulation(
    markers: Optional[str] = None,
    keypoints: bool = False,
    routine: str = "rom",
    seconds: float = 30.0,
    rate: float = 100.0,
    seed: int = 1,
    performers: int = 1,
    noise_mm: float = 0.0,
    skin_mm: float = 0.0,
    occlusion: float = 0.0,
    dropout: float = 0.0,
    swaps: int = 0,
    cameras: int = 0,
    swaps_at_once: int = 1,
    cycles: int = 0,
    swap_gap_s: float = 0.0,
    slips: int = 0,
    slip_mm: float = 10.0,
    moved_clusters: int = 0,
    moved_mm: float = 20.0,
    end_joint_ratio: Optional[Sequence[float]] = None,
    palm_hides_tips: bool = False,
    sensors: bool = False,
    noise_deg: float = 0.0,
) -> str:
    """The options of a simulation."""
    return json.dumps(
        {
            "routine": one_of("routine", routine, ROUTINES),
            "seconds": seconds,
            "rate_hz": rate,
            "seed": seed,
            "performers": performers,
            "marker_set": markers,
            "sensors": sensors,
            "keypoints": keypoints,
            "noise_m": noise_mm / 1000.0,
            "orientation_noise_rad": noise_deg * 3.141592653589793 / 180.0,
            "skin_m": skin_mm / 1000.0,
            "occlusion": occlusion,
            "dropout": dropout,
            "swaps": swaps,
            "cameras": cameras,
            "swaps_at_once": swaps_at_once,
            "cycles": cycles,
            "swap_gap_s": swap_gap_s,
            "slips": slips,
            "slip_m": slip_mm / 1000.0,
            "moved_clusters": moved_clusters,
            "moved_m": moved_mm / 1000.0,
            "end_joint_ratio": None if end_joint_ratio is None else [float(own) for own in end_joint_ratio],
            "palm_hides_tips": palm_hides_tips,
        }
    )
