// What the scene shows: a checkbox each, and from where it is seen.

import { app } from "../app/app.ts";
import { toggle } from "../app/keys.ts";
import { LAYERS, type LayerName } from "../app/layers.ts";
import { captureButtons } from "../capture/pane.ts";
import { fill, h } from "../dom/h.ts";
import { VIEWS } from "../scene/cameras.ts";
import type { View } from "../scene/view.ts";

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

export function scenePane(view: View): HTMLElement {
    const boxes = Object.entries(LAYERS).map(([name, { name: says, key, says: about }]) => {
        const box = h("input", { type: "checkbox" });
        box.addEventListener("change", () => toggle(name as LayerName, box.checked));
        app.layers.watch((layers) => (box.checked = layers[name as LayerName]));
        return h("label", { class: "check", title: about }, box, h("span", {}, says), h("kbd", {}, key.toUpperCase()));
    });
    const trail = h("input", {
        type: "range",
        min: 0.1,
        max: 5,
        step: 0.1,
        "aria-label": "Length of trails in seconds",
    });
    const long = h("output");
    trail.addEventListener("input", () => (app.trail_s.value = Number(trail.value)));
    app.trail_s.watch((value) => {
        trail.value = String(value);
        long.textContent = `${value.toFixed(1)} s`;
    });
    const follow = check("Follow", "C", app.isFollowing);
    const flat = check("Orthographic", "O", app.isOrthographic);
    const views = VIEWS.map((name, at) =>
        h("button", { onclick: () => view.look(name), title: `${at + 1}` }, capital(name)),
    );
    const legend = h("ul", { class: "legend" });
    const show = () => fill(legend, ...legendOf());
    app.active.watch(show);
    app.trials.on(show);
    return h(
        "div",
        {},
        h("h2", {}, "Show"),
        h("div", { class: "checks" }, ...boxes),
        h("label", { class: "row" }, h("span", {}, "Length of trails"), trail, long),
        h("h2", {}, "View"),
        h(
            "div",
            { class: "buttons" },
            ...views,
            h("button", { onclick: () => view.lookAtAll(), title: "0" }, "Everything"),
        ),
        h("div", { class: "checks" }, follow, flat),
        h("h2", {}, "Capture"),
        captureButtons(view),
        h("h2", {}, "Legend"),
        legend,
    );
}

function check(
    name: string,
    key: string,
    signal: { value: boolean; watch(listener: (value: boolean) => void): void },
): HTMLElement {
    const box = h("input", { type: "checkbox" });
    box.addEventListener("change", () => (signal.value = box.checked));
    signal.watch((isOn) => (box.checked = isOn));
    return h("label", { class: "check" }, box, h("span", {}, name), h("kbd", {}, key));
}

function legendOf(): HTMLElement[] {
    const entry = (look: string, text: string) => h("li", {}, h("i", { class: `look ${look}` }), text);
    return [
        entry("left", "left"),
        entry("right", "right"),
        entry("measured", "marker, measured"),
        entry("filled", "filled"),
        entry("predicted", "predicted"),
        entry("well", "joint, centre well known"),
        entry("fairly", "fairly known"),
        entry("barely", "barely known"),
        entry("error", "two standard errors"),
    ];
}
