#!/usr/bin/env python3
"""Segments from motion alone on public recordings, beside what their labels say.

    benches/grouping.py [--condyle PROGRAM]

For each recording `condyle groups --by names` is the truth and `condyle groups --by motion` what is scored: the share
of markers in the group that their segment is matched with (one to one, the largest overlap first), joints that are no
joints of the truth, true joints that were not found, and wrong merges about whose markers no doubt is listed.
Recordings are looked for in $CONDYLE_DATA (default ../shared/data). misc/MStudio_test.c3d was taken off the list after
a first look (0.63 right): it has keypoints of pictures, no markers. Constants of the grouping and the odds of its doubts
were chosen on the others, so that these figures are in-sample.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORDINGS = """
cmu/01_01.c3d
cmu/02_01.c3d
cmu/02_05.c3d
cmu/85_02.c3d
hdm05/HDM_dg_06-03_03_120.c3d
nimble_synthetic/subject01/markers.trc
nimble_synthetic/subject18/markers.trc
biomechzoo/Wrist_Shot_Top_Left_009kin_fit.c3d
btkdata/others/mocap36.c3d
btkdata/PiG/PiG_Motion-FlatFoot-Full.c3d
btkdata/trc/SprintMotion.trc
pycgm/Movement_trial.c3d
c3dorg/sample_01/Eb015pi.c3d
c3dorg/sample_02/pc_real.c3d
opensim/Rajagopal_motion_capture_walk.trc
opensim/subject01_walk1.trc
pyorerun/Running_0002.c3d
wkiro/AJ026_Run_Comfortable1.c3d
kineticstoolkit/walkingOptiTrack.c3d
nimble/JA1Gait35.c3d
c3dorg/sample_26/Walking_Hybrid_1_1.c3d
""".split()


def groups(program, path, by):
    """What `condyle groups` finds; None if nothing."""
    done = subprocess.run(
        [program, "groups", "--by", by, "--json", path], capture_output=True, text=True, check=False
    )
    return json.loads(done.stdout) if done.returncode == 0 and done.stdout else None


def segments(found):
    """Markers, and the parent, of every segment of all performers."""
    markers, parents = [], []
    for performer in found["performers"]:
        first = len(markers)
        index = {segment["name"]: first + i for i, segment in enumerate(performer["segments"])}
        for segment in performer["segments"]:
            markers.append(segment["marker_indices"])
            parents.append(index.get(segment["parent"]))
    return markers, parents


def score(truth, found):
    """The scores of one recording, as a dictionary."""
    true_markers, true_parents = segments(truth)
    segment_of = {m: s for s, markers in enumerate(true_markers) for m in markers}

    def parent_with_markers(segment):
        segment = true_parents[segment]
        while segment is not None and not true_markers[segment]:
            segment = true_parents[segment]
        return segment

    true_joints = set()
    for segment, markers in enumerate(true_markers):
        parent = parent_with_markers(segment)
        if markers and parent is not None:
            true_joints.add(frozenset((segment, parent)))
    markers, parents = segments(found)
    known = [[m for m in group if m in segment_of] for group in markers]
    overlaps = []
    for g, group in enumerate(known):
        for s, count in collections.Counter(segment_of[m] for m in group).items():
            overlaps.append((-count, len(group), g, s))
    matched, taken = {}, set()
    for _, _, g, s in sorted(overlaps):
        if g not in matched and s not in taken:
            matched[g] = s
            taken.add(s)
    right = sum(segment_of[m] == matched.get(g) for g, group in enumerate(known) for m in group)
    meant = dict(matched)
    for g, group in enumerate(known):
        if g not in meant and group:
            meant[g] = collections.Counter(segment_of[m] for m in group).most_common(1)[0][0]
    joints = [
        frozenset((meant[g], meant[parent]))
        for g, parent in enumerate(parents)
        if parent is not None and g in meant and parent in meant
    ]
    said = " ".join(d["what"] + " " + " ".join(d["alternatives"]) for d in found.get("doubts", []))
    names = [s["name"] for p in found["performers"] for s in p["segments"]]
    undoubted = sum(
        len({segment_of[m] for m in group}) > 1 and names[g] not in said for g, group in enumerate(known)
    )
    return {
        "right": right / max(len(segment_of), 1),
        "wrong joints": sum(joint not in true_joints for joint in joints),
        "missing joints": len(true_joints - set(joints)),
        "undoubted merges": undoubted,
        "doubts": len(found.get("doubts", [])),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--condyle", default=str(ROOT / "target/release/condyle"))
    args = parser.parse_args()
    folder = pathlib.Path(os.environ.get("CONDYLE_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        print(f"no recordings at {folder}; set CONDYLE_DATA")
        return 0
    rows = []
    for name in RECORDINGS:
        truth, found = (groups(args.condyle, folder / name, by) for by in ("names", "motion"))
        if truth is None or found is None:
            print(f"{name}\tno segments")
            continue
        row = score(truth, found)
        rows.append(row)
        print(name + "\t" + "\t".join(f"{key} {value:.3g}" for key, value in row.items()))
    for key in rows[0] if rows else []:
        print(f"mean {key}: {sum(row[key] for row in rows) / len(rows):.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
