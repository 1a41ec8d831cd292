// node joints.mjs module.wasm recording...: for every recording the milliseconds it took and the joints of all its
// performers, as a line of JSON; a position that means nothing is null.
import { readFileSync } from "node:fs";
import { load } from "../condyle.mjs";

const [module, ...recordings] = process.argv.slice(2);
const condyle = await load(readFileSync(module));
for (const path of recordings) {
    const bytes = readFileSync(path);
    const started = performance.now();
    const { frames, performers } = condyle.run(bytes);
    const ms = performance.now() - started;
    const at = ({ positions_m, placed }, frame) =>
        placed[frame] === 0 ? null : Array.from(positions_m.subarray(3 * frame, 3 * frame + 3));
    const column = (joint) => Array.from({ length: frames }, (_, frame) => at(joint, frame));
    console.log(JSON.stringify({ ms, performers: performers.map(({ joints }) => joints.map(column)) }));
}
