"""A performer calibrated once: segments, joints, and how sure all that is."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _condyle, _options
from ._files import write_whole
from ._notes import Note

Floats = npt.NDArray[np.float64]


class SubjectJoint(NamedTuple):
    """Where two segments meet, in their own frames."""

    name: str
    parent: str
    child: str
    kind: str
    """``ball``, ``hinge`` or ``fixed``."""
    centre_known: str
    """``well``, ``fairly`` or ``barely``."""
    sd_m: float
    """The standard error of the centre along its worst direction."""
    covariance_m2: Floats
    """3 x 3, in the parent's frame."""
    centre_in_parent_m: Floats
    centre_in_child_m: Floats
    range_rad: float
    bone_length_m: Optional[float]
    advice: Optional[str]


class Subject:
    """A performer calibrated once, for every trial with the same markers in the same places."""

    def __init__(self, native: _condyle.Subject) -> None:
        self._native = native
        self._plain: Optional[Dict[str, Any]] = None

    @classmethod
    def read(cls, path: Union[str, "os.PathLike[str]"]) -> "Subject":
        """Reads a subject file."""
        return cls.from_json(_options.text_of("subject", path))

    @classmethod
    def from_json(cls, text: str) -> "Subject":
        return cls(_condyle.Subject.from_json(text))

    def to_json(self) -> str:
        """As docs/subject.md has it."""
        return self._native.to_json()

    def write(self, path: Union[str, "os.PathLike[str]"], *, force: bool = False) -> List[Note]:
        """Writes a subject file."""
        return write_whole(path, force, lambda _: ((self.to_json() + "\n").encode(), []))

    @property
    def plain(self) -> Dict[str, Any]:
        """Everything that its file holds."""
        if self._plain is None:
            self._plain = dict(json.loads(self.to_json()))
        return self._plain

    @property
    def name(self) -> str:
        return self._native.name

    @property
    def segments(self) -> List[str]:
        return [segment["name"] for segment in self.plain["segments"]]

    @property
    def joints(self) -> Dict[str, SubjectJoint]:
        """Its joints by their names, in order."""
        certainties, bones = self._native.certainties(), self._native.bone_lengths()
        found: Dict[str, SubjectJoint] = {}
        for own, (sd_m, centre_known), bone in zip(self.plain["joints"], certainties, bones):
            found[own["name"]] = SubjectJoint(
                name=own["name"],
                parent=own["parent"],
                child=own["child"],
                kind=own["kind"],
                centre_known=centre_known,
                sd_m=sd_m,
                covariance_m2=np.array(own["covariance_m2"]),
                centre_in_parent_m=np.array(own["centre_in_parent_m"]),
                centre_in_child_m=np.array(own["centre_in_child_m"]),
                range_rad=own["range_rad"],
                bone_length_m=bone,
                advice=own.get("advice"),
            )
        return found

    def __reduce__(self) -> Tuple[Any, Tuple[str]]:
        return Subject.from_json, (self.to_json(),)

    def __repr__(self) -> str:
        name = f" {self.name!r}" if self.name else ""
        return f"<Subject{name}: {len(self.segments)} segments, {len(self.plain['joints'])} joints>"
