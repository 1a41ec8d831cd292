"""Reads what `condyle-bench-c3d dump` writes; the layout is described in c3d/src/dump.rs."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass
class Dump:
    """One recording as Condyle holds it; NaN means missing."""

    rate_hz: float
    metres_per_unit: float
    is_float: bool
    labels: list
    channel_labels: list
    body_names: list
    points_m: np.ndarray  # [point][frame][xyz]
    analog: np.ndarray  # [channel][sample]
    world_from_body: np.ndarray  # [body][frame][row][column], metres

    @property
    def frames(self):
        return self.points_m.shape[1]


class Refused(Exception):
    """Condyle does not read the file; the text says why."""


def read(tool, path, scratch):
    """The dump of one file, made by the benchmark binary `tool`."""
    out = Path(scratch) / "dump.bin"
    run = subprocess.run([tool, "dump", path, out], capture_output=True, text=True)
    if run.returncode != 0:
        raise Refused(run.stderr.strip().removeprefix(f"{path}: "))
    data = out.read_bytes()
    at = 9 * 8
    head = np.frombuffer(data, "<f8", 9)
    points, frames, channels, samples, bodies = (int(n) for n in head[:5])
    texts = []
    for _ in range(points + channels + bodies):
        length = int(np.frombuffer(data, "<f8", 1, at)[0])
        texts.append(data[at + 8 : at + 8 + length].decode())
        at += 8 + length

    def take(*shape):
        nonlocal at
        values = np.frombuffer(data, "<f8", int(np.prod(shape)), at).reshape(shape)
        at += values.nbytes
        return values

    return Dump(
        rate_hz=head[5],
        metres_per_unit=head[6],
        is_float=bool(head[7]),
        labels=texts[:points],
        channel_labels=texts[points : points + channels],
        body_names=texts[points + channels :],
        points_m=take(points, frames, 3),
        analog=take(channels, samples),
        world_from_body=take(bodies, frames, 4, 4).swapaxes(2, 3),
    )
