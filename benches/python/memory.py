#!/usr/bin/env python3
"""How much memory a large recording needs from Python and from the command line: read, and every marker looked at.

    python benches/python/memory.py CONDYLE [GB]

CONDYLE is the program; the recording, a C3D file of about so many gigabytes (1), is made up and deleted afterwards.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

MARKERS = 50
LOOK = """
import sys, condyle
trial = condyle.read(sys.argv[1])
seen = sum(marker[:, 0].max() > 0 for marker in trial.markers.values())
first, second = (trial.markers.at(place) for place in (0, 1))
place = lambda array: array.__array_interface__["data"][0]
assert place(second) - place(first) == first.nbytes and not first.flags.owndata
print(f"  {seen} markers of {trial.frames} frames, each a view right behind the one before")
"""


def make(path: Path, gigabytes: float) -> None:
    import condyle

    frames = round(gigabytes * 1e9 / (16 * MARKERS))
    time_s = np.arange(frames) / 100
    points = np.column_stack([np.sin(time_s), np.cos(time_s), 1 + 0.1 * np.sin(7 * time_s)])
    condyle.Trial.from_markers({f"M{place:02}": points + 0.01 * place for place in range(MARKERS)}, 100.0).write(path)


def peak_mb(words: list[str]) -> float:
    """The most memory that a program had, as the system counts it."""
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, said
    if said.startswith("  ") and words[0] == sys.executable:
        print(said, end="")
    return usage.ru_maxrss / 1024


def main() -> None:
    program, gigabytes = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.c3d"
        subprocess.run([sys.executable, __file__, "--make", str(path), str(gigabytes)], check=True)
        print(f"{path.stat().st_size / 1e6:.0f} MB of C3D")
        native = peak_mb([program, "info", str(path)])
        python = peak_mb([sys.executable, "-c", LOOK, str(path)])
        empty = peak_mb([sys.executable, "-c", "import condyle"])
        print(f"condyle info: {native:.0f} MB; Python: {python:.0f} MB, {python / native:.3f} times (importing: {empty:.0f} MB)")


if __name__ == "__main__":
    if sys.argv[1] == "--make":
        make(Path(sys.argv[2]), float(sys.argv[3]))
    else:
        main()
