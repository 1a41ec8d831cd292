// When markers were seen: the share of samples in each stretch of time.

import { FILLED, MISSING, PREDICTED } from "../engine/data.ts";
import type { Trial } from "../app/trial.ts";

export interface Stretch {
    missing: number;
    filled: number;
}

/** Of one marker, in so many stretches. */
export function stretches(trial: Trial, marker: number, count: number): Stretch[] {
    const recorded = trial.recording!.markers[marker]!.position_m;
    const origin = trial.solvedMarker(marker)?.origin;
    const frames = trial.frames;
    const made = Math.min(count, frames);
    return Array.from({ length: made }, (_, at) => {
        const [from, to] = [Math.floor((at * frames) / made), Math.floor(((at + 1) * frames) / made)];
        // A long stretch is judged by some of its frames; a short one by all.
        const step = Math.max(1, Math.floor((to - from) / 24));
        let [missing, filled, seen] = [0, 0, 0];
        for (let frame = from; frame < to; frame += step) {
            seen += 1;
            if (origin) {
                missing += Number(origin[frame] === MISSING);
                filled += Number(origin[frame] === FILLED || origin[frame] === PREDICTED);
            } else {
                missing += Number(!Number.isFinite(recorded[3 * frame]!));
            }
        }
        return { missing: missing / seen, filled: filled / seen };
    });
}

/** Of all markers together. */
export function overall(trial: Trial, count: number): Stretch[] {
    const markers = trial.recording!.markers.flatMap(({ kind }, at) => (kind === "marker" ? [at] : []));
    const each = markers.map((marker) => stretches(trial, marker, count));
    return Array.from({ length: Math.min(count, trial.frames) }, (_, at) => ({
        missing: each.reduce((sum, one) => sum + one[at]!.missing, 0) / Math.max(each.length, 1),
        filled: each.reduce((sum, one) => sum + one[at]!.filled, 0) / Math.max(each.length, 1),
    }));
}
