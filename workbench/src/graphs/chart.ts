// One chart over time: lines, the cursor shared by all charts, the present time, and the window.

import uPlot from "uplot";
import { app, duration_s, seek } from "../app/app.ts";
import { h } from "../dom/h.ts";
import { type Handle, handle } from "../timeline/handle.ts";
import type { ChartData } from "./quantities.ts";
import { thinned } from "./thin.ts";

const HEIGHT = 168;

export interface Overlay {
    label: string;
    times: number[];
    values: number[];
}

export class Chart {
    readonly element: HTMLElement;
    readonly data: ChartData;
    #plot: uPlot;
    #now = h("div", { class: "now" });
    #window = h("div", { class: "chosen" });
    #handles: [Handle, Handle];
    #stop: (() => void)[];

    constructor(
        data: ChartData,
        width: number,
        overlays: readonly Overlay[],
        offset_s: number,
        setWindow: (from: number, to: number) => void,
    ) {
        this.data = data;
        const style = getComputedStyle(document.documentElement);
        const [ink, dim, grid] = ["--ink", "--dim", "--line"].map((name) => style.getPropertyValue(name));
        const tables = [
            ...data.lines.map((line) => {
                const { times, values } = thinned(line, offset_s);
                return [times, values] as uPlot.AlignedData;
            }),
            ...overlays.map(({ times, values }) => [times, values] as uPlot.AlignedData),
        ];
        const joined = tables.length > 1 ? uPlot.join(tables) : tables[0]!;
        const [least, most] = bounds(tables.slice(0, data.lines.length));
        const axis = {
            stroke: dim!,
            grid: { stroke: grid!, width: 1 },
            ticks: { stroke: grid!, width: 1 },
            font: "11px system-ui",
        };
        this.#plot = new uPlot(
            {
                width,
                height: HEIGHT,
                padding: [8, 10, 0, 0],
                scales: {
                    x: { time: false, range: () => [0, Math.max(duration_s(), 1e-6)] },
                    // What a polynomial predicts may be far away: the lines decide.
                    y: { range: () => [least, most] },
                },
                axes: [
                    { ...axis, size: 26 },
                    { ...axis, size: 50 },
                ],
                legend: { live: true },
                cursor: { sync: { key: "time" }, drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
                series: [
                    { label: "s", value: (_, value) => value?.toFixed(2) ?? "–" },
                    ...data.lines.map(({ label, colour }) => ({
                        label,
                        stroke: colour,
                        width: 1.6,
                        points: { show: false },
                        value: shown(data.unit),
                    })),
                    ...overlays.map(({ label }) => ({
                        label,
                        stroke: ink!,
                        width: 1.4,
                        dash: [5, 4],
                        points: { show: false },
                        value: shown(data.unit),
                    })),
                ],
                hooks: {
                    setSelect: [
                        (plot) => {
                            if (plot.select.width > 3) {
                                const [from, to] = [plot.select.left, plot.select.left + plot.select.width];
                                setWindow(plot.posToVal(from, "x"), plot.posToVal(to, "x"));
                                plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
                            }
                        },
                    ],
                    setSize: [() => this.#place()],
                    draw: [() => this.#place()],
                },
            },
            joined,
        );
        const both = () => app.window_s.value ?? [0, duration_s()];
        this.#handles = [
            handle(`Start of the window, ${data.title}`, (time_s) => setWindow(time_s, both()[1])),
            handle(`End of the window, ${data.title}`, (time_s) => setWindow(both()[0], time_s)),
        ];
        const { over } = this.#plot;
        over.append(this.#window, this.#now, ...this.#handles.map(({ element }) => element));
        this.#handles.forEach(({ element }) =>
            element.addEventListener("mousedown", (event) => event.stopPropagation()),
        );
        over.addEventListener("click", (event) => {
            if (event.target === over || event.target === this.#window) {
                app.playing.value = false;
                seek(this.#plot.posToVal(event.clientX - over.getBoundingClientRect().left, "x"));
            }
        });
        this.#stop = [app.time_s.on(() => this.#place()), app.window_s.on(() => this.#place())];
        const title = h("div", { class: "title" }, h("b", {}, data.title), h("span", { class: "dim" }, data.unit));
        this.element = h(
            "figure",
            { class: "chart", "aria-label": `${data.title}, ${data.unit}` },
            title,
            this.#plot.root,
        );
        this.#place();
    }

    /** Puts the present time and the window where they are. */
    #place(): void {
        const [from, to] = app.window_s.value ?? [0, duration_s()];
        const at = (time_s: number) => `${((100 * time_s) / Math.max(duration_s(), 1e-9)).toFixed(3)}%`;
        this.#now.style.left = at(app.time_s.value);
        this.#window.hidden = app.window_s.value === null;
        this.#window.style.left = at(from);
        this.#window.style.right = at(duration_s() - to);
        this.#handles?.[0].show(from, duration_s());
        this.#handles?.[1].show(to, duration_s());
    }

    resize(width: number): void {
        this.#plot.setSize({ width, height: HEIGHT });
    }

    get canvas(): HTMLCanvasElement {
        return this.#plot.ctx.canvas;
    }

    dispose(): void {
        this.#stop.forEach((stop) => stop());
        this.#plot.destroy();
    }
}

const shown = (unit: string) => (_: uPlot, value: number | null) =>
    value === null || value === undefined
        ? "–"
        : `${value.toFixed(Math.abs(value) < 10 ? 2 : 1)} ${unit === "degrees" ? "°" : unit}`;

/** A range that holds all values, with room above and below. */
function bounds(tables: readonly uPlot.AlignedData[]): [number, number] {
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const value of tables.flatMap((table) => table[1] as (number | null)[])) {
        if (value !== null) {
            least = Math.min(least, value);
            most = Math.max(most, value);
        }
    }
    if (least > most) {
        return [0, 1];
    }
    const room = 0.06 * (most - least) || 0.05 * Math.abs(most) || 1;
    return [least - room, most + room];
}
