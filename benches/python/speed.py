#!/usr/bin/env python3
"""Speed beside ezc3d, c3d and kineticstoolkit, in one run; the overhead of Live.push.

    python benches/python/speed.py RECORDING.c3d ...
"""

from __future__ import annotations

import sys
import time
from typing import Callable

import numpy as np

import condyle


def best(times: int, work: Callable[[], object]) -> float:
    """The best of some turns, in seconds."""
    found = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        work()
        found = min(found, time.perf_counter() - start)
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


def live() -> None:
    """What a frame costs that nothing is done with but to keep it."""
    frame = np.zeros((4, 3))
    count = 15
    took = float("inf")
    for _ in range(2000):
        stream = condyle.Live(["LKNE", "RKNE", "LANK", "RANK"], 100.0, fill="off")
        push = stream.push
        start = time.perf_counter()
        for _ in range(count):
            push(frame)
        took = min(took, (time.perf_counter() - start) / count)
    print(f"Live.push of four markers before any calibration, call and stream together: {1e6 * took:.2f} us")


if __name__ == "__main__":
    for path in sys.argv[1:]:
        reading(path)
    live()
