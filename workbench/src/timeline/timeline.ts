// The timeline: scrub, events, where markers are missing, and the stretch that is played.

import { app, duration_s, seek } from "../app/app.ts";
import type { Trial } from "../app/trial.ts";
import { fill, h } from "../dom/h.ts";
import { handle } from "./handle.ts";
import { overall, stretches } from "./gaps.ts";

const GAP_HEIGHT = 10;

export function timeline(): HTMLElement {
    const scrub = h("input", {
        type: "range",
        class: "scrub",
        min: 0,
        max: 1,
        step: "any",
        value: 0,
        "aria-label": "Time",
    });
    const gaps = h("canvas", { class: "gaps", "aria-hidden": "true" });
    const events = h("div", { class: "events" });
    const window_ = h("div", { class: "window" });
    const from = handle("Start of the window", (time_s) => setWindow(time_s, app.window_s.value?.[1] ?? duration_s()));
    const to = handle("End of the window", (time_s) => setWindow(app.window_s.value?.[0] ?? 0, time_s));
    const track = h("div", { class: "track" }, gaps, window_, events, scrub, from.element, to.element);

    scrub.addEventListener("input", () => {
        app.playing.value = false;
        seek(Number(scrub.value));
    });
    const showTime = () => {
        scrub.max = String(duration_s());
        scrub.value = String(app.time_s.value);
        const trial = app.active.value;
        scrub.setAttribute(
            "aria-valuetext",
            `${app.time_s.value.toFixed(2)} seconds, frame ${(trial?.frameAt(app.time_s.value) ?? 0) + (trial?.recording?.firstFrame ?? 1)}`,
        );
        track.style.setProperty("--at", share(app.time_s.value));
    };
    const showWindow = () => {
        const [start, end] = app.window_s.value ?? [0, duration_s()];
        window_.hidden = app.window_s.value === null;
        window_.style.left = share(start);
        window_.style.right = `calc(100% - ${share(end)})`;
        from.show(start, duration_s());
        to.show(end, duration_s());
    };
    let drawn: unknown[] = [];
    const showTrial = () => {
        showTime();
        showWindow();
        const trial = app.active.value;
        const now = [
            trial,
            trial?.recording,
            trial?.performance,
            app.marker.value,
            gaps.clientWidth,
            app.theme.value,
            duration_s(),
        ];
        if (now.some((value, at) => value !== drawn[at])) {
            drawn = now;
            drawGaps(gaps, trial?.recording ? trial : null);
            fill(events, ...(trial?.recording ? eventMarks(trial) : []));
        }
    };
    app.time_s.on(showTime);
    app.window_s.on(showWindow);
    for (const signal of [app.trials, app.active, app.marker, app.theme]) {
        signal.on(showTrial);
    }
    new ResizeObserver(showTrial).observe(track);
    showTrial();
    return track;
}

const share = (time_s: number): string =>
    `${(100 * (duration_s() > 0 ? Math.min(1, time_s / duration_s()) : 0)).toFixed(3)}%`;

function setWindow(start: number, end: number): void {
    const least = 2 / (app.active.value?.rateHz ?? 100);
    const [low, high] = [
        Math.max(0, Math.min(start, end - least)),
        Math.min(duration_s(), Math.max(end, start + least)),
    ];
    app.window_s.value = low <= 0 && high >= duration_s() ? null : [low, high];
}

function eventMarks(trial: Trial): HTMLElement[] {
    return trial.recording!.events.map(({ label, context, timeS }) => {
        const own_s = eventTime(trial, timeS);
        const says = [context, label].filter(Boolean).join(" ");
        const side = /left/i.test(context) ? "left" : /right/i.test(context) ? "right" : "none";
        const mark = h("button", {
            class: `event ${side}`,
            title: `${says}, ${timeS.toFixed(2)} s`,
            "aria-label": `Event ${says} at ${timeS.toFixed(2)} seconds`,
            tabindex: -1,
            onclick: () => seek(own_s),
        });
        mark.style.left = share(own_s);
        return mark;
    });
}

/** Events are on the recording's clock; the timeline begins with its first frame. */
export function eventTime(trial: Trial, timeS: number): number {
    return timeS - trial.recording!.startS + trial.offset_s;
}

function drawGaps(canvas: HTMLCanvasElement, trial: Trial | null): void {
    const width = Math.max(1, canvas.clientWidth);
    canvas.width = width;
    canvas.height = GAP_HEIGHT;
    const pen = canvas.getContext("2d");
    if (!pen || !trial) {
        return;
    }
    const marker = app.marker.value;
    const each = marker === null ? overall(trial, width) : stretches(trial, marker, width);
    const own = (trial.duration_s / Math.max(duration_s(), 1e-9)) * width;
    const cell = own / each.length;
    const strength = (value: number) => Math.min(1, marker === null ? 3 * value : value);
    each.forEach(({ missing, filled }, at) => {
        for (const [value, colour] of [
            [missing, "229, 72, 77"],
            [filled, "242, 163, 58"],
        ] as const) {
            if (value > 0) {
                pen.fillStyle = `rgba(${colour}, ${(0.25 + 0.75 * strength(value)).toFixed(2)})`;
                pen.fillRect(at * cell, 0, Math.max(cell, 1), GAP_HEIGHT);
            }
        }
    });
}
