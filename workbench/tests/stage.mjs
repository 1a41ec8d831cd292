// What every test needs: a recording that is made up, the page in a browser, and what is seen on it.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromiumPath, launch } from "./browser.mjs";
import { serve } from "./server.mjs";

const run = promisify(execFile);
const target = fileURLToPath(new URL("../../target/", import.meta.url));

export const program = process.env.CONDYLE_BIN ?? join(target, "debug/condyle");
export const built = process.env.CONDYLE_WORKBENCH ?? join(target, "workbench");
/** For machines that do other things too. */
export const PATIENCE_MS = 120_000;

/** What is missing for the tests; null if nothing is. */
export function missing() {
    if (!chromiumPath()) {
        return "need Chromium, got none (CONDYLE_CHROMIUM says where it is)";
    }
    const needed = [program, join(built, "index.html"), join(built, "condyle_wasm.wasm")];
    const gone = needed.find((path) => !existsSync(path));
    return gone
        ? `need ${basename(dirname(gone))}/${basename(gone)}, got none: cargo build, cargo run -p condyle-workbench`
        : null;
}

/** A stage for one file of tests: recordings, a server, a browser. */
export class Stage {
    problems = [];

    async open() {
        this.folder = await mkdtemp(join(tmpdir(), "condyle-workbench-"));
        this.server = await serve(built);
        this.browser = await launch();
        this.page = await this.newPage();
    }

    async close() {
        await this.browser?.close();
        this.server?.stop();
        await rm(this.folder, { recursive: true, force: true });
    }

    /** A page that has loaded; what goes wrong on it is kept in `problems`. */
    async newPage(options = {}) {
        const context = await this.browser.newContext({
            viewport: { width: 1280, height: 720 },
            acceptDownloads: true,
            ...options,
        });
        const page = await context.newPage();
        page.setDefaultTimeout(PATIENCE_MS);
        page.on("pageerror", (error) => this.problems.push(error.message));
        page.on("console", (message) => {
            if (message.type() === "error" && !/404/.test(message.text())) {
                this.problems.push(message.text());
            }
        });
        await page.goto(this.server.url);
        return page;
    }

    /** A person who walks, made up; returns the path of the recording. */
    async walk(name, { seconds = 3, rate = 50, more = [] } = {}) {
        const out = join(this.folder, name);
        const usual = ["--routine", "walk", "--markers", "cmu41", "--skin-mm", "4", "--occlusion", "0.03", "--quiet"];
        await run(program, [
            "simulate",
            "-o",
            out,
            "--seconds",
            String(seconds),
            "--rate",
            String(rate),
            ...usual,
            ...more,
        ]);
        return join(out, "recording.c3d");
    }
}

/** Drops a file onto the page, as from a folder. */
export async function drop(page, name, bytes) {
    const data = Buffer.from(bytes).toString("base64");
    await page.evaluate(
        ([name, data]) => {
            const file = new File([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], name);
            const transfer = new DataTransfer();
            transfer.items.add(file);
            for (const type of ["dragenter", "dragover", "drop"]) {
                document.body.dispatchEvent(
                    new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }),
                );
            }
        },
        [name, data],
    );
}

export const dropFile = async (page, path, name = basename(path)) => drop(page, name, await readFile(path));

/** Waits until so many recordings are open and nothing is being read or fitted. */
export async function settled(page, count = 1) {
    await page.waitForFunction((count) => {
        const chips = [...document.querySelectorAll(".chip")];
        return chips.length === count && chips.every((chip) => !chip.classList.contains("busy"));
    }, count);
}

/** Waits until the frame that is shown is drawn. */
export async function drawn(page) {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** How many pixels of the scene, at a third of its size, are of the left, of the right and of what is chosen; and all of them. */
export async function pixels(page) {
    await drawn(page);
    return page.evaluate(() => {
        const canvas = document.querySelector(".stage canvas");
        const copy = document.createElement("canvas");
        [copy.width, copy.height] = [Math.round(canvas.width / 3), Math.round(canvas.height / 3)];
        const pen = copy.getContext("2d", { willReadFrequently: true });
        pen.drawImage(canvas, 0, 0, copy.width, copy.height);
        const { data } = pen.getImageData(0, 0, copy.width, copy.height);
        let [left, right, chosen, x, y] = [0, 0, 0, 0, 0];
        const all = [];
        for (let at = 0; at < data.length; at += 4) {
            const [r, g, b] = data.subarray(at, at + 3);
            left += Number(r > g + 40 && b > g + 15);
            right += Number(g > r + 35 && g > b + 8);
            if (r > 150 && g > 0.75 * r && g < 0.95 * r && b < 0.5 * r) {
                chosen += 1;
                x += (at / 4) % copy.width;
                y += Math.floor(at / 4 / copy.width);
            }
            all.push((r << 16) | (g << 8) | b);
        }
        return { left, right, chosen, at: [x / chosen / copy.width, y / chosen / copy.height], all };
    });
}

/** How many pixels differ. */
export const difference = (a, b) => a.all.reduce((sum, value, at) => sum + Number(value !== b.all[at]), 0);

/** What a click saves: its name and its bytes. */
export async function saved(page, click) {
    const [download] = await Promise.all([page.waitForEvent("download"), click()]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** Goes to a frame, by the number that the file gives it. */
export async function goTo(page, frame) {
    await page.getByLabel("Frame", { exact: true }).fill(String(frame));
    await page.getByLabel("Frame", { exact: true }).press("Enter");
    await page.evaluate(() => document.activeElement.blur());
    await drawn(page);
}

export const pane = (page, name) => page.getByRole("tab", { name, exact: true }).click();
export const clock = async (page) => Number.parseFloat(await page.locator(".clock").textContent());
