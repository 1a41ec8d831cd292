#!/usr/bin/env python3
"""Thousands of recordings on a LocalCluster: how it scales, what a killed worker and a corrupt file do, memory.

    python benches/python/cluster.py [scaling|kill|memory|store] ...

Needs condyle[cluster]; `store` needs moto[s3,server] and s3fs too. Recordings are made up: arms that move for 0.4 seconds, or
with WALKS set people who walk for 4; COUNT says how many, TASKS how many for `memory`, there with SHORT set of a file that
is refused at once, with ALONE each in a task of its own.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from distributed import Client, LocalCluster

import condyle
from condyle import _map

COUNT = int(os.environ.get("COUNT", "1000"))
OPTIONS = {"soft_tissue": "none"}


def recordings(folder: Path, count: int, seconds: float = 0.4) -> list[Path]:
    folder.mkdir()
    made = []
    for seed in range(10):
        first = folder / f"made-{seed:02}.c3d"
        condyle.simulate("arm", seconds=seconds, rate=50, seed=seed).trial.write(first)
        made.append(first)
    for index in range(10, count):
        path = folder / f"made-{index:05}.c3d"
        shutil.copy(made[index % 10], path)
        made.append(path)
    return made[:count]


def cluster(workers: int) -> LocalCluster:
    return LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address="127.0.0.1:0")


def processor_s(client: Client) -> tuple[float, float]:
    """What workers, and this process with scheduler and client, took of the processor so far."""
    return sum(client.run(time.process_time).values()), time.process_time()


def walks(folder: Path, count: int) -> list[Path]:
    """People who walk for four seconds, as recordings are in a laboratory."""
    folder.mkdir()
    first = folder / "walk-0000.c3d"
    condyle.simulate(routine="walk", seconds=4, rate=100, markers="plug-in-gait").trial.write(first)
    paths = [folder / f"walk-{index:04}.c3d" for index in range(count)]
    for path in paths[1:]:
        shutil.copy(first, path)
    return paths


def scaling(folder: Path) -> None:
    files = walks(folder / "in", COUNT) if "WALKS" in os.environ else recordings(folder / "in", COUNT)
    took: dict[int, float] = {}
    busy_s: dict[int, tuple[float, float]] = {}
    for turn, workers in enumerate((1, 2)):
        with cluster(workers) as own, Client(own) as client:
            list(condyle.map(files[: 2 * workers], client=client, **OPTIONS))  # Workers import what they need.
            start, before = time.perf_counter(), processor_s(client)
            outcomes = list(condyle.map(files, folder / f"out-{turn}", client=client, **OPTIONS))
            took[workers] = time.perf_counter() - start
            busy_s[workers] = tuple(after - own for after, own in zip(processor_s(client), before))
            busy = sum(own.seconds for own in outcomes)
            assert all(own.status == "done" for own in outcomes)
            share = busy / took[workers] / workers
            of_workers, of_rest = busy_s[workers]
            print(f"{workers} workers: {took[workers]:.1f} s for {len(files)}; busy {100 * share:.0f} % of the time")
            print(f"  processor: workers {of_workers:.1f} s, scheduler and client {of_rest:.1f} s")
    # One worker leaves a core to the scheduler; two workers share both cores with it.
    linear = busy_s[1][0] / sum(busy_s[2])
    print(f"2 workers by the processor's time: {linear:.2f} of linear on two cores that nobody else uses")
    print(f"2 workers: {took[1] / took[2] / 2:.2f} of linear; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def kill(folder: Path) -> None:
    files = recordings(folder / "in", COUNT)
    files[COUNT // 2].write_bytes(files[COUNT // 2].read_bytes()[:600])
    out = folder / "out"
    with cluster(2) as own, Client(own) as client:
        seen = []
        for outcome in condyle.map(files, out, client=client, **OPTIONS):
            seen.append(outcome)
            if len(seen) == COUNT // 3:
                victim = sorted(client.run(os.getpid).values())[0]
                os.kill(victim, signal.SIGKILL)
                print(f"killed worker {victim} after {len(seen)}")
        counts = {status: sum(own.status == status for own in seen) for status in ("done", "failed", "up-to-date")}
        print(f"first run: {counts}; failed: {[own.error for own in seen if own.error]}")
        for path in sorted((out / "done").iterdir())[:100]:
            path.unlink()
        again = [own.status for own in condyle.map(files, out, client=client, **OPTIONS)]
        print(f"resumed, 100 records taken away: { {status: again.count(status) for status in sorted(set(again))} }")
    halves = [path for path in out.rglob(".condyle-*")]
    print(f"half files: {len(halves)}")


def memory(folder: Path) -> None:
    count = int(os.environ.get("TASKS", "10000"))
    (file,) = recordings(folder / "in", 1)
    # Small tasks: with SHORT set a file that is refused at once, for what the scheduler keeps does not depend on it.
    if "SHORT" in os.environ:
        file.write_bytes(file.read_bytes()[:600])
    if "ALONE" in os.environ:
        _map.TOGETHER = 1  # A task a recording, however small.
    with cluster(2) as own, Client(own) as client:
        for index, _ in enumerate(condyle.map((file for _ in range(count)), client=client, **OPTIONS), 1):
            if index in (count // 10, count // 4, count // 2, count):
                tasks = len(own.scheduler.tasks)
                pages = int(Path("/proc/self/statm").read_text().split()[1])
                mb = pages * resource.getpagesize() / 1e6
                print(f"after {index} tasks: {tasks} in the scheduler, {mb:.0f} MB resident")


def store(folder: Path) -> None:
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    os.environ.update(AWS_ACCESS_KEY_ID="testing", AWS_SECRET_ACCESS_KEY="testing", AWS_DEFAULT_REGION="us-east-1")
    storage = {"client_kwargs": {"endpoint_url": f"http://{host}:{port}"}}
    import fsspec

    fs = fsspec.filesystem("s3", **storage)
    fs.mkdir("lab")
    for file in recordings(folder / "in", 40):
        fs.put_file(str(file), f"lab/in/{file.name}")
    with cluster(2) as own, Client(own) as client:
        for _ in range(2):
            found = [one.status for one in condyle.map("s3://lab/in/*.c3d", "s3://lab/out", client=client, storage=storage, **OPTIONS)]
            print(f"object store: { {status: found.count(status) for status in sorted(set(found))} }")
    print(f"objects: {len(fs.find('lab/out'))}")
    server.stop()


if __name__ == "__main__":
    for part in sys.argv[1:] or ["scaling", "kill", "memory", "store"]:
        print(f"== {part}")
        with tempfile.TemporaryDirectory() as folder:
            {"scaling": scaling, "kill": kill, "memory": memory, "store": store}[part](Path(folder))
