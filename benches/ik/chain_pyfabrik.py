"""Times pyfabrik on the targets of a file: name, microseconds a solve, per cent reached.

In an environment of its own: vectormath 0.2.2, on which it stands, gives a bare array for the difference of
two vectors under NumPy 2, and pyfabrik then asks that for its length.
"""

import math
import sys
import time
import warnings

import numpy as np
import pyfabrik
from vectormath import Vector3

BONES, COUNT = 9, 50


def start():
    bends = 0.1 * np.arange(BONES)
    bones = np.stack([np.sin(bends), 0.3 * np.sin(bends), np.cos(bends)], axis=1)
    bones /= np.linalg.norm(bones, axis=1)[:, None]
    return [Vector3(*at) for at in np.vstack([np.zeros(3), np.cumsum(bones, axis=0)])]


def main():
    warnings.simplefilter("ignore")
    points = np.loadtxt(sys.argv[1], delimiter=",")[:COUNT]
    tolerance = float(sys.argv[2])
    spent = reached = 0
    for point in points:
        best = math.inf
        for _ in range(3):
            fabrik = pyfabrik.Fabrik3D(joint_positions=start(), tolerance=tolerance)
            begun = time.perf_counter()
            fabrik.move_to(Vector3(*point), try_to_reach=False)
            best = min(best, time.perf_counter() - begun)
        spent += best
        reached += np.linalg.norm(np.array(fabrik.joints[-1]) - point) <= tolerance
    print(f"pyfabrik\t{1e6 * spent / len(points)}\t{100 * reached / len(points)}")


if __name__ == "__main__":
    main()
