// A motion as Taylor expansions: every angle over a window. Saved, and got back to be drawn beside.

import type { Trial } from "../app/trial.ts";
import type { Overlay } from "./chart.ts";
import { fitLine, valueOf } from "./taylor.ts";

interface Expansion {
    joint: string;
    angle: string;
    unit: string;
    centre_s: number;
    coefficients: number[];
    residual: number;
}

export interface Motion {
    condyle: "motion";
    version: 1;
    recording: string;
    window_s: [number, number];
    order: number;
    expansions: Expansion[];
}

/** The expansions of all angles over a window. */
export async function motionOf(trial: Trial, window_s: [number, number], order: number): Promise<Motion> {
    const expansions: Expansion[] = [];
    for (const { joint, name, unit, values } of trial.performance?.performers[0]?.angles ?? []) {
        const line = { label: name, colour: "", values, rateHz: trial.rateHz, stride: 1, at: 0, factor: 1 };
        const fitted = await fitLine(trial, line, window_s, order).catch(() => null);
        if (fitted) {
            const { centre_s, coefficients, residual } = fitted;
            expansions.push({ joint, angle: name, unit, centre_s, coefficients, residual });
        }
    }
    return { condyle: "motion", version: 1, recording: trial.name, window_s, order, expansions };
}

/** A motion from the text of a file. */
export function readMotion(text: string): Motion {
    const motion = JSON.parse(text) as Motion;
    if (motion.condyle !== "motion" || !Array.isArray(motion.expansions)) {
        throw new Error("need a motion that was saved here, got something else");
    }
    return motion;
}

/** The lines of a motion in a chart of this title. */
export function motionLines(motion: Motion, title: string): Overlay[] {
    const [from, to] = motion.window_s;
    const times = Array.from({ length: 81 }, (_, at) => from + ((to - from) * at) / 80);
    return motion.expansions
        .filter(({ joint, angle }) => `${joint.replace(/^(left|right) /, "")} ${angle}` === title)
        .map(({ joint, centre_s, coefficients }) => ({
            label: `${joint}, got`,
            times,
            values: times.map((time) => valueOf(coefficients, time - centre_s)),
        }));
}
