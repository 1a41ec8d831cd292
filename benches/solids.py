#!/usr/bin/env python3
"""Solids beside trimesh and TetGen, the same surfaces in one run.

usage: solids.py --tool PATH --scratch DIR [--more FILE.ply ...]
       solids.py --tool PATH --scratch DIR --surfaces [--more FILE.ply ...] [--subject SUBJECT.json ...]

--tool is the built program `solids` of the laboratory. With --surfaces: a table of surfaces filled with tetrahedra, every
segment of fitted subjects too, TetGen beside it. Needs numpy, trimesh and tetgen from PyPI.
"""

import argparse
import statistics
import subprocess
import time
from pathlib import Path

import numpy as np
import tetgen
import trimesh

ROUNDS = 9


def timed(work):
    """Best and median of some rounds, in milliseconds of the processor."""
    work()
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(1e3 * (time.process_time() - start))
    return min(times), statistics.median(times)


def smallest_dihedral_deg(vertices, tetrahedra):
    """The smallest angle between two faces of a tetrahedron, over all of them."""
    corners = vertices[tetrahedra]
    normals = []
    for face in ([1, 3, 2], [0, 2, 3], [0, 3, 1], [0, 1, 2]):
        a, b, c = (corners[:, i] for i in face)
        normal = np.cross(b - a, c - a)
        normals.append(normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300))
    least = np.inf
    for i in range(4):
        for j in range(i):
            inner = -np.einsum("ij,ij->i", normals[i], normals[j])
            least = min(least, np.degrees(np.arccos(np.clip(inner, -1, 1))).min())
    return least


def fill(vertices, faces):
    return tetgen.TetGen(vertices, faces).tetrahedralize(plc=True, quality=False, nobisect=False)


def surfaces(args):
    """Ours and TetGen's tetrahedra of the same surfaces, a row each."""
    words = [args.tool, "surfaces", "--out", args.scratch]
    words += [word for path in args.more for word in ("--ply", path)]
    words += [word for path in args.subject for word in ("--subject", path)]
    lines = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
    keys = lines[0].split("\t")
    print("| surface | faces | tetrahedra | smallest angle | ms | TetGen's tetrahedra | smallest angle | ms |")
    print("|---|---|---|---|---|---|---|---|")
    worst = {"volume off": 0.0, "area off": 0.0, "inverted": 0, "wrong": 0}
    for line in lines[1:]:
        own = dict(zip(keys, line.split("\t")))
        mesh = trimesh.load(own["file"], process=False)
        vertices, faces = np.array(mesh.vertices), np.array(mesh.faces, dtype=np.int32)
        best, _ = timed(lambda: fill(vertices, faces))
        points, tetrahedra = fill(vertices, faces)[:2]
        least = smallest_dihedral_deg(points, tetrahedra)
        print(
            f"| {own['surface']} | {own['faces']} | {own['tetrahedra']} | {own['degrees']} | {own['ms']} "
            f"| {len(tetrahedra)} | {least:.2f} | {best:.2f} |"
        )
        for key in ("volume off", "area off", "inverted"):
            worst[key] = max(worst[key], float(own[key]))
        worst["wrong"] = max(worst["wrong"], 10_000 - int(own["points right"]))
    print(
        f"at worst: volume off by {worst['volume off']:.0e} of itself, area of the outside by {worst['area off']:.0e}, "
        f"{worst['inverted']:.0f} inverted, {worst['wrong']} of 10,000 points on the wrong side"
    )


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--tool", type=Path, required=True)
    words.add_argument("--scratch", type=Path, required=True)
    words.add_argument("--more", type=Path, nargs="*", default=[], help="closed PLY files; without --surfaces for the peers")
    words.add_argument("--surfaces", action="store_true")
    words.add_argument("--subject", type=Path, nargs="*", default=[], help="fitted subjects, with --surfaces")
    args = words.parse_args()
    args.scratch.mkdir(parents=True, exist_ok=True)
    if args.surfaces:
        return surfaces(args)
    # Ours between two rounds of the peers, so that a neighbour on the machine disturbs both.
    for turn in range(2):
        if turn == 1:
            subprocess.run([args.tool, "speed", "--out", args.scratch], check=True)
        for name in ("sphere", "torus", *args.more):
            path = name if isinstance(name, Path) else args.scratch / f"{name}.ply"
            if not path.exists():
                continue
            # The same corner of two faces may be there twice in files of others.
            mesh = trimesh.load(path, process=isinstance(name, Path))
            vertices, faces = np.array(mesh.vertices), np.array(mesh.faces)

            def weigh():
                return trimesh.triangles.mass_properties(vertices[faces])

            best, median = timed(weigh)
            print(f"{name}: trimesh {trimesh.__version__} mass {best:.3f} best {median:.3f} median ms")
            best, median = timed(lambda: fill(vertices, faces.astype(np.int32)))
            points, tetrahedra = fill(vertices, faces.astype(np.int32))[:2]
            least = smallest_dihedral_deg(points, tetrahedra)
            print(
                f"{name}: TetGen {tetgen.__version__} {best:.1f} best {median:.1f} median ms, "
                f"{len(tetrahedra)} tetrahedra, smallest dihedral angle {least:.2e} degrees"
            )


if __name__ == "__main__":
    main()
