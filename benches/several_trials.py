#!/usr/bin/env python3
"""Joint centres of a walk, fitted to the walk alone and together with a range of motion of the same person.

usage: benches/several_trials.py [--condyle PROGRAM] SEED...

Simulated people of other sizes, 41 markers, 8 mm of skin: a walk of 6 s, and 20 s of every joint. Needs numpy.
"""

import argparse
import csv
import json
import re
import subprocess
import tempfile
from pathlib import Path

import numpy as np


def table(path):
    header, *rows = csv.reader(open(path, newline=""))
    values = np.array([[float(cell) if cell else np.nan for cell in row] for row in rows])
    return {name[:-2]: values[:, i : i + 3] for i, name in enumerate(header) if name.endswith("_x")}


def body(condyle, seed):
    """The simulator's person with another stature (1.5 to 1.95 m) and every bone 5 % longer or shorter by chance."""
    text = subprocess.run([condyle, "simulate", "--describe", "human"], capture_output=True, text=True).stdout
    rng = np.random.default_rng(seed)
    stature = rng.uniform(1.5, 1.95) / 1.75

    def resized(line):
        factor = stature * (1 + 0.05 * rng.normal())
        return "\nat = [" + ", ".join(f"{float(v) * factor:.5f}" for v in line.group(1).split(",")) + "]"

    return re.sub(r"\nat = \[(.*?)\]", resized, text)


def error_mm(out, truth):
    found = table(out / "joints.csv")
    gaps = [np.linalg.norm(found[name] - truth[name], axis=1) for name in truth if name in found]
    return 1e3 * np.nanmean([np.nanmean(gap) for gap in gaps])


def lengths_m(out):
    """The distance of every joint from every other that a segment holds fast, from the subject itself."""
    subject = json.loads((out / "subject.json").read_text())
    return [(joint["centre_in_parent_m"], joint["centre_in_child_m"]) for joint in subject["joints"]]


def person(condyle, seed, folder):
    (folder / "body.toml").write_text(body(condyle, seed))
    for routine, seconds in (("walk", 6), ("rom", 20)):
        made = ["-o", folder / routine, "--performer", folder / "body.toml", "--routine", routine, "--seconds", seconds]
        made += ["--markers", "cmu41", "--skin-mm", 8, "--seed", seed, "--quiet"]
        subprocess.run([str(part) for part in (condyle, "simulate", *made)], check=True)
        (folder / routine / "recording.c3d").rename(folder / f"{routine}.c3d")
    truth = table(folder / "walk" / "truth_joints.csv")
    for out, files in (("alone", ["walk"]), ("both", ["walk", "rom"])):
        named = [str(folder / f"{name}.c3d") for name in files]
        subprocess.run([condyle, "run", *named, "-o", str(folder / out), "--quiet"], check=True)
    both = [folder / "both" / name for name in ("walk", "rom")]
    shared = len(json.loads((both[0] / "subject.json").read_text())["provenance"]["recordings"])
    same = lengths_m(both[0]) == lengths_m(both[1])
    return error_mm(folder / "alone" / "walk", truth), error_mm(both[0], truth), shared, same


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--condyle", default=str(Path(__file__).resolve().parent.parent / "target/release/condyle"))
    parser.add_argument("seeds", nargs="+", type=int)
    args = parser.parse_args()
    found = []
    for seed in args.seeds:
        with tempfile.TemporaryDirectory() as folder:
            found.append(person(args.condyle, seed, Path(folder)))
        alone, both, shared, same = found[-1]
        bones = "identical" if same else "NOT identical"
        print(f"{seed}: {alone:.1f} mm from the walk alone, {both:.1f} from {shared} recordings, bones {bones}")
    alone, both, *_ = np.mean([own[:2] for own in found], axis=0)
    print(f"mean: {alone:.1f} mm, {both:.1f} mm")


main()
