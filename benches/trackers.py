"""Joints between sensors: Condyle beside NumPy, the same poses in one run.

usage: trackers.py --tool PATH --scratch DIR

--tool is the built example trackers_speed. Exits 1 if a target is missed.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

# One thread each: several only get in each other's way on matrices of six columns.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np  # noqa: E402

SENSORS = 16
ROUNDS = 7
# name, unit, target at most
TARGETS = [
    ("pair_ns", "ns a frame and pair, sums in cache", 12.0),
    ("known_ms", "ms, 16 sensors x 45 s x 100 Hz, hierarchy known", 2.0),
    ("unknown_ms", "ms, the same, hierarchy from 120 pairs", 15.0),
    ("four_ms", "ms, 4 sensors x 50,000 frames with hierarchy", 50.0),
]
AT_LEAST_FASTER_THAN_SVD = 20.0


def best(work):
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def stacked(child, parent):
    """O'Brien's (13): the 3n x 6 matrix and its right-hand side."""
    n = len(child)
    q = np.empty((3 * n, 6))
    q[:, :3] = child[:, :9].reshape(3 * n, 3)
    q[:, 3:] = -parent[:, :9].reshape(3 * n, 3)
    return q, (parent[:, 9:] - child[:, 9:]).reshape(3 * n)


def by_svd(child, parent):
    q, d = stacked(child, parent)
    u, s, vt = np.linalg.svd(q, full_matrices=False)
    return vt.T @ ((u.T @ d) / s)


def by_normal_equations(child, parent):
    q, d = stacked(child, parent)
    return np.linalg.solve(q.T @ q, q.T @ d)


def by_sums(child, parent):
    """The normal form in sums, as Condyle has it, in NumPy."""
    rc, rp = child[:, :9].reshape(-1, 3, 3), parent[:, :9].reshape(-1, 3, 3)
    d = parent[:, 9:] - child[:, 9:]
    n = len(child)
    m = np.einsum("kij,kil->jl", rc, rp)
    a = np.block([[n * np.eye(3), -m], [-m.T, n * np.eye(3)]])
    b = np.concatenate([np.einsum("kij,ki->j", rc, d), -np.einsum("kij,ki->j", rp, d)])
    return np.linalg.solve(a, b)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--scratch", required=True)
    args = parser.parse_args()
    dump = Path(args.scratch) / "sensors.f64"
    out = subprocess.run([args.tool, "--json", "--dump", str(dump)], check=True, capture_output=True)
    ours = json.loads(out.stdout)
    poses = np.fromfile(dump).reshape(SENSORS, -1, 12)
    dump.unlink()
    child, parent = poses[1], poses[0]
    frames = len(child)
    # The same share of the work: the sums of a pair over a recording, its fit, a frame.
    ours_ns = ours["known_ms"] * 1e6 / ((SENSORS - 1) * frames)
    print(f"{frames} frames; nanoseconds a frame and pair, fit included")
    print(f"  {'condyle':34}{ours_ns:10.1f}")
    answers = {}
    ratio = 0.0
    for name, work in [
        ("NumPy, sums", by_sums),
        ("NumPy, normal equations", by_normal_equations),
        ("NumPy, stacked 3n x 6 SVD", by_svd),
    ]:
        answers[name] = work(child, parent)
        ns = best(lambda: work(child, parent)) * 1e9 / frames
        ratio = ns / ours_ns
        print(f"  {name:34}{ns:10.1f}   {ratio:6.1f} x")
    spread = max(np.abs(a - b).max() for a in answers.values() for b in answers.values())
    print(f"  the NumPy answers agree to {spread:.1e} m")
    missed = spread > 1e-9
    for name, what, limit in TARGETS:
        missed |= ours[name] > limit
        print(f"  {ours[name]:10.3f} {what} (at most {limit:g}){'  MISSED' if ours[name] > limit else ''}")
    print(f"  {ours['fit_us']:10.3f} us a fit from its sums; {ours['whole_ms']:.1f} ms a subject with error bars")
    missed |= ratio < AT_LEAST_FASTER_THAN_SVD
    print(f"  {ratio:10.1f} x faster than the stacked SVD (at least {AT_LEAST_FASTER_THAN_SVD:g})")
    sys.exit(int(missed))


if __name__ == "__main__":
    main()
