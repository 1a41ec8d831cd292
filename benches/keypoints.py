#!/usr/bin/env python3
"""Filmed recordings against truth, and against OpenCap's own model, with simple methods beside both.

    benches/keypoints.py [--condyle PROGRAM] [--peers FOLDER] [--jobs 2] PART...

simulated [SEED...]   four sequences (default seeds 700 701 702); noise, simple methods and score are the peers'
people [SEED...]      ten walks and ten ranges of motion of varied bodies (the first seed; default 700), the same noise
exchanges [N [SEED]]  N recordings with 0 to 6 exchanges and N with none (default 200), from a seed on (default 5000)
opencap               the walk's 20 keypoints and all 63 points against its inverse kinematics, frames 61 to 222
gait [SEED]           events of ten walks of varied bodies (the first seed; default 700), with feet and with ankles alone, and of
                      recordings with markers whose joints, heels and toes are seen as films show them
hidden                six frames of a point hidden: simulated against truth, recorded against the noisy point

Needs numpy and scipy; `opencap` needs opensim too. Recordings are looked for in $CONDYLE_DATA, the peers beside them.
"""

import argparse
import concurrent.futures
import csv
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path(os.environ.get("CONDYLE_DATA", ROOT.parent / "shared" / "data"))
JOINTS = ("Hip", "Knee", "Ankle", "Shoulder", "Elbow", "Wrist")
SIMPLE = ("raw", "butterworth", "butterworth, constant bones", "cleaned", "cleaned, constant bones")


def words(centre):
    """What joints.csv calls a centre of the protocol: RHip is right hip."""
    return {"R": "right ", "L": "left "}[centre[0]] + centre[1:].lower()


class Solved:
    """What condyle run says of a recording."""

    def __init__(self, condyle, recording, folder, *options):
        command = [condyle, "run", str(recording), "-o", str(folder), "--force", "--quiet", *options]
        done = subprocess.run(command, capture_output=True, text=True)
        out = pathlib.Path(folder) / pathlib.Path(recording).stem
        if done.returncode != 0 or not (out / "results.json").exists():
            raise RuntimeError(f"{recording}: {done.stderr.strip()}")
        self.results = json.loads((out / "results.json").read_text())
        table = list(csv.reader(open(out / "joints.csv")))
        rows = np.array([[float(value) if value else np.nan for value in row] for row in table[1:]])
        self.places_m = {name[:-2]: rows[:, i : i + 3] for i, name in enumerate(table[0]) if name.endswith("_x")}
        self.sds_m = {own["name"]: own["sd_m"] for own in self.results["performers"][0]["joints"]}
        self.out = out

    def centres(self, frames):
        """Centres of the protocol; unseen frames at the ends are filled by the nearest, so that nothing is left out."""
        found = {}
        for side in "RL":
            for joint in JOINTS:
                path = self.places_m.get(words(side + joint))
                if path is not None:
                    seen = np.flatnonzero(~np.isnan(path[:, 0]))
                    axes = [np.interp(np.arange(frames), seen, path[seen, axis]) for axis in range(3)]
                    found[side + joint] = np.stack(axes, 1)
        return found


def cleaned(peer, names, samples):
    return peer.butterworth(peer.bridged(peer.without_jumps(peer.exchanged_back(names, samples))))


def simple_methods(peer, names, samples):
    pick = lambda paths: {n: paths[:, names.index(n)] for n in names if n in peer.CENTRES}
    raw = peer.bridged(samples)
    soft, clean = peer.butterworth(raw), cleaned(peer, names, samples)
    bones = peer.constant_bones
    return dict(zip(SIMPLE, (pick(raw), pick(soft), bones(names, soft), pick(clean), bones(names, clean))))


def angle_deg(a, b):
    cosine = (a * b).sum(-1) / np.maximum(np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1), 1e-9)
    return np.degrees(np.arccos(np.clip(cosine, -1, 1)))


def hips_deg(centres):
    """The bend of the hips: the thighs against the line from the middle of the hips to that of the shoulders."""
    trunk = centres["RShoulder"] + centres["LShoulder"] - centres["RHip"] - centres["LHip"]
    return np.stack([angle_deg(trunk, centres[s + "Hip"] - centres[s + "Knee"]) for s in "RL"])


def measures(peer, centres, truth):
    """mm, 95th percentile, knee, hip, elbow rms in degrees, sd of bones, error of the median bone in mm."""
    mm, most, knee, elbow, bone_sd = peer.measures(centres, truth)
    hip = np.sqrt(np.nanmean((hips_deg(centres) - hips_deg(truth)) ** 2))
    length = lambda c, a, b: np.median(np.linalg.norm(c[a] - c[b], axis=1)) * 1e3
    bones = np.mean([abs(length(centres, a, b) - length(truth, a, b)) for a, b in peer.CHAIN])
    return np.array([mm, most, knee, hip, elbow, bone_sd, bones])


HEADER = ("mm", "p95", "knee", "hip", "elbow", "bone sd", "bone err")


class Score:
    """Every method on every recording, and how often error bars hold."""

    def __init__(self):
        self.rows, self.inside = {}, {}

    def add(self, group, method, values):
        self.rows.setdefault(method, {}).setdefault(group, []).append(values)

    def add_bars(self, solved, centres, truth):
        for name, path in centres.items():
            z = abs(path - truth[name]) / solved.sds_m[words(name)]
            self.inside.setdefault(name[1:], []).append(np.mean(z < 1.96))

    def show(self):
        print("%-28s %-28s" % ("method", "group") + "".join("%9s" % name for name in HEADER))
        for method, groups in self.rows.items():
            means = {group: np.mean(values, 0) for group, values in groups.items()}
            for group, mean in [*means.items(), ("mean", np.mean(list(means.values()), 0))]:
                print("%-28s %-28s" % (method, group) + "".join("%9.1f" % value for value in mean))
        for group in self.rows["condyle"]:
            own = np.mean(self.rows["condyle"][group], 0)
            best = np.min([np.mean(self.rows[method][group], 0) for method in SIMPLE], 0)
            worse = [i for i in (0, 2, 3, 4) if own[i] > 1.05 * best[i]]
            worse = [f"{HEADER[i]} {own[i]:.1f} against {best[i]:.1f}" for i in worse]
            if worse:
                print(f"worse than the best simple method by more than 5 %: {group}: {', '.join(worse)}")
        kinds = [f"{kind.lower()} {100 * np.mean(shares):.1f}" for kind, shares in self.inside.items()]
        print("coordinates within 1.96 sd, %: " + ", ".join(kinds))


def write(peer, folder, key, names, samples, truth, swapped):
    peer.write_trc(str(folder / f"{key}.trc"), names, samples)
    np.savez(folder / f"{key}.npz", names=names, truth=truth, keypoints=samples, exchanged=swapped)


def one(arguments):
    """Solves one simulated recording: its group, rows and what was found of it."""
    peer_path, condyle, folder, key = arguments
    peer = protocol(peer_path)
    kept = np.load(folder / f"{key}.npz")
    names, samples = list(kept["names"]), kept["keypoints"]
    truth = {n: kept["truth"][:, i] for i, n in enumerate(names) if n in peer.CENTRES}
    solved = Solved(condyle, folder / f"{key}.trc", folder / "out")
    centres = solved.centres(len(samples))
    rows = {name: measures(peer, own, truth) for name, own in simple_methods(peer, names, samples).items()}
    rows["condyle"] = measures(peer, centres, truth)
    shutil.rmtree(solved.out)
    return key, rows, solved, centres, truth


def protocol(path):
    spec = importlib.util.spec_from_file_location("peer_keypoints", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def each(options, function, arguments):
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        yield from pool.map(function, arguments)


def score(options, folder, keys):
    table = Score()
    of_each = [(options.peers / "keypoints.py", options.condyle, folder, key) for key in keys]
    for key, rows, solved, centres, truth in each(options, one, of_each):
        for method, values in rows.items():
            table.add(key.rsplit("-", 1)[0], method, values)
        table.add_bars(solved, centres, truth)
    table.show()


def simulated(options, peer, folder):
    keys = []
    for sequence in peer.SEQUENCES:
        names, truth = peer.truth(str(DATA), sequence)
        for seed in options.numbers or [700, 701, 702]:
            samples, swapped = peer.simulate(names, truth, seed)
            keys.append(f"{sequence}-{seed}")
            write(peer, folder, keys[-1], names, samples, truth, swapped)
    score(options, folder, keys)


def body(condyle, seed):
    """The simulator's person with another stature (1.5 to 1.95 m) and every bone 5 % longer or shorter by chance."""
    text = subprocess.run([condyle, "simulate", "--describe", "human"], capture_output=True, text=True).stdout
    rng = np.random.default_rng(seed)
    stature = rng.uniform(1.5, 1.95) / 1.75

    def resized(line):
        factor = stature * (1 + 0.05 * rng.normal())
        values = [float(value) * factor for value in line.group(1).split(",")]
        return "\nat = [" + ", ".join(f"{value:.5f}" for value in values) + "]"

    return re.sub(r"\nat = \[(.*?)\]", resized, text)


def performed(options, folder, routine, seed, seconds):
    """The true centres of a varied body, in the protocol's names, 60 frames a second."""
    made = folder / f"made-{routine}-{seed}"
    (folder / f"{seed}.toml").write_text(body(options.condyle, seed))
    command = [options.condyle, "simulate", "-o", str(made), "--force", "--quiet"]
    command += ["--performer", str(folder / f"{seed}.toml"), "--routine", routine]
    command += ["--seconds", str(seconds), "--rate", "60", "--seed", str(seed), "--to", "trc"]
    subprocess.run(command, check=True, capture_output=True)
    table = list(csv.reader(open(made / "truth_joints.csv")))
    rows = np.array([[float(value) for value in row] for row in table[1:]])
    names = [side + joint for side in "RL" for joint in JOINTS]
    return names, np.stack([rows[:, table[0].index(words(n) + "_x") :][:, :3] for n in names], 1)


def people(options, peer, folder):
    first = options.numbers[0] if options.numbers else 700
    keys = []
    for routine in ("walk", "rom"):
        for seed in range(first, first + 10):
            names, truth = performed(options, folder, routine, seed, 8 if routine == "walk" else 20)
            samples, swapped = peer.simulate(names, truth, seed)
            keys.append(f"{routine}-{seed}")
            write(peer, folder, keys[-1], names, samples, truth, swapped)
    score(options, folder, keys)


def exchanged_frames(arguments):
    """Whether every frame of a recording has its legs right: true exchanges, wrong frames, a recording."""
    condyle, folder, key = arguments
    solved = Solved(condyle, folder / f"{key}.trc", folder / "out")
    shutil.rmtree(solved.out)
    true = np.load(folder / f"{key}.npz")["exchanged"]
    found = np.zeros(len(true), int)
    for own in solved.results["performers"][0]["exchanged"]:
        first, last = own["first_frame"] - 1, own["last_frame"]
        hips = any("Hip" in point for point in np.ravel(own["points"]))
        found[first:last] = 3 if any("Shoulder" in point for point in np.ravel(own["points"])) else 1 + hips
    return key, int((true > 0).any()), int((found != true).sum())


def exchanges(options, peer, folder):
    count = options.numbers[0] if options.numbers else 200
    first = options.numbers[1] if len(options.numbers) > 1 else 5000
    sources = [peer.truth(str(DATA), sequence) for sequence in peer.SEQUENCES[2:]]
    for routine in ("walk", "rom"):
        sources += [performed(options, folder, routine, seed, 8) for seed in range(5000, 5010)]
    keys = []
    for clean in (False, True):
        for index in range(count):
            seed = first + index + (100_000 if clean else 0)
            names, truth = sources[index % len(sources)]
            times = 0 if clean else int(np.random.default_rng(seed).integers(0, 7))
            samples, swapped = peer.simulate(names, truth, seed, exchanges=times)
            keys.append(f"{'clean' if clean else 'exchanged'}-{seed}")
            write(peer, folder, keys[-1], names, samples, truth, swapped)
    right = {"clean": [], "exchanged": []}
    for key, _, wrong in each(options, exchanged_frames, [(options.condyle, folder, key) for key in keys]):
        right[key.split("-")[0]].append(wrong == 0)
        if wrong:
            print(f"{key}: {wrong} frames wrong")
    for name, own in right.items():
        print(f"{name}: all frames right in {sum(own)} of {len(own)}")


def columns_of_mot(path):
    lines = path.read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.strip() == "endheader")
    rows = np.array([[float(value) for value in line.split()] for line in lines[start + 2 :] if line.strip()])
    return {name: rows[:, i] for i, name in enumerate(lines[start + 1].split())}


def alike(own, reference):
    """Correlation, mean difference and its standard deviation."""
    off = own - reference
    return np.corrcoef(own, reference)[0, 1], off.mean(), off.std()


def read_trc(path):
    """Labels and samples: frames, points, 3, in the file's unit."""
    lines = path.read_text().splitlines()
    labels = [label for label in lines[3].split("\t")[2:] if label.strip()]
    rows = [line.split("\t") for line in lines[5:] if line.strip()]
    values = np.array([[float(v) if v.strip() else np.nan for v in row[2 : 2 + 3 * len(labels)]] for row in rows])
    return labels, values.reshape(len(rows), len(labels), 3)


def opencap(options, peer, folder):
    walk = DATA / "markerless" / "opencap_walk.trc"
    labels, samples = read_trc(walk)
    plain = [i for i, label in enumerate(labels) if not label.lower().endswith("study")]
    peer.write_trc(str(folder / "opencap20.trc"), [labels[i] for i in plain], samples[:, plain])
    (folder / "opencap63.trc").write_bytes(walk.read_bytes())
    reference = columns_of_mot(walk.with_suffix(".mot"))
    truth = opencap_centres(walk, reference)
    frames = slice(60, 222)
    at = lambda label: samples[:, labels.index(label)]
    middle = lambda a, b: (at(a) + at(b)) / 2
    both = {"R": "r", "L": "L"}
    keypoints = {s + j: at(s + j) for s in "RL" for j in JOINTS}
    side = lambda s, name: next(l for l in labels if l.lower() == f"{s.lower()}_{name}_study")
    points = {s + "Hip": at(f"{s}HJC_study") for s in "RL"}
    for s in "RL":
        points[s + "Knee"] = middle(side(s, "knee"), side(s, "mknee"))
        points[s + "Ankle"] = middle(side(s, "ankle"), side(s, "mankle"))
        points[s + "Shoulder"] = at(side(s, "shoulder"))
        points[s + "Elbow"] = middle(side(s, "lelbow"), side(s, "melbow"))
        points[s + "Wrist"] = middle(side(s, "lwrist"), side(s, "mwrist"))
    soft = lambda paths: {n: peer.butterworth(p[:, None])[:, 0] for n, p in paths.items()}
    methods = {"20 raw": keypoints, "20 butterworth": soft(keypoints)}
    methods |= {"63 midpoints": points, "63 midpoints, butterworth": soft(points)}
    for count in (20, 63):
        solved = Solved(options.condyle, folder / f"opencap{count}.trc", folder / "out", "--smooth", "off")
        methods[f"{count} condyle"] = solved.centres(len(samples))
        for stretch in solved.results["performers"][0]["bad_stretches"]:
            print(f"{count}: bad {stretch['first_frame']} to {stretch['last_frame']}: {stretch['why']}")
        inside = {}
        for name, path in methods[f"{count} condyle"].items():
            z = abs(path - truth[name])[frames] / solved.sds_m[words(name)]
            inside.setdefault(name[1:], []).append(np.mean(z < 1.96))
        kinds = [f"{kind.lower()} {100 * np.mean(shares):.0f}" for kind, shares in inside.items()]
        print(f"{count}: coordinates of the reference within 1.96 sd, %: " + ", ".join(kinds))
        angles = columns_of_mot(solved.out / "angles.mot")
        for name in ("hip_flexion", "knee_angle", "ankle_angle"):
            pairs = [(angles[f"{name}_{s}"][frames], reference[f"{name}_{s}"][frames]) for s in "rl"]
            text = ["%.3f %5.1f %4.2f" % alike(*pair) for pair in pairs]
            print(f"{count} condyle {name:12} r, offset, sd: right {text[0]}, left {text[1]}")
    for method, centres in methods.items():
        bent = peer.flexion(centres)
        knee = [alike(bent[s + "Knee"][frames], reference[f"knee_angle_{s.lower()}"][frames]) for s in "RL"]
        off_mm = lambda n: np.linalg.norm(centres[n] - truth[n], axis=1)[frames].mean() * 1e3
        per = {j: (off_mm("R" + j) + off_mm("L" + j)) / 2 for j in JOINTS}
        text = ", ".join("%s r %.3f sd %.1f" % (s, k[0], k[2]) for s, k in zip(("right", "left"), knee))
        legs = np.mean([per[j] for j in JOINTS[:3]])
        kinds = ", ".join(f"{joint.lower()} {mm:.0f}" for joint, mm in per.items())
        mean = np.mean(list(per.values()))
        print("%-28s %5.1f mm (legs %.1f: %s)  knee from centres %s" % (method, mean, legs, kinds, text))


def opencap_centres(walk, reference):
    """Joint centres of OpenCap's model in the poses of its inverse kinematics; needs opensim."""
    import opensim

    opensim.Logger.setLevelString("Off")
    model = opensim.Model(str(walk.with_suffix(".osim")))
    state = model.initSystem()
    names = dict(zip(JOINTS, ("hip", "walker_knee", "ankle", "glenohumeral", "elbow", "radius_hand")))
    own = {c.getName(): c for c in model.getCoordinateSet()}
    places = {s + j: [] for s in "RL" for j in JOINTS}
    for row in range(len(reference["time"])):
        for name, coordinate in own.items():
            if name in reference:
                value = reference[name][row]
                turns = coordinate.getMotionType() != opensim.Coordinate.Translational
                coordinate.setValue(state, float(np.radians(value) if turns else value), False)
        model.assemble(state)
        model.realizePosition(state)
        for s in "RL":
            for j in JOINTS:
                joint = model.getJointSet().get(f"{names[j]}_{s.lower()}")
                places[s + j].append(joint.getChildFrame().getPositionInGround(state).to_numpy())
    return {name: np.array(path) for name, path in places.items()}


def hidden_in(names, frames):
    """Every point hidden for six frames every second, one after the other."""
    hidden = np.zeros((frames, len(names)), bool)
    for index in range(len(names)):
        for start in range(20 + 60 * index // len(names), frames - 26, 60):
            hidden[start : start + 6, index] = True
    return hidden


def hidden(options, peer, folder):
    """Simulated: how far joint and interpolated point are from the truth. Recorded: from the point that was hidden."""
    found, rows = {}, []
    for sequence in peer.SEQUENCES:
        names, truth = peer.truth(str(DATA), sequence)
        for seed in options.numbers or [700, 701, 702]:
            samples, _ = peer.simulate(names, truth, seed)
            rows.append(("simulated", f"{sequence}-{seed}", names, samples, truth))
    for file in ("opencap_walk", "pose2sim_balancing"):
        names, samples = read_trc(DATA / "markerless" / f"{file}.trc")
        own = [i for i, name in enumerate(names) if not name.lower().endswith("study")]
        rows.append((file, file, [names[i] for i in own], samples[:, own], None))
    for group, key, names, samples, truth in rows:
        gone = hidden_in(names, len(samples))
        if truth is None:
            gone[:60] = False  # OpenCap's first second is bad.
        shown = samples.copy()
        shown[gone] = np.nan
        peer.write_trc(str(folder / f"{key}.trc"), names, shown)
        solved = Solved(options.condyle, folder / f"{key}.trc", folder / "out", "--smooth", "off")
        centres = solved.centres(len(shown))
        bridged = peer.bridged(peer.without_jumps(peer.exchanged_back(names, shown)))
        clean = peer.butterworth(bridged)
        for index, name in enumerate(names):
            if name not in centres:
                continue
            at = gone[:, index] & ~np.isnan(samples[:, index, 0])
            joint = centres[name].copy()
            if truth is None:
                # The point is beside its joint by what it was just before and after.
                beside = shown[:, index] - joint
                for frame in np.flatnonzero(at):
                    joint[frame] += np.nanmedian(beside[max(0, frame - 15) : frame + 16], axis=0)
            aim = samples[:, index] if truth is None else truth[:, index]
            methods = found.setdefault(group, {})
            for method, path in (("condyle", joint), ("interpolated", bridged[:, index]), ("filtered", clean[:, index])):
                methods.setdefault(method, []).extend(np.linalg.norm(path - aim, axis=1)[at] * 1e3)
    for group, methods in found.items():
        means = ", ".join(f"{method} {np.mean(mm):.1f}" for method, mm in methods.items())
        print(f"{group:20} {len(methods['condyle'])} samples, mm: {means}")


def strides_of(condyle, recording, events):
    command = [condyle, "gait", str(recording), "--events", events, "--json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True).stdout)[0]


WALKS = {
    "btkdata/PiG/PiG_Motion-FlatFoot-Full.c3d": ("HEE", "TOE"),
    "ezc3d-testFiles/Qualisys.c3d": ("_FCC", "_FM1"),
    "wkiro/AJ026_Run_Comfortable1.c3d": ("HEE", "TOE"),
    "nimble/JA1Gait35.c3d": ("HEEL", "TOE"),
}


def walk_with_markers(options, folder, file, feet):
    """Joints as condyle has them, heels and toes as recorded, 60 frames a second, and when it begins."""
    from scipy.interpolate import CubicSpline

    solved = Solved(options.condyle, DATA / file, folder / "out", "--each")
    points = {s + j: solved.places_m[words(s + j)] for s in "RL" for j in JOINTS if words(s + j) in solved.places_m}
    points |= with_feet(options, folder, DATA / file, feet)
    time_s = np.array([float(row["time_s"]) for row in csv.DictReader(open(solved.out / "joints.csv"))])
    stacked = np.stack(list(points.values()), 1)
    seen = np.flatnonzero(~np.isnan(stacked).any((1, 2)))
    start_s, end_s = time_s[seen[0]], time_s[seen[-1]]
    at_s = np.arange(start_s, end_s, 1 / 60)
    return list(points), CubicSpline(time_s[seen], stacked[seen])(at_s), start_s


def with_feet(options, folder, recording, feet):
    table = folder / "markers.trc"
    command = [options.condyle, "convert", str(recording), str(table), "--force", "--out-units", "m"]
    subprocess.run(command, check=True, capture_output=True)
    labels, samples = read_trc(table)
    labels = [label.split(":")[-1] for label in labels]
    return {s + name: samples[:, labels.index(s + of)] for s in "RL" for name, of in zip(("Heel", "BigToe"), feet)}


def gait(options, peer, folder):
    """How far events of filmed walks are from the truth, or from the events of the file."""
    first = options.numbers[0] if options.numbers else 700
    found = {}
    cases = [("simulated", seed) for seed in range(first, first + 10)]
    cases += [("with markers", file) for file in WALKS]
    for index, (group, case) in enumerate(cases):
        start_s = 0.0
        if group == "simulated":
            names, truth = performed(options, folder, "walk", case, 8)
            made = folder / f"made-walk-{case}"
            feet = with_feet(options, folder, made / "recording.trc", ("HEE", "TOE"))
            names, truth = names + list(feet), np.concatenate([truth, np.stack(list(feet.values()), 1)], 1)
            command = [options.condyle, "simulate", "-o", str(made), "--force", "--quiet", "--routine", "walk"]
            command += ["--performer", str(folder / f"{case}.toml"), "--seconds", "8", "--rate", "60"]
            subprocess.run([*command, "--seed", str(case), "--to", "c3d"], check=True, capture_output=True)
            recording = made / "recording.c3d"
        else:
            names, truth, start_s = walk_with_markers(options, folder, case, WALKS[case])
            recording = DATA / case
        true = strides_of(options.condyle, recording, "file")
        samples, _ = peer.simulate(names, truth, first + index)
        is_leg = lambda name: name[1:] not in ("Heel", "BigToe")
        for title, kept in (("feet", names), ("ankles alone", [name for name in names if is_leg(name)])):
            peer.write_trc(str(folder / "filmed.trc"), kept, samples[:, [names.index(name) for name in kept]])
            own = strides_of(options.condyle, folder / "filmed.trc", "markers")
            row = found.setdefault((group, title), {"events": [], "strides": 0, "true": 0, "all": 0})
            row["strides"] += len(own["cycles"])
            row["true"] += len(true["cycles"])
            row["all"] += len(true["events"])
            for event in own["events"]:
                at_s = event["time_s"] + start_s
                same = [t for t in true["events"] if (t["side"], t["kind"]) == (event["side"], event["kind"])]
                off_s = min((at_s - t["time_s"] for t in same), key=abs)
                if abs(off_s) < 0.25:
                    row["events"].append((event["kind"], off_s, event["confidence"]))
    for (group, title), row in found.items():
        texts = []
        for kind in ("foot_strike", "foot_off"):
            own = [(off, sd) for k, off, sd in row["events"] if k == kind]
            if not own:
                continue
            off_ms = np.array([off for off, _ in own]) * 1e3
            inside = np.mean([abs(off) < 1.96 * sd for off, sd in own]) * 100
            numbers = (kind, len(own), np.median(abs(off_ms)), np.percentile(abs(off_ms), 95), inside)
            texts.append("%s n %d, median %.0f ms, 95 %% %.0f, %.0f %% within 1.96 sd" % numbers)
        print(f"{group}, {title}: {row['strides']} strides of {row['true']}, {len(row['events'])} events of {row['all']}; {'; '.join(texts)}")


PARTS = {"gait": gait, "simulated": simulated, "people": people, "exchanges": exchanges, "opencap": opencap, "hidden": hidden}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("numbers", nargs="*", type=int)
    parser.add_argument("--condyle", default=str(ROOT / "target" / "quick" / "condyle"))
    parser.add_argument("--peers", type=pathlib.Path, default=DATA.parent / "peers")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for what is made")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        PARTS[options.part](options, protocol(options.peers / "keypoints.py"), folder)


if __name__ == "__main__":
    main()
