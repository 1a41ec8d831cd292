// Ways in: files dropped anywhere, chosen in a dialog, handed over by `condyle view`, or inside a saved page.

import { h } from "../dom/h.ts";
import { type Asked, captureAsked } from "../capture/asked.ts";
import { askForFiles } from "../dom/choose.ts";
import { embeddedFiles } from "../engine/embedded.ts";
import type { View } from "../scene/view.ts";
import { complain, open } from "./trials.ts";

const ENDINGS = ".c3d,.trc,.csv,.bvh,.amc,.asf,.sto,.mot,.mvnx,.npy";

/** Lets files be dropped anywhere on the page. */
export function acceptDrops(): HTMLElement {
    const veil = h("div", { class: "veil", "aria-hidden": "true" }, h("p", {}, "Drop to open"));
    let depth = 0;
    const show = (isOver: boolean) => veil.classList.toggle("over", isOver);
    const isFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    window.addEventListener("dragenter", (event) => {
        if (isFiles(event)) {
            depth += 1;
            show(true);
        }
    });
    window.addEventListener("dragleave", (event) => {
        if (isFiles(event)) {
            depth = Math.max(0, depth - 1);
            show(depth > 0);
        }
    });
    window.addEventListener("dragover", (event) => isFiles(event) && event.preventDefault());
    window.addEventListener("drop", (event) => {
        depth = 0;
        show(false);
        if (isFiles(event)) {
            event.preventDefault();
            void openAll([...(event.dataTransfer?.files ?? [])]);
        }
    });
    return veil;
}

export async function openAll(files: readonly File[]): Promise<void> {
    await Promise.all(files.map(open));
}

/** Asks for files, and opens them. */
export async function askAndOpen(): Promise<void> {
    await openAll(await askForFiles(ENDINGS, true));
}

interface Given {
    files: { name: string; url: string }[];
    capture: Asked | null;
}

/** Opens what the page was started with. */
export async function openGiven(view: View): Promise<void> {
    const inside = await embeddedFiles();
    if (inside.length > 0) {
        return openAll(inside);
    }
    if (!location.protocol.startsWith("http")) {
        return;
    }
    const answer = await fetch("./files.json").catch(() => null);
    if (!answer?.ok || !answer.headers.get("content-type")?.includes("json")) {
        return;
    }
    const { files, capture } = (await answer.json()) as Given;
    await openAll((await Promise.all(files.map(fetched))).filter((file) => file !== null));
    if (capture) {
        await captureAsked(view, capture);
    }
}

async function fetched({ name, url }: { name: string; url: string }): Promise<File | null> {
    const answer = await fetch(url);
    if (!answer.ok) {
        complain(`${name}: ${answer.status} ${answer.statusText}`);
        return null;
    }
    return new File([await answer.blob()], name);
}
