#!/usr/bin/env python3
"""Runs OpenSim's inverse kinematics as ik.xml has it, and compares joint centres and coordinates with ours.

usage: benches/exports/kinematics.py FOLDER...    where each was written by condyle run --smooth off

Needs numpy and opensim. Angles in angles.mot are smoothed otherwise, and OpenSim's are not.
"""

import os
import sys
from pathlib import Path

import numpy as np
import opensim

CENTRES = {"hip": "HJC", "knee": "KJC", "ankle": "AJC", "shoulder": "SJC", "elbow": "EJC", "wrist": "WJC"}


def label(joint):
    """The label that joints.trc has for a joint."""
    side, _, name = joint.partition("_")
    return side[0].upper() + CENTRES[name] if name in CENTRES else joint


def solved(folder):
    """The coordinates that OpenSim finds, by name, and the times."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        tool = opensim.InverseKinematicsTool("ik.xml")
        if not tool.run():
            raise RuntimeError("inverse kinematics failed")
        table = opensim.TimeSeriesTable(tool.getOutputMotionFileName())
    finally:
        os.chdir(before)
    return {name: table.getDependentColumn(name).to_numpy() for name in table.getColumnLabels()}, list(
        table.getIndependentColumn()
    )


def frames_of(table, times):
    """The rows of a table of ours at OpenSim's times."""
    ours_s = np.array(table.getIndependentColumn())
    return [int(np.argmin(abs(ours_s - time))) for time in times]


def centres_mm(folder, coordinates, times):
    """How far OpenSim's joint centres are from ours: joint, frames."""
    model = opensim.Model(str(folder / "model.osim"))
    state = model.initSystem()
    ours = opensim.TimeSeriesTableVec3(str(folder / "joints.trc"))
    unit = {"mm": 1.0, "m": 1e3}[ours.getTableMetaDataString("Units")]
    known = list(ours.getColumnLabels())
    joints = [joint for joint in model.getJointSet() if label(joint.getName()) in known]
    columns = {j.getName(): ours.getDependentColumn(label(j.getName())) for j in joints}
    apart = {joint.getName(): np.full(len(times), np.nan) for joint in joints}
    own = {c.getName(): c for c in model.getCoordinateSet()}
    for row, frame in enumerate(frames_of(ours, times)):
        for name, coordinate in own.items():
            value = coordinates[name][row]
            turns = coordinate.getMotionType() == opensim.Coordinate.Rotational
            coordinate.setValue(state, np.radians(value) if turns else value, False)
        model.realizePosition(state)
        for joint in joints:
            theirs = 1e3 * joint.getChildFrame().getPositionInGround(state).to_numpy()
            apart[joint.getName()][row] = np.linalg.norm(theirs - unit * columns[joint.getName()][frame].to_numpy())
    return apart


def angles_deg(folder, coordinates, times):
    """How far OpenSim's angles are from those of angles.mot, by name."""
    table = opensim.TimeSeriesTable(str(folder / "angles.mot"))
    frames = frames_of(table, times)
    apart = {}
    for name in table.getColumnLabels():
        if name in coordinates and name not in ("pelvis_tx", "pelvis_ty", "pelvis_tz"):
            gap = coordinates[name] - table.getDependentColumn(name).to_numpy()[frames]
            apart[name] = abs((gap + 180) % 360 - 180)
    return apart


def quantiles(values):
    seen = values[~np.isnan(values)]
    return (np.median(seen), np.quantile(seen, 0.95)) if len(seen) else (np.nan, np.nan)


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    opensim.Logger.setLevelString("Off")
    for folder in map(Path, sys.argv[1:]):
        try:
            coordinates, times = solved(folder)
            millimetres = centres_mm(folder, coordinates, times)
            degrees = angles_deg(folder, coordinates, times)
        except Exception as error:
            print(f"{folder.name}: none: {str(error).strip().splitlines()[0]}")
            continue
        mm, deg = (quantiles(np.concatenate(list(all.values()))) for all in (millimetres, degrees))
        print(
            f"{folder.name}: {len(times)} frames, {len(millimetres)} joints {mm[0]:.2f} mm ({mm[1]:.2f} at 95 %), "
            f"{len(degrees)} angles {deg[0]:.2f} degrees ({deg[1]:.2f})"
        )
        worst = [(quantiles(v)[1], n, "mm") for n, v in millimetres.items()]
        worst += [(quantiles(v)[1], n, "degrees") for n, v in degrees.items()]
        for value, name, unit in sorted(worst, key=lambda own: -own[0]):
            if value > (5 if unit == "mm" else 2):
                print(f"    {name}: {value:.1f} {unit} at 95 %")


main()
