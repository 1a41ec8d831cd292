// Long lines, thinned for the screen: of each stretch its least and its greatest value stay.

import { type Line, sample, samples } from "./quantities.ts";

const MOST = 6000;

/** Times and values of a line, for drawing. */
export function thinned(line: Line, offset_s: number): { times: number[]; values: (number | null)[] } {
    const count = samples(line);
    const times: number[] = [];
    const values: (number | null)[] = [];
    const add = (at: number) => {
        const value = sample(line, at);
        times.push(at / line.rateHz + offset_s);
        values.push(Number.isFinite(value) ? value : null);
    };
    const stretch = Math.ceil((2 * count) / MOST);
    if (stretch <= 2) {
        for (let at = 0; at < count; at += 1) {
            add(at);
        }
        return { times, values };
    }
    for (let from = 0; from < count; from += stretch) {
        const to = Math.min(count, from + stretch);
        let [least, most] = [-1, -1];
        for (let at = from; at < to; at += 1) {
            const value = sample(line, at);
            if (Number.isFinite(value)) {
                least = least < 0 || value < sample(line, least) ? at : least;
                most = most < 0 || value > sample(line, most) ? at : most;
            }
        }
        if (least < 0) {
            add(from);
        } else {
            [...new Set([Math.min(least, most), Math.max(least, most)])].forEach(add);
        }
    }
    return { times, values };
}
