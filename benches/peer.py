"""A recording as ezc3d reads it, in the shapes of `dump`."""

import multiprocessing
from dataclasses import dataclass

import ezc3d
import numpy as np


@dataclass
class Peer:
    """One recording; lengths in the file's unit, NaN where ezc3d sees a gap."""

    rate_hz: float
    labels: list
    points: np.ndarray  # [point][frame][xyz]
    analog: np.ndarray  # [channel][sample]
    world_from_body: np.ndarray  # [body][frame][row][column]


class Refused(Exception):
    """ezc3d does not read the file; the text says why."""


def read(path):
    """Reads a file in a process of its own, because some files end the process."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=_read_to, args=(path, theirs))
    child.start()
    theirs.close()
    try:
        result = ours.recv()
    except EOFError:
        child.join()
        raise Refused(f"ends its process with signal {-child.exitcode}") from None
    child.join()
    if isinstance(result, str):
        raise Refused(result.removesuffix(": iostream error"))
    return result


def _read_to(path, pipe):
    try:
        pipe.send(_read(path))
    except Exception as error:  # whatever its C++ throws
        pipe.send(str(error))


def _read(path):
    c3d = ezc3d.c3d(str(path))
    point = c3d["parameters"]["POINT"]
    labels = list(point.get("LABELS", {"value": []})["value"])
    number = 2
    while f"LABELS{number}" in point:
        labels += point[f"LABELS{number}"]["value"]
        number += 1
    data = c3d["data"]
    analog = data["analogs"][0]
    # Rotations come as [row][column][body][sample], points as [xyz1][point][frame].
    return Peer(
        rate_hz=c3d["header"]["points"]["frame_rate"],
        labels=[label.strip() for label in labels],
        points=data["points"][:3].transpose(1, 2, 0),
        analog=analog if len(analog) else analog.reshape(0, 0),
        world_from_body=data["rotations"].transpose(2, 3, 0, 1),
    )
