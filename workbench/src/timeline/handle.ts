// A handle on a line of time: dragged by hand, or moved by arrow keys.

import { app, duration_s } from "../app/app.ts";
import { h } from "../dom/h.ts";

export interface Handle {
    element: HTMLElement;
    show(time_s: number, end_s: number): void;
}

export function handle(name: string, move: (time_s: number) => void): Handle {
    const element = h("div", {
        class: "handle",
        role: "slider",
        tabindex: 0,
        "aria-label": name,
        title: name,
        "aria-valuemin": 0,
    });
    let now = 0;
    element.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        element.focus();
        element.setPointerCapture(event.pointerId);
    });
    element.addEventListener("pointermove", (event) => {
        if (element.hasPointerCapture(event.pointerId)) {
            const box = element.parentElement!.getBoundingClientRect();
            const inset = Number.parseFloat(getComputedStyle(element.parentElement!).getPropertyValue("--inset")) || 0;
            const share = (event.clientX - box.left - inset) / (box.width - 2 * inset);
            move(Math.min(Math.max(share, 0), 1) * duration_s());
        }
    });
    element.addEventListener("keydown", (event) => {
        const frames = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[
            event.key
        ];
        const time_s = event.key === "Home" ? 0 : event.key === "End" ? duration_s() : null;
        if (frames !== undefined || time_s !== null) {
            event.preventDefault();
            event.stopPropagation();
            move(time_s ?? now + (frames! * (event.shiftKey ? 10 : 1)) / (app.active.value?.rateHz ?? 100));
        }
    });
    const show = (time_s: number, end_s: number) => {
        now = time_s;
        element.style.left = `${(100 * time_s) / Math.max(end_s, 1e-9)}%`;
        element.setAttribute("aria-valuenow", time_s.toFixed(3));
        element.setAttribute("aria-valuemax", end_s.toFixed(3));
        element.setAttribute("aria-valuetext", `${time_s.toFixed(2)} seconds`);
    };
    return { element, show };
}
