#!/usr/bin/env python3
"""Speed beside ezc3d, c3d and kineticstoolkit, in one run; the main job beside the command line; what Live.push costs.

    python benches/python/speed.py [--program CONDYLE] RECORDING.c3d ...

All times are the processor's, the best of several turns. With the program, each recording is fitted, solved and written
by it and from Python, in turns.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable

import numpy as np

import condyle


def best(times: int, work: Callable[[], object]) -> float:
    """The best of some turns, in seconds of the processor."""
    found = float("inf")
    for _ in range(times):
        start = time.process_time()
        work()
        found = min(found, time.process_time() - start)
    return found


def with_c3d(path: str) -> None:
    import c3d

    with open(path, "rb") as file:
        for _ in c3d.Reader(file).read_frames():
            pass


def reading(path: str) -> None:
    import ezc3d
    import kineticstoolkit

    def ours() -> None:
        for marker in condyle.read(path).markers.values():
            marker[0, 0]

    took = best(20, ours)
    print(f"{path}: condyle {1e3 * took:.2f} ms, all markers as arrays")
    peers = {
        "ezc3d": lambda: ezc3d.c3d(path)["data"]["points"].shape,
        "c3d": lambda: with_c3d(path),
        "kineticstoolkit": lambda: kineticstoolkit.read_c3d(path, convert_point_unit=True),
    }
    for name, work in peers.items():
        try:
            peer = best(3, work)
            print(f"  {name}: {1e3 * peer:.1f} ms, {peer / took:.0f} times")
        except Exception as error:  # noqa: BLE001
            print(f"  {name}: failed: {error}")


MAIN_JOB = """
import sys, condyle
recording, out = sys.argv[1:]
(subject,) = condyle.fit(recording).subjects
subject.write(out + ".json")
condyle.write(condyle.solve(recording, out + ".json"), out + ".csv")
"""


def processor_s(words: list[str]) -> float:
    """What a program takes of the processor."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, words
    return usage.ru_utime + usage.ru_stime


def main_job(program: str, path: str, turns: int = 5) -> None:
    """Fits a recording and solves it with the subject, from file to file: the program beside Python."""
    native, python, empty = [float("inf")] * 3
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(turns):
            one, other = (str(Path(folder) / f"{name}-{turn}") for name in ("native", "python"))
            fit = [program, "fit", path, "-o", f"{one}.json"]
            solve = [program, "solve", path, "--subject", f"{one}.json", "-o", f"{one}.csv"]
            native = min(native, processor_s(fit) + processor_s(solve))
            python = min(python, processor_s([sys.executable, "-c", MAIN_JOB, path, other]))
            empty = min(empty, processor_s([sys.executable, "-c", "import condyle"]))
            assert Path(f"{one}.csv").read_bytes() == Path(f"{other}.csv").read_bytes(), path
    without = python - empty
    print(
        f"{path}: fit and solve from file to file {native:.3f} s by the program, {without:.3f} s from Python, "
        f"{100 * (without / native - 1):+.1f} %; importing takes {empty:.3f} s more"
    )


def live() -> None:
    """What a frame costs that nothing is done with but to keep it."""
    frame = np.zeros((4, 3))
    count = 15
    took = float("inf")
    for _ in range(2000):
        stream = condyle.Live(["LKNE", "RKNE", "LANK", "RANK"], 100.0, fill="off")
        push = stream.push
        start = time.process_time()
        for _ in range(count):
            push(frame)
        took = min(took, (time.process_time() - start) / count)
    print(f"Live.push of four markers before any calibration, call and stream together: {1e6 * took:.2f} us")


if __name__ == "__main__":
    given = sys.argv[1:]
    with_program = given.pop(1) if given[:1] == ["--program"] else None
    for path in given[with_program is not None :]:
        reading(path)
        if with_program:
            main_job(with_program, path)
    live()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
