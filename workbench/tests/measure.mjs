// How fast and how large: node tests/measure.mjs [RECORDING…]. Without one, of a walk that is made up, 41 markers x 5,000.
// With SEEN set, only how soon markers are seen, by the clock and by the processor.

import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import process, { argv } from "node:process";
import { dropFile, missing, settled, Stage } from "./stage.mjs";

const why = missing();
if (why) {
    throw new Error(why);
}
const stage = new Stage();
await stage.open();
const { page } = stage;
const memory_mb = async () => {
    const session = await page.context().newCDPSession(page);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize, backingStorageSize = 0 } = await session.send("Runtime.getHeapUsage");
    await session.detach();
    return (usedSize + backingStorageSize) / 2 ** 20;
};
/** The processor's time for the script of a frame, whatever else the machine does. */
const cpuOfFrames = async () => {
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const metric = async (name) =>
        (await session.send("Performance.getMetrics")).metrics.find((one) => one.name === name).value;
    const frames = () => page.evaluate(() => globalThis.condyle.drawn());
    const [since, from] = [await metric("ScriptDuration"), await frames()];
    await page.waitForFunction((from) => globalThis.condyle.drawn() > from + 60, from);
    const [until, to] = [await metric("ScriptDuration"), await frames()];
    await session.detach();
    return (1e3 * (until - since)) / (to - from);
};
/** What the processes of all pages took of the processor so far, in seconds. */
const processor_s = async () => {
    const session = await stage.browser.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    await session.detach();
    return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0);
};
page.setDefaultTimeout(3_600_000);
try {
    const files = argv.length > 2 ? argv.slice(2) : [await stage.walk("walk", { seconds: 50, rate: 100 })];
    // The module is loaded before the clock runs.
    const warm = await stage.walk("warm", { seconds: 1 });
    await dropFile(page, warm, "warm.c3d");
    await settled(page);
    await page.getByRole("button", { name: "Close warm.c3d" }).click();
    for (const file of files) {
        const before_mb = await memory_mb();
        await page.evaluate(() => performance.clearMarks());
        const [chooser] = await Promise.all([
            page.waitForEvent("filechooser"),
            page.getByRole("button", { name: "Open", exact: true }).click(),
        ]);
        const busy_s = await processor_s();
        await chooser.setFiles(file);
        await page.waitForFunction(() => performance.getEntriesByName("condyle: seen").length > 0);
        const seen_s = (await processor_s()) - busy_s;
        const marks = await page.evaluate(() =>
            ["condyle: dropped", "condyle: seen"].map((name) => performance.getEntriesByName(name)[0].startTime),
        );
        if (process.env.SEEN) {
            const waited = (marks[1] - marks[0]).toFixed(0);
            console.log(`${basename(file)}: seen after ${waited} ms, ${seen_s.toFixed(1)} s of the processor`);
            continue;
        }
        const since = Date.now();
        await settled(page);
        const fitted_s = (Date.now() - since) / 1e3;
        await page.getByRole("button", { name: "Play" }).click();
        await page.waitForFunction(() => (globalThis.condyle.script_ms.length = 0) === 0);
        await page.waitForFunction(() => globalThis.condyle.script_ms.length > 60, null, { timeout: 120_000 });
        const cpu = await cpuOfFrames();
        const script = (await page.evaluate(() => [...globalThis.condyle.script_ms])).sort((a, b) => a - b);
        await page.getByRole("button", { name: "Pause" }).click();
        const loaded_mb = await memory_mb();
        const name = basename(file);
        await page.getByRole("button", { name: `Close ${name}` }).click();
        await page.waitForFunction(() => document.querySelectorAll(".chip").length === 0);
        console.log(
            `${name}, ${((await readFile(file)).length / 2 ** 20).toFixed(1)} MB: seen after ${(marks[1] - marks[0]).toFixed(0)} ms, skeleton ${fitted_s.toFixed(1)} s later; script a frame ${script[script.length >> 1].toFixed(1)} ms in the median, ${script[Math.floor(0.95 * script.length)].toFixed(1)} in 19 of 20 by the clock, ${cpu.toFixed(1)} ms of processor; page ${before_mb.toFixed(0)} MB before, ${loaded_mb.toFixed(0)} MB open, ${(await memory_mb()).toFixed(0)} MB closed`,
        );
    }
    for (let time = 0; time < 10; time += 1) {
        await dropFile(page, warm, "again.c3d");
        await settled(page);
        await page.getByRole("button", { name: "Close again.c3d" }).click();
    }
    console.log(
        `after ten more were opened and closed: page ${(await memory_mb()).toFixed(0)} MB, ${page.workers().length} workers`,
    );
} finally {
    await stage.close();
}
