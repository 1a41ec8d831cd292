// What an empty page says.

import { app } from "../app/app.ts";
import { askAndOpen } from "../app/drop.ts";
import { h } from "../dom/h.ts";
import { icon } from "../dom/icon.ts";

export function welcome(): HTMLElement {
    const card = h(
        "div",
        { class: "welcome" },
        h("h2", {}, "Drop a recording"),
        h("p", {}, "Markers in, skeleton out: C3D, TRC, CSV, BVH, AMC, STO, MOT, MVNX. It stays on this machine."),
        h("button", { class: "primary", onclick: askAndOpen }, icon("open"), "Choose files"),
    );
    app.trials.watch((trials) => (card.hidden = trials.length > 0));
    return card;
}
