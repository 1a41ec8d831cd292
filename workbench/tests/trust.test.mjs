// What may not go wrong: files that are broken or sly, and a page without a network.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { built, drop, dropFile, missing, PATIENCE_MS, pane, pixels, program, settled, Stage } from "./stage.mjs";

const skip = missing();
const run = promisify(execFile);

/** A small TRC whose labels are markup. */
function slyTrc() {
    const labels = ["<img src=x onerror=document.title=1>", "<script>document.title=2</script>", "&lt;b&gt;", "D"];
    const rows = Array.from({ length: 12 }, (_, frame) => {
        const places = labels.flatMap((_, at) => [at * 100 + frame, 50 * at, frame * at]);
        return [frame + 1, (frame / 60).toFixed(5), ...places].join("\t");
    });
    return [
        "PathFileType\t4\t(X/Y/Z)\tsly.trc",
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
        `60\t60\t12\t${labels.length}\tmm\t60\t1\t12`,
        ["Frame#", "Time", ...labels.flatMap((label) => [label, "", ""])].join("\t"),
        ["", "", ...labels.flatMap((_, at) => [`X${at + 1}`, `Y${at + 1}`, `Z${at + 1}`])].join("\t"),
        "",
        ...rows,
        "",
    ].join("\n");
}

describe("trust", { skip: skip ?? false }, () => {
    const stage = new Stage();
    let page;

    before(async () => {
        await stage.open();
        page = stage.page;
    });
    after(() => stage.close());

    it("shows labels with markup as text", async () => {
        await drop(page, "<i>sly</i>.trc", Buffer.from(slyTrc()));
        await settled(page);
        await pane(page, "Markers");
        await page.getByLabel("Name of <img src=x onerror=document.title=1>", { exact: true }).waitFor();
        await pane(page, "Scene");
        await page.getByLabel("Labels").check();
        await pixels(page);
        assert.equal(await page.title(), "Condyle workbench");
        assert.equal(await page.locator("img, script:not([src]), #app i:not([class])").count(), 0);
        await page.getByRole("button", { name: "Close <i>sly</i>.trc" }).click();
    });

    it("says what is wrong with a broken file, and lives on", async () => {
        const walk = await stage.walk("walk", { seconds: 2 });
        const bytes = await readFile(walk);
        await drop(page, "nothing.c3d", Buffer.alloc(0));
        await drop(page, "noise.c3d", Buffer.from(bytes.map((byte, at) => (at * 73 + byte * 31) & 255)));
        await drop(page, "half.c3d", bytes.subarray(0, 700));
        for (const name of ["nothing.c3d", "noise.c3d", "half.c3d"]) {
            await page.locator(".message.error", { hasText: name }).waitFor();
        }
        await dropFile(page, walk, "walk.c3d");
        await settled(page);
        const { left, right } = await pixels(page);
        assert.ok(left > 45 && right > 45, `left ${left}, right ${right}`);
    });

    it("runs no script but its own", async () => {
        const policy = await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content");
        assert.match(policy, /default-src 'none'/);
        assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'/);
        const isRun = await page.evaluate(() => {
            const script = document.createElement("script");
            script.textContent = "window.isRun = true";
            document.body.append(script);
            return Boolean(window.isRun);
        });
        assert.equal(isRun, false);
    });

    it("opens a saved page from disk with the network off", async () => {
        const walk = await stage.walk("mailed", { seconds: 2 });
        const saved = join(stage.folder, "page.html");
        await run(program, ["view", walk, "--save", saved], { env: { ...process.env, CONDYLE_WORKBENCH: built } });
        const context = await stage.browser.newContext({ viewport: { width: 1280, height: 720 }, offline: true });
        const mailed = await context.newPage();
        mailed.setDefaultTimeout(PATIENCE_MS);
        const asked = [];
        mailed.on("request", (request) => asked.push(request.url()));
        await mailed.goto(pathToFileURL(saved).href);
        await settled(mailed);
        const { left, right } = await pixels(mailed);
        assert.ok(left > 45 && right > 45, `left ${left}, right ${right}`);
        assert.deepEqual(
            asked.filter((url) => url.startsWith("http")),
            [],
        );
        await context.close();
    });
});
