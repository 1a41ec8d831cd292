// The marker table: names, segments, gaps; choose markers and put them on segments, by click or drag.

import { app } from "../app/app.ts";
import { addCommands } from "../app/keys.ts";
import type { Trial } from "../app/trial.ts";
import { again, complain, tell } from "../app/trials.ts";
import { fill, h } from "../dom/h.ts";
import { askForText } from "../dom/choose.ts";
import { save, stem } from "../dom/save.ts";
import { planToml } from "./plan.ts";
import { markerRow } from "./row.ts";
import { segmentChips } from "./segments.ts";

export function markersPane(): HTMLElement {
    const chosen = new Set<number>();
    const filter = h("input", {
        type: "search",
        placeholder: "Filter by name or segment",
        "aria-label": "Filter markers",
    });
    const body = h("tbody", {});
    const segments = h("div", {
        class: "segments",
        role: "group",
        "aria-label": "Segments: assign the chosen markers, or drop some here",
    });
    const state = h("p", { class: "dim", role: "status" });
    const undo = h("button", { onclick: () => turnBack("undo"), title: "Ctrl+Z" }, "Undo");
    const redo = h("button", { onclick: () => turnBack("redo"), title: "Ctrl+Shift+Z" }, "Redo");
    const apply = h("button", { class: "primary", onclick: () => applyPlan() }, "Fit again");

    const change = (run: (trial: Trial) => void) => {
        const trial = app.active.value;
        if (trial?.recording) {
            run(trial);
            show();
            app.layers.touch();
        }
    };
    const turnBack = (way: "undo" | "redo") => change(({ association }) => association[way]());
    const labelsOf = (trial: Trial) =>
        [...chosen].sort((a, b) => a - b).map((marker) => trial.recording!.markers[marker]!.label);
    const assign = (segment: number | null, markers: readonly number[] = [...chosen]) =>
        change((trial) => {
            const labels = markers.map((marker) => trial.recording!.markers[marker]!.label);
            if (labels.length === 0) {
                tell("choose markers first, then the segment they are on");
                return;
            }
            trial.association.assign(labels, segment);
        });
    const split = () =>
        change((trial) => {
            const labels = labelsOf(trial);
            if (labels.length === 0) {
                tell("choose the markers of the new segment first");
                return;
            }
            trial.association.split(labels, "segment");
        });
    const applyPlan = () =>
        change((trial) => {
            trial.options.plan = planToml(trial.association.state);
            trial.options.marker_set = null;
            trial.options.subject = null;
            trial.options.subjectName = null;
            void again(trial);
        });
    const savePlan = () =>
        change((trial) =>
            save(`${stem(trial.name)}-association.toml`, planToml(trial.association.state), "text/plain"),
        );
    const loadPlan = async () => {
        const trial = app.active.value;
        const file = await askForText(".toml,.txt,.cor,.atm,*");
        if (trial && file) {
            trial.options.plan = file.text;
            trial.association.forget();
            await again(trial);
        }
    };
    const loadMarkerSet = async () => {
        const trial = app.active.value;
        const file = await askForText("*");
        if (trial && file) {
            trial.options.marker_set = file.text;
            tell(`${file.name}: kept for the association that is loaded next`);
        }
    };
    const copyTemporary = () =>
        change((trial) => {
            sessionStorage.setItem("association", planToml(trial.association.state));
            tell("association kept until the page is closed: Load kept brings it back");
        });
    const loadTemporary = () =>
        change((trial) => {
            const text = sessionStorage.getItem("association");
            if (text === null) {
                complain("load kept: no association was kept yet");
                return;
            }
            trial.options.plan = text;
            trial.association.forget();
            void again(trial);
        });

    const show = () => {
        const trial = app.active.value;
        if (app.side.value !== "markers") {
            return;
        }
        const markers = trial?.recording?.markers ?? [];
        [...chosen].filter((marker) => marker >= markers.length).forEach((marker) => chosen.delete(marker));
        const wanted = filter.value.toLowerCase();
        const rows = trial
            ? markers.flatMap(({ label }, marker) => {
                  const words = `${trial.association.nameOf(label)} ${label} ${trial.association.segmentOf(label)?.name ?? "none"}`;
                  return words.toLowerCase().includes(wanted)
                      ? [markerRow(trial, marker, chosen, { show, change, assign })]
                      : [];
              })
            : [];
        const focused = document.activeElement?.getAttribute("data-focus");
        fill(body, ...rows);
        fill(segments, ...(trial ? segmentChips(trial, chosen, assign, change) : []));
        if (focused) {
            body.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
        }
        undo.disabled = !trial?.association.canUndo;
        redo.disabled = !trial?.association.canRedo;
        apply.disabled = !trial?.recording || trial.state === "fitting";
        const unlabelled = markers.filter(({ kind }) => kind === "unlabelled").length;
        const free = trial
            ? markers.filter(({ kind, label }) => kind === "marker" && !trial.association.segmentOf(label)).length
            : 0;
        state.textContent = [
            `${markers.length} points`,
            `${free} markers on no segment`,
            `${unlabelled} unlabelled`,
            trial?.association.isChanged ? "changed since the last fit" : "",
        ]
            .filter(Boolean)
            .join(" · ");
    };
    filter.addEventListener("input", show);
    app.active.on(show);
    app.side.watch(show);
    app.marker.on((marker) => {
        if (app.side.value === "markers") {
            show();
            body.querySelector(`[data-marker="${marker}"]`)?.scrollIntoView({ block: "nearest" });
        }
    });
    addCommands([
        { keys: ["Ctrl+z"], says: "Undo (markers)", run: () => turnBack("undo") },
        { keys: ["Ctrl+Shift+z", "Ctrl+y"], says: "Redo (markers)", run: () => turnBack("redo") },
    ]);
    const head = h(
        "tr",
        {},
        ...["", "Marker", "Segment", "Missing", "Gaps"].map((name) => h("th", { scope: "col" }, name)),
    );
    return h(
        "div",
        {},
        h("div", { class: "row tight" }, filter, undo, redo, apply),
        state,
        segments,
        h(
            "div",
            { class: "buttons" },
            h("button", { onclick: split }, "New segment of chosen"),
            h("button", { onclick: () => assign(null) }, "Off their segment"),
            h("button", { onclick: () => (chosen.clear(), show()) }, "Choose none"),
        ),
        h("table", { class: "markers" }, h("thead", {}, head), body),
        h(
            "div",
            { class: "buttons" },
            h("button", { onclick: savePlan }, "Save association"),
            h("button", { onclick: loadPlan }, "Load association"),
            h(
                "button",
                { onclick: loadMarkerSet, title: "The marker-set file that an association of Knight's names" },
                "Marker set",
            ),
            h("button", { onclick: copyTemporary, title: "Save Temp Correlation" }, "Keep for now"),
            h("button", { onclick: loadTemporary }, "Load kept"),
        ),
    );
}
