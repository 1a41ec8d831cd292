// The order of the polynomial, and what came of fitting it.

import { app, duration_s } from "../app/app.ts";
import { h } from "../dom/h.ts";
import type { Fitted } from "./taylor.ts";
import { fittedWindow } from "./taylor.ts";

const [LOWEST, HIGHEST] = [0, 12];

export interface WindowRow {
    element: HTMLElement;
    readonly order: number;
    readonly isOn: boolean;
    onChange: () => void;
}

export function windowRow(): WindowRow {
    const order = h("input", {
        type: "number",
        min: LOWEST,
        max: HIGHEST,
        value: 5,
        class: "small",
        "aria-label": "Order of the polynomial",
    });
    const on = h("input", { type: "checkbox" });
    const says = h("span", { class: "dim" });
    const whole = h("button", { class: "quiet", onclick: () => (app.window_s.value = null) }, "whole");
    const row: WindowRow = {
        element: h(
            "div",
            { class: "row wrap tight" },
            h("label", { class: "check" }, on, h("span", {}, "Fit the window")),
            h("label", { class: "check" }, "order ", order),
            says,
            whole,
        ),
        get order() {
            return Math.min(Math.max(Math.round(Number(order.value)) || 0, LOWEST), HIGHEST);
        },
        get isOn() {
            return on.checked;
        },
        onChange: () => undefined,
    };
    on.addEventListener("change", () => row.onChange());
    order.addEventListener("input", () => row.onChange());
    const show = () => {
        const [from, to] = app.window_s.value ?? [0, duration_s()];
        says.textContent = app.window_s.value
            ? `${from.toFixed(2)} to ${to.toFixed(2)} s`
            : "drag in a chart, or the handles, for a window";
        whole.hidden = app.window_s.value === null;
    };
    app.window_s.watch(show);
    app.active.on(show);
    return row;
}

export function fitTable(fits: readonly Fitted[]): HTMLElement {
    const [from, to] = fittedWindow();
    const number = (value: number | null) => (value === null || !Number.isFinite(value) ? "–" : value.toPrecision(3));
    const rows = fits.map(({ title, label, unit, taylor }) =>
        h(
            "tr",
            {},
            h("th", { scope: "row" }, `${title} ${label}`),
            h("td", { class: "number" }, number(taylor.residual)),
            h("td", { class: "number" }, number(taylor.next)),
            h("td", {}, unit),
            h(
                "td",
                { class: "coefficients", title: taylor.coefficients.join("\n") },
                taylor.coefficients.slice(0, 3).map(number).join(", ") + (taylor.coefficients.length > 3 ? " …" : ""),
            ),
        ),
    );
    const head = h(
        "tr",
        {},
        ...["Window", "Residual", "Next window", "", "Coefficients"].map((name) => h("th", { scope: "col" }, name)),
    );
    return h(
        "div",
        {},
        h(
            "p",
            { class: "dim" },
            `Fitted from ${from.toFixed(2)} to ${to.toFixed(2)} s; next: root mean square error of the prediction for the window that follows.`,
        ),
        h("table", { class: "fits" }, h("thead", {}, head), h("tbody", {}, ...rows)),
    );
}
