// node --test engine.mjs, with CONDYLE_WASM the module and CONDYLE_MADE a folder of made-up recordings: what
// condyle.d.ts promises, on those recordings.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { CondyleError, load, originWords } from "../condyle.mjs";

const module = await WebAssembly.compile(readFileSync(process.env.CONDYLE_WASM));
const made = (name) => readFileSync(join(process.env.CONDYLE_MADE, name));
const condyle = await load(module);
/** Options that are solved in a moment: markers on something rigid. */
const rigid = { soft_tissue: "none" };
const near = (a, b, within) => assert.ok(Math.abs(a - b) <= within, `${a} is not ${b}`);
const isError = (kind, text) => (error) =>
    error instanceof CondyleError && error.kind === kind && error.message.includes(text);

test("a recording is seen before it is solved", () => {
    const recording = condyle.read(made("gaps.c3d"), "gaps.c3d");
    assert.deepEqual([recording.format, recording.frames, recording.rateHz], ["c3d", 300, 50]);
    assert.equal(recording.up, "z");
    assert.ok(recording.markers.every(({ kind }) => kind === "marker"));
    const gappy = recording.markers.findIndex(({ gaps }) => gaps.length > 1);
    const { gaps, missing } = recording.markers[gappy];
    const [positions, origins] = [recording.position_m(gappy), recording.markers[gappy].origin()];
    assert.deepEqual([positions.length, origins.length], [900, 300]);
    const lost = gaps.reduce((sum, [from, to]) => sum + to - from, 0);
    near(missing, lost / 300, 1e-12);
    const [from, to] = gaps[0];
    assert.equal(originWords[origins[from]], "missing");
    assert.ok(Number.isNaN(positions[3 * from]) && Number.isFinite(positions[3 * to]));
    const plan = recording.plan();
    assert.ok(plan.performers[0].segments.length > 10 && plan.toml.includes("pelvis"));
    recording.close();
});

test("what is found has joints, error bars, a figure and its numbers", () => {
    const recording = condyle.read(made("gaps.c3d"), "gaps.c3d");
    const found = recording.run();
    const [performer] = found.performers;
    assert.equal(found.kind, "markers");
    const knee = performer.joints.find(({ name }) => name === "left knee");
    assert.equal(knee.parent, "left hip");
    near(knee.from_motion + knee.from_knowledge, 1, 1e-12);
    assert.equal(knee.covariance_m2.length, 9);
    assert.ok(knee.sd_m > 0 && knee.sd_m_in_frames().every((sd) => sd >= 0 || Number.isNaN(sd)));
    const ankle = performer.joints.find(({ name }) => name === "left ankle");
    const [upper, lower] = [knee.position_m(), ankle.position_m()];
    const length = Math.hypot(...[0, 1, 2].map((axis) => upper[300 + axis] - lower[300 + axis]));
    near(length, ankle.bone_m, 0.02);
    near(ankle.bone_m_in_frames()[100], ankle.bone_m, 0.05);
    // The figure: joints first, lines between points that are there, both sides, shoulders from the chest.
    assert.ok(performer.points > performer.joints.length && performer.trunk.length === 6);
    assert.ok(performer.bones.every(({ ends }) => ends.every((end) => end < performer.points)));
    assert.deepEqual([...new Set(performer.bones.map(({ side }) => side))].sort(), ["left", "right", null].sort());
    assert.deepEqual(performer.point_m(3), performer.joints[3].position_m());
    const thigh = performer.segments.find(({ name }) => name === "left thigh");
    assert.equal(thigh.side, "left");
    assert.deepEqual(thigh.bone.map((joint) => performer.joints[joint].name), ["left hip", "left knee"]);
    const pose = thigh.pose();
    assert.equal(pose.length, 2100);
    near(Math.hypot(...pose.subarray(0, 4)), 1, 1e-9);
    const flexion = performer.angles.find(({ joint, name }) => joint === "left knee" && name === "flexion");
    assert.deepEqual([flexion.side, flexion.unit], ["left", "deg"]);
    const bent = flexion.values().filter(Number.isFinite);
    near(Math.max(...bent), flexion.range_deg[1], 1e-9);
    // Gaps were filled, and it is said where.
    const filled = found.markers.some((marker) => marker.origin().some((byte) => originWords[byte] === "filled"));
    assert.ok(filled && found.gaps.some(({ isFilled }) => isFilled));
    assert.ok(found.repairs.some(({ repair }) => repair === "gaps-filled"));
    const on = found.markers.find(({ segment }) => segment === "left thigh");
    assert.ok(thigh.markers.includes(on.label));
    const residual = found.residual_m(0).filter(Number.isFinite);
    assert.ok(residual.length > 250 && Math.max(...residual) < 0.05);
    assert.ok(performer.checks.every(({ passed, value }) => typeof passed === "boolean" && value));
    recording.close();
    assert.throws(() => found.residual_m(0), isError("closed", "closed"));
});

test("options, a subject from another recording and a plan do what they say", () => {
    const walk = condyle.read(made("walk.c3d"), "walk.c3d");
    const rom = condyle.read(made("rom.c3d"), "rom.c3d");
    const subject = rom.run().performers[0].subjectJson();
    const again = walk.run({ subject }).performers[0];
    assert.deepEqual(again.provenance.recordings, ["rom.c3d"]);
    const plan = walk.plan().toml;
    assert.equal(walk.run({ plan }).performers[0].provenance.plan, "file");
    assert.throws(() => walk.run({ hight: 1 }), isError("argument", "hight"));
    assert.equal(condyle.defaultOptions().fill, "auto");
    rom.close();
    walk.close();
});

test("recordings are edited into others, and the first stays as it is", () => {
    const walk = condyle.read(made("walk.c3d"), "walk.c3d");
    const before = walk.position_m(0);
    const { label } = walk.markers[0];
    const split = walk.edited([{ split: { marker: 0, frame: 100, label: "new" } }]);
    const last = split.markers.length - 1;
    assert.equal(split.markers[last].label, "new");
    assert.deepEqual(split.markers[0].gaps, [[100, 300]]);
    const joined = split.edited([{ join: { from: last, into: 0 } }, { rename: { marker: 0, label: "X" } }]);
    assert.deepEqual(joined.position_m(0), before);
    assert.deepEqual([joined.markers[0].label, walk.markers[0].label], ["X", label]);
    const part = walk.edited([{ frames: { from: 50, to: 80 } }]);
    assert.deepEqual([part.frames, part.firstFrame], [30, walk.firstFrame + 50]);
    const csv = new TextDecoder().decode(part.write("csv"));
    assert.ok(csv.includes(label));
    for (const open of [walk, split, joined, part]) {
        open.close();
    }
});

test("a long recording is solved stretch after stretch", () => {
    const rom = condyle.read(made("rom.c3d"), "rom.c3d");
    const whole = rom.run().performers[0];
    const hip = whole.joints.findIndex(({ name }) => name === "left hip");
    const wanted = whole.joints[hip].position_m();
    let frames = 0;
    for (const { from, to, performance } of rom.runInStretches({}, { frames: 100, fitFrames: 150 })) {
        const found = performance.performers[0].joints[hip].position_m();
        assert.equal(found.length, 3 * (to - from));
        found.forEach((number, index) => near(number, wanted[3 * from + index], 0.02));
        frames += to - from;
    }
    assert.equal(frames, 300);
    rom.close();
});

test("everything can be written", () => {
    const recording = condyle.read(made("walk.c3d"), "walk.c3d");
    const found = recording.run();
    const text = (format) => new TextDecoder().decode(found.export(format));
    assert.ok(text("csv").includes("left knee"));
    assert.ok(text("trc").startsWith("PathFileType"));
    assert.ok(text("mot").includes("endheader"));
    assert.ok(text("bvh").startsWith("HIERARCHY"));
    assert.ok(text("glb").startsWith("glTF"));
    assert.ok(text("osim").includes("OpenSimDocument"));
    assert.equal(JSON.parse(text("json")).joints.length, found.performers[0].joints.length);
    const enriched = condyle.read(found.export("c3d"));
    assert.ok(enriched.markers.length > recording.markers.length);
    enriched.close();
    const [marker] = found.markers.filter(({ segment }) => segment === "left thigh");
    const named = { names: { [marker.label]: "thigh <1>" } };
    const renamed = condyle.read(found.export("c3d", 0, named));
    const labels = renamed.markers.map(({ label }) => label);
    assert.ok(labels.includes("thigh <1>") && !labels.includes(marker.label), labels.join());
    renamed.close();
    const osim = new TextDecoder().decode(found.export("osim", 0, named));
    assert.ok(osim.includes("thigh") && !osim.includes(`"${marker.label}"`));
    assert.ok(new TextDecoder().decode(found.export("json", 0, named)).includes('"thigh <1>"'));
    assert.ok(text("json").includes(`"${marker.label}"`), "what was found keeps its names");
    const twice = { names: { [marker.label]: found.markers[0].label === marker.label ? found.markers[1].label : found.markers[0].label } };
    assert.throws(() => found.export("c3d", 0, twice), isError("argument", "twice"));
    const moving = condyle.read(found.export("bvh"), "walk.bvh");
    assert.equal(moving.skeleton.positions_m().length, 3 * 300 * moving.skeleton.joints.length);
    assert.throws(() => found.export("exe"), isError("argument", "'exe'"));
    moving.close();
    recording.close();
});

test("joints reach for targets, within limits", () => {
    const joints = Array.from({ length: 5 }, (_, z) => [0, 0, z]);
    const free = condyle.ik({ joints }, [[2, 1, 1]]);
    assert.ok(free.reached && free.positions_m.length === 15);
    const arm = condyle.reacher({ joints, limits: [90, 30, 30, 30] });
    const bent = arm.reach([[1, 0, 0.5]], { method: "ccd", max_iterations: 100 });
    assert.ok(arm.hasLimits && bent.violation_rad < 1e-6 && !bent.reached);
    assert.ok(arm.reach([[1, 0, 0.5]], { no_limits: true }).reached);
    assert.throws(() => arm.reach([], {}), isError("argument", "targets: need 1"));
    arm.close();
    const rom = condyle.read(made("rom.c3d"), "rom.c3d");
    const body = condyle.reacher({ subject: rom.run().performers[0].subjectJson(), pin: "left hip" });
    assert.ok(body.effectors.length > 3 && body.names.includes("left knee"));
    body.close();
    rom.close();
});

test("a window of a signal is a polynomial that predicts the next", () => {
    const values = Float64Array.from({ length: 200 }, (_, frame) => 2 + 3 * (frame / 100 - 0.5) ** 2);
    const fit = condyle.taylor(values, 100, 0, 101, 2);
    [2, 0, 3].forEach((wanted, power) => near(fit.coefficients[power], wanted, 1e-9));
    assert.ok(fit.residual < 1e-12 && fit.next < 1e-9 && fit.fitted.length === 101);
});

test("a stream gives what the recording gives", () => {
    const short = condyle.read(made("short.c3d"), "short.c3d");
    const all = short.markers.map(({ position_m }) => position_m());
    const labels = short.markers.map(({ label }) => label);
    const live = condyle.live({ labels, rateHz: short.rateHz, ...rigid });
    let last;
    for (let frame = 0; frame < short.frames; frame += 1) {
        last = live.push(Float64Array.from(all.flatMap((own) => [...own.subarray(3 * frame, 3 * frame + 3)])));
    }
    const [performer] = last.performers;
    assert.equal(performer.positions_m.length, 3 * performer.joints.length);
    const finished = live.finish();
    const wanted = short.run(rigid).performers[0].joints[0].position_m();
    assert.deepEqual(finished.performers[0].joints[0].position_m(), wanted);
    assert.throws(() => live.push(new Float64Array(3)), isError("closed", "closed"));
    finished.close();
    short.close();
});

test("files that are none give an error, and the next one is read", () => {
    const whole = made("walk.c3d");
    assert.throws(() => condyle.read(new Uint8Array(), "empty"), isError("empty", "0 bytes"));
    assert.throws(() => condyle.read(Buffer.from("hello"), "a.txt"), isError("not-recognised", ""));
    let refused = 0;
    // 200 files spoilt in another way each: cut, or with bytes changed.
    let seed = 1;
    const random = () => (seed = (48271 * seed) % 2147483647);
    for (let round = 0; round < 200; round += 1) {
        const spoilt = Uint8Array.from(whole.subarray(0, round % 2 ? whole.length : random() % whole.length));
        for (let change = 0; change < 20 && spoilt.length; change += 1) {
            spoilt[random() % Math.min(spoilt.length, [4, 600, 2000][round % 3])] = random() % 256;
        }
        try {
            condyle.read(spoilt, "spoilt.c3d").close();
        } catch (error) {
            assert.ok(error instanceof CondyleError && error.kind !== "fault", String(error));
            refused += 1;
        }
    }
    assert.ok(refused > 20 && refused < 200, `${refused} of 200 refused`);
    const { markers } = condyle.read(whole, "walk.c3d");
    assert.ok(markers.length > 30);
});

test("recordings that are closed give their memory back", async () => {
    const own = await load(module);
    const bytes = made("short.c3d");
    const peaks = [];
    for (let round = 0; round < 10; round += 1) {
        const recording = own.read(bytes, "short.c3d");
        recording.run(rigid);
        peaks.push(own.memoryBytes);
        recording.close();
        assert.equal(own.memoryBytes, 0);
    }
    assert.equal(Math.max(...peaks), peaks[0]);
    // With another one open the memory stays, and is used again.
    const kept = own.read(bytes, "kept");
    const sizes = [];
    for (let round = 0; round < 10; round += 1) {
        const recording = own.read(bytes, "short.c3d");
        recording.run(rigid);
        recording.close();
        sizes.push(own.memoryBytes);
    }
    assert.ok(sizes[9] <= 1.1 * sizes[1], sizes.join(" "));
    assert.deepEqual(kept.position_m(0), kept.position_m(0));
    kept.close();
});

test("a module that stops goes on afresh", async () => {
    const own = await load(module);
    const recording = own.read(made("rom.c3d"), "rom.c3d");
    // More than any module can hold.
    const huge = { byteLength: 2 ** 32 - 2 ** 20 };
    assert.throws(() => own.read(huge), isError("fault", "read again"));
    assert.ok(recording.isClosed);
    assert.throws(() => recording.run(), isError("closed", "closed"));
    const again = own.read(made("rom.c3d"), "rom.c3d");
    assert.equal(again.frames, 300);
    again.close();
});
