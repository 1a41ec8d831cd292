// A marker of the table.

import { app } from "../app/app.ts";
import type { Trial } from "../app/trial.ts";
import { h } from "../dom/h.ts";
import { groupColour } from "../scene/colours.ts";

export interface Hands {
    show(): void;
    change(run: (trial: Trial) => void): void;
    assign(segment: number | null, markers: readonly number[]): void;
}

export const DRAGGED = "application/x-condyle-markers";

export function markerRow(
    trial: Trial,
    marker: number,
    chosen: Set<number>,
    { show, change, assign }: Hands,
): HTMLElement {
    const { label, kind, missing, gaps } = trial.recording!.markers[marker]!;
    const { association } = trial;
    const at = association.state.of.get(label);
    const box = h("input", {
        type: "checkbox",
        checked: chosen.has(marker),
        "aria-label": `Choose ${association.nameOf(label)}`,
        "data-focus": `box-${marker}`,
    });
    box.addEventListener("click", (event) => {
        if (event.shiftKey && chosen.size > 0) {
            const last = [...chosen].at(-1)!;
            for (let between = Math.min(last, marker); between <= Math.max(last, marker); between += 1) {
                chosen.add(between);
            }
        } else if (box.checked) {
            chosen.add(marker);
        } else {
            chosen.delete(marker);
        }
        app.joint.value = null;
        app.marker.value = marker;
        show();
    });
    const name = h("input", {
        class: "naming",
        value: association.nameOf(label),
        "aria-label": `Name of ${label}`,
        title: label,
        "data-focus": `name-${marker}`,
    });
    name.addEventListener("change", () => change(() => association.rename(label, name.value.trim())));
    name.addEventListener("focus", () => (app.marker.value = marker));
    const segment = h(
        "select",
        { "aria-label": `Segment of ${association.nameOf(label)}`, "data-focus": `segment-${marker}` },
        h("option", { value: "" }, kind === "marker" || kind === "unlabelled" ? "none" : kind),
        ...association.state.segments.map((one, index) => h("option", { value: index }, one.name)),
    );
    segment.value = at === undefined ? "" : String(at);
    segment.addEventListener("change", () => assign(segment.value === "" ? null : Number(segment.value), [marker]));
    const dot = h("i", { class: "dot" });
    dot.style.background = at === undefined ? "var(--line)" : groupColour(at);
    const row = h(
        "tr",
        { "data-marker": marker, draggable: "true", "aria-selected": String(app.marker.value === marker) },
        h("td", { class: "tick" }, box, dot),
        h("td", {}, name),
        h("td", {}, segment),
        h("td", { class: "number" }, missing > 0 ? `${(100 * missing).toFixed(1)} %` : "–"),
        h("td", { class: "number" }, gaps.length || "–"),
    );
    row.addEventListener("dragstart", (event) => {
        const dragged = chosen.has(marker) ? [...chosen] : [marker];
        event.dataTransfer?.setData(DRAGGED, JSON.stringify(dragged));
    });
    return row;
}
