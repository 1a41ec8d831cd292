#!/usr/bin/env python3
"""Draws twenty public performers from the front and from the side, and puts them on one sheet to be looked at.

    benches/contact_sheet.py CONDYLE [FOLDER]

CONDYLE is the binary, FOLDER where pictures go (default benches/scratch/contact_sheet, which is not versioned).
Recordings are looked for in $CONDYLE_DATA (default ../shared/data). The sheet is sheet.html.
"""

import html
import os
import pathlib
import subprocess
import sys

RECORDINGS = """
cmu/01_01.c3d cmu/02_01.c3d cmu/02_05.c3d cmu/85_02.c3d hdm05/HDM_dg_06-03_03_120.c3d
btkdata/PiG/PiG_Motion-FlatFoot-Full.c3d btkdata/PiG/PiG_Motion3_FF.c3d c3dorg/sample_03/gait-pig.c3d
c3dorg/sample_09/PlugInC3D.c3d c3dorg/sample_04/sub_labels.c3d pycgm/Movement_trial.c3d
wkiro/AJ026_Run_Comfortable1.c3d btkdata/others/FunctionalLHip.c3d nimble/JA1Gait35.c3d opensim/walking2.c3d
opensim/Rajagopal_motion_capture_walk.trc opensim/subject01_walk1.trc millard2017/stoop1.c3d
numediart/LShoulderFlexExt.c3d custom/JOTH_Fin_125HzModif.c3d ezc3d-testFiles/Qualisys.c3d
pyorerun/Running_0002.c3d btkdata/trc/SprintMotion.trc
""".split()


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    here = pathlib.Path(__file__).resolve().parent
    condyle = sys.argv[1]
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else here / "scratch" / "contact_sheet")
    data = pathlib.Path(os.environ.get("CONDYLE_DATA", here.parent.parent / "shared" / "data"))
    folder.mkdir(parents=True, exist_ok=True)
    figures = []
    for name in RECORDINGS:
        picture = folder / (name.replace("/", "-").rsplit(".", 1)[0] + ".png")
        command = [condyle, "plot", data / name, "--count", "2", "-o", picture, "--force"]
        done = subprocess.run(command, capture_output=True, text=True)
        said = html.escape((done.stderr or done.stdout).strip())
        image = f'<img src="{picture.name}" alt="">' if done.returncode == 0 else "not drawn"
        figures.append(f"<figure>{image}<figcaption>{html.escape(name)}<pre>{said}</pre></figcaption></figure>")
        print(f"{name}: {'drawn' if done.returncode == 0 else said}")
    style = "figure{display:inline-block;width:30%;vertical-align:top}img{width:100%}pre{white-space:pre-wrap}"
    sheet = folder / "sheet.html"
    sheet.write_text(f"<!doctype html><meta charset=utf-8><title>Performers</title><style>{style}</style>" + "\n".join(figures))
    print(sheet)
    return 0


if __name__ == "__main__":
    sys.exit(main())
