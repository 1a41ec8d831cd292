// Files out: what was made is handed to the browser to save.

import { h } from "./h.ts";

export function save(name: string, content: BlobPart, type: string): void {
    const url = URL.createObjectURL(new Blob([content], { type }));
    const link = h("a", { href: url, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 30_000);
}

/** The name of a file without folder and ending. */
export const stem = (name: string): string => name.replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, "");
