#!/usr/bin/env python3
"""Marker sets under spellings that other programs, laboratories and people give their labels.

    benches/spellings.py [--condyle PROGRAM] [--verbose]

Labels of five marker sets, of one to three performers, are respelled: whose they are before or behind the name with
any separator, what was done to them, numbers, case, the side in another place. `condyle groups --by names` must find
the same set, the same performers and the same segments as of the plain labels. The spellings were written from what
files look like.
"""

import argparse
import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BOTH = lambda names: [side + name for name in names.split() for side in "LR"]
SETS = {
    "Plug-in Gait": BOTH("FHD BHD SHO UPA ELB FRM WRA WRB FIN ASI PSI THI KNE TIB ANK HEE TOE")
    + "C7 T10 CLAV STRN RBAK".split(),
    "Plug-in Gait lower body": BOTH("ASI PSI THI KNE TIB ANK HEE TOE"),
    "Vicon 512": BOTH("FHD BHD SHO UPA ELB FRM WRA WRB FIN FWT BWT THI KNE SHN ANK HEE TOE MT5")
    + "C7 T10 CLAV STRN RBAC".split(),
    "CGM2": BOTH("FHD BHD SHO UPA ELB FRM WRA WRB FIN ASI PSI THI THAP THAD KNE TIB TIAP TIAD ANK HEE TOE FMH VMH")
    + "C7 T2 T10 CLAV STRN RBAK".split(),
}
PEOPLE = [["JOE"], ["Subject 2"], ["S01", "S02"], ["Anna", "Bernd", "Carla"], ["P-01", "P-02"], ["m\u00fcller"]]


def sided(form):
    """A label with its side somewhere else; labels without one stay."""

    def spell(label, who, index):
        if label[0] in "LR" and label not in ("RBAK", "RBAC"):
            word = {"L": "Left", "R": "Right"}[label[0]]
            return form.format(s=label[0], w=word, lower=label[0].lower(), n=label[1:])
        return label

    return spell


# What stands around a label; {w} is whose it is, {n} the label, {i} its number.
AROUND = """
{w}:{n} {w}.{n} {w}_{n} {w}-{n} {w}·{n} {w}/{n} {w}|{n} {w}::{n} [{w}]{n} ({w}){n} {w}#{n} {w}__{n} Take3:{w}:{n}
Take3/{w}/{n} {w}\\{n} {w}>{n} {w}=>{n} {w}@{n} {n}@{w} {n}.{w} {n}_{w} {n}-{w} {n}({w}) {w}:{n}_raw {w}.{n}.raw
{w}_{n}_filt {w}-{n}-pos {w}:{n}_Marker {w}:{n}(mm) {w}:{n}[mm] {w}:M_{n} {w}:{n}_1 {w}_markers_{n} {w}:Trajectories:{n}
""".split()
SPACED = ["{w} {n}", "{w}: {n}", "{w} - {n}", "{n} ({w})", "{w} {n} raw", "{w} | {n}", "{w} {n} filtered"]
ALONE = """
{n}_raw {n}.filt {n}-1 {n}(filtered) {n}[m] traj_{n} Marker_{n} M.{n} {i}_{n} {i:02}-{n} M{i:02}_{n} {n}_pos_mm 3D:{n} _{n} {n}_
""".split() + [" {n} ", "{n} (raw)", "{i}. {n}", "marker {n}"]
CASES = [str.lower, str.title, str.capitalize]
SIDES = ["{s}_{n}", "{s}.{n}", "{s} {n}", "{s}-{n}", "{w}_{n}", "{w}{n}", "{w} {n}", "{n}_{s}", "{n}.{s}", "{n}-{w}",
         "{n} ({s})", "{n}_{lower}", "{w}-{n}"]


def spellings():
    """Pairs of a name and a way to spell a label of somebody."""
    for form in AROUND + SPACED:
        yield form, lambda n, w, i, form=form: form.format(w=w, n=n, i=i), True
    for form in ALONE:
        yield form, lambda n, w, i, form=form: form.format(n=n, i=i + 1), False
    for case in CASES:
        yield case.__name__, lambda n, w, i, case=case: case(n), False
        yield "{w}:" + case.__name__, lambda n, w, i, case=case: f"{w}:{case(n)}", True
    for form in SIDES:
        yield "side " + form, sided(form), False
        yield "{w}:side " + form, lambda n, w, i, form=form: f"{w}:{sided(form)(n, w, i)}", True


def found(program, labels, folder):
    """The performers: marker set, and label to segment; of labels in a file of twelve frames."""
    path = pathlib.Path(folder) / "labels.trc"
    rng = random.Random(1)
    rows = [[f"{rng.gauss(0, 500):.1f}" for _ in range(3 * len(labels))] for _ in range(12)]
    text = "PathFileType\t4\t(X/Y/Z)\tx\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n"
    text += f"100\t100\t12\t{len(labels)}\tmm\nFrame#\tTime\t" + "\t\t\t".join(labels) + "\n\t\t"
    text += "\t".join(f"X{k}\tY{k}\tZ{k}" for k in range(1, len(labels) + 1)) + "\n\n"
    text += "".join(f"{f + 1}\t{f / 100}\t" + "\t".join(row) + "\n" for f, row in enumerate(rows))
    path.write_text(text, encoding="utf-8")
    done = subprocess.run([program, "groups", "--by", "names", "--json", path], capture_output=True, check=False)
    if done.returncode:
        return []
    performers = json.loads(done.stdout)["performers"]
    of = lambda p: {index: s["name"] for s in p["segments"] for index in s["marker_indices"]}
    return [(p["marker_set"], of(p)) for p in performers]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--condyle", default=str(ROOT / "target/release/condyle"))
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    sets = dict(SETS)
    sets["OpenSim-like words"] = [
        f"{side}.{part}" for side in "RL" for part in
        "ASIS PSIS Knee Ankle Toe Heel Shoulder Elbow Wrist".split()
    ]
    right = collections.Counter()
    asked = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for name, labels in sets.items():
            [(set_name, truth)] = found(args.condyle, labels, folder)
            for turn, (form, spell, is_of_somebody) in enumerate(spellings()):
                if name == "OpenSim-like words" and "side " in form:
                    continue
                people = PEOPLE[turn % len(PEOPLE)] if is_of_somebody else ["JOE"]
                spelt = [spell(label, who, i) for who in people for i, label in enumerate(labels)]
                got = found(args.condyle, spelt, folder)
                wanted = [
                    {i + k * len(labels): segment for i, segment in truth.items()} for k in range(len(people))
                ]
                is_right = [g[1] for g in got] == wanted and all(g[0] == set_name for g in got)
                asked[form] += 1
                right[form] += is_right
                if args.verbose and not is_right:
                    placed = sum(len(g[1]) for g in got)
                    print(f"{name}\t{form}\t{spelt[0]}\t{[g[0] for g in got]}\t{placed} of {len(spelt)} placed")
    print(f"{sum(right.values())} of {sum(asked.values())} right; {len(asked)} spellings, {len(sets)} sets")
    for form in asked:
        if right[form] < asked[form]:
            print(f"{right[form]} of {asked[form]}: {form}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
