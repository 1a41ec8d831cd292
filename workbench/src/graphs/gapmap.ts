// Where which markers are missing: a line a marker. A click chooses the marker and goes there.

import { app, duration_s, seek } from "../app/app.ts";
import type { Trial } from "../app/trial.ts";
import { h } from "../dom/h.ts";
import { stretches } from "../timeline/gaps.ts";

const ROW = 13;
const NAMES = 92;

export function gapMap(trial: Trial, width: number): HTMLElement {
    const markers = trial.recording!.markers.flatMap(({ kind }, at) =>
        kind === "marker" || kind === "unlabelled" ? [at] : [],
    );
    const canvas = h("canvas", {
        class: "gapmap",
        role: "img",
        "aria-label": "Gap map: a line a marker, red where it is missing, orange where it was filled",
    });
    const ratio = Math.min(devicePixelRatio, 2);
    canvas.width = width * ratio;
    canvas.height = Math.max(1, markers.length) * ROW * ratio;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${canvas.height / ratio}px`;
    const pen = canvas.getContext("2d")!;
    pen.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    pen.font = "10px system-ui";
    pen.textBaseline = "middle";
    const long = Math.max(1, (width - NAMES) * (trial.duration_s / Math.max(duration_s(), 1e-9)));
    markers.forEach((marker, row) => {
        const y = row * ROW;
        pen.fillStyle = style.getPropertyValue(app.marker.value === marker ? "--accent" : "--dim");
        const name = trial.association.nameOf(trial.recording!.markers[marker]!.label);
        pen.fillText(name.length > 15 ? `${name.slice(0, 14)}…` : name, 0, y + ROW / 2);
        pen.fillStyle = style.getPropertyValue("--raised");
        pen.fillRect(NAMES, y + 1, long, ROW - 3);
        const each = stretches(trial, marker, Math.ceil(long / 2));
        const cell = long / each.length;
        each.forEach(({ missing, filled }, at) => {
            for (const [value, colour] of [
                [filled, "242, 163, 58"],
                [missing, "229, 72, 77"],
            ] as const) {
                if (value > 0) {
                    pen.fillStyle = `rgba(${colour}, ${0.3 + 0.7 * value})`;
                    pen.fillRect(NAMES + at * cell, y + 1, Math.max(cell, 1), ROW - 3);
                }
            }
        });
    });
    canvas.addEventListener("click", (event) => {
        const box = canvas.getBoundingClientRect();
        const marker = markers[Math.floor((event.clientY - box.top) / ROW)];
        if (marker !== undefined) {
            app.joint.value = null;
            app.marker.value = marker;
            const x = event.clientX - box.left - NAMES;
            if (x >= 0) {
                seek((x / long) * trial.duration_s);
            }
        }
    });
    return canvas;
}
