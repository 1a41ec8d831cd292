// The edge between the scene and the panes: dragged, or moved by arrow keys.

import { h } from "../dom/h.ts";

const [LEAST, MOST] = [280, 1100];

export function resizer(root: HTMLElement): HTMLElement {
    const edge = h("div", {
        class: "resizer",
        role: "separator",
        tabindex: 0,
        "aria-orientation": "vertical",
        "aria-label": "Width of the panes",
    });
    let width = 400;
    const set = (wanted: number) => {
        width = Math.min(Math.max(wanted, LEAST), MOST, window.innerWidth - 320);
        root.style.setProperty("--side", `${width}px`);
        edge.setAttribute("aria-valuenow", String(Math.round(width)));
    };
    edge.addEventListener("pointerdown", (event) => edge.setPointerCapture(event.pointerId));
    edge.addEventListener("pointermove", (event) => {
        if (edge.hasPointerCapture(event.pointerId)) {
            set(window.innerWidth - event.clientX);
        }
    });
    edge.addEventListener("keydown", (event) => {
        const by = { ArrowLeft: 40, ArrowRight: -40 }[event.key];
        if (by) {
            event.preventDefault();
            set(width + by);
        }
    });
    set(width);
    return edge;
}
