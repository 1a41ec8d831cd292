// Charts as files: numbers as CSV, the picture as PNG.

import { save, stem } from "../dom/save.ts";
import type { Trial } from "../app/trial.ts";
import { type ChartData, sample, samples } from "./quantities.ts";

const cell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** All lines of charts, a row a sample. */
export function csvOf(charts: readonly ChartData[], offset_s: number): string {
    const lines = charts.flatMap((chart) =>
        chart.lines.map((line) => ({ name: `${chart.title} ${line.label} [${chart.unit}]`, line })),
    );
    const count = Math.max(0, ...lines.map(({ line }) => samples(line)));
    const rate = lines[0]?.line.rateHz ?? 1;
    const rows = [["time [s]", ...lines.map(({ name }) => cell(name))].join(",")];
    for (let at = 0; at < count; at += 1) {
        const values = lines.map(({ line }) => {
            const value = at < samples(line) ? sample(line, at) : Number.NaN;
            return Number.isFinite(value) ? String(Number(value.toPrecision(8))) : "";
        });
        rows.push([(at / rate + offset_s).toFixed(6), ...values].join(","));
    }
    return `${rows.join("\n")}\n`;
}

export function saveCsv(trial: Trial, name: string, charts: readonly ChartData[]): void {
    save(`${stem(trial.name)}-${name.replaceAll(" ", "-")}.csv`, csvOf(charts, trial.offset_s), "text/csv");
}

/** All charts below each other, on paper, with their titles. */
export function savePng(
    trial: Trial,
    name: string,
    charts: readonly { title: string; canvas: HTMLCanvasElement }[],
): void {
    const ratio = Math.min(devicePixelRatio, 2);
    const head = 22 * ratio;
    const picture = document.createElement("canvas");
    picture.width = Math.max(1, ...charts.map(({ canvas }) => canvas.width));
    picture.height = Math.max(
        1,
        charts.reduce((sum, { canvas }) => sum + canvas.height + head, 0),
    );
    const pen = picture.getContext("2d")!;
    const style = getComputedStyle(document.documentElement);
    pen.fillStyle = style.getPropertyValue("--paper");
    pen.fillRect(0, 0, picture.width, picture.height);
    let y = 0;
    for (const { title, canvas } of charts) {
        pen.fillStyle = style.getPropertyValue("--ink");
        pen.font = `600 ${12 * ratio}px system-ui`;
        pen.fillText(title, 8 * ratio, y + 16 * ratio);
        pen.drawImage(canvas, 0, y + head);
        y += canvas.height + head;
    }
    picture.toBlob((blob) => blob && save(`${stem(trial.name)}-${name.replaceAll(" ", "-")}.png`, blob, "image/png"));
}
