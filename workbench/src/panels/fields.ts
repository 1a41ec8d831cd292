// Fields of a form: a label and what is chosen or typed.

import { h } from "../dom/h.ts";

let nextId = 1;

export function row(name: string, ...children: HTMLElement[]): HTMLElement {
    return h("div", { class: "row" }, h("span", {}, name), ...children);
}

/** A number; an empty text is none. */
export function number(
    name: string,
    value: number | null,
    change: (text: string) => void,
    props: Record<string, unknown> = {},
): HTMLElement {
    const id = `field-${nextId++}`;
    const input = h("input", {
        type: "number",
        id,
        value: value === null ? "" : String(Number(value.toPrecision(6))),
        ...props,
    });
    input.addEventListener("change", () => change(input.value));
    return h("div", { class: "row" }, h("span", {}, h("label", { for: id }, name)), input);
}

/** One of several words. */
export function choice(
    name: string,
    words: Record<string, string>,
    value: string,
    change: (value: string) => void,
): HTMLElement {
    const id = `field-${nextId++}`;
    const select = h(
        "select",
        { id },
        ...Object.entries(words).map(([word, says]) => h("option", { value: word }, says)),
    );
    select.value = value;
    select.addEventListener("change", () => change(select.value));
    return h("div", { class: "row" }, h("span", {}, h("label", { for: id }, name)), select);
}
