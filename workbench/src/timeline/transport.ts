// Play, loop, speed, single frames; the time in seconds and frames.

import { app, duration_s, seek, step } from "../app/app.ts";
import { fill, h } from "../dom/h.ts";
import { icon } from "../dom/icon.ts";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

export function transport(): HTMLElement {
    const play = h("button", { class: "play", onclick: () => (app.playing.value = !app.playing.value) });
    app.playing.watch((isPlaying) => {
        fill(play, icon(isPlaying ? "pause" : "play"));
        play.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
        play.title = isPlaying ? "Pause (space)" : "Play (space)";
    });
    const button = (name: Parameters<typeof icon>[0], says: string, key: string, run: () => void) =>
        h("button", { class: "quiet", "aria-label": says, title: `${says} (${key})`, onclick: run }, icon(name));
    const loop = h(
        "button",
        { class: "quiet", title: "Loop (L)", "aria-label": "Loop", onclick: () => (app.loop.value = !app.loop.value) },
        icon("loop"),
    );
    app.loop.watch((isOn) => loop.setAttribute("aria-pressed", String(isOn)));
    const speed = h(
        "select",
        { "aria-label": "Speed", title: "Speed (+ and -)" },
        ...SPEEDS.map((value) => h("option", { value }, `${value}×`)),
    );
    speed.addEventListener("change", () => (app.speed.value = Number(speed.value)));
    app.speed.watch((value) => (speed.value = String(value)));
    const clock = h("output", { class: "clock", "aria-label": "Time" });
    const frame = h("input", {
        class: "frame",
        type: "number",
        "aria-label": "Frame",
        title: "Frame: type one to go there",
    });
    frame.addEventListener("change", () => {
        const trial = app.active.value;
        if (trial?.recording) {
            app.playing.value = false;
            seek(trial.timeOf(Number(frame.value) - trial.recording.firstFrame));
        }
    });
    const of = h("span", { class: "dim" });
    const show = () => {
        const trial = app.active.value;
        clock.textContent = `${app.time_s.value.toFixed(2)} / ${duration_s().toFixed(2)} s`;
        const first = trial?.recording?.firstFrame ?? 1;
        if (document.activeElement !== frame) {
            frame.value = String((trial?.frameAt(app.time_s.value) ?? 0) + first);
        }
        of.textContent = `of ${first + Math.max(0, (trial?.frames ?? 1) - 1)}`;
    };
    app.time_s.on(show);
    app.active.on(show);
    app.trials.on(show);
    show();
    return h(
        "div",
        { class: "transport", role: "group", "aria-label": "Playing" },
        button("first", "To the start", "Home", () => seek(0)),
        button("back", "One frame back", "←", () => step(-1)),
        play,
        button("on", "One frame on", "→", () => step(1)),
        button("last", "To the end", "End", () => seek(duration_s())),
        loop,
        speed,
        clock,
        h("label", { class: "framed" }, "frame ", frame, of),
    );
}
