// Panes that are fetched when they are opened, or once there is a recording: nothing of them is seen before.

import { app, type Side } from "../app/app.ts";
import { complain } from "../app/trials.ts";
import { fill, h } from "../dom/h.ts";

type Panes = typeof import("../panes.ts");

/** The place of a pane, filled as soon as what it shows may be asked for. */
export function later(side: Side, make: (panes: Panes) => HTMLElement): HTMLElement {
    const box = h("div", {}, h("p", { class: "dim" }, "Loading…"));
    let isAsked = false;
    const ask = async () => {
        if (isAsked || (app.active.value === null && app.side.value !== side)) {
            return;
        }
        isAsked = true;
        try {
            fill(box, make(await import("../panes.ts")));
        } catch (error) {
            isAsked = false;
            complain(`this pane cannot be loaded: ${error instanceof Error ? error.message : error}`);
        }
    };
    app.active.on(() => void ask());
    app.side.watch(() => void ask());
    return box;
}
