// What happened, said where it is seen and read aloud.

import { said } from "../app/trials.ts";
import { h } from "./h.ts";

const SHOWN_MS = 9000;

export function messages(): HTMLElement {
    const list = h("div", { class: "messages", role: "log", "aria-live": "assertive", "aria-label": "Messages" });
    said.addEventListener("say", (event) => {
        const { text, isError } = (event as CustomEvent<{ text: string; isError: boolean }>).detail;
        const drop = () => message.remove();
        const close = h("button", { class: "quiet", "aria-label": "Dismiss", onclick: drop }, "×");
        const message = h("div", { class: isError ? "message error" : "message" }, h("span", {}, text), close);
        list.append(message);
        if (!isError) {
            setTimeout(drop, SHOWN_MS);
        }
        while (list.childElementCount > 4) {
            list.firstElementChild?.remove();
        }
    });
    return list;
}
