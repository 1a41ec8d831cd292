"""Seconds per read of a 41-marker, 100,000-frame C3D file: Condyle, ezc3d, c3dio, bare NumPy.

The readers take turns, so that a neighbour on the machine disturbs all of them. Targets are judged
on the best time of each reader; the median is shown beside it.
"""

import argparse
import mmap
import os
import platform
import statistics
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import ezc3d
import numpy as np

MARKERS = 41
FRAMES = 100_000
FLOAT = "intel_float"
FILES = [FLOAT, "intel_int", "dec_float", "dec_int"]
ROUNDS = 3
# Cheap readers are repeated within a round.
CHEAP = 10

TIMES_EZC3D = 40.0
TIMES_C3DIO = 4.0
SHARE_OF_BANDWIDTH = 0.5


def data_offset(path):
    """Where the samples start; the ninth word of the header counts blocks from one."""
    return (int(np.fromfile(path, "<u2", 9)[8]) - 1) * 512


def read_ezc3d(path):
    ezc3d.c3d(str(path))["data"]["points"]


def read_numpy(path):
    count = FRAMES * MARKERS * 4
    np.fromfile(path, "<f4", count, offset=data_offset(path)).reshape(FRAMES, MARKERS, 4)


def map_and_copy(path, target):
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        source = np.frombuffer(mapped, np.uint8)
        np.copyto(target, source)
        del source


def seconds(action):
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def measure(tool, folder):
    """All seconds of every reader and file."""
    times = {}

    def add(reader, name, values):
        times.setdefault((reader, name), []).extend(values)

    path = {name: folder / f"{name}.c3d" for name in FILES}
    target = np.zeros(path[FLOAT].stat().st_size, np.uint8)
    map_and_copy(path[FLOAT], target)
    for turn in range(ROUNDS):
        print(f"round {turn + 1} of {ROUNDS}, load {os.getloadavg()[0]:.1f}", file=sys.stderr)
        for name in FILES:
            add("ezc3d", name, [seconds(lambda: read_ezc3d(path[name]))])
        for _ in range(CHEAP):
            add("numpy", FLOAT, [seconds(lambda: read_numpy(path[FLOAT]))])
            add("map and copy", FLOAT, [seconds(lambda: map_and_copy(path[FLOAT], target))])
        run = subprocess.run([tool, "time", folder], capture_output=True, text=True, check=True)
        for line in run.stdout.splitlines():
            reader, name, values = line.split("\t")
            add(reader, name, [float(value) for value in values.split()])
    return times


def print_times(times, sizes):
    print(f"{'file':<12} {'reader':<15} {'best/ms':>9} {'median/ms':>10} {'GB/s':>6} {'runs':>5}")
    readers = ["ezc3d", "numpy", "map and copy", "c3dio", "condyle_fresh", "condyle_reused"]
    for name in FILES + ["sgi_float"]:
        for reader in readers:
            values = times.get((reader, name))
            if values is None:
                continue
            if not values:
                print(f"{name:<12} {reader:<15} {'refuses':>9}")
                continue
            best, median = min(values), statistics.median(values)
            rate = sizes[name] / best / 1e9
            row = f"{best * 1e3:9.1f} {median * 1e3:10.1f} {rate:6.2f} {len(values):5}"
            print(f"{name:<12} {reader:<15} {row}")


def ratios(times):
    """What is compared, the file, the ratio of bests and of medians, and the target."""

    def ratio(peer, ours, name):
        theirs = times.get((peer, name)) or None
        mine = times[(ours, name)]
        if theirs is None:
            return None
        return min(theirs) / min(mine), statistics.median(theirs) / statistics.median(mine)

    yield "fresh, times ezc3d", FLOAT, ratio("ezc3d", "condyle_fresh", FLOAT), TIMES_EZC3D
    yield "fresh, times c3dio", FLOAT, ratio("c3dio", "condyle_fresh", FLOAT), TIMES_C3DIO
    share = ratio("map and copy", "condyle_reused", FLOAT)
    yield "reused, share of map and copy", FLOAT, share, SHARE_OF_BANDWIDTH
    for name in FILES[1:]:
        yield "fresh, times ezc3d", name, ratio("ezc3d", "condyle_fresh", name), TIMES_EZC3D


def print_ratios(times):
    print(f"{'':<31} {'file':<12} {'of bests':>9} {'of medians':>11} {'target':>7}")
    missed = 0
    for what, name, values, target in ratios(times):
        if values is None:
            print(f"{what:<31} {name:<12} the peer refuses the file")
            continue
        best, median = values
        verdict = "met" if best >= target else "MISSED"
        missed += best < target
        print(f"{what:<31} {name:<12} {best:9.2f} {median:11.2f} {target:7.1f}  {verdict}")
    return missed


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def locked(package):
    """The version of a package that the Rust benchmark was built with."""
    text = Path(__file__).with_name("c3d").joinpath("Cargo.lock").read_text()
    return text.split(f'name = "{package}"\nversion = "', 1)[1].split('"', 1)[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", required=True, help="the binary condyle-bench-c3d")
    parser.add_argument("--scratch", type=Path, required=True)
    options = parser.parse_args()
    folder = options.scratch / "files"
    if not all((folder / f"{name}.c3d").exists() for name in [*FILES, "sgi_float"]):
        folder.mkdir(exist_ok=True)
        subprocess.run([options.tool, "make", folder], check=True)
    sizes = {path.stem: path.stat().st_size for path in folder.glob("*.c3d")}
    peers = f"ezc3d {version('ezc3d')}, numpy {version('numpy')}, c3dio {locked('c3dio')}"
    print(f"{processor()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start")
    print(f"condyle {locked('condyle')}, {peers}")
    print(f"{MARKERS} markers x {FRAMES} frames, {', '.join(f'{n} {s / 1e6:.1f} MB' for n, s in sorted(sizes.items()))}")
    print()
    times = measure(options.tool, folder)
    print_times(times, sizes)
    print()
    return 1 if print_ratios(times) else 0


if __name__ == "__main__":
    sys.exit(main())
