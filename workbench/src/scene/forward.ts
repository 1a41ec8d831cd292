// Where a performer faces: as the user says, or across the line of hips or shoulders, or where it goes.

import { Vector3 } from "three";
import type { Figure } from "./figure.ts";

const PAIRS = [
    ["left hip", "right hip"],
    ["left shoulder", "right shoulder"],
] as const;

/** A direction in the plane of the floor, in the scene's axes. */
export function forwardOf(figure: Figure, frame: number): Vector3 {
    const word = figure.trial.options.forward;
    if (word !== "auto") {
        const axis = ["x", "y", "z"].indexOf(word.slice(1).toLowerCase());
        const along = new Vector3().setComponent(Math.max(axis, 0), word.startsWith("-") ? -1 : 1);
        return level(along.applyQuaternion(figure.group.quaternion)) ?? new Vector3(1, 0, 0);
    }
    const performer = figure.trial.performance?.performers[0];
    for (const [left, right] of PAIRS) {
        const [l, r] = [left, right].map((name) => performer?.joints.find((joint) => joint.name === name));
        if (l && r) {
            const across = [0, 1, 2].map((axis) => l.position_m[3 * frame + axis]! - r.position_m[3 * frame + axis]!);
            const leftwards = new Vector3(...(across as [number, number, number])).applyQuaternion(
                figure.group.quaternion,
            );
            const forward = level(leftwards.cross(new Vector3(0, 1, 0)));
            if (forward) {
                return forward;
            }
        }
    }
    const way = new Vector3(...figure.route.way_m).applyQuaternion(figure.group.quaternion);
    return (way.length() > 0.5 * figure.extent.size_m && level(way)) || new Vector3(1, 0, 0);
}

function level(direction: Vector3): Vector3 | null {
    direction.y = 0;
    return direction.length() > 1e-6 ? direction.normalize() : null;
}
