// Places of a figure in a frame.

import type { PerformerData } from "../engine/data.ts";

export interface Stick {
    from: number;
    to: number;
    side: "left" | "right" | "none";
    /** How thick the limb about it is; 0 where nobody knows. */
    width_m: number;
    isHead: boolean;
}

interface Out {
    set(x: number, y: number, z: number): unknown;
}

/** Heads are about as wide as this, and nothing else that ends a limb is. */
const HEAD_M = 0.12;

/** The lines of a figure, as reports draw it. */
export function sticksOf({ bones, joints }: PerformerData): Stick[] {
    return bones.map(({ ends: [from, to], side, width_m }) => {
        return {
            from,
            to,
            side: side ?? "none",
            width_m,
            isHead: width_m > HEAD_M && side === null && to >= joints.length,
        };
    });
}

/** Writes where a point of the figure is; false where it is not. */
export function pointAt({ points_m }: PerformerData, point: number, frame: number, out: Out): boolean {
    const track = points_m[point]!;
    const x = track[3 * frame]!;
    out.set(x, track[3 * frame + 1]!, track[3 * frame + 2]!);
    return Number.isFinite(x);
}

/** Writes where a place in a segment is; false where the segment is not. */
export function inSegment(
    pose: Float32Array,
    local_m: readonly [number, number, number],
    frame: number,
    out: Out,
): boolean {
    const at = 7 * frame;
    if (!Number.isFinite(pose[at]!)) {
        return false;
    }
    const [w, a, b, c] = [pose[at]!, pose[at + 1]!, pose[at + 2]!, pose[at + 3]!];
    const [x, y, z] = local_m;
    // v + 2w(q×v) + 2q×(q×v)
    const [tx, ty, tz] = [2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)];
    out.set(
        x + w * tx + b * tz - c * ty + pose[at + 4]!,
        y + w * ty + c * tx - a * tz + pose[at + 5]!,
        z + w * tz + a * ty - b * tx + pose[at + 6]!,
    );
    return true;
}
