"""Every step, end to end, on a recording whose truth is known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import condyle


def test_joints_are_where_they_truly_are_within_their_error_bars(
    walk: condyle.Simulation, solved: condyle.Result
) -> None:
    errors = []
    for name, joint in solved.joints.items():
        if name in walk.joints:
            off_m = np.nanmedian(np.linalg.norm(joint.positions_m - walk.joints[name], axis=1))
            errors.append(off_m / joint.sd_m)
            assert joint.covariance_m2.shape == (3, 3)
            assert np.sqrt(np.linalg.eigvalsh(joint.covariance_m2).max()) == pytest.approx(joint.sd_m)
    assert len(errors) == 14 and max(errors) < 2.8


def test_a_subject_goes_through_its_file(walk: condyle.Simulation, solved: condyle.Result, tmp_path: Path) -> None:
    fitted = condyle.fit(walk.trial)
    (subject,) = fitted.subjects
    subject.write(tmp_path / "s.json")
    again = condyle.solve(walk.trial, tmp_path / "s.json")
    knee = "left knee"
    np.testing.assert_allclose(again.joints[knee].positions_m, solved.joints[knee].positions_m, atol=1e-9)
    assert fitted.plan == "Plug-in Gait" and condyle.groups(walk.trial).by == "Plug-in Gait"


@pytest.mark.parametrize("name", ["a.csv", "angles.csv", "physics.csv", "a.trc", "a.c3d", "a.bvh", "a.glb", "a.mot", "a.parquet", "a.osim", "a.json"])
def test_a_result_is_written_in_every_format(solved: condyle.Result, tmp_path: Path, name: str) -> None:
    condyle.write(solved, tmp_path / name)
    assert (tmp_path / name).stat().st_size > 500


def test_edits_give_other_recordings(walk: condyle.Simulation) -> None:
    trial = walk.trial
    part = trial.with_markers("L*").with_frames(10, 60).resampled(25).with_up("y").scaled(2).mirrored().with_unit("cm")
    assert part.frames == 25 and part.up == "y" and part.unit == "cm" and len(part.labels) < len(trial.labels)
    assert trial.frames == 200


def test_channels_have_a_time_of_their_own(walk: condyle.Simulation) -> None:
    trial = walk.trial.with_channel("Fz", np.arange(800.0), 200, "N")
    force = trial.channels["Fz"]
    assert len(force) == 800 and force.unit == "N" and force.time_s[-1] == pytest.approx(799 / 200)
    assert np.shares_memory(force.values, force.raw)


def test_gait_and_labels(walk: condyle.Simulation, solved: condyle.Result) -> None:
    (gait,) = condyle.gait(solved)
    assert gait.kind == "walking" and {own["kind"] for own in gait.events} == {"foot_strike", "foot_off"}
    assert condyle.gait(walk.trial)[0].events == gait.events
    unnamed = condyle.Trial.from_markers({f"*{place}": own for place, own in enumerate(walk.trial.markers.values())}, 50)
    labelled = condyle.label(unnamed, subject=solved.performer.subject)
    assert set(labelled.trial.labels) >= {"LKNE", "RKNE"}


def test_a_stream_ends_where_the_recording_does(walk: condyle.Simulation, solved: condyle.Result) -> None:
    live = condyle.Live(walk.trial.labels, 50)
    frames = np.stack([np.asarray(walk.trial.markers.at(place)) for place in range(39)], axis=1)
    known = [live.push(np.ascontiguousarray(frame)) for frame in frames]
    assert known[0] == 0 and known[-1] == 1 and live.frames == 200
    assert live.joints_m().shape == live.angles_rad().shape == (16, 3)
    assert set(live.certainties()) == set(solved.joints)
    np.testing.assert_array_equal(
        live.finish().joints["left knee"].positions_m, solved.joints["left knee"].positions_m
    )
    with pytest.raises(condyle.ArgumentError, match="finished"):
        live.push(frames[0].copy())


def test_a_centre_is_found_with_its_evidence() -> None:
    chance = np.random.default_rng(5)
    points = chance.normal(size=(400, 3))
    points = 0.3 * points / np.linalg.norm(points, axis=1, keepdims=True) + [1, 2, 3]
    found = condyle.centre(points + chance.normal(scale=0.001, size=points.shape))
    assert np.linalg.norm(found["centre"] - [1, 2, 3]) < 4 * found["standard_error"] and found["verdict"] == "ball"
    both = condyle.centre(points, 2 * points - [1, 2, 3])
    np.testing.assert_allclose(both["centre"], [1, 2, 3], atol=1e-9)
    with pytest.raises(condyle.ArgumentError, match="sigma"):
        condyle.centre(points, method="ugdk")


def test_a_chain_reaches(solved: condyle.Result) -> None:
    reacher = condyle.Reacher(solved.performer.subject)
    wrist = "left wrist"
    place = reacher.names.index(wrist)
    goal = reacher.positions_m[place] + [0.05, 0.0, 0.05]
    (reach,) = condyle.ik(solved.performer.subject, {wrist: [goal]})
    assert reach.outcome == "reached"
    np.testing.assert_allclose(reach.positions_m[place], goal, atol=1e-4)
