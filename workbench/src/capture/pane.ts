// Capture: a picture, a movie, pictures at an interval.

import { app } from "../app/app.ts";
import { complain, tell } from "../app/trials.ts";
import { h } from "../dom/h.ts";
import { save, stem } from "../dom/save.ts";
import type { View } from "../scene/view.ts";

export function captureButtons(view: View): HTMLElement {
    const every = h("input", {
        type: "number",
        min: 0.01,
        step: 0.01,
        value: 0.1,
        class: "small",
        "aria-label": "Seconds between pictures",
    });
    const name = () => stem(app.active.value?.name ?? "condyle");
    const run = (button: () => HTMLButtonElement, what: string, make: () => Promise<void>) => async () => {
        button().disabled = true;
        try {
            await make();
        } catch (error) {
            complain(`${what}: ${error instanceof Error ? error.message : error}`);
        }
        button().disabled = false;
    };
    const png: HTMLButtonElement = h(
        "button",
        {
            onclick: run(
                () => png,
                "capture",
                async () => save(`${name()}.png`, await view.picture(), "image/png"),
            ),
        },
        "Screen as PNG",
    );
    const webm: HTMLButtonElement = h(
        "button",
        {
            onclick: run(
                () => webm,
                "capture",
                async () => {
                    const { recordWebm } = await import("../panes.ts");
                    tell("recording the window, or the whole");
                    save(`${name()}.webm`, await recordWebm(view), "video/webm");
                },
            ),
        },
        "Movie as WebM",
    );
    const frames: HTMLButtonElement = h(
        "button",
        {
            onclick: run(
                () => frames,
                "capture",
                async () => {
                    const { recordFrames } = await import("../panes.ts");
                    const { blob, count } = await recordFrames(
                        view,
                        Math.max(0.01, Number(every.value) || 0.1),
                        name(),
                    );
                    save(`${name()}-frames.zip`, blob, "application/zip");
                    tell(`${count} pictures, one every ${Number(every.value)} s`);
                },
            ),
        },
        "Pictures every",
    );
    return h("div", { class: "buttons" }, png, webm, frames, h("label", {}, every, " s"));
}
