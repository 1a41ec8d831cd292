// The segments: a click puts the chosen markers there, a drop those that were dragged; two can be joined.

import type { Trial } from "../app/trial.ts";
import { h } from "../dom/h.ts";
import { groupColour } from "../scene/colours.ts";
import { DRAGGED } from "./row.ts";

const SEGMENT = "application/x-condyle-segment";

export function segmentChips(
    trial: Trial,
    chosen: ReadonlySet<number>,
    assign: (segment: number | null, markers?: readonly number[]) => void,
    change: (run: (trial: Trial) => void) => void,
): HTMLElement[] {
    const { segments, of } = trial.association.state;
    const counts = new Map<number, number>();
    of.forEach((segment) => counts.set(segment, (counts.get(segment) ?? 0) + 1));
    return segments.flatMap(({ name }, index) => {
        const count = counts.get(index) ?? 0;
        if (count === 0) {
            return [];
        }
        const dot = h("i", { class: "dot" });
        dot.style.background = groupColour(index);
        const says =
            chosen.size > 0
                ? `Put ${chosen.size} chosen on ${name}`
                : `${name}: choose markers, then click; drop another segment here to join`;
        const chip = h(
            "button",
            { class: "segment", title: says, draggable: "true", onclick: () => assign(index) },
            dot,
            name,
            h("small", {}, count),
        );
        chip.addEventListener("dragstart", (event) => event.dataTransfer?.setData(SEGMENT, String(index)));
        chip.addEventListener("dragover", (event) => {
            if (event.dataTransfer?.types.includes(DRAGGED) || event.dataTransfer?.types.includes(SEGMENT)) {
                event.preventDefault();
            }
        });
        chip.addEventListener("drop", (event) => {
            const markers = event.dataTransfer?.getData(DRAGGED);
            const other = event.dataTransfer?.getData(SEGMENT);
            if (markers) {
                event.preventDefault();
                assign(index, JSON.parse(markers) as number[]);
            } else if (other) {
                event.preventDefault();
                change(({ association }) => association.join(Number(other), index));
            }
        });
        return [chip];
    });
}
