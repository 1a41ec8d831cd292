// The panes beside the scene, one at a time.

import { app, type Side } from "../app/app.ts";
import { h } from "../dom/h.ts";

export interface Pane {
    side: Side;
    name: string;
    element: HTMLElement;
}

export function tabs(panes: readonly Pane[]): HTMLElement {
    const buttons = panes.map(({ side, name }) => {
        return h(
            "button",
            { role: "tab", id: `tab-${side}`, "aria-controls": `pane-${side}`, onclick: () => (app.side.value = side) },
            name,
        );
    });
    panes.forEach(({ side, element }) => {
        element.id = `pane-${side}`;
        element.setAttribute("role", "tabpanel");
        element.setAttribute("aria-labelledby", `tab-${side}`);
        element.classList.add("pane");
    });
    const list = h("div", { class: "tabs", role: "tablist", "aria-label": "Panes" }, ...buttons);
    list.addEventListener("keydown", (event) => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (by) {
            event.preventDefault();
            const at = panes.findIndex(({ side }) => side === app.side.value);
            const next = (at + by + panes.length) % panes.length;
            app.side.value = panes[next]!.side;
            buttons[next]!.focus();
        }
    });
    app.side.watch((side) => {
        panes.forEach((pane, at) => {
            const isChosen = pane.side === side;
            pane.element.hidden = !isChosen;
            buttons[at]!.setAttribute("aria-selected", String(isChosen));
            buttons[at]!.tabIndex = isChosen ? 0 : -1;
        });
    });
    return h("section", { class: "side", "aria-label": "Panes" }, list, ...panes.map(({ element }) => element));
}
