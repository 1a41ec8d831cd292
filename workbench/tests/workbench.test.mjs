// The workbench as people use it, in a browser without a window, on recordings that are made up.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { clock, difference, drawn, dropFile, goTo, missing, pane, pixels, saved, settled, Stage } from "./stage.mjs";

const skip = missing();
if (skip) {
    console.log(`skipped: the workbench was not tested in a browser: ${skip}`);
}

describe("the workbench", { skip: skip ?? false }, () => {
    const stage = new Stage();
    let page;
    let walk;

    before(async () => {
        await stage.open();
        page = stage.page;
        walk = await stage.walk("walk", { seconds: 2 });
        await dropFile(page, walk, "walk.c3d");
        await settled(page);
    });
    after(() => stage.close());

    it("draws a skeleton with a left and a right, and moves it", async () => {
        await goTo(page, 20);
        const one = await pixels(page);
        assert.ok(one.left > 60 && one.right > 60, `left ${one.left}, right ${one.right}`);
        await goTo(page, 60);
        const other = await pixels(page);
        assert.ok(other.left > 60 && other.right > 60);
        assert.ok(difference(one, other) > 200, `${difference(one, other)} pixels differ`);
        await page.getByLabel("Skeleton").uncheck();
        await page.getByLabel("Body").uncheck();
        const none = await pixels(page);
        assert.ok(
            none.left < 0.2 * other.left && none.right < 0.2 * other.right,
            `left ${none.left}, right ${none.right}`,
        );
        await page.getByLabel("Skeleton").check();
        await page.getByLabel("Body").check();
    });

    it("plays, stops at the end without loop, and goes round with it", async () => {
        await goTo(page, 1);
        await page.getByLabel("Speed").selectOption("4");
        await page.getByRole("button", { name: "Loop" }).click();
        await page.keyboard.press("Home");
        await page.getByRole("button", { name: "Play" }).click();
        await page.getByRole("button", { name: "Play" }).waitFor();
        assert.equal((await clock(page)).toFixed(2), "1.98");
        await page.getByRole("button", { name: "Loop" }).click();
        await page.getByRole("button", { name: "Play" }).click();
        await page.waitForFunction(() => Number.parseFloat(document.querySelector(".clock").textContent) < 1.5);
        await page.getByRole("button", { name: "Pause" }).click();
        await page.getByLabel("Speed").selectOption("1");
    });

    it("scrubs with the mouse, and steps with keys", async () => {
        const box = await page.locator(".track").boundingBox();
        await page.mouse.click(box.x + box.width / 2, box.y + 12);
        const middle = await clock(page);
        assert.ok(Math.abs(middle - 0.99) < 0.1, `${middle} s`);
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press("ArrowRight");
        assert.ok(Math.abs((await clock(page)) - middle - 0.02) < 0.011);
        await page.keyboard.press("Shift+ArrowLeft");
        assert.ok(Math.abs((await clock(page)) - middle + 0.18) < 0.011);
        await page.keyboard.press("End");
        assert.equal((await clock(page)).toFixed(2), "1.98");
        await page.keyboard.press("Home");
        assert.equal(await clock(page), 0);
    });

    it("answers to every checkbox of the scene", async () => {
        await goTo(page, 70);
        await pane(page, "Joints");
        await page.getByRole("row", { name: /^right knee/ }).click();
        await pane(page, "Scene");
        const boxes = await page.locator("#pane-scene .check").all();
        assert.equal(boxes.length, 15);
        // The walk has no plates, and no repaired marker is elsewhere than it was recorded.
        const unseen = ["Force plates", "As recorded", "Follow"];
        for (const label of boxes) {
            const name = await label.locator("span").textContent();
            const box = label.locator("input");
            const [was, before] = [await box.isChecked(), await pixels(page)];
            await label.click();
            const now = await pixels(page);
            assert.equal(await box.isChecked(), !was, name);
            if (!unseen.includes(name)) {
                assert.ok(difference(before, now) > 2, `${name}: ${difference(before, now)} pixels differ`);
            }
            await label.click();
            assert.equal(await box.isChecked(), was, name);
        }
    });

    it("sees from every side", async () => {
        const pictures = [];
        for (const name of ["Oblique", "Front", "Back", "Left", "Right", "Top", "Everything"]) {
            await page.getByRole("button", { name, exact: true }).click();
            pictures.push(await pixels(page));
        }
        for (let at = 1; at < 6; at += 1) {
            assert.ok(difference(pictures[at - 1], pictures[at]) > 120);
        }
    });

    it("says of a joint how it was found, and finds it by a click in the scene", async () => {
        await pane(page, "Joints");
        await page.getByRole("row", { name: /^left elbow/ }).click();
        const details = page.locator(".details");
        assert.match(await details.textContent(), /left elbow.*centre is (well|fairly|barely) known.*mm/);
        assert.match(await details.textContent(), /from motion\d+ %from knowledge\d+ %/);
        const before = await clock(page);
        await details.getByRole("button").first().click();
        assert.notEqual(await clock(page), before);
        const { chosen, at } = await pixels(page);
        assert.ok(chosen > 1, `${chosen} pixels are of what is chosen`);
        await page.keyboard.press("Escape");
        assert.equal(await details.textContent(), "");
        const box = await page.locator(".stage canvas").boundingBox();
        await page.mouse.click(box.x + at[0] * box.width, box.y + at[1] * box.height);
        assert.match(await details.textContent(), /left elbow/);
    });

    it("draws left and right in one chart, and fits a window", async () => {
        await pane(page, "Graphs");
        await page.getByLabel("What is drawn").selectOption({ label: "Joint angles" });
        await page.getByLabel("Of what").selectOption({ label: "knee" });
        const legend = await page.locator(".chart").first().locator(".u-legend").textContent();
        assert.match(legend, /left.*right/);
        await page.getByLabel("Fit the window").check();
        const start = page.locator(".track").getByRole("slider", { name: "Start of the window" });
        await start.focus();
        for (let press = 0; press < 4; press += 1) {
            await page.keyboard.press("PageUp");
        }
        await page.locator(".fits tbody tr").first().waitFor();
        const residual = async () => Number(await page.locator(".fits tbody tr td").first().textContent());
        await page.waitForFunction(() => /Fitted from 0\.80/.test(document.querySelector("#pane-graphs").textContent));
        const rough = await residual();
        await page.getByLabel("Order of the polynomial").fill("12");
        await page.waitForFunction(
            (rough) => Number(document.querySelector(".fits tbody td").textContent) < rough,
            rough,
        );
        await page.getByRole("button", { name: "whole" }).click();
        await page.getByLabel("Fit the window").uncheck();
    });

    it("exports charts as CSV and PNG, motion and angles", async () => {
        const csv = await saved(page, () => page.getByRole("button", { name: "Export CSV" }).click());
        const lines = csv.bytes.toString().trim().split("\n");
        assert.equal(lines.length, 101);
        assert.match(lines[0], /^time \[s\],knee .*left \[degrees\]/);
        const png = await saved(page, () => page.getByRole("button", { name: "Export PNG" }).click());
        assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
        const motion = await saved(page, () => page.getByRole("button", { name: "Save motion" }).click());
        const { expansions, order } = JSON.parse(motion.bytes);
        assert.ok(expansions.length > 10 && expansions.every(({ coefficients }) => coefficients.length === order + 1));
        const [chooser] = await Promise.all([
            page.waitForEvent("filechooser"),
            page.getByRole("button", { name: "Get motion" }).click(),
        ]);
        await chooser.setFiles({ name: "motion.json", mimeType: "application/json", buffer: motion.bytes });
        await page.locator(".u-legend", { hasText: "got" }).first().waitFor();
        const data = await saved(page, () => page.getByRole("button", { name: "Save data" }).click());
        assert.ok(data.bytes.toString().trim().split("\n").length > 100);
    });

    it("draws residuals, their histogram, bones, markers and the gap map", async () => {
        for (const [name, count] of [
            ["Residuals", 2],
            ["Bone lengths", 1],
            ["Markers", 3],
            ["Joint centres", 3],
        ]) {
            await page.getByLabel("What is drawn").selectOption({ label: name });
            assert.equal(await page.locator(".chart").count(), count, name);
        }
        await page.getByLabel("What is drawn").selectOption({ label: "Gap map" });
        const map = await page.locator(".gapmap").boundingBox();
        assert.ok(map.height >= 41 * 13);
        await page.mouse.click(map.x + 20, map.y + 20);
        await page.getByLabel("What is drawn").selectOption({ label: "Joint angles" });
    });

    it("reads again in other units and at another rate", async () => {
        const first = async () => {
            await pane(page, "Graphs");
            await page.getByLabel("What is drawn").selectOption({ label: "Markers" });
            const { bytes } = await saved(page, () => page.getByRole("button", { name: "Export CSV" }).click());
            return Number(bytes.toString().split("\n")[1].split(",")[3]);
        };
        const again = async (change) => {
            await pane(page, "Options");
            await change();
            await page.locator(".chip.busy").waitFor();
            await settled(page);
        };
        const before = await first();
        await again(() => page.getByLabel("Units", { exact: true }).selectOption({ label: "cm" }));
        const after = await first();
        assert.ok(Math.abs(after / before - 10) < 1e-3, `${before} became ${after}`);
        await again(async () => {
            await page.getByLabel("Units", { exact: true }).selectOption({ label: "as the file says" });
            await page.getByRole("button", { name: "×2" }).click();
        });
        assert.match(await page.locator(".clock").textContent(), /\/ 0\.99 s/);
        await pane(page, "Options");
        await page.getByLabel("Rate, Hz").fill("50");
        await page.keyboard.press("Tab");
    });

    it("fits again with other knowledge", async () => {
        const errors = async () => {
            await pane(page, "Joints");
            return page.locator(".joints tbody .number").allTextContents();
        };
        await settled(page);
        await page.waitForFunction(() => /\/ 1\.98 s/.test(document.querySelector(".clock").textContent));
        await settled(page);
        const before = await errors();
        await pane(page, "Options");
        await page.getByLabel("Knowledge").selectOption("none");
        await page.locator(".chip.busy").waitFor();
        await settled(page);
        const after = await errors();
        assert.notDeepEqual(after, before);
    });

    it("puts a marker on another segment, takes it back, and saves the association", async () => {
        await pane(page, "Markers");
        const select = page.getByRole("combobox", { name: "Segment of LTHI", exact: true });
        const chosen = () => select.evaluate((element) => element.selectedOptions[0].textContent);
        assert.equal(await chosen(), "left thigh");
        await select.selectOption({ label: "pelvis" });
        assert.equal(await chosen(), "pelvis");
        await page.getByRole("button", { name: "Undo" }).click();
        assert.equal(await chosen(), "left thigh");
        await page.getByRole("button", { name: "Redo" }).click();
        assert.equal(await chosen(), "pelvis");
        await page.keyboard.press("Control+z");
        await page.getByLabel("Choose LTHI", { exact: true }).check();
        await page.locator(".segment", { hasText: "left shank" }).click();
        const { bytes } = await saved(page, () => page.getByRole("button", { name: "Save association" }).click());
        assert.match(bytes.toString(), /name = "left shank"\n(.*\n)*?markers = \[[^\]]*"LTHI"/);
        await page.getByRole("button", { name: "Undo" }).click();
        assert.equal(await chosen(), "left thigh");
        await page.getByLabel("Name of LTHI", { exact: true }).fill("<b>thigh</b>");
        await page.keyboard.press("Tab");
        await page.getByRole("button", { name: "Fit again" }).click();
        await settled(page);
        assert.doesNotMatch(await page.locator(".chip").getAttribute("class"), /failed/);
        assert.equal(await page.locator("#app b", { hasText: /^thigh$/ }).count(), 0);
        // The new name is in what is saved, whatever else is.
        await pane(page, "Options");
        const c3d = await saved(page, () => page.getByRole("button", { name: "C3D", exact: true }).click());
        assert.ok(c3d.bytes.includes("<b>thigh</b>") && !c3d.bytes.includes("LTHI "), "the name reaches the C3D file");
        const model = await saved(page, () => page.getByRole("button", { name: "OpenSim", exact: true }).click());
        assert.ok(model.bytes.includes("thigh") && !model.bytes.includes('"LTHI"'), "and the model");
    });

    it("captures the screen, pictures at an interval, and a movie", async () => {
        await pane(page, "Scene");
        const png = await saved(page, () => page.getByRole("button", { name: "Screen as PNG" }).click());
        assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
        const end = page.locator(".track").getByRole("slider", { name: "End of the window" });
        await end.focus();
        await page.keyboard.press("Home");
        for (let press = 0; press < 2; press += 1) {
            await page.keyboard.press("PageUp");
        }
        await drawn(page);
        const [from, to] = await page
            .locator(".track [role=slider].handle")
            .evaluateAll((handles) => handles.map((handle) => Number(handle.getAttribute("aria-valuenow"))));
        const frames = await saved(page, () => page.getByRole("button", { name: "Pictures every" }).click());
        const entries = frames.bytes.toString("latin1").split("PK\u0001\u0002").length - 1;
        assert.equal(entries, Math.ceil((to - from) / 0.1 - 1e-9));
        const movie = await saved(page, () => page.getByRole("button", { name: "Movie as WebM" }).click());
        assert.deepEqual([...movie.bytes.subarray(0, 4)], [0x1a, 0x45, 0xdf, 0xa3]);
        assert.ok(movie.bytes.length > 5000, `${movie.bytes.length} bytes`);
        // It is a movie that the browser can play, as long as the window.
        const long_s = await page.evaluate(async (data) => {
            const video = document.createElement("video");
            video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))]));
            await new Promise((done, fail) => {
                video.onloadeddata = done;
                video.onerror = () => fail(new Error(video.error.message));
            });
            return video.duration;
        }, movie.bytes.toString("base64"));
        assert.ok(Math.abs(long_s - (to - from)) < 0.1, `${long_s} s`);
        await end.focus();
        await page.keyboard.press("End");
    });

    it("reaches for a target that is dragged, by two methods", async () => {
        await pane(page, "Kine");
        const rows = page.locator(".reach tbody tr");
        await rows.nth(1).getByText("reached").waitFor();
        assert.match(await rows.nth(0).textContent(), /fabrik\d+[\d.]+ ms/);
        assert.match(await rows.nth(1).textContent(), /ccd\d+[\d.]+ ms/);
        const box = await page.locator(".stage canvas").boundingBox();
        const before = await pixels(page);
        const x = page.getByLabel("Target x, m");
        const target = await page.evaluate(() => {
            const canvas = document.querySelector(".stage canvas");
            const copy = document.createElement("canvas");
            [copy.width, copy.height] = [canvas.width, canvas.height];
            const pen = copy.getContext("2d");
            pen.drawImage(canvas, 0, 0);
            const { data } = pen.getImageData(0, 0, copy.width, copy.height);
            let [count, x, y] = [0, 0, 0];
            for (let at = 0; at < data.length; at += 4) {
                if (data[at] > 150 && data[at + 1] < 0.6 * data[at] && data[at + 2] < 0.6 * data[at]) {
                    count += 1;
                    x += (at / 4) % copy.width;
                    y += Math.floor(at / 4 / copy.width);
                }
            }
            return [x / count / copy.width, y / count / copy.height];
        });
        const was = Number(await x.inputValue());
        await page.mouse.move(box.x + target[0] * box.width, box.y + target[1] * box.height);
        await page.mouse.down();
        await page.mouse.move(box.x + target[0] * box.width - 60, box.y + target[1] * box.height + 10, { steps: 5 });
        await page.mouse.up();
        assert.ok(Number(await x.inputValue()) < was - 0.05, `${was} became ${await x.inputValue()}`);
        await rows.nth(1).getByText("reached").waitFor();
        assert.ok(difference(before, await pixels(page)) > 80);
        await x.fill("9");
        await rows.nth(0).getByText("unreachable").waitFor();
        await page.getByLabel("What", { exact: true }).selectOption("skeleton");
        await page
            .getByLabel("What reaches")
            .locator("option", { hasText: /hand|wrist/ })
            .first()
            .waitFor({ state: "attached" });
        await rows
            .nth(0)
            .getByText(/reached|stalled/)
            .waitFor();
        await pane(page, "Scene");
    });

    it("shows two recordings over each other, and gives memory back", async () => {
        const alone = page.workers().length;
        await goTo(page, 40);
        const before = await pixels(page);
        await dropFile(page, walk, "same.c3d");
        await settled(page, 2);
        let both = await pixels(page);
        for (let wait = 0; wait < 100 && difference(before, both) <= 80; wait += 1) {
            both = await pixels(page);
        }
        assert.ok(difference(before, both) > 80, "each has its own colour");
        assert.equal(page.workers().length, alone + 1);
        await page.getByRole("button", { name: "Show walk.c3d" }).click();
        await page.getByRole("button", { name: "Close same.c3d" }).click();
        await settled(page, 1);
        await page.waitForFunction(() => document.querySelectorAll(".chip").length === 1);
        for (let wait = 0; wait < 100 && page.workers().length > alone; wait += 1) {
            await drawn(page);
        }
        assert.equal(page.workers().length, alone);
        await page.getByRole("button", { name: "Show walk.c3d" }).click();
        // What is left looks as it did alone.
        const isAsBefore = (now) =>
            Math.abs(now.left - before.left) < 0.1 * before.left + 5 &&
            Math.abs(now.right - before.right) < 0.1 * before.right + 5;
        let after = await pixels(page);
        for (let wait = 0; wait < 100 && !isAsBefore(after); wait += 1) {
            after = await pixels(page);
        }
        assert.ok(isAsBefore(after), `left ${before.left}, ${after.left}, right ${before.right}, ${after.right}`);
    });

    it("has two themes and a list of keys", async () => {
        const before = await pixels(page);
        await page.getByRole("button", { name: /theme/ }).click();
        assert.ok(difference(before, await pixels(page)) > 4000);
        await page.getByRole("button", { name: /theme/ }).click();
        await page.keyboard.press("?");
        assert.match(await page.getByRole("dialog").textContent(), /Play or pause/);
        await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    });

    it("did all that without an error on the page", () => {
        assert.deepEqual(stage.problems, []);
    });
});
