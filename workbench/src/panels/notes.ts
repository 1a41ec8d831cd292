// What was checked, repaired and noted.

import type { Trial } from "../app/trial.ts";
import { h } from "../dom/h.ts";
import type { Note } from "../engine/data.ts";

export function notesOf(trial: Trial): HTMLElement[] {
    const performance = trial.performance;
    const checks = performance?.performers.flatMap((performer) => performer.checks) ?? [];
    const notes: Note[] = [
        ...(trial.recording?.notes ?? []),
        ...(performance?.notes ?? []),
        ...(performance?.performers.flatMap((performer) => performer.notes) ?? []),
    ];
    const texts = new Map(notes.map((note) => [`${note.code} ${note.text}`, note]));
    const repairs = performance?.repairs ?? [];
    const section = (title: string, isOpen: boolean, entries: HTMLElement[]) =>
        entries.length > 0
            ? h(
                  "details",
                  { open: isOpen },
                  h("summary", {}, `${title} (${entries.length})`),
                  h("ul", { class: "notes" }, ...entries),
              )
            : null;
    const said = (note: Note) => h("li", {}, h("b", {}, note.code), " ", note.text);
    return [
        section(
            "Checks",
            checks.some(({ passed }) => !passed),
            checks.map(({ name, value, expected, passed }) =>
                h("li", { class: passed ? "passed" : "failed" }, h("b", {}, name), ` ${value}; expected ${expected}`),
            ),
        ),
        section("Repairs", false, repairs.map(said)),
        section("Notes", false, [...texts.values()].map(said)),
    ].filter((element) => element !== null);
}
