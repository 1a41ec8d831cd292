// How often a residual is how large.

import uPlot from "uplot";
import { h } from "../dom/h.ts";

const BINS = 40;

export function histogram(
    values: Float32Array,
    width: number,
): { element: HTMLElement; canvas: HTMLCanvasElement; dispose(): void } {
    const there = values.filter(Number.isFinite).map((value) => value * 1e3);
    const most = there.toSorted()[Math.floor(0.995 * there.length)] || 1;
    const counts = new Array<number>(BINS).fill(0);
    there.forEach((value) => (counts[Math.min(BINS - 1, Math.floor((value / most) * BINS))]! += 1));
    const style = getComputedStyle(document.documentElement);
    const [dim, grid, accent] = ["--dim", "--line", "--accent"].map((name) => style.getPropertyValue(name));
    const axis = {
        stroke: dim!,
        grid: { stroke: grid!, width: 1 },
        ticks: { stroke: grid!, width: 1 },
        font: "11px system-ui",
    };
    const plot = new uPlot(
        {
            width,
            height: 150,
            padding: [8, 10, 0, 0],
            scales: { x: { time: false } },
            axes: [
                { ...axis, size: 26 },
                { ...axis, size: 50 },
            ],
            cursor: { drag: { x: false, y: false } },
            series: [
                { label: "mm", value: (_, value) => value?.toFixed(2) ?? "–" },
                {
                    label: "frames",
                    stroke: accent!,
                    fill: `${accent}88`,
                    paths: uPlot.paths.bars!({ size: [0.95, 60] }),
                    points: { show: false },
                },
            ],
        },
        [counts.map((_, bin) => ((bin + 0.5) / BINS) * most), counts],
    );
    const title = h(
        "div",
        { class: "title" },
        h("b", {}, "Residuals, how often"),
        h("span", { class: "dim" }, "frames by mm"),
    );
    const element = h("figure", { class: "chart", "aria-label": "Histogram of residuals" }, title, plot.root);
    return { element, canvas: plot.ctx.canvas, dispose: () => plot.destroy() };
}
