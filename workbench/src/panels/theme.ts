// Dark and light; as the system has it until the user says.

import { app } from "../app/app.ts";
import { fill, h } from "../dom/h.ts";
import { icon } from "../dom/icon.ts";

export function themeButton(): HTMLElement {
    const light = window.matchMedia("(prefers-color-scheme: light)");
    app.theme.value = light.matches ? "light" : "dark";
    const button = h("button", {
        class: "quiet",
        onclick: () => (app.theme.value = app.theme.value === "dark" ? "light" : "dark"),
    });
    app.theme.watch((theme) => {
        document.documentElement.dataset["theme"] = theme;
        const other = theme === "dark" ? "light" : "dark";
        button.setAttribute("aria-label", `To the ${other} theme`);
        button.title = `To the ${other} theme`;
        fill(button, icon(theme === "dark" ? "sun" : "moon"));
    });
    light.addEventListener("change", () => (app.theme.value = light.matches ? "light" : "dark"));
    return button;
}
