"""Opens what Condyle writes with the readers that other people use, and holds the verdicts as a ratchet.

Every C3D recording is converted to C3D, TRC and STO, which is MOT where its cells are plain numbers. The package `c3d` and
kineticstoolkit must open the written C3D wherever they open the original; OpenSim must open every TRC, STO and MOT.
`readers.tsv` holds the verdict on each recording: one that changes, in either direction, fails the run.
"""

import argparse
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

EXPECTED = Path(__file__).with_name("readers.tsv")
# A reader in Python alone takes minutes for long recordings: what follows is no other than what came before.
MOST_FRAMES = 100
COLUMNS = ["c3d", "kineticstoolkit", "OpenSim TRC", "OpenSim STO or MOT"]


def with_c3d(path):
    """Points and frames as the package c3d counts them, from its first frames."""
    import c3d

    with open(path, "rb") as file:
        reader = c3d.Reader(file)
        for index, (_, points, _) in enumerate(reader.read_frames(copy=False)):
            if index == MOST_FRAMES:
                break
        return reader.point_used, reader.last_frame - reader.first_frame + 1


def with_kineticstoolkit(path):
    """The names of points as kineticstoolkit has them."""
    import kineticstoolkit.lab as ktk

    return sorted(ktk.read_c3d(str(path))["Points"].data)


OPENSIM = """
import sys, opensim
opensim.Logger.setLevelString("off")
path = sys.argv[1]
kinds = {"Vec3": opensim.TimeSeriesTableVec3, "Quaternion": opensim.TimeSeriesTableQuaternion}
# The first line of a table says what its cells are, where they are more than numbers; a TRC file has points.
first = open(path).readline().strip().removeprefix("DataType=")
kind = "Vec3" if path.endswith(".trc") else first
table = kinds.get(kind, opensim.TimeSeriesTable)(path)
print(table.getNumRows(), table.getNumColumns())
"""


def opens(read, path):
    """What a reader has of a file; an error in one line if it refuses it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return read(path), None
        except Exception as error:  # Whatever it raises, it did not open the file.
            return None, f"{type(error).__name__}: {error}".splitlines()[0][:120]


def converted(condyle, path, out):
    """Whether Condyle writes a recording; what it cannot hold is refused."""
    out.unlink(missing_ok=True)
    run = subprocess.run([condyle, "convert", "--quiet", "--force", path, out], capture_output=True, text=True)
    return run.returncode == 0


def as_original(read, original, written):
    """The verdict on a written C3D file, by what the reader makes of the original."""
    was, was_refused = opens(read, original)
    now, refused = opens(read, written)
    if refused:
        return f"refused: {refused}" if not was_refused else "refused, as the original"
    if was_refused:
        return "opens, unlike the original"
    return "opens" if was == now else "opens, differs from the original"


def with_opensim(python, path):
    run = subprocess.run([python, "-c", OPENSIM, path], capture_output=True, text=True)
    if run.returncode == 0:
        return "opens"
    said = [line for line in run.stderr.splitlines() if "rror" in line or "xception" in line]
    return f"refused: {(said or ['no word'])[-1].strip()[:120]}"


def verdicts(condyle, opensim, path, scratch):
    """One verdict a column."""
    found = []
    written = scratch / "written.c3d"
    # kineticstoolkit wants the ending in small letters.
    original = scratch / "original.c3d"
    shutil.copyfile(path, original)
    is_written = converted(condyle, path, written)
    for read in (with_c3d, with_kineticstoolkit):
        found.append(as_original(read, original, written) if is_written else "-")
    for ending in ("trc", "sto"):
        out = scratch / f"written.{ending}"
        if opensim is None or not converted(condyle, path, out):
            found.append("-")
            continue
        # OpenSim reads tables of points from .sto alone, and motions from .mot.
        if ending == "sto" and not out.open().readline().startswith("DataType="):
            out = out.rename(scratch / "written.mot")
        found.append(with_opensim(opensim, out))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--condyle", required=True, help="the binary condyle")
    parser.add_argument("--opensim", help="a Python that has OpenSim")
    parser.add_argument("--data", type=Path, required=True, help="the folder with recordings")
    parser.add_argument("--scratch", type=Path, required=True)
    parser.add_argument("--bless", action="store_true", help="take what is found as expected")
    options = parser.parse_args()
    if not options.data.is_dir():
        print(f"skipped: no recordings at {options.data}")
        return 0
    if options.opensim is None:
        print("skipped: OpenSim, which cannot be installed here")
    expected = {}
    if EXPECTED.exists():
        rows = [line.split("\t") for line in EXPECTED.read_text().splitlines()[1:]]
        expected = {name: (found, reason) for name, *found, reason in rows}
    kept, changed, counts = [], [], {}
    for path in sorted(options.data.rglob("*")):
        if path.suffix.lower() != ".c3d":
            continue
        name = str(path.relative_to(options.data))
        found = verdicts(options.condyle, options.opensim, path, options.scratch)
        was, reason = expected.get(name, (None, ""))
        if was and options.opensim is None:
            found[2:] = was[2:]
        for column, verdict in zip(COLUMNS, found):
            key = f"{column}: {verdict.split(':')[0]}"
            counts[key] = counts.get(key, 0) + 1
        if found != was:
            changed.append(f"{name}: {was} is now {found}")
        kept.append("\t".join([name, *found, reason]))
    for key, count in sorted(counts.items()):
        print(f"{count:4} {key}")
    if options.bless:
        EXPECTED.write_text("\n".join(["\t".join(["file", *COLUMNS, "reason"]), *kept]) + "\n")
        return 0
    for line in changed:
        print(f"CHANGED  {line}")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
