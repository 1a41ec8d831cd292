"""Nanoseconds a point and microseconds a fit of rotation centres: Condyle beside NumPy, trimesh, SciPy.

All fit the same points, on one thread, in turns, so that a neighbour on the machine disturbs all of
them. The best of all turns counts. What they find is compared too: a fast wrong answer is none.
"""

import argparse
import os
import platform
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

# One thread each, before NumPy starts its own.
for variable in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"]:
    os.environ[variable] = "1"

import numpy as np
from scipy.optimize import least_squares
from trimesh.nsphere import fit_nsphere

SIZES = [100, 1_000, 10_000, 1_000_000]
BUDGET_S = 0.4
DEGREES, SIGMA = 60.0, 0.01
CENTRE = np.array([0.3, -0.8, 0.1])
# Bytes a point: three 64-bit floats.
POINT = 24


def cap(n):
    """Points uniform on a cap, with noise."""
    random = np.random.default_rng(n)
    z = 1 - (1 - np.cos(np.radians(DEGREES))) * random.random(n)
    phi = 2 * np.pi * random.random(n)
    across = np.sqrt(1 - z * z)
    on = np.stack([across * np.cos(phi), across * np.sin(phi), z])
    return on + CENTRE[:, None] + SIGMA * random.standard_normal((3, n))


def gdk_rows(rows):
    """GDK in vectorised NumPy, one row a point."""
    mean = rows.mean(axis=0)
    d = rows - mean
    square = np.einsum("ij,ij->i", d, d)
    offset = 0.5 * np.linalg.solve(d.T @ d, square @ d)
    return mean + offset, np.sqrt(square.mean() + offset @ offset)


def gdk_axes(axes):
    """The same, one row an axis."""
    mean = axes.mean(axis=1)
    d = axes - mean[:, None]
    square = np.einsum("ij,ij->j", d, d)
    offset = 0.5 * np.linalg.solve(d @ d.T, d @ square)
    return mean + offset, np.sqrt(square.mean() + offset @ offset)


def lstsq(rows):
    """Linear least squares by singular values, (62) to (67)."""
    matrix = np.hstack([2 * rows, np.ones((len(rows), 1))])
    x = np.linalg.lstsq(matrix, np.einsum("ij,ij->i", rows, rows), rcond=None)[0]
    return x[:3], np.sqrt(x[3] + x[:3] @ x[:3])


def trimesh(rows):
    return fit_nsphere(rows)[:2]


def distances(x, rows):
    return np.linalg.norm(rows - x[:3], axis=1) - x[3]


def slopes(x, rows):
    d = rows - x[:3]
    return np.hstack([-d / np.linalg.norm(d, axis=1)[:, None], -np.ones((len(rows), 1))])


def scipy(rows):
    """Geometric least squares as one writes it down: from the mean, derivatives by differences."""
    mean = rows.mean(axis=0)
    start = [*mean, np.linalg.norm(rows - mean, axis=1).mean()]
    x = least_squares(distances, start, args=(rows,)).x
    return x[:3], x[3]


def scipy_helped(rows):
    """The same from GDK, with exact derivatives."""
    centre, radius = gdk_rows(rows)
    x = least_squares(distances, [*centre, radius], slopes, args=(rows,)).x
    return x[:3], x[3]


# A name, the function, whether it wants one row a point, and which of our fits it should find.
PEERS = [
    ("numpy gdk, rows", gdk_rows, True, "gdke"),
    ("numpy gdk, axes", gdk_axes, False, "gdke"),
    ("numpy lstsq", lstsq, True, "gdke"),
    ("trimesh", trimesh, True, "gdke"),
    ("scipy", scipy, True, "mle"),
    ("scipy, helped", scipy_helped, True, "mle"),
]
# Iterations end when steps are small enough; trimesh's and SciPy's at 1e-8.
AGREEMENT = 1e-6


def best_ns(run, n):
    """The best of several runs, in nanoseconds a point."""
    best, started = np.inf, time.perf_counter()
    while best == np.inf or time.perf_counter() - started < BUDGET_S:
        lap = time.perf_counter_ns()
        run()
        best = min(best, (time.perf_counter_ns() - lap) / n)
    return best


class Results:
    """The best nanoseconds a point by name and size, and our fits."""

    def __init__(self):
        self.ns, self.fits, self.disagreements = {}, {}, []

    def add(self, name, n, ns):
        self.ns[name, n] = min(ns, self.ns.get((name, n), np.inf))

    def ours(self, tool, files):
        run = subprocess.run([tool, *files], capture_output=True, text=True, check=True)
        for line in run.stdout.splitlines():
            n, name, *values = line.split()
            if name.endswith(":fit"):
                self.fits[name.removesuffix(":fit"), int(n)] = np.array(values, float)
            else:
                self.add(name, int(n), float(values[0]))

    def peer(self, name, fit, points, like):
        n = max(points.shape)
        centre, _ = fit(points)
        off = np.linalg.norm(centre - self.fits[like, n][:3])
        if not off < AGREEMENT:
            self.disagreements.append(f"{name} at {n} points is {off:.1e} radii from our {like}")
        self.add(name, n, best_ns(lambda: fit(points), n))


def measure(tool, scratch, rounds):
    clouds = {n: cap(n) for n in SIZES}
    files = [scratch / f"cap_{n}.f64" for n in SIZES]
    for n, file in zip(SIZES, files):
        clouds[n].astype("<f8").tofile(file)
    results = Results()
    for turn in range(rounds):
        print(f"round {turn + 1} of {rounds}, load {os.getloadavg()[0]:.1f}", file=sys.stderr)
        results.ours(tool, files)
        for n, axes in clouds.items():
            rows = np.ascontiguousarray(axes.T)
            for name, fit, wants_rows, like in PEERS:
                results.peer(name, fit, rows if wants_rows else axes, like)
    return results


def print_times(results):
    names = list(dict.fromkeys(name for name, _ in results.ns))
    print("nanoseconds a point" + " " * 10 + "".join(f"{n:>12}" for n in SIZES) + "   us a fit of 100")
    for name in names:
        cells = [results.ns.get((name, n)) for n in SIZES]
        row = "".join(f"{cell:12.2f}" if cell is not None else f"{'-':>12}" for cell in cells)
        print(f"{name:<29}{row}{cells[0] * SIZES[0] / 1e3:18.3f}")


def targets(ns):
    """What is judged, the value, the target, and whether it is a floor."""
    numpy = {n: min(ns["numpy gdk, rows", n], ns["numpy gdk, axes", n]) for n in SIZES}
    yield "moment pass of 1,000, ns a point", ns["moments", 1_000], 1.0, False
    million = 1_000_000
    share = ns["read", million] / ns["moments", million]
    yield "moment pass of 1,000,000, share of reading", share, 0.7, True
    yield "gdke of 1,000, times numpy gdk", numpy[1_000] / ns["gdke-bare", 1_000], 45.0, True
    yield "gdke of 100, us a fit", ns["gdke-bare", 100] * 0.1, 0.15, False
    for peer, factor in [("numpy lstsq", 60.0), ("trimesh", 200.0), ("scipy", 1000.0)]:
        yield f"gdke of 100, times {peer}", ns[peer, 100] / ns["gdke-bare", 100], factor, True
    for n in SIZES[1:]:
        yield f"mle of {n:,}, ns a point", ns["mle", n], 5.0, False


def print_targets(ns):
    print(f"{'':<44}{'here':>10}{'target':>10}")
    missed = False
    for name, value, target, is_floor in targets(ns):
        met = value >= target if is_floor else value <= target
        missed |= not met
        bound = ("at least " if is_floor else "at most ") + f"{target:g}"
        print(f"{name:<44}{value:>10.2f}{bound:>16}  {'met' if met else 'MISSED'}")
    return missed


def print_ratios(ns):
    """The thesis's ratios beside ours."""

    def row(name, thesis, ours, peer, remark):
        cells = [f"{ns[ours, n] / ns['gdke-bare', n]:10.1f}" if (ours, n) in ns else " " * 10 for n in SIZES]
        theirs = ""
        if peer:
            theirs = "".join(f"{ns[peer, n] / ns['numpy gdk, rows', n]:8.1f}" for n in SIZES)
        print(f"{name:<18}{thesis:>8}{''.join(cells)}   {theirs}")
        print(f"{'':<26}{remark}")

    sizes = "".join(f"{n:>10}" for n in SIZES)
    print(f"{'times gdke':<18}{'thesis':>8}{sizes}   the same in NumPy and SciPy, same sizes")
    row("lls by svd", "11.05", "lls", "numpy lstsq", "LAPACK reduces to 4 x 4 first and narrows it")
    row("mle", "~80", "mle", "scipy", "Newton's steps from sc-gdk read the points two or three times")
    row("igdk", "2.17", "igdk-recurrence", None, "the centre after every point, not once; gdke is wide, this cannot be")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", required=True, help="the built example centre_speed")
    parser.add_argument("--scratch", required=True, help="where the points go")
    parser.add_argument("--rounds", type=int, default=3, help="how many turns (default 3)")
    args = parser.parse_args()
    before = os.getloadavg()[0]
    results = measure(args.tool, Path(args.scratch), args.rounds)
    after = os.getloadavg()[0]
    packages = ", ".join(f"{name} {version(name)}" for name in ["numpy", "scipy", "trimesh"])
    print(f"python {platform.python_version()}, {packages}")
    print(f"cap of {DEGREES:g} degrees, noise {SIGMA:g} radii, one thread, load {before:.1f} to {after:.1f}\n")
    print_times(results)
    million = SIZES[-1]
    rate = POINT / results.ns["read", million]
    print(f"\nreading a million points: {rate:.1f} GB/s on one thread\n")
    missed = print_targets(results.ns)
    print()
    print_ratios(results.ns)
    for line in results.disagreements:
        print(f"disagreement: {line}")
    sys.exit(1 if missed or results.disagreements else 0)


if __name__ == "__main__":
    main()
