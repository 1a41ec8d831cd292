"""Threads run at once and get the same results."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import condyle


def test_eight_threads_on_one_recording_give_one_result(walk: condyle.Simulation, solved: condyle.Result) -> None:
    def job(_: int) -> bytes:
        markers = [np.nansum(marker) for marker in walk.trial.markers.values()]
        assert len(markers) == 39
        return condyle.run(walk.trial).performer.to_bytes("csv")

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(job, range(8))) == {solved.performer.to_bytes("csv")}


def test_eight_threads_push_into_one_stream(walk: condyle.Simulation, solved: condyle.Result) -> None:
    live = condyle.Live(walk.trial.labels, 50, subject=solved.performer.subject, fill="off")
    frame = np.stack([walk.trial.markers.at(place)[0] for place in range(39)])
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: live.push(frame), range(800)))
    assert live.frames == 800


def test_others_run_while_the_library_computes(walk: condyle.Simulation) -> None:
    ticks = []
    is_done = threading.Event()

    def tick() -> None:
        while not is_done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    other = threading.Thread(target=tick)
    other.start()
    start = time.perf_counter()
    condyle.run(walk.trial, by="motion")
    took = time.perf_counter() - start
    is_done.set()
    other.join()
    during = [own for own in ticks if start < own < start + took]
    # Held back, the other would tick once or twice.
    assert len(during) > 5
