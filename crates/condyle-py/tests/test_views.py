"""Arrays look into the recording, and say what is missing."""

from __future__ import annotations

import gc
from pathlib import Path

import numpy as np
import pytest

import condyle


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


def test_a_marker_is_a_view_into_the_trial(walk_file: Path) -> None:
    trial = condyle.read(walk_file)
    one, other = trial.markers["LKNE"], trial.markers["LKNE"]
    assert one.shape == (trial.frames, 3) and one.dtype == np.float64
    assert np.shares_memory(one, other) and address(one) == address(other)
    assert not one.flags.owndata and not one.flags.writeable
    # Markers of a C3D file lie side by side: the second is right behind the first.
    first, second = (trial.markers.at(place) for place in (0, 1))
    assert address(second) - address(first) == first.nbytes
    assert np.shares_memory(trial.markers["LKNE"].origin, one.origin)


def test_a_view_outlives_its_trial(walk_file: Path) -> None:
    knee = condyle.read(walk_file).markers["LKNE"]
    copy = np.array(knee)
    gc.collect()
    trash = [np.full(10_000, 7.0) for _ in range(100)]
    np.testing.assert_array_equal(knee, copy)
    del trash


def test_a_view_cannot_be_written(walk_file: Path) -> None:
    knee = condyle.read(walk_file).markers["LKNE"]
    with pytest.raises(ValueError, match="read-only"):
        knee[0] = 0


def test_missing_samples_are_nan_and_nothing_else_is(walk: condyle.Simulation, walk_file: Path) -> None:
    trial = condyle.read(walk_file)
    missing = 0
    for marker in trial.markers.values():
        np.testing.assert_array_equal(np.isnan(marker).all(axis=1), marker.origin == 0)
        np.testing.assert_array_equal(np.isnan(marker).any(axis=1), marker.origin == 0)
        missing += int((marker.origin == 0).sum())
    assert missing > 0 and trial.missing_fraction == pytest.approx(missing / (39 * trial.frames))


def test_a_table_shares_memory_with_the_trial_too(tmp_path: Path, walk: condyle.Simulation) -> None:
    walk.trial.write(tmp_path / "walk.trc")
    trial = condyle.read(tmp_path / "walk.trc")
    assert np.shares_memory(trial.markers["LKNE"], trial.markers["LKNE"])
    assert trial.markers["LKNE"].strides == (8, 8 * trial.frames)


def test_joints_and_segments_are_views_of_the_result(solved: condyle.Result) -> None:
    knee = solved.joints["left knee"]
    assert np.shares_memory(knee.positions_m, knee.positions_m)
    shank = solved.performer.segments["left shank"]
    assert np.shares_memory(shank.orientations_wxyz, shank.orientations_wxyz)
    np.testing.assert_allclose(np.linalg.norm(shank.orientations_wxyz, axis=1), 1.0)
    np.testing.assert_array_equal(np.isnan(knee.positions_m[:, 0]), knee.placed == 0)


def test_filled_samples_say_so_and_how_far_off_they_may_be(walk: condyle.Simulation) -> None:
    filled = condyle.fill(walk.trial).trial
    estimated = [marker for marker in filled.markers.values() if (marker.origin == 2).any()]
    assert estimated
    for marker in estimated:
        assert marker.sd_m is not None
        assert (marker.sd_m[marker.origin == 1] == 0).all() and (marker.sd_m[marker.origin == 2] > 0).all()


def test_xarray_and_arrow_do_not_copy(walk_file: Path) -> None:
    pytest.importorskip("xarray")
    pyarrow = pytest.importorskip("pyarrow")
    trial = condyle.read(walk_file)
    cube = trial.to_xarray()
    assert cube.dims == ("axis", "channel", "time")
    assert np.shares_memory(cube.values, trial.markers["LKNE"])
    np.testing.assert_array_equal(cube.sel(channel="LKNE").values.T, trial.markers["LKNE"])
    column = trial.to_arrow().column("LKNE_y").chunk(0)
    assert isinstance(column, pyarrow.Array)
    assert column.buffers()[1].address == address(trial.markers["LKNE"][:, 1])


def test_a_notebook_shows_a_picture(solved: condyle.Result, walk: condyle.Simulation) -> None:
    assert solved._repr_html_().count("<circle") == len(solved.joints)
    assert walk.trial._repr_html_().count("<circle") > 30


@pytest.mark.parametrize("library", ["pandas", "xarray", "kineticstoolkit"])
def test_other_libraries_give_the_same_markers_back(walk: condyle.Simulation, library: str) -> None:
    pytest.importorskip(library)
    given = {"pandas": "to_pandas", "xarray": "to_xarray", "kineticstoolkit": "to_timeseries"}[library]
    back = condyle.Trial.from_other(getattr(walk.trial, given)())
    assert back.labels == walk.trial.labels and back.rate_hz == pytest.approx(50)
    for label in back.labels:
        np.testing.assert_array_equal(back.markers[label], walk.trial.markers[label])
