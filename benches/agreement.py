"""Compares what Condyle and ezc3d read in every C3D file, and what ezc3d reads in files Condyle wrote.

`agreement.tsv` holds the expected verdict of every recording, with the reason where the two differ
and who is right. A verdict that changes, in either direction, fails the run.
"""

import argparse
import subprocess
import sys
from pathlib import Path

import numpy as np

import dump
import peer

TOLERANCE_MM = 1e-5
ANALOG_TOLERANCE = 1e-6
EXPECTED = Path(__file__).with_name("agreement.tsv")

SAME = "same"
GAPS = "same values, different gaps"
DIFFERS = "differs"


def largest_mm(ours, theirs):
    """The largest distance along an axis where both have the sample, and how many gaps differ."""
    theirs_mm = theirs.points * ours.metres_per_unit * 1000
    difference_mm = np.abs(theirs_mm - ours.points_m * 1000)
    gaps = np.isnan(theirs_mm).any(axis=2) != np.isnan(ours.points_m).any(axis=2)
    return np.nanmax(difference_mm, initial=0.0), int(gaps.sum())


def largest_analog(ours, theirs):
    """The largest difference as a share of the larger of both; infinite where one is not finite."""
    difference = np.abs(theirs.analog - ours.analog)
    size = np.maximum(np.abs(theirs.analog), np.abs(ours.analog))
    share = np.divide(difference, size, out=np.zeros_like(difference), where=size > 0)
    unequal = np.isnan(ours.analog) != np.isnan(theirs.analog)
    return np.inf if unequal.any() else np.nanmax(share, initial=0.0)


def named(theirs, points):
    """Labels beyond the number of points name nothing; an empty one is named *N by Condyle."""
    return [label or f"*{i + 1}" for i, label in enumerate(theirs.labels[:points])]


def compare(ours, theirs):
    """The verdict, the largest difference in millimetres, and what differs."""
    found = []
    if theirs.points.shape != ours.points_m.shape:
        found.append(f"points x frames: {ours.points_m.shape[:2]}, ezc3d {theirs.points.shape[:2]}")
    if not np.isclose(theirs.rate_hz, ours.rate_hz, rtol=1e-6):
        found.append(f"rate: {ours.rate_hz:g} Hz, ezc3d {theirs.rate_hz:g} Hz")
    if named(theirs, len(ours.labels)) != ours.labels:
        found.append(f"labels: {len(ours.labels)}, ezc3d {len(theirs.labels)}")
    if theirs.analog.shape != ours.analog.shape:
        found.append(f"channels x samples: {ours.analog.shape}, ezc3d {theirs.analog.shape}")
    elif (share := largest_analog(ours, theirs)) > ANALOG_TOLERANCE:
        found.append(f"analog: by {share:.2g} of the value")
    if theirs.points.shape != ours.points_m.shape:
        return DIFFERS, None, found
    difference_mm, gaps = largest_mm(ours, theirs)
    if difference_mm > TOLERANCE_MM:
        found.append(f"coordinates: by {difference_mm:.4g} mm")
    if found:
        return DIFFERS, difference_mm, found
    if gaps:
        return GAPS, difference_mm, [f"{gaps} samples are gaps for one only"]
    return SAME, difference_mm, []


def verdict(tool, path, scratch):
    """The verdict on one file, the largest difference and what differs, and our reading."""
    ours = theirs = None
    found = []
    try:
        ours = dump.read(tool, path, scratch)
    except dump.Refused as error:
        found.append(f"condyle: {error}")
    try:
        theirs = peer.read(path)
    except peer.Refused as error:
        found.append(f"ezc3d: {error}")
    if ours and theirs:
        return *compare(ours, theirs), ours
    refusal = {(True, False): "ezc3d refuses", (False, True): "condyle refuses"}
    return refusal.get((bool(ours), bool(theirs)), "both refuse"), None, found, ours


def written_back(tool, condyle, ours, path, scratch):
    """What ezc3d finds different in the file that Condyle writes of a recording; nothing if all is well."""
    out = Path(scratch) / "written.c3d"
    command = [condyle, "convert", "--quiet", "--force", path, out]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        return [f"not written: {run.stderr.strip()}"]
    try:
        theirs = peer.read(out)
    except peer.Refused as error:
        return [f"ezc3d refuses what was written: {error}"]
    found = []
    if theirs.points.shape != ours.points_m.shape:
        return [f"points x frames: {ours.points_m.shape[:2]}, ezc3d {theirs.points.shape[:2]}"]
    if not np.isclose(theirs.rate_hz, ours.rate_hz, rtol=1e-6):
        found.append(f"rate: {ours.rate_hz:g} Hz, ezc3d {theirs.rate_hz:g} Hz")
    if named(theirs, len(ours.labels)) != ours.labels:
        found.append(f"labels: {len(ours.labels)}, ezc3d {len(theirs.labels)}")
    # The unit in which it was written is that of reading it again.
    again = dump.read(tool, out, scratch)
    difference_mm, gaps = largest_mm(again, theirs)
    if difference_mm > TOLERANCE_MM:
        found.append(f"coordinates: by {difference_mm:.4g} mm")
    if gaps:
        found.append(f"{gaps} samples are gaps for one only")
    if again.is_float:
        stored = (ours.points_m / again.metres_per_unit).astype("f4")
        bits = stored.view("u4") != theirs.points.astype("f4").view("u4")
        # Zero has two signs, and a gap many bit patterns.
        bits &= (stored != 0) & ~np.isnan(stored) & ~np.isnan(theirs.points)
        if bits.any():
            found.append(f"{int(bits.sum())} coordinates are not bit-identical")
    if again.analog.shape != theirs.analog.shape:
        found.append(f"channels x samples: {again.analog.shape}, ezc3d {theirs.analog.shape}")
    elif (share := largest_analog(again, theirs)) > ANALOG_TOLERANCE:
        found.append(f"analog: by {share:.2g} of the value")
    return found + rotations(again, theirs)


def rotations(ours, theirs):
    """What differs in the rigid bodies."""
    if ours.world_from_body.shape != theirs.world_from_body.shape:
        shapes = f"{ours.world_from_body.shape[:2]}, ezc3d {theirs.world_from_body.shape[:2]}"
        return [f"bodies x frames: {shapes}"] if ours.body_names or theirs.world_from_body.size else []
    theirs_m = theirs.world_from_body.copy()
    theirs_m[:, :, :3, 3] *= ours.metres_per_unit
    # Only the first three rows move; an untracked body has NaN here and a negative residual there.
    difference = np.abs(theirs_m - ours.world_from_body)[:, :, :3]
    gaps = np.isnan(theirs_m).any(axis=(2, 3)) != np.isnan(ours.world_from_body).any(axis=(2, 3))
    found = []
    if np.nanmax(difference, initial=0.0) > 1e-6:
        found.append(f"rotation matrices: by {np.nanmax(difference):.2g}")
    if gaps.any():
        found.append(f"{int(gaps.sum())} poses are gaps for one only")
    return found


def expectations():
    """Per file the expected verdict of reading, of writing back, and the reason."""
    rows = {}
    for line in EXPECTED.read_text().splitlines()[1:]:
        name, reading, writing, reason = line.split("\t")
        rows[name] = (reading, writing, reason)
    return rows


def of_other_formats(folder, scratch):
    """Recordings of other formats to be written as C3D: our own tiny ones, and all TRC and CSV."""
    rows = ["Frame#\tTime\tA\t\t\tB\t\t", "\t\tX1\tY1\tZ1\tX2\tY2\tZ2"]
    rows += [f"{i + 1}\t{i / 50}\t{i}\t2.5\t3\t{-i}\t1.25\t{1000 + i / 3:.6f}" for i in range(12)]
    rows[6] = "5\t0.08\t\t\t\t1\t2\t3"
    head = ["PathFileType\t4\t(X/Y/Z)\town.trc", "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits"]
    trc = Path(scratch) / "own.trc"
    trc.write_text("\n".join([*head, "50\t50\t12\t2\tmm", *rows]) + "\n")
    table = ["time_s,thigh_x,thigh_y,thigh_z,thigh_qw,thigh_qx,thigh_qy,thigh_qz"]
    for i in range(8):
        half = 0.2 * i
        table.append(f"{i / 100},{i / 10},0.2,0.3,{np.cos(half)},0,{np.sin(half)},0")
    table[4] = "0.03,,,,,,,"
    csv = Path(scratch) / "own.csv"
    csv.write_text("\n".join(table) + "\n")
    found = [path for path in sorted(folder.rglob("*")) if path.suffix.lower() in (".trc", ".csv")]
    return [trc, csv, *found]


def check_recordings(tool, condyle, folder, scratch, bless):
    expected = expectations() if EXPECTED.exists() else {}
    changed, kept, counts = [], [], {}
    print(f"{'file':<62} {'largest/mm':>10}  verdict")
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() != ".c3d":
            continue
        name = str(path.relative_to(folder))
        reading, difference_mm, found, ours = verdict(tool, path, scratch)
        writing = "-"
        if ours is not None:
            writing = "; ".join(written_back(tool, condyle, ours, path, scratch)) or "identical"
        counts[reading] = counts.get(reading, 0) + 1
        counts["written: identical"] = counts.get("written: identical", 0) + (writing == "identical")
        _, _, reason = expected.get(name, ("", "", ""))
        size = "" if difference_mm is None else f"{difference_mm:.2g}"
        print(f"{name[-62:]:<62} {size:>10}  {reading}")
        for line in [*found, *([reason] if reason else [])]:
            print(f"    {line}")
        if writing not in ("identical", "-"):
            print(f"    written back: {writing}")
        if expected.get(name, ("", ""))[:2] != (reading, writing):
            changed.append(f"{name}: {expected.get(name, ('not listed', ''))[:2]} is now {(reading, writing)}")
        kept.append(f"{name}\t{reading}\t{writing}\t{reason}")
    if bless:
        EXPECTED.write_text("\n".join(["file\treading\twritten back\treason", *kept]) + "\n")
        changed = []
    print()
    for key, count in sorted(counts.items()):
        print(f"{count:4} {key}")
    return changed


def check_other_formats(tool, condyle, folder, scratch):
    print("\nother formats, written as C3D and read by ezc3d")
    wrong, identical, bodies = [], 0, 0
    for path in of_other_formats(folder, scratch):
        try:
            ours = dump.read(tool, path, scratch)
        except dump.Refused:
            continue
        if not ours.labels and not ours.body_names:
            continue
        found = written_back(tool, condyle, ours, path, scratch)
        identical += not found
        bodies += len(ours.body_names)
        if found:
            wrong.append(f"{path.name}: {'; '.join(found)}")
            print(f"    {wrong[-1]}")
    print(f"{identical:4} identical, {bodies} rigid bodies among them")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", required=True, help="the binary condyle-bench-c3d")
    parser.add_argument("--condyle", required=True, help="the binary condyle")
    parser.add_argument("--data", type=Path, required=True, help="the folder with recordings")
    parser.add_argument("--scratch", type=Path, required=True)
    parser.add_argument("--bless", action="store_true", help="take what is found as expected")
    options = parser.parse_args()
    if not options.data.is_dir():
        print(f"skipped: no recordings at {options.data}")
        return 0
    tools = (options.tool, options.condyle, options.data, options.scratch)
    wrong = check_recordings(*tools, options.bless) + check_other_formats(*tools)
    for line in wrong:
        print(f"CHANGED  {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
