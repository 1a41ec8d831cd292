"""Moves the robots of solved recordings with MuJoCo and pinocchio, and compares their joints with ours."""

import csv
import json

import numpy as np

LIMIT_MM = 0.01
FRAMES = 60


def table(path):
    """A CSV table as the names of its columns, without units, and a matrix, NaN for empty cells."""
    with open(path, newline="") as file:
        header, *rows = csv.reader(file)
    values = [[float(cell) if cell else np.nan for cell in row] for row in rows]
    return [name.split(" [")[0] for name in header], np.array(values)


def some_frames(positions):
    """Frames in which everything is placed."""
    whole = np.flatnonzero(~np.isnan(positions).any(axis=1))
    return whole[np.unique(np.linspace(0, len(whole) - 1, FRAMES).astype(int))] if len(whole) else whole


def errors_mm(folder):
    """The farthest that a joint centre is from ours, by MuJoCo and by pinocchio, and how many were compared."""
    import mujoco
    import pinocchio

    names, values = table(folder / "qpos.csv")
    first = next(column for column, name in enumerate(names) if name.endswith("_tx"))
    names, positions = names[first:], values[:, first:]
    header, rows = table(folder / "joints.csv")
    joints = json.loads((folder / "subject.json").read_text())["joints"]
    model = mujoco.MjModel.from_xml_path(str(folder / "subject.mjcf.xml"))
    data = mujoco.MjData(model)
    assert model.nq == positions.shape[1], f"qpos: need {model.nq}, got {positions.shape[1]}"
    assert [model.joint(j).name for j in range(1, model.njnt)] == names[7:], "another order of joints"
    robot = pinocchio.buildModelFromUrdf(str(folder / "subject.urdf"), pinocchio.JointModelFreeFlyer())
    state = robot.createData()
    places = [robot.joints[robot.getJointId(name)].idx_q for name in names[7:]]
    farthest, compared = [0.0, 0.0], 0
    for frame in some_frames(positions):
        data.qpos[:] = positions[frame]
        mujoco.mj_kinematics(model, data)
        q = pinocchio.neutral(robot)
        # x, y, z, w there; w first here.
        q[:7] = positions[frame][[0, 1, 2, 4, 5, 6, 3]]
        q[places] = positions[frame][7:]
        pinocchio.framesForwardKinematics(robot, state, q)
        for joint in joints:
            ours = rows[frame, [header.index(f"{joint['name']}_{axis}") for axis in "xyz"]]
            if np.isnan(ours).any():
                continue
            link = "".join(c if c.isalnum() or c == "_" else "_" for c in joint["child"])
            centre = np.array(joint["centre_in_child_m"])
            body, pose = data.body(link), state.oMf[robot.getFrameId(link)]
            theirs = (body.xmat.reshape(3, 3) @ centre + body.xpos, pose.rotation @ centre + pose.translation)
            gaps = [1e3 * np.linalg.norm(place - ours) for place in theirs]
            farthest = [max(pair) for pair in zip(farthest, gaps)]
            compared += 1
    return farthest, compared


def check(out, say):
    """Every robot in a folder; one that has several roots has no URDF."""
    farthest, compared, robots = [0.0, 0.0], 0, 0
    for path in sorted(out.rglob("subject.urdf")):
        gaps, count = errors_mm(path.parent)
        farthest = [max(pair) for pair in zip(farthest, gaps)]
        compared, robots = compared + count, robots + bool(count)
    for name, gap in zip(("MuJoCo", "pinocchio"), farthest):
        figures = f"{gap:.1e} mm at most, {compared} joints of {robots} robots"
        say(f"{name}, forward kinematics", robots > 0 and gap < LIMIT_MM, figures)
