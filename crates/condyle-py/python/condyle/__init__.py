"""Markers in, skeleton out.

>>> import condyle
>>> result = condyle.run("walk.c3d")              # doctest: +SKIP
>>> result.joints["left knee"].positions_m        # doctest: +SKIP

Positions are metres in the recording's own axes, NaN where missing; angles radians; frames counted from 0.
"""

from . import hand
from ._condyle import VERSION as __version__
from ._errors import ArgumentError, Error, FileError
from ._figure import Analysis, Figure, analyse, figure
from ._ik import Reach, Reacher, ik
from ._live import Certainty, Live
from ._map import Outcome, map
from ._notes import Note
from ._result import Joint, Performer, Result, Segment, write
from ._skin import Blended, Skin, blend, skin
from ._steps import (
    Filled,
    Fitted,
    Gait,
    Labelled,
    Plan,
    Simulation,
    centre,
    describe,
    fill,
    fit,
    gait,
    groups,
    key,
    label,
    pivot,
    run,
    scale,
    simulate,
    sniff,
    solve,
)
from ._subject import Subject, SubjectJoint
from ._trial import Channel, Event, Markers, Trajectory, Trial, read

__all__ = [
    "Analysis",
    "ArgumentError",
    "Blended",
    "Certainty",
    "Channel",
    "Error",
    "Event",
    "Figure",
    "FileError",
    "Filled",
    "Fitted",
    "Gait",
    "Joint",
    "Labelled",
    "Live",
    "Markers",
    "Note",
    "Outcome",
    "Performer",
    "Plan",
    "Reach",
    "Reacher",
    "Result",
    "Segment",
    "Simulation",
    "Skin",
    "Subject",
    "SubjectJoint",
    "Trajectory",
    "Trial",
    "__version__",
    "analyse",
    "blend",
    "centre",
    "describe",
    "figure",
    "fill",
    "fit",
    "gait",
    "groups",
    "hand",
    "ik",
    "key",
    "label",
    "map",
    "pivot",
    "read",
    "run",
    "scale",
    "simulate",
    "skin",
    "sniff",
    "solve",
    "write",
]
