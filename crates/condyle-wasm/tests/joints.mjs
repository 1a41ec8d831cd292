// node joints.mjs module.wasm recording...: for every recording the milliseconds it took and the joints of all its
// performers, as a line of JSON; a position that means nothing is null.
import { readFileSync } from "node:fs";
import { load } from "../condyle.mjs";

const [module, ...recordings] = process.argv.slice(2);
const condyle = await load(readFileSync(module));
for (const path of recordings) {
    const bytes = readFileSync(path);
    const started = performance.now();
    const recording = condyle.read(bytes, path);
    const { frames, performers } = recording.run();
    const ms = performance.now() - started;
    const column = (joint) => {
        const [positions_m, placed] = [joint.position_m(), joint.placed()];
        const at = (frame) =>
            placed[frame] === 0 ? null : Array.from(positions_m.subarray(3 * frame, 3 * frame + 3));
        return Array.from({ length: frames }, (_, frame) => at(frame));
    };
    console.log(JSON.stringify({ ms, performers: performers.map(({ joints }) => joints.map(column)) }));
    recording.close();
}
