"""Opens the exports of a solved recording with other programs and compares them with the joint centres."""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import numpy as np

import robots

LIMIT_MM = 0.1
SIDED = {"UpLeg": "hip", "Leg": "knee", "Foot": "ankle", "Arm": "shoulder", "ForeArm": "elbow", "Hand": "wrist"}
SIDED |= {"Shoulder": "sternoclavicular joint"}
BONES = {"Spine": "waist", "Head": "neck"} | {
    f"{side}{bone}": f"{side.lower()} {joint}" for side in ("Left", "Right") for bone, joint in SIDED.items()
}
CENTRES = {"hip": "HJC", "knee": "KJC", "ankle": "AJC", "shoulder": "SJC", "elbow": "EJC", "wrist": "WJC"}

failures = []


def say(what, is_good, figures):
    print(f"{what:34} {figures}  {'met' if is_good else 'MISSED'}")
    if not is_good:
        failures.append(what)


def run(*args):
    ran = subprocess.run([str(a) for a in args], capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(f"{args[0]}: exit code {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def table(path):
    """A CSV table as its header and a matrix, NaN for empty cells."""
    lines = path.read_text().splitlines()
    rows = [[float(cell) if cell else np.nan for cell in line.split(",")] for line in lines[1:]]
    return lines[0].split(","), np.array(rows)


def centres(path):
    """Joint centres by name, frames x 3, metres, with y up instead of z."""
    header, rows = table(path)
    names = [column[:-2] for column in header if column.endswith("_x")]
    pick = lambda name: rows[:, [header.index(f"{name}_{axis}") for axis in "xyz"]]
    return {name: pick(name) @ np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]]) for name in names}, rows[:, 1]


def label(joint):
    side, _, name = joint.partition(" ")
    return side[0].upper() + CENTRES[name] if name in CENTRES else joint.replace(" ", "_")


def farthest_mm(ours, theirs):
    """The farthest that a joint is from ours, over frames where we have it."""
    shared = sorted(set(ours) & set(theirs))
    gaps = [np.linalg.norm(ours[name] - theirs[name], axis=-1) for name in shared]
    return 1e3 * max(np.nanmax(gap) for gap in gaps), len(shared)


def gltf(folder, scratch, ours, time_s):
    report = json.loads(run("node", scratch / "validate.mjs", folder / "out.glb"))
    counts = [report[key] for key in ("numErrors", "numWarnings", "numInfos", "numHints")]
    for message in report["messages"]:
        print("   ", message["code"], message["message"])
    figures = f"{counts[0]} errors, {counts[1]} warnings, {counts[2]} infos, {counts[3]} hints"
    say(f"glTF validator {report['version']}", counts[0] == counts[1] == 0, figures)
    frames = np.unique(np.linspace(0, len(time_s) - 1, 60).astype(int))
    times = time_s[frames] - time_s[0]
    there = json.loads(run("node", scratch / "bones.mjs", folder / "out.glb", *(f"{t:.9f}" for t in times)))
    positions = np.array(there["frames"][1:])
    theirs = {BONES[name]: positions[:, i] for i, name in enumerate(there["names"]) if name in BONES}
    error_mm, joints = farthest_mm({name: ours[name][frames] for name in ours}, theirs)
    figures = f"{error_mm:.5f} mm at most, {joints} joints, {len(frames)} frames, {there['skinned']} skinned mesh"
    say(f"three.js r{there['revision']}", error_mm < LIMIT_MM and joints == len(ours) and there["skinned"] == 1, figures)


def bvh(folder, ours):
    import bvhio

    for name, scale in (("out.bvh", 1.0), ("out-cm.bvh", 0.01)):
        root = bvhio.readAsHierarchy(str(folder / name))
        bones = {joint.Name: joint for joint, _, _ in root.layout()}
        frames = np.unique(np.linspace(0, len(next(iter(ours.values()))) - 1, 60).astype(int))
        theirs = {joint: [] for bone, joint in BONES.items() if bone in bones}
        for frame in frames:
            root.loadPose(int(frame))
            for bone, joint in BONES.items():
                if bone in bones:
                    theirs[joint].append(np.array(bones[bone].PositionWorld) * scale)
        theirs = {joint: np.array(positions) for joint, positions in theirs.items()}
        error_mm, joints = farthest_mm({n: ours[n][frames] for n in ours}, theirs)
        figures = f"{error_mm:.5f} mm at most, {joints} joints, {len(frames)} frames"
        say(f"bvhio, {name}", error_mm < LIMIT_MM and joints == len(ours), figures)


def c3d(folder, recording, ours):
    import ezc3d

    before, after = ezc3d.c3d(str(recording)), ezc3d.c3d(str(folder / "out.c3d"))
    old = before["parameters"]["POINT"]["LABELS"]["value"]
    new = after["parameters"]["POINT"]["LABELS"]["value"]
    same = np.array_equal(before["data"]["points"], after["data"]["points"][:, : len(old)], equal_nan=True)
    same_analog = np.array_equal(before["data"]["analogs"], after["data"]["analogs"], equal_nan=True)
    groups = set(before["parameters"]) <= set(after["parameters"])
    points = after["data"]["points"][:3].transpose(1, 2, 0) / 1e3 @ np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    found = {name.split(":")[-1]: points[i] for i, name in enumerate(new)}
    theirs = {joint: found[label(joint)] for joint in ours if label(joint) in found}
    error_mm, joints = farthest_mm(ours, theirs)
    kept = same and same_analog and groups and new[: len(old)] == old
    figures = f"{error_mm:.5f} mm at most, {joints} points added, the {len(old)} others {'the same' if kept else 'CHANGED'}"
    say("ezc3d, out.c3d", error_mm < LIMIT_MM and joints == len(ours) and kept, figures)


def opensim(folder, ours):
    import opensim

    opensim.Logger.setLevelString("Off")
    markers = opensim.TimeSeriesTableVec3(str(folder / "out.trc"))
    unit = {"mm": 1e-3, "m": 1.0}[markers.getTableMetaDataString("Units")]
    theirs = {}
    for joint in ours:
        column = markers.getDependentColumn(label(joint))
        theirs[joint] = np.array([column[i].to_numpy() for i in range(markers.getNumRows())]) * unit
    error_mm, joints = farthest_mm(ours, theirs)
    say("OpenSim, out.trc", error_mm < LIMIT_MM and joints == len(ours), f"{error_mm:.5f} mm at most, {joints} markers")

    header, rows = table(folder / "angles.csv")
    angles = opensim.TimeSeriesTable(str(folder / "out.mot"))
    storage = opensim.Storage(str(folder / "out.mot"))
    labels = list(angles.getColumnLabels())
    # Coordinates that are an angle of ours, with the same sign and zero.
    same = {"hip_adduction": "hip adduction", "hip_rotation": "hip internal rotation", "knee_angle": "knee flexion"}
    worst = 0.0
    for name, ours_name in same.items():
        for letter, side in (("l", "left"), ("r", "right")):
            theirs_deg = angles.getDependentColumn(f"{name}_{letter}").to_numpy()
            ours_deg = rows[:, header.index(f"{side} {ours_name} [deg]")]
            worst = max(worst, np.nanmax(np.abs(ours_deg - theirs_deg)))
    has_pelvis = labels[:6] == ["pelvis_tilt", "pelvis_list", "pelvis_rotation", "pelvis_tx", "pelvis_ty", "pelvis_tz"]
    is_degrees = angles.getTableMetaDataString("inDegrees") == "yes" and storage.isInDegrees()
    figures = f"{worst:.1e} degrees at most, {len(labels)} columns, {storage.getSize()} rows"
    is_good = worst < 1e-6 and is_degrees and has_pelvis and storage.getSize() == len(rows)
    say(f"OpenSim {opensim.GetVersion()}, out.mot", is_good, figures)


def opensim_walkers(condyle, scratch, data):
    """Our coordinates of walkers made by OpenSim against their own."""
    import opensim

    def read(path):
        coordinates = opensim.TimeSeriesTable(str(path))
        in_degrees = coordinates.hasTableMetaDataKey("inDegrees") and coordinates.getTableMetaDataString("inDegrees") == "yes"
        names = list(coordinates.getColumnLabels())
        turns = lambda name: 1.0 if in_degrees or name in ("pelvis_tx", "pelvis_ty", "pelvis_tz") else np.degrees(1.0)
        return {name: turns(name) * coordinates.getDependentColumn(name).to_numpy() for name in names}

    for walker in ("subject01", "subject18"):
        recording = data / "nimble_synthetic" / walker / "markers.trc"
        if not recording.is_file():
            continue
        run(condyle, "run", recording, "-o", scratch / "walkers" / walker, "--force", "--quiet")
        ours = read(scratch / "walkers" / walker / "markers" / "angles.mot")
        theirs = read(data / "nimble_synthetic" / walker / "coordinates.sto")
        shared = [name for name in theirs if name in ours]
        least, inverted = 1.0, []
        for name in shared:
            frames = min(len(ours[name]), len(theirs[name]))
            a, b = ours[name][:frames], theirs[name][:frames]
            seen = ~np.isnan(a)
            r = np.corrcoef(a[seen], b[seen])[0, 1]
            offset, rest = np.mean(a[seen] - b[seen]), np.std(a[seen] - b[seen])
            print(f"    {name:18} correlation {r:7.4f}  offset {offset:8.3f}  rest {rest:.3f}")
            least = min(least, r)
            inverted += [name] if r < 0 else []
        figures = f"{len(shared)} coordinates, correlation {least:.2f} at least, inverted: {inverted or 'none'}"
        say(f"OpenSim, coordinates of {walker}", not inverted and len(shared) >= 31, figures)


def opensim_loads(condyle, scratch, data):
    """OpenSim loads every TRC, MOT and model of every public recording that runs."""
    import opensim

    opensim.Logger.setLevelString("Off")
    out = scratch / "all"
    command = [condyle, "run", data, "-o", out, "--quiet", "--urdf", "--mujoco"]
    # Some recordings cannot be run: that is not the question here.
    subprocess.run([str(part) for part in command], capture_output=True)
    load = {
        ".trc": opensim.TimeSeriesTableVec3,
        ".mot": opensim.TimeSeriesTable,
        ".osim": lambda path: opensim.Model(path).initSystem(),
    }
    ran = sorted(path.parent for path in out.rglob("run.json"))
    for suffix, read in load.items():
        files = sorted(path for folder in ran for path in folder.glob(f"*{suffix}"))
        refused = []
        for path in files:
            try:
                read(str(path))
            except Exception as error:
                refused.append(f"{path.relative_to(out)}: {str(error).splitlines()[0]}")
        for line in refused:
            print("    ", line)
        figures = f"{len(files) - len(refused)} of {len(files)} files of {len(ran)} recordings"
        say(f"OpenSim loads {suffix}", not refused, figures)
    robots.check(out, say)


def parquet(folder, ours):
    import pyarrow.parquet

    frame = pyarrow.parquet.read_table(folder / "out.parquet").to_pydict()
    column = lambda name: np.array([np.nan if v is None else v for v in frame[name]])
    turned = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    theirs = {joint: np.stack([column(f"{joint}_{axis}") for axis in "xyz"], axis=1) @ turned for joint in ours}
    error_mm, joints = farthest_mm(ours, theirs)
    say("pyarrow, out.parquet", error_mm < 1e-9, f"{error_mm:.1e} mm at most, {len(frame)} columns")


def picture(folder, scratch, path, time_s):
    """Draws the bones as three.js has them: from the front and from the side, in some frames."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    times = np.linspace(0, time_s[-1] - time_s[0], 5)
    bones = json.loads(run("node", scratch / "bones.mjs", folder / "out.glb", *(f"{t:.6f}" for t in times)))
    figure, axes = plt.subplots(2, len(times) + 1, figsize=(16, 7), sharey=True)
    titles = ["at rest"] + [f"{t:.1f} s" for t in times]
    for column, (positions, title) in enumerate(zip(bones["frames"], titles)):
        p = np.array(positions)
        for row, (across, name) in enumerate(((0, "x"), (2, "z"))):
            ax = axes[row, column]
            for i, parent in enumerate(bones["parents"]):
                if parent >= 0:
                    ax.plot(p[[parent, i], across], p[[parent, i], 1], "o-", ms=2, lw=1.5)
            ax.axhline(0, color="0.7", lw=0.8)
            ax.set_aspect("equal")
            ax.set_title(f"{title}, {name} and y")
    figure.tight_layout()
    figure.savefig(path, dpi=70)
    print(f"wrote {path}")


def main():
    parser = argparse.ArgumentParser()
    for name in ("condyle", "scratch", "data", "picture"):
        parser.add_argument(f"--{name}", type=Path, required=name in ("condyle", "scratch"))
    parser.add_argument("--all", action="store_true")
    args = parser.parse_args()
    folder = args.scratch / "files"
    folder.mkdir(exist_ok=True)
    condyle = args.condyle
    simulate = ("--seconds", 10, "--noise-mm", 1, "--force")
    run(condyle, "simulate", "-o", folder / "sim", *simulate)
    recording = folder / "sim" / "recording.c3d"
    run(condyle, "fit", recording, "-o", folder / "subject.json", "--force")
    outputs = [folder / f"out.{extension}" for extension in ("csv", "trc", "c3d", "bvh", "glb", "mot", "parquet")]
    solve = (condyle, "solve", recording, "--subject", folder / "subject.json", "--force")
    run(*solve, *(part for path in outputs for part in ("-o", path)), "--angles", folder / "angles.csv")
    run(*solve, "-o", folder / "out-cm.bvh", "--out-units", "cm")
    ours, time_s = centres(folder / "out.csv")
    gltf(folder, args.scratch, ours, time_s)
    bvh(folder, ours)
    c3d(folder, recording, ours)
    opensim(folder, ours)
    parquet(folder, ours)
    run(condyle, "run", recording, "-o", folder / "robot", "--urdf", "--mujoco", "--force")
    robots.check(folder / "robot", say)
    if args.data:
        opensim_walkers(condyle, args.scratch, args.data)
    if args.data and args.all:
        opensim_loads(condyle, args.scratch, args.data)
    if args.picture:
        picture(folder, args.scratch, args.picture, time_s)
    sys.exit(f"missed: {', '.join(failures)}" if failures else 0)


main()
