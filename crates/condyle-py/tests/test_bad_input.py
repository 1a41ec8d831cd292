"""Exceptions say what was needed and what was found."""

from __future__ import annotations

import io
import pickle
from pathlib import Path

import numpy as np
import pytest

import condyle


def trial(array: object) -> condyle.Trial:
    return condyle.Trial.from_markers({"A": array}, 100.0)


def test_memory_order_number_type_and_read_only_arrays_make_no_difference() -> None:
    points = np.arange(12.0).reshape(4, 3)
    points[2] = np.nan
    read_only = points.copy()
    read_only.flags.writeable = False
    for same in (points, np.asfortranarray(points), points[::-1][::-1], read_only, points.astype(np.float32), points.tolist()):
        np.testing.assert_array_equal(trial(same).markers["A"], points)
    whole = np.arange(12).reshape(4, 3)
    np.testing.assert_array_equal(trial(whole).markers["A"], whole)


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.zeros((4, 2)), "marker A: need an array frames x 3, got shape (4, 2)"),
        (np.zeros(3), "marker A: need an array frames x 3, got shape (3,)"),
        (np.array([["a", "b", "c"]]), "marker A: need numbers, got an array of <U1"),
        (np.zeros((2, 3), dtype=complex), "marker A: need numbers, got an array of complex128"),
    ],
)
def test_arrays_that_are_no_points(array: np.ndarray, words: str) -> None:
    with pytest.raises(condyle.ArgumentError) as caught:
        trial(array)
    assert str(caught.value) == words and caught.value.kind == "argument"


def test_every_function_that_takes_arrays_says_what_it_needs(walk: condyle.Simulation) -> None:
    words, ragged = np.array([["a", "b", "c"]]), [[1.0, 2.0, 3.0], [4.0]]
    takes = {
        "marker A": lambda own: condyle.Trial.from_markers({"A": own}, 100.0),
        "channel force": lambda own: walk.trial.with_channel("force", own, 100.0),
        "points 0": lambda own: condyle.centre(own),
        "poses": lambda own: condyle.pivot(own),
        "targets: hand": lambda own: condyle.ik(walk.trial, {"hand": own}),
    }
    for name, function in takes.items():
        with pytest.raises(condyle.ArgumentError, match=f"{name}: need numbers, got an array of <U1"):
            function(words)
        with pytest.raises(condyle.ArgumentError, match=f"{name}: need an array of numbers, got list"):
            function(ragged)
    with pytest.raises(condyle.ArgumentError, match=r"need one number a sample, got an array of shape \(2, 2\)"):
        walk.trial.with_channel("force", np.zeros((2, 2)), 100.0)
    with pytest.raises(condyle.ArgumentError, match=r"poses: need an array n x 7 .* got shape \(4, 3\)"):
        condyle.pivot(np.zeros((4, 3)))
    with pytest.raises(condyle.Error):
        condyle.pivot(np.empty((0, 7)))
    with pytest.raises(condyle.Error):
        condyle.centre(np.full((50, 3), np.nan))


def test_markers_of_different_lengths() -> None:
    with pytest.raises(ValueError, match="B: need a sample for each of 4 frames, got 3"):
        condyle.Trial.from_markers({"A": np.zeros((4, 3)), "B": np.zeros((3, 3))}, 100.0)


def test_nothing_but_nan_or_nothing_at_all() -> None:
    nothing = trial(np.full((50, 3), np.nan))
    assert nothing.missing_fraction == 1.0
    for empty in (nothing, trial(np.empty((0, 3))), condyle.Trial.from_markers({}, 100.0)):
        with pytest.raises(condyle.Error) as caught:
            condyle.run(empty)
        assert caught.value.kind in ("undetermined", "argument") and len(str(caught.value)) > 10


def test_infinite_numbers_are_missing() -> None:
    points = np.zeros((3, 3))
    points[1] = np.inf
    assert trial(points).markers["A"].origin.tolist() == [1, 0, 1]


def test_files_that_are_not_there_or_broken(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file") as caught:
        condyle.read(tmp_path / "none.c3d")
    assert isinstance(caught.value, condyle.Error)
    assert (caught.value.kind, caught.value.path, caught.value.errno) == ("io", str(tmp_path / "none.c3d"), 2)
    (tmp_path / "empty.c3d").write_bytes(b"")
    with pytest.raises(condyle.Error) as empty:
        condyle.read(tmp_path / "empty.c3d")
    assert empty.value.kind == "empty" and empty.value.path is not None
    (tmp_path / "bad.trc").write_text("PathFileType\t4\t(X/Y/Z)\tbad.trc\nDataRate\n1\n")
    with pytest.raises(condyle.Error) as bad:
        condyle.read(tmp_path / "bad.trc")
    assert bad.value.kind in ("malformed", "not-recognised")
    again = pickle.loads(pickle.dumps(bad.value))
    assert (str(again), again.kind, again.path, again.place) == (
        str(bad.value), bad.value.kind, bad.value.path, bad.value.place,
    )


def test_sources_that_cannot_be_read(walk_file: Path) -> None:
    file = open(walk_file, "rb")
    assert condyle.read(file).frames == 200
    file.close()
    with pytest.raises(condyle.ArgumentError, match="need an open file, got a closed one"):
        condyle.read(file)
    with pytest.raises(condyle.ArgumentError, match="'rb'"), open(walk_file, encoding="latin-1") as text:
        condyle.read(text)
    with pytest.raises(condyle.ArgumentError, match="got int"):
        condyle.read(7)
    content = walk_file.read_bytes()
    for same in (content, bytearray(content), memoryview(content), io.BytesIO(content)):
        assert condyle.read(same).frames == 200


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ({"by": "smell"}, "by: need any of auto, names, motion, bodies; got 'smell'"),
        ({"soft_tissue": 500}, "soft_tissue: need a number from 0 to 100, got 500"),
        ({"max_gap": -1}, "max_gap: need a number from 0 to 10, got -1"),
        ({"smooth": float("nan")}, "smooth: need a number"),
        ({"zero_frame": "first"}, "zero_frame: need a number from 0 up, got 'first'"),
        ({"weights": {"LTHI": -1}}, "weights: LTHI: need a number from 0 up, got -1"),
    ],
)
def test_options_that_make_no_sense(walk: condyle.Simulation, option: dict, words: str) -> None:
    with pytest.raises(condyle.ArgumentError) as caught:
        condyle.run(walk.trial, **option)
    assert words in str(caught.value)


def test_an_option_that_does_not_exist(walk: condyle.Simulation) -> None:
    with pytest.raises(TypeError, match="sooth"):
        condyle.run(walk.trial, sooth=3)


def test_nothing_is_overwritten_unasked(walk: condyle.Simulation, tmp_path: Path) -> None:
    path = tmp_path / "a.trc"
    walk.trial.write(path)
    before = path.read_bytes()
    with pytest.raises(OSError, match="force=True"):
        walk.trial.write(path)
    assert path.read_bytes() == before
    walk.trial.write(path, force=True)
    with pytest.raises(condyle.Error, match="format: need"):
        walk.trial.write(tmp_path / "a.xyz")
    assert sorted(own.name for own in tmp_path.iterdir()) == ["a.trc"]


def test_a_stream_says_what_a_frame_needs(walk: condyle.Simulation, solved: condyle.Result) -> None:
    live = condyle.Live(walk.trial.labels, 50, subject=solved.performer.subject)
    with pytest.raises(condyle.ArgumentError, match="39"):
        live.push(np.zeros((3, 3)))
    with pytest.raises(condyle.ArgumentError, match="n x 3"):
        live.push(np.zeros((39, 2)))
    for wrong, got in (
        (np.zeros((39, 3), dtype=np.float32), r"one of shape \(39, 3\) of float32"),
        (np.zeros(117), r"one of shape \(117,\) of float64"),
        ([[0, 0, 0]] * 39, "list"),
    ):
        with pytest.raises(TypeError, match=f"frame: need an array of two dimensions of float64, got .*{got}"):
            live.push(wrong)
    read_only = np.full((39, 3), np.nan)
    read_only.flags.writeable = False
    assert live.push(read_only) == 1 and np.isnan(live.joints_m()).all()
    fortran = np.asfortranarray(np.stack([walk.trial.markers.at(place)[0] for place in range(39)]))
    assert live.push(fortran) == 1 and not np.isnan(live.joints_m()).all()
    live.push(np.ascontiguousarray(fortran))
