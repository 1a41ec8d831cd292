// Makes the picture of the README from the real thing: node tests/picture.mjs [RECORDING] OUT.png

import { argv } from "node:process";
import { dropFile, goTo, missing, pane, settled, Stage } from "./stage.mjs";

const why = missing();
if (why) {
    throw new Error(why);
}
const [given, out] = argv.length > 3 ? argv.slice(2) : [null, argv[2] ?? "workbench.png"];
const stage = new Stage();
await stage.open();
try {
    const page = stage.page;
    // A recording that is made up, so that anyone may publish the picture.
    const recording = given ?? (await stage.walk("walk", { seconds: 6, rate: 60, more: ["--seed", "3"] }));
    await dropFile(page, recording, given ? undefined : "walk.c3d");
    await settled(page);
    await page.keyboard.press("t");
    await goTo(page, 170);
    await pane(page, "Joints");
    await page.getByRole("row", { name: /^right knee/ }).click();
    await pane(page, "Graphs");
    await page.locator(".chart").first().waitFor();
    await page.screenshot({ path: out });
} finally {
    await stage.close();
}
