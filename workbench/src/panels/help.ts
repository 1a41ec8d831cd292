// Every command with its key, and what the mouse does.

import { allCommands } from "../app/keys.ts";
import { h } from "../dom/h.ts";

const MOUSE = [
    ["drag", "turn"],
    ["right drag, Ctrl or Shift drag", "move"],
    ["wheel, Alt drag, pinch", "zoom"],
    ["click", "choose a joint or marker"],
] as const;

const SHOWN: Record<string, string> = { " ": "space", ArrowRight: "→", ArrowLeft: "←", ArrowUp: "↑", ArrowDown: "↓" };
const shown = (key: string): string =>
    key
        .split("+")
        .map((part) => SHOWN[part] ?? part)
        .join(" ") || "+";

export function helpDialog(): HTMLDialogElement {
    const dialog = h("dialog", { class: "help", "aria-label": "Keys and help" });
    const build = () => {
        const pair = (name: string, says: string) => [h("dt", {}, h("kbd", {}, name)), h("dd", {}, says)];
        dialog.replaceChildren(
            h("h2", {}, "Mouse and touch"),
            h("dl", {}, ...MOUSE.flatMap(([name, says]) => pair(name, says))),
            h("h2", {}, "Keys"),
            h("dl", {}, ...allCommands().flatMap(({ keys, says }) => pair(keys.map(shown)[0]!, says))),
            h("form", { method: "dialog" }, h("button", { class: "primary" }, "Close")),
        );
    };
    const original = dialog.showModal.bind(dialog);
    dialog.showModal = () => {
        build();
        original();
    };
    return dialog;
}
