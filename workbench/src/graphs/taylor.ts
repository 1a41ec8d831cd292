// The window: a polynomial fitted to each line in it, its residual, and how well it predicts what follows.

import { app, duration_s } from "../app/app.ts";
import type { Trial } from "../app/trial.ts";
import type { Taylor } from "../engine/data.ts";
import type { Overlay } from "./chart.ts";
import { type ChartData, type Line, sample, samples } from "./quantities.ts";

export interface Fitted {
    title: string;
    label: string;
    unit: string;
    taylor: Taylor;
    overlay: Overlay;
}

/** At most so many lines are fitted at once. */
const MOST = 12;
/** Where no window was chosen, one of this length about the present time is fitted. */
export const USUAL_S = 0.25;

/** The samples of a line from a time to another. */
function inWindow(line: Line, window_s: readonly [number, number], offset_s: number): [number, number] {
    const index = (time_s: number) => Math.round((time_s - offset_s) * line.rateHz);
    return [Math.max(0, index(window_s[0])), Math.min(samples(line), index(window_s[1]) + 1)];
}

/** The value of an expansion so far from its centre. */
export const valueOf = (coefficients: readonly number[], away_s: number): number =>
    coefficients.reduceRight((sum, coefficient) => sum * away_s + coefficient, 0);

export async function fitLine(
    trial: Trial,
    line: Line,
    window_s: readonly [number, number],
    order: number,
): Promise<Taylor> {
    const [from, to] = inWindow(line, window_s, trial.offset_s);
    // The window and as much again behind it: what the fit and its prediction need.
    const start = Math.max(0, from);
    const end = Math.min(samples(line), to + (to - from));
    const values = Float64Array.from({ length: end - start }, (_, at) => sample(line, start + at));
    const taylor = await trial.client.ask("taylor", { values, rateHz: line.rateHz, from: 0, to: to - from, order }, [
        values.buffer,
    ]);
    return { ...taylor, centre_s: taylor.centre_s + start / line.rateHz };
}

/** Fits the lines of charts; what cannot be fitted is left out, and why is said. */
export async function fitAll(
    trial: Trial,
    charts: readonly ChartData[],
    window_s: readonly [number, number],
    order: number,
): Promise<{ fits: Fitted[]; problem: string | null }> {
    const lines = charts.flatMap((chart) => chart.lines.map((line) => ({ chart, line }))).slice(0, MOST);
    let problem: string | null = null;
    const fits: Fitted[] = [];
    for (const { chart, line } of lines) {
        try {
            const taylor = await fitLine(trial, line, window_s, order);
            fits.push({
                title: chart.title,
                label: line.label,
                unit: chart.unit,
                taylor,
                overlay: drawn(taylor, line, window_s, trial.offset_s),
            });
        } catch (error) {
            problem = `${chart.title}: ${error instanceof Error ? error.message : error}`;
        }
    }
    return { fits, problem };
}

/** The polynomial over its window, and as far again. */
function drawn(taylor: Taylor, line: Line, [from, to]: readonly [number, number], offset_s: number): Overlay {
    const end = Math.min(to + (to - from), duration_s());
    const count = 80;
    const times = Array.from({ length: count + 1 }, (_, at) => from + ((end - from) * at) / count);
    return {
        label: `${line.label}, fitted`,
        times,
        values: times.map((time) => valueOf(taylor.coefficients, time - offset_s - taylor.centre_s)),
    };
}

/** The window that is fitted. */
export function fittedWindow(): [number, number] {
    if (app.window_s.value) {
        return app.window_s.value;
    }
    const middle = Math.min(Math.max(app.time_s.value, USUAL_S / 2), Math.max(duration_s() - USUAL_S / 2, USUAL_S / 2));
    return [middle - USUAL_S / 2, middle + USUAL_S / 2];
}
