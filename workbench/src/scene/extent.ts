// How large a recording is, where its floor is, where it goes: from some of its frames.

import type { Trial } from "../app/trial.ts";

export interface Extent {
    /** About as tall as the performer: how large marks are drawn follows from it. */
    size_m: number;
    /** The lowest and the highest corner of everything, in the recording's axes. */
    low_m: [number, number, number];
    high_m: [number, number, number];
    /** The floor along the up axis. */
    floor_m: number;
}

const SAMPLES = 40;

export type Up = { axis: 0 | 1 | 2; sign: 1 | -1 };

/** The axis that a word such as `-y` names; z where nothing is said. */
export function upAxis(word: string | null | undefined): Up {
    const letter = (word ?? "z").replace(/^[+-]/, "").toLowerCase();
    const axis = (["x", "y", "z"].indexOf(letter) + 3) % 3;
    return { axis: (letter === "x" || letter === "y" ? axis : 2) as 0 | 1 | 2, sign: word?.startsWith("-") ? -1 : 1 };
}

function quantile(values: number[], share: number): number {
    const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export function extentOf(trial: Trial, up: Up): Extent {
    const recording = trial.recording!;
    const tracks = [
        ...recording.markers.filter(({ kind }) => kind === "marker").map(({ position_m }) => position_m),
        ...(recording.skeleton?.positions_m ?? []),
        ...recording.bodies.filter(({ hasPositions }) => hasPositions).map(({ pose }) => placesOf(pose)),
        ...(trial.performance?.performers.flatMap(({ joints }) => joints.map(({ position_m }) => position_m)) ?? []),
    ];
    const all: number[][] = [[], [], []];
    const diagonals: number[] = [];
    const lows: number[] = [];
    const step = Math.max(1, Math.floor(recording.frames / SAMPLES));
    for (let frame = 0; frame < recording.frames; frame += step) {
        const each: number[][] = [[], [], []];
        for (const track of tracks) {
            for (let axis = 0; axis < 3; axis += 1) {
                const value = track[3 * frame + axis]!;
                if (Number.isFinite(value)) {
                    each[axis]!.push(value);
                    all[axis]!.push(value);
                }
            }
        }
        const spans = each.map((values) => quantile(values, 0.98) - quantile(values, 0.02));
        diagonals.push(Math.hypot(...spans.map((span) => span || 0)));
        lows.push(up.sign * (up.sign > 0 ? Math.min(...each[up.axis]!) : Math.max(...each[up.axis]!)));
    }
    const low = all.map((values) => quantile(values, 0.01) || 0) as [number, number, number];
    const high = all.map((values) => quantile(values, 0.99) || 0) as [number, number, number];
    const size = quantile(diagonals, 0.5);
    const size_m = size > 0 ? size : 1;
    const lowest = quantile(lows, 0.05) || 0;
    // Laboratories put the floor at zero; what stays far from it stands on its own lowest point.
    const floor_m = Math.abs(lowest) < 0.15 * size_m ? 0 : lowest;
    return { size_m, low_m: low, high_m: high, floor_m };
}

/** x y z of poses, qw qx qy qz x y z frame after frame. */
export function placesOf(pose: Float32Array): Float32Array {
    return Float32Array.from(
        { length: (3 * pose.length) / 7 },
        (_, at) => pose[7 * Math.floor(at / 3) + 4 + (at % 3)]!,
    );
}
