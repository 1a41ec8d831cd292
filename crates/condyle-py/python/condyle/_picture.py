"""Small pictures for notebooks: a skeleton and its error bars, as SVG, with nothing else to load."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, List

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ._result import Performer
    from ._trial import Trial

Floats = npt.NDArray[np.float64]
WIDTH, HEIGHT, MARGIN = 220, 260, 14
COLOURS = {"well": "#1a7f37", "fairly": "#9a6700", "barely": "#cf222e"}


def _side(points: Floats, up: int) -> Floats:
    """Points as seen across the longer of the two level directions: right and up."""
    level = [axis for axis in range(3) if axis != up]
    spread = [np.ptp(points[:, axis]) for axis in level]
    across = level[int(np.argmax(spread))]
    return np.column_stack([points[:, across], points[:, up]])


def _scale(flat: Floats) -> Floats:
    """Points in the picture, y down."""
    low, high = np.min(flat, axis=0), np.max(flat, axis=0)
    size = max(float(np.max((high - low) / [WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN])), 1e-9)
    middle = (low + high) / 2
    return np.array((flat - middle) / size * [1, -1] + [WIDTH / 2, HEIGHT / 2])


def _svg(parts: List[str]) -> str:
    return f'<svg width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">{"".join(parts)}</svg>'


def _up(axis: object) -> int:
    return "xyz".index(str(axis)[-1]) if axis else 2


def of_trial(trial: "Trial") -> str:
    """The markers in the frame that shows most of them."""
    arrays = [trial.markers.at(place).view(np.ndarray) for place in range(len(trial.labels))]
    text = f"<p>{escape(repr(trial))}</p>"
    if not arrays or not trial.frames:
        return text
    seen = np.sum([~np.isnan(own[:, 0]) for own in arrays], axis=0)
    frame = int(np.argmax(seen))
    points = np.array([own[frame] for own in arrays if not np.isnan(own[frame]).any()])
    if not len(points):
        return text
    dots = _scale(_side(points, _up(trial.up)))
    return text + _svg([f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="#57606a"/>' for x, y in dots])


def of_performer(performer: "Performer") -> str:
    """Its joints in the frame that shows most of them, coloured by how well they are known, and a table."""
    joints = performer.joints
    if not joints:
        return f"<p>{escape(repr(performer))}</p>"
    arrays = [joint.positions_m for joint in joints.values()]
    frame = int(np.argmax(np.sum([~np.isnan(own[:, 0]) for own in arrays], axis=0)))
    rows = [
        f'<tr><td>{escape(name)}</td><td>{joint.known.kind}</td><td style="color:{COLOURS[joint.known.centre_known]}">'
        f"{joint.known.centre_known} ({1e3 * joint.sd_m:.0f} mm)</td></tr>"
        for name, joint in joints.items()
    ]
    table = f"<table><tr><th>joint</th><th>kind</th><th>centre known</th></tr>{''.join(rows)}</table>"
    shown = [place for place, own in enumerate(arrays) if not np.isnan(own[frame]).any()]
    if not shown:
        return table
    up = _up(performer.up)
    at = dict(zip(shown, _scale(_side(np.array([arrays[place][frame] for place in shown]), up))))
    known = list(joints.values())
    of_child = {joint.known.child: place for place, joint in enumerate(known)}
    parts = []
    for place in shown:
        before = of_child.get(known[place].known.parent)
        if before in at:
            (x, y), (a, b) = at[place], at[before]
            parts.append(f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{x:.1f}" y2="{y:.1f}" stroke="#57606a" stroke-width="2"/>')
    for place, (x, y) in at.items():
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{COLOURS[known[place].known.centre_known]}"/>')
    return f'<div style="display:flex;gap:1em">{_svg(parts)}{table}</div>'
