#!/usr/bin/env python3
"""What a very large recording costs: processor and memory of `condyle info`, and with --run of `condyle run`.

A simulated person of a minute is played forwards and backwards until the file has its size: floats with residuals and
camera masks, one sample in a hundred missing. The file goes when all is measured.
"""

import argparse
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

TARGETS = {"info": (1.8, 4.0), "run": (3.7, None)}
BLOCK = 512
MARKERS = 41


def group(number, name):
    return struct.pack("<bb", len(name), -number) + name.encode() + struct.pack("<hB", 3, 0)


def parameter(number, name, kind, dimensions, data):
    """`kind` is -1 for letters, 2 for integers, 4 for floats."""
    body = struct.pack("<bB", kind, len(dimensions)) + bytes(dimensions) + data + b"\0"
    return struct.pack("<bb", len(name), number) + name.encode() + struct.pack("<h", len(body) + 2) + body


def head(labels, frames, rate_hz):
    """Header and parameters; the number of frames is that of TRIAL, because the header's 16 bits cannot hold it."""
    words = np.zeros(BLOCK // 2, "<u2")
    words[0] = 2 | 0x50 << 8
    words[1], words[3], words[4] = len(labels), 1, 65535
    words[6:8] = np.frombuffer(struct.pack("<f", -0.1), "<u2")
    words[10:12] = np.frombuffer(struct.pack("<f", rate_hz), "<u2")
    width = max(map(len, labels))
    names = "".join(label.ljust(width) for label in labels).encode()
    end = struct.pack("<HH", frames & 0xFFFF, frames >> 16)

    def section(data_block):
        return b"".join([
            group(1, "POINT"),
            parameter(1, "USED", 2, [], struct.pack("<h", len(labels))),
            parameter(1, "FRAMES", 2, [], struct.pack("<H", 65535)),
            parameter(1, "SCALE", 4, [], struct.pack("<f", -0.1)),
            parameter(1, "RATE", 4, [], struct.pack("<f", rate_hz)),
            parameter(1, "DATA_START", 2, [], struct.pack("<h", data_block)),
            parameter(1, "UNITS", -1, [2], b"mm"),
            parameter(1, "LABELS", -1, [width, len(labels)], names),
            group(2, "TRIAL"),
            parameter(2, "ACTUAL_START_FIELD", 2, [2], struct.pack("<HH", 1, 0)),
            parameter(2, "ACTUAL_END_FIELD", 2, [2], end),
            b"\0\0",
        ])

    blocks = -(-(len(section(0)) + 4) // BLOCK)
    words[8] = 2 + blocks
    parameters = struct.pack("<BBBB", 1, 0x50, blocks, 84) + section(2 + blocks)
    return words.tobytes() + parameters.ljust(blocks * BLOCK, b"\0")


def simulated(condyle, folder):
    """Labels and rate of a person, and the floats of all frames: x, y, z in millimetres, residual with cameras."""
    words = "simulate -o one --quiet --seconds 60 --rate 120 --markers cmu41 --noise-mm 0.3".split()
    subprocess.run([condyle, *words], cwd=folder, check=True)
    # Tables of our own are in metres.
    convert = [condyle, "convert", "--quiet", "one/recording.c3d", "one.csv"]
    subprocess.run(convert, cwd=folder, check=True)
    text = (folder / "one.csv").read_text().splitlines()
    names = text[0].split(",")
    first = next(index for index, name in enumerate(names) if name.split(" ")[0].endswith("_x"))
    labels = [name.split(" ")[0][:-2] for name in names[first::3]][:MARKERS]
    cells = np.genfromtxt(text[1:], delimiter=",", dtype="f4")[:, first : first + 3 * len(labels)]
    points = np.zeros((len(cells), len(labels), 4), "<f4")
    points[:, :, :3] = 1e3 * cells.reshape(len(cells), -1, 3)
    frame, marker = np.indices(points.shape[:2])
    points[:, :, 3] = 256 * (frame % 100) + frame % 9
    points[((7 * frame + 131 * marker) % 100 == 0) | np.isnan(points[:, :, 0])] = [0, 0, 0, -1]
    return labels, points


def make(condyle, path, gigabytes):
    with tempfile.TemporaryDirectory() as folder:
        labels, points = simulated(condyle, Path(folder))
    there_and_back = np.concatenate([points, points[::-1]]).tobytes()
    frame_bytes = 16 * len(labels)
    frames = int(gigabytes * 1e9) // frame_bytes
    left = frames * frame_bytes
    with path.open("wb") as out:
        out.write(head(labels, frames, 120.0))
        while left > 0:
            left -= out.write(there_and_back[:left])
    print(f"{len(labels)} markers x {frames} frames, {path.stat().st_size / 1e9:.2f} GB")


def measure(command, log):
    """Seconds of the processor, user's and system's, on the clock, and the peak in bytes."""
    start = time.time()
    with log.open("wb") as said:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said)
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, usage.ru_utime, usage.ru_stime, time.time() - start, usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, required=True, help="the program condyle")
    parser.add_argument("--folder", type=Path, required=True, help="where the file goes; results of a run too")
    parser.add_argument("--gigabytes", type=float, default=2.0)
    parser.add_argument("--run", action="store_true", help="also condyle run, which takes minutes")
    parser.add_argument("--keep", action="store_true", help="leave the file")
    options = parser.parse_args()
    program = str(options.program.resolve())
    options.folder.mkdir(parents=True, exist_ok=True)
    path, out = (options.folder / "large.c3d").resolve(), options.folder / "large-out"
    missed = 0
    try:
        if not path.exists():
            make(program, path, options.gigabytes)
        size = path.stat().st_size
        commands = {"info": [program, "info", path]}
        if options.run:
            commands["run"] = [program, "run", path, "-o", out, "--quiet"]
        for name, command in commands.items():
            code, user_s, system_s, clock_s, peak = measure(command, options.folder / "said.txt")
            most, most_s = TARGETS[name]
            is_met = code == 0 and peak / size <= most and (most_s is None or user_s + system_s <= most_s)
            missed += not is_met
            wanted = f"at most {most}" + (f" and {most_s:.0f} s" if most_s else "")
            print(
                f"{name}: exit {code}, {peak / size:.2f} times its size, {user_s:.1f} s and {system_s:.1f} s of the system, "
                f"{clock_s:.1f} s on the clock; {wanted}: {'met' if is_met else 'MISSED'}",
                flush=True,
            )
            print((options.folder / "said.txt").read_text()[:2000], end="")
    finally:
        if not options.keep:
            path.unlink(missing_ok=True)
        shutil.rmtree(out, ignore_errors=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
