// The frames that decide where a joint is: where its two segments are turned farthest apart, in different directions.

import type { Joint, PerformerData } from "../engine/data.ts";

const SAMPLES = 400;
const WANTED = 4;

export interface Moment {
    frame: number;
    says: string;
}

/** Relative turns, as unit quaternions, of some frames; the ones that lie farthest from each other. */
export function decisiveFrames(joint: Joint, performer: PerformerData): Moment[] {
    const pose = (name: string) => performer.segments.find((segment) => segment.name === name)?.pose;
    const [parent, child] = [pose(joint.parentSegment), pose(joint.childSegment)];
    if (!parent || !child) {
        return [];
    }
    const frames = parent.length / 7;
    const step = Math.max(1, Math.floor(frames / SAMPLES));
    const turns: { frame: number; q: number[] }[] = [];
    for (let frame = 0; frame < frames; frame += step) {
        const q = relative(parent.subarray(7 * frame, 7 * frame + 4), child.subarray(7 * frame, 7 * frame + 4));
        if (q.every(Number.isFinite)) {
            turns.push({ frame, q });
        }
    }
    const first = turns[0];
    if (!first) {
        return [];
    }
    // Farthest first: each next one is the farthest from those chosen.
    const nearest = turns.map(({ q }) => apart(q, first.q));
    const chosen: Moment[] = [];
    for (let count = 0; count < WANTED; count += 1) {
        const at = nearest.indexOf(Math.max(...nearest));
        const far = nearest[at]!;
        if (far < 0.05) {
            break;
        }
        chosen.push({ frame: turns[at]!.frame, says: `${Math.round((far * 180) / Math.PI)} degrees from the others` });
        turns.forEach(({ q }, other) => (nearest[other] = Math.min(nearest[other]!, apart(q, turns[at]!.q))));
    }
    return chosen.sort((a, b) => a.frame - b.frame);
}

function relative(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
    const [w, x, y, z] = [a[0]!, -a[1]!, -a[2]!, -a[3]!];
    return [
        w * b[0]! - x * b[1]! - y * b[2]! - z * b[3]!,
        w * b[1]! + x * b[0]! + y * b[3]! - z * b[2]!,
        w * b[2]! - x * b[3]! + y * b[0]! + z * b[1]!,
        w * b[3]! + x * b[2]! - y * b[1]! + z * b[0]!,
    ];
}

/** The angle between two turns. */
function apart(a: number[], b: number[]): number {
    const dot = Math.abs(a.reduce((sum, value, at) => sum + value * b[at]!, 0));
    return 2 * Math.acos(Math.min(1, dot));
}
