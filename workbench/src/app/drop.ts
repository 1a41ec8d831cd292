// Ways in: files dropped anywhere, chosen in a dialog, handed over by `condyle view`, or inside a saved page.

import { h } from "../dom/h.ts";
import type { Asked } from "../capture/asked.ts";
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

/** Opens files; an ASF skeleton goes with the AMC motions beside it. */
export async function openAll(files: readonly File[]): Promise<void> {
    const isMotion = ({ name }: File) => /\.amc$/i.test(name);
    const skeleton = files.find(({ name }) => /\.asf$/i.test(name)) ?? null;
    const hasMotion = files.some(isMotion);
    await Promise.all(
        files
            .filter((file) => !(hasMotion && file === skeleton))
            .map((file) => open(file, isMotion(file) ? skeleton : null)),
    );
}

/** Asks for files, and opens them. */
export async function askAndOpen(): Promise<void> {
    await openAll(await askForFiles(ENDINGS, true));
}

interface GivenFile {
    name: string;
    url: string;
    /** Where the skeleton of an AMC motion is. */
    skeleton?: string;
}

interface Given {
    files: GivenFile[];
    capture: Asked | null;
}

/** Opens what the page was started with. */
export async function openGiven(view: View): Promise<void> {
    const inside = await embeddedFiles();
    if (inside.length > 0) {
        await Promise.all(inside.map(({ file, skeleton }) => open(file, skeleton)));
        return;
    }
    if (!location.protocol.startsWith("http")) {
        return;
    }
    const answer = await fetch("./files.json").catch(() => null);
    if (!answer?.ok || !answer.headers.get("content-type")?.includes("json")) {
        return;
    }
    const { files, capture } = (await answer.json()) as Given;
    await Promise.all(files.map(openFetched));
    if (capture) {
        const { captureAsked } = await import("../panes.ts");
        await captureAsked(view, capture);
    }
}

async function openFetched({ name, url, skeleton }: GivenFile): Promise<void> {
    try {
        await open(new File([await fetched(url)], name), skeleton ? await fetched(skeleton) : null);
    } catch (error) {
        complain(`${name}: ${error instanceof Error ? error.message : error}`);
    }
}

async function fetched(url: string): Promise<Blob> {
    const answer = await fetch(url);
    if (!answer.ok) {
        throw new Error(`${answer.status} ${answer.statusText}`);
    }
    return answer.blob();
}
