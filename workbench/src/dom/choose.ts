// Asking for files. The field is part of the page while it is asked: some browsers forget it otherwise.

import { h } from "./h.ts";

/** The files that are chosen; none if the user thinks better of it. */
export function askForFiles(accept: string, isMany = false): Promise<File[]> {
    return new Promise((resolve) => {
        const input = h("input", {
            type: "file",
            accept,
            multiple: isMany,
            class: "choosing",
            tabindex: -1,
            "aria-hidden": "true",
        });
        const done = (files: File[]) => {
            input.remove();
            resolve(files);
        };
        input.addEventListener("cancel", () => done([]));
        input.addEventListener("change", () => done([...(input.files ?? [])]));
        document.body.append(input);
        input.click();
    });
}

/** The name and text of a file that is chosen, or null. */
export async function askForText(accept: string): Promise<{ name: string; text: string } | null> {
    const [file] = await askForFiles(accept);
    return file ? { name: file.name, text: await file.text() } : null;
}
