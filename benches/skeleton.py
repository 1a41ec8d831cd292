"""Posing a skeleton in every frame, beside OpenSim's inverse kinematics on the same trial in the same run."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROUNDS = 3
TARGETS = [
    ("pose of 41 markers, us a frame", lambda m: m["pose_us"], 5.0, False),
    ("fit of 3,421 frames, ms", lambda m: m["fit_ms"], 30.0, False),
    ("grouping of 41 markers x 3,421 frames, ms", lambda m: m["group_ms"], 100.0, False),
    ("pose of the walk, times OpenSim", lambda m: m.get("times_opensim"), 1000.0, True),
]


def ours(tool, trial):
    """Best of the rounds of our own program, whose output is a JSON object a line."""
    best = {}
    for _ in range(ROUNDS):
        command = [tool, "--json"] + ([str(trial)] if trial else [])
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        for key, value in json.loads(lines).items():
            best[key] = min(value, best.get(key, value))
    return best


def opensim_ms(model_path, trc_path):
    """Milliseconds a frame of OpenSim's inverse kinematics with its usual accuracy, best of the rounds."""
    import opensim

    opensim.Logger.setLevelString("Off")
    best = float("inf")
    for _ in range(ROUNDS):
        model = opensim.Model(str(model_path))
        references = opensim.MarkersReference()
        references.initializeFromMarkersFile(str(trc_path), opensim.SetMarkerWeights())
        state = model.initSystem()
        coordinates = opensim.SimTKArrayCoordinateReference()
        solver = opensim.InverseKinematicsSolver(model, references, coordinates, float("inf"))
        solver.setAccuracy(1e-5)
        span = references.getValidTimeRange()
        frames = references.getNumFrames()
        step = (span.get(1) - span.get(0)) / max(frames - 1, 1)
        state.setTime(span.get(0))
        solver.assemble(state)
        start = time.process_time()
        for frame in range(1, frames):
            state.setTime(span.get(0) + frame * step)
            solver.track(state)
        best = min(best, (time.process_time() - start) * 1e3 / max(frames - 1, 1))
    return best, frames


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--data", required=True, type=pathlib.Path)
    args = parser.parse_args()
    before = os.getloadavg()[0]
    model = args.data / "opensim" / "subject01_simbody.osim"
    trial = args.data / "opensim" / "subject01_walk1.trc"
    there = model.exists() and trial.exists()
    measured = ours(args.tool, trial if there else None)
    if there:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            theirs, frames = opensim_ms(model, trial)
        measured["opensim_ms"] = theirs
        measured["times_opensim"] = theirs * 1e3 / measured["walk_us"]
        print(f"{trial.name}: {frames} frames; a frame: OpenSim {theirs:.2f} ms, condyle {measured['walk_us']:.2f} us")
    else:
        print(f"skipped beside OpenSim: no {trial} with {model.name}; set CONDYLE_DATA")
    print(f"one thread, load {before:.1f} to {os.getloadavg()[0]:.1f}")
    print()
    print(f"{'':45} {'here':>10}   target")
    failed = False
    for name, value_of, target, at_least in TARGETS:
        value = value_of(measured)
        if value is None:
            continue
        met = value >= target if at_least else value <= target
        failed |= not met
        words = "at least" if at_least else "at most"
        print(f"{name:45} {value:10.2f}   {words} {target:g}  {'met' if met else 'MISSED'}")
    sys.exit(1 if failed else 0)


main()
