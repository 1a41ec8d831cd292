// How each joint was found and how far to trust it.

import { app, chosenJoint, seek } from "../app/app.ts";
import { fill, h } from "../dom/h.ts";
import type { Joint, PerformerData } from "../engine/data.ts";
import { decisiveFrames } from "./decisive.ts";
import { notesOf } from "./notes.ts";

const mm = (metres: number): string => `${(1e3 * metres).toFixed(metres < 0.01 ? 1 : 0)} mm`;

export function jointsPane(): HTMLElement {
    const list = h("div", {});
    const details = h("div", { class: "details", "aria-live": "polite" });
    const rest = h("div", {});
    const show = () => {
        const trial = app.active.value;
        const performers = trial?.performance?.performers ?? [];
        const worst = Math.max(0.005, ...performers.flatMap(({ joints }) => joints.map(({ sd_m }) => sd_m)));
        fill(
            list,
            ...(performers.length
                ? performers.map((performer, at) => table(performer, at, worst, performers.length > 1))
                : [nothing()]),
        );
        fill(rest, ...(trial ? notesOf(trial) : []));
        showChosen();
    };
    const showChosen = () => {
        const chosen = chosenJoint();
        fill(details, ...(chosen ? detailsOf(chosen.joint, chosen.performer) : []));
        list.querySelectorAll("[data-joint]").forEach((row) => {
            const isChosen =
                row.getAttribute("data-joint") === `${app.joint.value?.performer}/${app.joint.value?.joint}`;
            row.setAttribute("aria-selected", String(isChosen));
            if (isChosen) {
                row.scrollIntoView({ block: "nearest" });
            }
        });
    };
    app.active.watch(show);
    app.joint.on(showChosen);
    return h("div", {}, h("h2", {}, "Joints"), list, details, rest);
}

function nothing(): HTMLElement {
    const trial = app.active.value;
    const says = !trial
        ? "Drop a recording to begin."
        : trial.state === "fitting"
          ? "The skeleton is being fitted."
          : (trial.error ?? "No skeleton yet.");
    return h("p", { class: trial?.state === "failed" ? "error" : "dim" }, says);
}

function table(performer: PerformerData, at: number, worst_m: number, isNamed: boolean): HTMLElement {
    const rows = performer.joints.map((joint, index) => {
        const bar = h("i", { class: `gauge ${joint.centre}` });
        bar.style.width = `${(100 * joint.sd_m) / worst_m}%`;
        const choose = () => {
            app.marker.value = null;
            app.joint.value = { performer: at, joint: index };
        };
        const row = h(
            "tr",
            { "data-joint": `${at}/${index}`, tabindex: 0, role: "row", onclick: choose },
            h("th", { scope: "row" }, joint.name),
            h("td", {}, joint.kind),
            h("td", { class: `known ${joint.centre}` }, joint.centre),
            h("td", { class: "number" }, mm(joint.sd_m)),
            h("td", { class: "barred" }, bar),
        );
        row.addEventListener("keydown", (event) => {
            const next = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling }[event.key] as
                HTMLElement | null | undefined;
            if (event.key === "Enter" || event.key === " ") {
                event.preventDefault();
                event.stopPropagation();
                choose();
            } else if (next) {
                event.preventDefault();
                next.focus();
                next.click();
            }
        });
        return row;
    });
    const head = h(
        "tr",
        {},
        ...["Joint", "Kind", "Centre", "Error", ""].map((name) => h("th", { scope: "col" }, name)),
    );
    return h(
        "div",
        {},
        isNamed && h("h3", {}, performer.name || `Performer ${at + 1}`),
        h("table", { class: "joints" }, h("thead", {}, head), h("tbody", {}, ...rows)),
    );
}

function detailsOf(joint: Joint, performer: PerformerData): HTMLElement[] {
    const share = (name: string, value: number | null) => {
        if (value === null) {
            return null;
        }
        const bar = h("i", { class: "share" });
        bar.style.width = `${100 * value}%`;
        return h(
            "div",
            { class: "row" },
            h("span", {}, name),
            h("span", { class: "meter" }, bar),
            h("output", {}, `${Math.round(100 * value)} %`),
        );
    };
    const moments = decisiveFrames(joint, performer);
    const angles = performer.angles.filter((angle) => angle.joint === joint.name);
    return [
        h("h3", {}, joint.name),
        h(
            "p",
            {},
            `${joint.kind} joint between ${joint.parentSegment} and ${joint.childSegment}; its centre is ${joint.centre} known, ${mm(joint.sd_m)} along the worst direction.`,
        ),
        joint.method ? h("p", { class: "dim" }, `Found by: ${joint.method}`) : null,
        share("from motion", joint.from_motion),
        share("from knowledge", joint.from_knowledge),
        joint.advice ? h("p", { class: "advice" }, joint.advice) : null,
        moments.length > 0
            ? h(
                  "div",
                  { class: "row wrap" },
                  h("span", {}, "Frames that decide"),
                  ...moments.map(({ frame, says }) =>
                      h(
                          "button",
                          { title: says, onclick: () => seek(app.active.value!.timeOf(frame)) },
                          String(frame + app.active.value!.recording!.firstFrame),
                      ),
                  ),
              )
            : null,
        h(
            "div",
            { class: "buttons" },
            h(
                "button",
                { disabled: angles.length === 0, onclick: () => (app.side.value = "graphs") },
                angles.length ? "Its angles" : "No angles",
            ),
        ),
    ].filter((element) => element !== null);
}
