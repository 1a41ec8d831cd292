// Where a performer goes: the middle of its markers, smoothed, to follow and to look at.

import type { Trial } from "../app/trial.ts";
import { placesOf } from "./extent.ts";

const PER_SECOND = 8;
const SMOOTH = 3;

export class Route {
    /** x y z of every knot, in the recording's axes. */
    #knots: Float64Array;
    #every: number;

    constructor(trial: Trial) {
        const recording = trial.recording!;
        this.#every = Math.max(1, Math.round(recording.rateHz / PER_SECOND));
        const count = Math.floor(Math.max(recording.frames - 1, 0) / this.#every) + 1;
        const joints = trial.performance?.performers.flatMap((performer) => performer.joints) ?? [];
        const markers = recording.markers.filter(({ kind }) => kind === "marker");
        const given = recording.skeleton?.positions_m ?? [];
        const bodies = recording.bodies.filter(({ hasPositions }) => hasPositions).map(({ pose }) => placesOf(pose));
        const found = (joints.length > 3 ? joints : markers).map(({ position_m }) => position_m);
        const tracks = [found, given, bodies].find(({ length }) => length > 0) ?? [];
        const raw = new Float64Array(3 * count).fill(Number.NaN);
        for (let knot = 0; knot < count; knot += 1) {
            const frame = knot * this.#every;
            for (let axis = 0; axis < 3; axis += 1) {
                const values = tracks.map((track) => track[3 * frame + axis]!).filter(Number.isFinite);
                raw[3 * knot + axis] = values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
            }
        }
        this.#knots = smoothed(bridged(raw));
    }

    at(frame: number): [number, number, number] {
        const count = this.#knots.length / 3;
        const knot = Math.min(Math.max(frame / this.#every, 0), count - 1);
        const [low, share] = [Math.floor(knot), knot % 1];
        const high = Math.min(low + 1, count - 1);
        const one = (axis: number) =>
            (1 - share) * this.#knots[3 * low + axis]! + share * this.#knots[3 * high + axis]!;
        return [one(0), one(1), one(2)];
    }

    /** From its first to its farthest place. */
    get longest_m(): number {
        let longest = 0;
        for (let at = 0; at < this.#knots.length; at += 3) {
            const apart = [0, 1, 2].map((axis) => this.#knots[at + axis]! - this.#knots[axis]!);
            longest = Math.max(longest, Math.hypot(...apart));
        }
        return longest;
    }

    /** From start to end. */
    get way_m(): [number, number, number] {
        const end = this.#knots.length - 3;
        return [0, 1, 2].map((axis) => this.#knots[end + axis]! - this.#knots[axis]!) as [number, number, number];
    }
}

/** Knots that are missing stay where the last one was. */
function bridged(knots: Float64Array): Float64Array {
    for (let axis = 0; axis < 3; axis += 1) {
        let last = 0;
        for (let at = axis; at < knots.length; at += 3) {
            if (Number.isFinite(knots[at]!)) {
                last = knots[at]!;
                break;
            }
        }
        for (let at = axis; at < knots.length; at += 3) {
            knots[at] = last = Number.isFinite(knots[at]!) ? knots[at]! : last;
        }
    }
    return knots;
}

function smoothed(knots: Float64Array): Float64Array {
    const count = knots.length / 3;
    return knots.map((_, at) => {
        const [knot, axis] = [Math.floor(at / 3), at % 3];
        // As many before as after: who runs is not left behind where the recording begins or ends.
        const half = Math.min(SMOOTH, knot, count - 1 - knot);
        const [from, to] = [knot - half, knot + half];
        let sum = 0;
        for (let near = from; near <= to; near += 1) {
            sum += knots[3 * near + axis]!;
        }
        return sum / (to - from + 1);
    });
}
