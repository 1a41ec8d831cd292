// The recordings that are open: which is active, which are shown, what each is doing.

import { app } from "../app/app.ts";
import type { Trial } from "../app/trial.ts";
import { choose, close } from "../app/trials.ts";
import { fill, h } from "../dom/h.ts";
import { icon } from "../dom/icon.ts";
import { trialColour } from "../scene/colours.ts";

const WORDS = {
    reading: "reading…",
    read: "read",
    fitting: "fitting the skeleton…",
    fitted: "",
    failed: "failed",
} as const;

export function trialChips(): HTMLElement {
    const list = h("div", { class: "trials", role: "group", "aria-label": "Recordings" });
    const show = () => fill(list, ...app.trials.value.map(chip));
    app.trials.watch(show);
    app.active.on(show);
    return list;
}

function chip(trial: Trial): HTMLElement {
    const isActive = app.active.value === trial;
    const dot = h("i", { class: "dot" });
    dot.style.background = trialColour(trial.colour);
    const words =
        trial.solved !== null
            ? `solved ${Math.round(100 * trial.solved)} %`
            : trial.state === "fitted" && trial.took_ms.fit !== undefined
              ? tookWords(trial)
              : WORDS[trial.state];
    const isBusy = trial.state === "reading" || trial.state === "fitting";
    const show = () => {
        trial.isShown = !trial.isShown;
        app.trials.touch();
    };
    return h(
        "div",
        {
            class: `chip${isActive ? " active" : ""}${isBusy ? " busy" : ""}${trial.state === "failed" ? " failed" : ""}`,
        },
        h(
            "button",
            {
                class: "name",
                "aria-pressed": String(isActive),
                title: trial.error ?? trial.name,
                onclick: () => trial.recording && choose(trial),
            },
            dot,
            h("span", {}, trial.name),
            h("small", { role: "status" }, words),
        ),
        h(
            "button",
            {
                class: "quiet",
                "aria-pressed": String(trial.isShown),
                "aria-label": `Show ${trial.name}`,
                onclick: show,
            },
            icon("eye"),
        ),
        h(
            "button",
            { class: "quiet", "aria-label": `Close ${trial.name}`, onclick: () => close(trial) },
            icon("close"),
        ),
    );
}

function tookWords({ took_ms }: Trial): string {
    const all = (took_ms.read ?? 0) + (took_ms.fit ?? 0);
    return all < 1000 ? `${Math.round(all)} ms` : `${(all * 1e-3).toFixed(1)} s`;
}
