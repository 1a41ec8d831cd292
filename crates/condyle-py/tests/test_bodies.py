"""Hands, figures, skins and blends: what Python gives is what the command line gives."""

from __future__ import annotations

import json
import pickle
import subprocess
from pathlib import Path
from typing import List, Tuple

import numpy as np
import pytest

import condyle


def ran(program: str, *words: object) -> str:
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def glb(content: bytes) -> Tuple[object, bytes]:
    """What a glTF file says and its numbers; keys may be in any order."""
    length = int.from_bytes(content[12:16], "little")
    return json.loads(content[20 : 20 + length]), content[20 + length :]


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> List[Path]:
    """A hand that opens and closes, and one that grasps while tips are lost."""
    folder = tmp_path_factory.mktemp("hands")
    made = []
    for routine, dropout in (("spread", 0.0), ("grasp", 0.1)):
        own = condyle.simulate("hand", routine=routine, seconds=3, rate=60, seed=2, dropout=dropout, noise_mm=0.2)
        made.append(folder / f"{routine}.c3d")
        own.trial.write(made[-1])
    return made


@pytest.fixture(scope="module")
def model(hands: List[Path]) -> condyle.hand.HandModel:
    return condyle.hand.calibrate(*hands)


def test_a_hand_is_calibrated_as_the_command_line_does_it(
    program: str, hands: List[Path], model: condyle.hand.HandModel, tmp_path: Path
) -> None:
    ran(program, "hand", "calibrate", *hands, "-o", tmp_path / "theirs.toml")
    model.write(tmp_path / "ours.toml")
    assert (tmp_path / "ours.toml").read_text() == (tmp_path / "theirs.toml").read_text()
    assert model.evidence is not None and model.evidence["side"] == "right"
    assert len(model.evidence["fingers"]) == 5 and 0.17 < model.evidence["hand_length_m"] < 0.21
    assert pickle.loads(pickle.dumps(model)).toml == model.toml


@pytest.mark.parametrize("options", [{}, {"method": "fabrik"}, {"side": "right", "hand_length_mm": 190}])
def test_a_hand_is_followed_as_the_command_line_does_it(
    program: str, hands: List[Path], model: condyle.hand.HandModel, tmp_path: Path, options: dict
) -> None:
    model.write(tmp_path / "model.toml")
    words = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", value)]
    said = ran(program, "hand", hands[1], "--model", tmp_path / "model.toml", "-o", tmp_path / "a.csv", "--json", *words)
    track = condyle.hand.track(hands[1], model, **options)
    assert track.to_bytes("csv") == (tmp_path / "a.csv").read_bytes()
    theirs = json.loads(said)
    theirs.pop("notes")
    assert track.summary == theirs
    tip = track.joints["index_tip"]
    assert tip.shape == (180, 3) and np.isfinite(tip[track.placed]).all()
    assert set(track.how["index_tip"]) <= {"measured", "predicted", "solved", "held", ""}
    assert np.isfinite(track.angles_rad["index_pip"][:, 0]).any() if "index_pip" in track.joints else True
    track.write(tmp_path / "a.bvh")
    assert condyle.read(tmp_path / "a.bvh").skeleton


def test_a_hand_says_what_it_needs(hands: List[Path], walk: condyle.Simulation, tmp_path: Path) -> None:
    with pytest.raises(condyle.ArgumentError, match="side: need left, right or auto, got 'both'"):
        condyle.hand.track(hands[0], side="both")
    with pytest.raises(condyle.ArgumentError, match="method: need closed"):
        condyle.hand.track(hands[0], method="magic")
    with pytest.raises(condyle.ArgumentError, match="recordings: need 1, got none"):
        condyle.hand.calibrate()
    with pytest.raises(condyle.ArgumentError, match="need the labels of"):
        condyle.hand.calibrate(hands[0], walk.trial)
    with pytest.raises(condyle.Error):
        condyle.hand.track(walk.trial)
    with pytest.raises(condyle.Error):
        condyle.hand.HandModel("fingers = 7")
    with pytest.raises(condyle.ArgumentError, match="format: need csv"):
        condyle.hand.track(hands[0]).write(tmp_path / "a.xyz")


@pytest.fixture(scope="module")
def subject_file(solved: condyle.Result, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("subject") / "subject.json"
    solved.performer.subject.write(path)
    return path


def test_a_figure_is_the_one_of_the_command_line(
    program: str, solved: condyle.Result, subject_file: Path, tmp_path: Path
) -> None:
    said = ran(program, "figure", subject_file, "--weight-kg", 62, "--height-m", 1.7, "-o", tmp_path / "theirs.atm", "--json")
    own = condyle.figure(solved.performer.subject, weight_kg=62, height_m=1.7)
    theirs = json.loads(said[said.index("{") :])
    assert own.segments == theirs["segments"] and own.height_m == theirs["height_m"] == 1.7
    assert own.mass_kg == pytest.approx(62)
    own.write(tmp_path / "ours.atm")
    pairs = [(path, path.with_name(path.name.replace("theirs", "ours"))) for path in tmp_path.glob("theirs*")]
    assert len(pairs) > 5
    for one, other in pairs:
        assert one.read_text().replace("theirs", "ours") == other.read_text()
    with pytest.raises(OSError, match="force=True"):
        own.write(tmp_path / "ours.atm")
    again = condyle.figure(tmp_path / "ours.atm", solid=True)
    again.write(tmp_path / "ours.mesh")
    ran(program, "figure", tmp_path / "theirs.atm", "--solid", "-o", tmp_path / "theirs.mesh")
    assert (tmp_path / "ours.mesh").read_bytes() == (tmp_path / "theirs.mesh").read_bytes()
    for extension in ("ply", "stl", "meshb", "glb"):
        assert len(own.to_bytes(extension)) > 1000
    part = condyle.figure(tmp_path / "ours.mesh")
    assert len(part.segments) == 1 and part.mass_kg == pytest.approx(1000 * part.segments[0]["volume_m3"])


def test_a_figure_follows_a_recording(
    program: str, solved: condyle.Result, walk_file: Path, subject_file: Path, tmp_path: Path
) -> None:
    own = condyle.figure(subject_file)
    own.write(tmp_path / "walker.atm")
    where = ["--figure", tmp_path / "walker.atm", "--subject", subject_file, "--window", "1:1.5", "--order", 4]
    ran(program, "analyse", walk_file, *where, "-o", tmp_path / "theirs.motion")
    found = condyle.analyse(walk_file, tmp_path / "walker.atm", (1, 1.5), order=4, subject=subject_file)
    assert found.motion == (tmp_path / "theirs.motion").read_bytes()
    assert found.freedoms and all(own["residual"] < 0.2 for own in found.freedoms)
    found.write(tmp_path / "ours.motion")
    own.write(tmp_path / "step.glb", motion=found, rate=50)
    ran(program, "figure", tmp_path / "walker.atm", "--motion", tmp_path / "ours.motion", "--rate", 50, "-o", tmp_path / "b.glb")
    assert condyle.figure(tmp_path / "walker.atm").to_bytes("glb")[:4] == b"glTF"
    condyle.figure(tmp_path / "walker.atm").write(tmp_path / "a.glb", motion=tmp_path / "ours.motion", rate=50)
    assert glb((tmp_path / "a.glb").read_bytes()) == glb((tmp_path / "b.glb").read_bytes())
    with pytest.raises(condyle.ArgumentError, match="window: need two times in order"):
        condyle.analyse(solved, own, (2, 1))
    with pytest.raises(condyle.Error, match="got none"):
        condyle.analyse(solved, own, (100, 101))
    with pytest.raises(condyle.ArgumentError, match="motion: need"):
        own.write(tmp_path / "a.ply", motion=found)


def test_a_figure_says_what_it_needs(tmp_path: Path) -> None:
    (tmp_path / "a.stl").write_bytes(b"nothing of the kind")
    with pytest.raises(condyle.Error, match="need a subject, an ATM, MESH, PLY or STL file") as caught:
        condyle.figure(tmp_path / "a.stl")
    assert caught.value.path == str(tmp_path / "a.stl")
    with pytest.raises(OSError):
        condyle.figure(tmp_path / "none.atm")
    with pytest.raises(condyle.ArgumentError, match="weight_kg: need a number from 0.001 to 10000, got 0"):
        condyle.figure(tmp_path / "a.stl", weight_kg=0)


def test_physics_and_robots_are_files_of_a_performer(
    program: str, solved: condyle.Result, walk_file: Path, tmp_path: Path
) -> None:
    names = ["physics.csv", "physics-segments.csv", "subject.urdf", "subject.mjcf.xml", "qpos.csv", "figure.glb"]
    ran(program, "run", walk_file, "-o", tmp_path / "out", "--figure", "--segments", "--urdf", "--mujoco")
    result = condyle.run(walk_file)
    for name in names:
        condyle.write(result, tmp_path / name)
        (theirs,) = (tmp_path / "out").rglob(name)
        same = glb if name.endswith(".glb") else bytes
        assert same((tmp_path / name).read_bytes()) == same(theirs.read_bytes()), name


def test_a_dog_has_physics_by_its_figure(tmp_path: Path) -> None:
    dog = condyle.run(condyle.simulate("dog", seconds=8, rate=50, seed=4).trial, soft_tissue="none")
    dog.performer.write(tmp_path / "physics.csv")
    assert (tmp_path / "physics.csv").read_text().startswith("frame")


def test_a_skin_is_the_one_of_the_command_line(program: str, model: condyle.hand.HandModel, tmp_path: Path) -> None:
    model.write(tmp_path / "hand.toml")
    words = ["--skeleton", tmp_path / "hand.toml", "--vertices", 1500]
    said = ran(program, "skin", *words, "-o", tmp_path / "theirs.glb", "--json")
    skin = condyle.skin(skeleton=model, vertices=1500)
    skin.write(tmp_path / "ours.glb")
    assert (tmp_path / "ours.glb").read_bytes() == (tmp_path / "theirs.glb").read_bytes()
    theirs = json.loads(said)
    theirs.pop("notes")
    assert skin.summary() == theirs
    rest = skin.vertices_m()
    assert rest.shape == (len(skin.weights), 3) and skin.triangles.max() < len(rest)
    np.testing.assert_allclose(skin.weights.sum(axis=1), 1)
    assert skin.held_by.max() < len(skin.joints)
    # A surface that is given, and a skeleton that moves.
    skin.write(tmp_path / "hand.ply")
    condyle.hand.track(condyle.simulate("hand", routine="fist", seconds=1, rate=30, seed=1).trial, model).write(tmp_path / "a.bvh")
    moving = condyle.skin(tmp_path / "hand.ply", skeleton=tmp_path / "a.bvh")
    ran(program, "skin", tmp_path / "hand.ply", "--skeleton", tmp_path / "a.bvh", "--frame", 21,
        "--blending", "dual-quaternion", "-o", tmp_path / "theirs.mesh")  # fmt: skip
    moving.write(tmp_path / "ours.mesh", frame=20, blending="dual-quaternion")
    assert (tmp_path / "ours.mesh").read_bytes() == (tmp_path / "theirs.mesh").read_bytes()
    assert np.abs(moving.vertices_m(20) - moving.vertices_m()).max() > 0.01


def test_a_skin_says_what_it_needs(walk: condyle.Simulation, solved: condyle.Result) -> None:
    with pytest.raises(condyle.ArgumentError, match="need a recording with a skeleton, got one without"):
        condyle.skin(skeleton=walk.trial)
    with pytest.raises(condyle.Error, match="need a surface as PLY, MESH or STL"):
        condyle.skin(b"nonsense", skeleton=solved.performer.subject)
    with pytest.raises(condyle.ArgumentError, match="vertices: need a number from 100"):
        condyle.skin(skeleton=solved.performer.subject, vertices=3)
    skin = condyle.skin(skeleton=solved.performer.subject, vertices=400)
    with pytest.raises(condyle.ArgumentError, match="blending: need linear or dual-quaternion, got 'cubic'"):
        skin.vertices_m(blending="cubic")
    with pytest.raises(condyle.ArgumentError, match="frame: need one of 0"):
        skin.vertices_m(3)


def test_a_blend_is_the_one_of_the_command_line(
    program: str, solved: condyle.Result, walk_file: Path, subject_file: Path, tmp_path: Path
) -> None:
    ran(program, "blend", walk_file, walk_file, "--subject", subject_file, "--over", 0.4, "-o", tmp_path / "theirs.bvh")
    both = condyle.blend(walk_file, walk_file, 0.4, subject=subject_file)
    both.trial.write(tmp_path / "ours.bvh")
    assert (tmp_path / "ours.bvh").read_bytes() == (tmp_path / "theirs.bvh").read_bytes()
    assert both.passage[1] - both.passage[0] == 20 and both.trial.frames == 2 * solved.trial.frames - 20
    # Motions that are solved already.
    solved.performer.write(tmp_path / "walk.bvh")
    again = condyle.blend(tmp_path / "walk.bvh", tmp_path / "walk.bvh", 0.4)
    assert again.passage == both.passage
    with pytest.raises(condyle.ArgumentError, match="over: need a number from 0 to 3600, got -1"):
        condyle.blend(walk_file, walk_file, -1)
    with pytest.raises(condyle.ArgumentError, match="need 5000 frames in the first motion"):
        condyle.blend(tmp_path / "walk.bvh", tmp_path / "walk.bvh", 100)
