#!/usr/bin/env python3
"""Compares what strides measure by events from markers with the same by the file's own events.

usage: benches/gait_parameters.py CONDYLE [DATA]    CONDYLE is the binary, DATA the recordings (default ../shared/data)
"""

import json
import statistics
import subprocess
import sys
from pathlib import Path

RECORDINGS = """
btkdata/PiG/PiG_Motion-FlatFoot-Full.c3d btkdata/PiG/PiG_Motion3_FF.c3d c3dorg/sample_03/gait-pig.c3d
c3dorg/sample_04/sub_labels.c3d c3dorg/sample_09/PlugInC3D.c3d
c3dorg/sample_00/Motion_Analysis_Corporation/Walk1.c3d ezc3d-testFiles/Qualisys.c3d
""".split()
# Strides that begin within this time of each other are one.
SAME_S = 0.2
DIFFERENCES = {
    "speed": ("%", lambda own, true: 100 * abs(own / true - 1)),
    "stride_length": ("%", lambda own, true: 100 * abs(own / true - 1)),
    "stride_time": ("ms", lambda own, true: 1e3 * abs(own - true)),
    "foot_off": ("points", lambda own, true: abs(own - true)),
}


def strides(condyle, path, events):
    """Side, start and parameters of every stride; parameters that some strides of a side lack are left out."""
    command = [condyle, "gait", str(path), "--events", events, "--json"]
    found = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)[0]
    for side in ("left", "right"):
        cycles = [cycle for cycle in found["cycles"] if cycle["side"] == side]
        values = {own["name"]: own["strides"] for own in found["parameters"] if own["side"] == side}
        whole = {name: own for name, own in values.items() if len(own) == len(cycles)}
        for index, cycle in enumerate(cycles):
            yield side, cycle["start_s"], {name: own[index] for name, own in whole.items()}


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    here = Path(__file__).resolve().parent
    data = Path(sys.argv[2]) if len(sys.argv) > 2 else here.parent.parent / "shared" / "data"
    errors = {name: [] for name in DIFFERENCES}
    for recording in RECORDINGS:
        of_markers = list(strides(sys.argv[1], data / recording, "markers"))
        for side, start_s, true in strides(sys.argv[1], data / recording, "file"):
            same = [own for of, at_s, own in of_markers if of == side and abs(at_s - start_s) < SAME_S]
            for name, (_, difference) in DIFFERENCES.items():
                if same and name in true and name in same[0]:
                    errors[name].append(difference(same[0][name], true[name]))
    for name, (unit, _) in DIFFERENCES.items():
        own = sorted(errors[name])
        most = own[min(len(own) - 1, int(0.95 * len(own)))]
        print(f"{name:14} median {statistics.median(own):.2f} {unit}, 95 % {most:.2f}, {len(own)} strides")


main()
