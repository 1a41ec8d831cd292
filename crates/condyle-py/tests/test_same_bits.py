"""Python and the command line give the same joints, bit for bit."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

import condyle

#: Ten recordings of several laboratories, programs and marker sets.
FILES = [
    "cmu/01_01.c3d", "cmu/02_01.c3d", "hdm05/HDM_dg_06-03_03_120.c3d", "ezc3d-testFiles/Qualisys.c3d",
    "kineticstoolkit/walkingOptiTrack.c3d", "kineticstoolkit/sample_propulsion.c3d", "pycgm/Movement_trial.c3d",
    "opensim/walking2.c3d", "opensim/subject01_walk1.trc", "biomechzoo/Wrist_Shot_Top_Left_009kin_fit.c3d",
]  # fmt: skip


def compare(program: str, file: Path, folder: Path) -> int:
    """Joint centres as both write them; how many joints."""
    ran = subprocess.run(
        [program, "run", str(file), "-o", str(folder), "--quiet"], capture_output=True, text=True, check=False
    )
    try:
        result = condyle.run(file)
    except condyle.Error as error:
        assert ran.returncode == 1 and str(error) in ran.stderr
        return 0
    assert ran.returncode == 0, ran.stderr
    written = sorted(folder.glob("*/*joints.csv"))
    assert len(written) == len(result.performers)
    count = 0
    ours = {performer.to_bytes("csv") for performer in result.performers}
    assert {path.read_bytes() for path in written} == ours
    for path, performer in zip(written, result.performers):
        count += len(performer.joints)
        table = np.genfromtxt(path, delimiter=",", names=True, deletechars="")
        assert len(table) == result.trial.frames
    return count


def test_a_walk_that_is_made_up(program: str, walk_file: Path, tmp_path: Path) -> None:
    assert compare(program, walk_file, tmp_path / "out") == 16


@pytest.mark.parametrize("file", FILES)
def test_recordings(program: str, recordings: Path, file: str, tmp_path: Path) -> None:
    assert compare(program, recordings / file, tmp_path / "out") > 0
