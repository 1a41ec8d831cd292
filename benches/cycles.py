#!/usr/bin/env python3
"""Compares angles over the stride with those that files carry, stride by stride, and where feet point, side by side.

usage: benches/cycles.py OUT    where OUT was written by condyle run

Needs numpy and ezc3d. Files with LKneeAngles and the like (Plug-in Gait) are taken; a stride is that of gait.json.
"""

import csv
import json
import sys
from pathlib import Path

import ezc3d
import numpy as np

JOINTS = (("Knee", "knee flexion"), ("Hip", "hip flexion"), ("Ankle", "ankle dorsiflexion"))
PERCENT = np.linspace(0, 1, 101)


def table(path):
    with open(path, newline="") as file:
        header, *rows = csv.reader(file)
    return header, np.array([[float(cell) if cell else np.nan for cell in row] for row in rows])


def strides(folder):
    """For every stride and joint: correlation, offset, rms, and rms without the offset."""
    recording = json.loads((folder / "run.json").read_text())["file"]
    if not recording.lower().endswith(".c3d") or not (folder / "gait.json").exists():
        return
    try:
        file = ezc3d.c3d(recording)
    except Exception:
        return
    labels = [label.split(":")[-1] for label in file["parameters"]["POINT"]["LABELS"]["value"]]
    rate_hz = file["parameters"]["POINT"]["RATE"]["value"][0]
    points = file["data"]["points"]
    header, rows = table(folder / "angles.csv")
    time_s = rows[:, header.index("time_s")]
    file_time_s = time_s[0] + np.arange(points.shape[2]) / rate_hz
    for entry in json.loads((folder / "gait.json").read_text()):
        for cycle in entry["cycles"] if entry["recording"] else []:
            at_s = cycle["start_s"] + PERCENT * (cycle["end_s"] - cycle["start_s"])
            for joint, angle in JOINTS:
                theirs, ours = f"{cycle['side'][0].upper()}{joint}Angles", f"{cycle['side']} {angle} [deg]"
                if theirs not in labels or ours not in header:
                    continue
                a = np.interp(at_s, time_s, rows[:, header.index(ours)])
                b = np.interp(at_s, file_time_s, points[0, labels.index(theirs)])
                if np.isnan(a).any() or np.isnan(b).any() or np.ptp(b) < 1:
                    continue
                gap = a - b
                yield Path(recording).name, angle, np.corrcoef(a, b)[0, 1], gap.mean(), np.sqrt((gap**2).mean()), gap.std()


def feet(folder):
    """For every side: how far the mean curve of where the foot points is from the file's own, rms and at most."""
    recording = json.loads((folder / "run.json").read_text())["file"]
    if not recording.lower().endswith(".c3d") or not (folder / "cycles.csv").exists():
        return
    try:
        file = ezc3d.c3d(recording)
    except Exception:
        return
    labels = [label.split(":")[-1] for label in file["parameters"]["POINT"]["LABELS"]["value"]]
    rate_hz, points = file["parameters"]["POINT"]["RATE"]["value"][0], file["data"]["points"]
    start_s = table(folder / "angles.csv")[1][0, 1]
    with open(folder / "cycles.csv", newline="") as rows:
        ours = {(r["side"], int(r["percent"])): float(r["mean"]) for r in csv.DictReader(rows) if r["joint"] == "foot"}
    cycles = json.loads((folder / "gait.json").read_text())[0]["cycles"]
    for side in ("left", "right"):
        label = f"{side[0].upper()}FootProgressAngles"
        if label not in labels or (side, 0) not in ours:
            continue
        time_s = start_s + np.arange(points.shape[2]) / rate_hz
        own = [c for c in cycles if c["side"] == side]
        at_s = [c["start_s"] + PERCENT * (c["end_s"] - c["start_s"]) for c in own]
        theirs = np.nanmean([np.interp(at, time_s, points[2, labels.index(label)]) for at in at_s], axis=0)
        gap = np.array([ours.get((side, percent), np.nan) for percent in range(101)]) - theirs
        yield Path(recording).name, side, np.sqrt(np.nanmean(gap**2)), np.nanmax(abs(gap))


def say(name, angle, found):
    r, offset, rms, rest = np.array(found).T
    print(
        f"{name:32} {angle:18} {len(found):2} strides  r {np.median(r):.3f} ({min(r):.3f} at least)  "
        f"offset {np.median(offset):5.1f}  rms {np.median(rms):4.1f}  without offset {np.median(rest):.1f} degrees"
    )


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    found = {}
    for run in sorted(Path(sys.argv[1]).rglob("run.json")):
        for name, angle, *figures in strides(run.parent):
            found.setdefault((name, angle), []).append(figures)
            found.setdefault(("all", angle), []).append(figures)
    for (name, angle), figures in sorted(found.items()):
        say(name, angle, figures)
    for run in sorted(Path(sys.argv[1]).rglob("run.json")):
        for name, side, rms, most in feet(run.parent):
            print(f"{name:32} foot progression, {side}: rms {rms:.1f}, {most:.1f} degrees at most")


main()
