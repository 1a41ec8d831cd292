"""What tests share: a small recording made up, and real ones where they are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import condyle

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def walk() -> condyle.Simulation:
    return condyle.simulate(routine="walk", seconds=4, rate=50, markers="plug-in-gait", occlusion=0.02, seed=3)


@pytest.fixture(scope="session")
def walk_file(walk: condyle.Simulation, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("walk") / "walk.c3d"
    walk.trial.write(path)
    return path


@pytest.fixture(scope="session")
def solved(walk: condyle.Simulation) -> condyle.Result:
    return condyle.run(walk.trial)


@pytest.fixture(scope="session")
def recordings() -> Path:
    folder = Path(os.environ.get("CONDYLE_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no recordings at {folder}; set CONDYLE_DATA")
    return folder


def command() -> str:
    """The command-line program: CONDYLE_BIN, or the newest that was built here."""
    given = os.environ.get("CONDYLE_BIN")
    if given:
        return given
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    built = [path for path in target.glob("*/condyle") if path.is_file()]
    if not built:
        pytest.skip(f"no condyle under {target}; set CONDYLE_BIN")
    return str(max(built, key=lambda path: path.stat().st_mtime))


@pytest.fixture(scope="session")
def program() -> str:
    return command()
