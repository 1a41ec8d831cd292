// The keyboard: every command with its key, in one list that the help shows too.

import { LAYERS, type LayerName } from "./layers.ts";
import { app, duration_s, seek, step } from "./app.ts";

export interface Command {
    keys: string[];
    says: string;
    run(): void;
}

const commands: Command[] = [];

export function addCommands(more: readonly Command[]): void {
    commands.push(...more);
}

export const allCommands = (): readonly Command[] => commands;

/** Turns a layer on or off. */
export function toggle(layer: LayerName, isOn = !app.layers.value[layer]): void {
    app.layers.value = { ...app.layers.value, [layer]: isOn };
}

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

function faster(by: number): void {
    const at = SPEEDS.findIndex((speed) => speed >= app.speed.value);
    app.speed.value = SPEEDS[Math.min(Math.max(at + by, 0), SPEEDS.length - 1)]!;
}

addCommands([
    { keys: [" "], says: "Play or pause", run: () => (app.playing.value = !app.playing.value) },
    { keys: ["ArrowRight"], says: "One frame on", run: () => step(1) },
    { keys: ["ArrowLeft"], says: "One frame back", run: () => step(-1) },
    { keys: ["Shift+ArrowRight"], says: "Ten frames on", run: () => step(10) },
    { keys: ["Shift+ArrowLeft"], says: "Ten frames back", run: () => step(-10) },
    { keys: ["Home"], says: "To the start", run: () => seek(0) },
    { keys: ["End"], says: "To the end", run: () => seek(duration_s()) },
    { keys: ["+", "="], says: "Faster", run: () => faster(1) },
    { keys: ["-"], says: "Slower", run: () => faster(-1) },
    { keys: ["l"], says: "Loop", run: () => (app.loop.value = !app.loop.value) },
    { keys: ["c"], says: "Follow", run: () => (app.isFollowing.value = !app.isFollowing.value) },
    {
        keys: ["o"],
        says: "Perspective or orthographic",
        run: () => (app.isOrthographic.value = !app.isOrthographic.value),
    },
    ...Object.entries(LAYERS).map(([name, { name: says, key }]) => {
        return { keys: [key], says, run: () => toggle(name as LayerName) };
    }),
]);

function pressed(event: KeyboardEvent): string {
    const isControl = event.ctrlKey || event.metaKey;
    const isShift = event.shiftKey && (isControl || event.key.startsWith("Arrow"));
    const parts = [isControl ? "Ctrl" : "", isShift ? "Shift" : ""];
    return [...parts.filter(Boolean), event.key.length === 1 ? event.key.toLowerCase() : event.key].join("+");
}

/** Whether a key belongs to the element that has the focus. */
function isTaken(event: KeyboardEvent): boolean {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey) {
        return target.matches("input:not([type=checkbox]), textarea");
    }
    if (target.matches("textarea, select, [contenteditable], input:not([type=checkbox], [type=range])")) {
        return true;
    }
    const isArrow = event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End";
    if (isArrow) {
        return target.matches("input[type=range], [role=slider], [role=tab], [role=option], [role=listbox], .resizer");
    }
    return event.key === " " && target.matches("button, summary, input, a, [role=option]");
}

export function listenToKeys(): void {
    window.addEventListener("keydown", (event) => {
        if (event.altKey || isTaken(event) || document.querySelector("dialog[open]")) {
            return;
        }
        const name = pressed(event);
        const command = commands.find(({ keys }) => keys.includes(name));
        if (command) {
            event.preventDefault();
            command.run();
        }
    });
}
