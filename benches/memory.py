"""The peak memory of `condyle info` on every recording and on files made to be expensive.

The limit is for the whole process: 20 times the size of the file plus 64 MiB.
"""

import argparse
import os
import signal
import subprocess
import sys
from pathlib import Path

import hostile

TIMES_SIZE = 20
PLUS_BYTES = 64 * 1024 * 1024
# Long enough for anything that is not quadratic.
LIMIT_S = 60
SUFFIXES = {".c3d", ".trc", ".csv", ".bvh", ".asf", ".amc", ".sto", ".mot", ".mvnx", ".txt", ".trb"}


def peak(condyle, path):
    """Peak resident bytes of one run, its processor seconds, and its exit code or signal."""
    command = [condyle, "info", path]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    signal.signal(signal.SIGALRM, lambda *_: child.kill())
    signal.alarm(LIMIT_S)
    _, status, usage = os.wait4(child.pid, 0)
    signal.alarm(0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime, child.returncode


def measure(condyle, paths):
    rows, wrong = [], []
    for label, path in paths:
        size = path.stat().st_size
        bytes_, seconds, code = peak(condyle, path)
        share = bytes_ / (TIMES_SIZE * size + PLUS_BYTES)
        rows.append((share, bytes_, size, seconds, label))
        if share > 1:
            wrong.append(f"{label}: {bytes_ / 2**20:.0f} MiB, the limit is {bytes_ / share / 2**20:.0f}")
        if code not in (0, 1):
            wrong.append(f"{label}: exit {code} after {seconds:.0f} s")
    return rows, wrong


def print_worst(title, rows):
    print(f"{title}: {len(rows)} files, the worst ten by share of the limit")
    print(f"{'of limit':>8} {'peak/MiB':>9} {'size/MB':>9} {'x size':>8} {'cpu/s':>6}  file")
    for share, bytes_, size, seconds, label in sorted(rows, reverse=True)[:10]:
        times = f"{bytes_ / size:.1f}" if size else "-"
        print(f"{share:8.3f} {bytes_ / 2**20:9.1f} {size / 1e6:9.3f} {times:>8} {seconds:6.2f}  {label}")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--condyle", required=True, help="the binary condyle")
    parser.add_argument("--data", type=Path, required=True, help="the folder with recordings")
    parser.add_argument("--scratch", type=Path, required=True)
    options = parser.parse_args()
    wrong = []
    if options.data.is_dir():
        found = [p for p in sorted(options.data.rglob("*")) if p.suffix.lower() in SUFFIXES]
        paths = [(str(p.relative_to(options.data)), p) for p in found]
        rows, over = measure(options.condyle, paths)
        print_worst("recordings", rows)
        wrong += over
    else:
        print(f"skipped: no recordings at {options.data}")
    folder = options.scratch / "hostile"
    # In a process of its own: a child's peak starts at what its parent held when it was born.
    subprocess.run([sys.executable, hostile.__file__, folder], check=True)
    paths = [(path.name, path) for path in sorted(folder.iterdir())]
    rows, over = measure(options.condyle, paths)
    print_worst("hostile files", rows)
    slow = [f"{label} ({seconds:.1f} s)" for _, _, _, seconds, label in rows if seconds > 5]
    if slow:
        print(f"slower than 5 s: {', '.join(slow)}\n")
    wrong += over
    for line in wrong:
        print(f"MISSED  {line}")
    print(f"memory under {TIMES_SIZE} x size + 64 MiB: {'missed' if wrong else 'met'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
