// Reaching in JavaScript: our module beside three.js's CCDIKSolver, the same chains and targets, in one run.
//
//     cargo run --release -p condyle-workbench -- app package && node benches/ik_in_javascript.mjs
//
// Needs three in workbench/node_modules, which the first command installs. Prints medians over the targets. The
// trivial baseline is the chain left straight and turned towards the target.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { load } from "../crates/condyle-wasm/condyle.mjs";

const root = new URL("..", import.meta.url).pathname;
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const packages = process.env.CONDYLE_NODE_MODULES ?? join(root, "workbench/node_modules");
const bytes = readFileSync(process.env.CONDYLE_WASM ?? join(target, "package/condyle_wasm.wasm"));
const three_js = createRequire(join(packages, "x.js")).resolve("three");
const three = await import(pathToFileURL(join(dirname(three_js), "three.module.js")));
const addons = pathToFileURL(join(dirname(three_js), "../examples/jsm/animation/CCDIKSolver.js"));
const { CCDIKSolver } = await import(addons);
const condyle = await load(bytes);

const [TARGETS, JOINTS, PASSES] = [500, 10, 100];
let seed = 1;
const random = () => (seed = (48271 * seed) % 2147483647) / 2147483647;
/** Places within reach of a chain of unit bones, not too near its base. */
const targets = Array.from({ length: TARGETS }, () => {
    const at = [random() - 0.5, random() - 0.5, random() - 0.5];
    const length = Math.hypot(...at);
    return at.map((axis) => (axis / length) * (JOINTS - 1) * (0.2 + 0.7 * random()));
});
const joints = Array.from({ length: JOINTS }, (_, z) => [0, 0, z]);

const median = (all) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)];
const row = (name, runs) => {
    const reached = runs.filter(({ error }) => error <= 1e-3).length / runs.length;
    const [us, error] = [median(runs.map((own) => own.us)), median(runs.map((own) => own.error))];
    console.log(`${name.padEnd(34)} ${us.toFixed(0).padStart(7)} ${error.toExponential(1).padStart(9)} ${reached.toFixed(3)}`);
};
const timed = (solve) => {
    const began = performance.now();
    const error = solve();
    return { us: 1e3 * (performance.now() - began), error };
};

/** From rest each time: three.js's pose is set back as ours is. */
function inThree() {
    const bones = joints.map((_, index) => {
        const bone = new three.Bone();
        bone.position.z = index === 0 ? 0 : 1;
        return bone;
    });
    bones.slice(1).forEach((bone, index) => bones[index].add(bone));
    const goal = new three.Bone();
    const mesh = new three.SkinnedMesh(new three.BufferGeometry(), new three.MeshBasicMaterial());
    mesh.add(bones[0], goal);
    mesh.bind(new three.Skeleton([...bones, goal]));
    const links = bones.slice(0, -1).map((_, index) => ({ index })).reverse();
    const ik = { target: JOINTS, effector: JOINTS - 1, links, iteration: PASSES };
    const solver = new CCDIKSolver(mesh, [ik]);
    const at = new three.Vector3();
    return (place) => {
        // A straight chain is stuck on targets along it for any CCD: both begin a little bent.
        bones.forEach((bone) => bone.quaternion.setFromEuler(new three.Euler(0.05, 0.02, 0)));
        goal.position.set(...place);
        mesh.updateMatrixWorld(true);
        solver.update();
        mesh.updateMatrixWorld(true);
        bones[JOINTS - 1].getWorldPosition(at);
        return Math.hypot(at.x - place[0], at.y - place[1], at.z - place[2]);
    };
}

function inOurs(options) {
    const chain = condyle.reacher({ joints });
    return (place) => {
        chain.rest();
        return chain.reach([place], options).error_m;
    };
}

/** The straight chain, turned: how far its end is from the target. */
const straight = (place) => Math.abs(JOINTS - 1 - Math.hypot(...place));

console.log(`chain of ${JOINTS} joints, ${TARGETS} targets, tolerance 1e-4 of a bone, at most ${PASSES} passes`);
console.log(`${"".padEnd(34)} ${"µs".padStart(7)} ${"off by".padStart(9)} reached`);
const ways = {
    "straight to the target": straight,
    "three.js CCDIKSolver": inThree(),
    "condyle fabrik": inOurs({ max_iterations: PASSES }),
    "condyle ccd": inOurs({ method: "ccd", plain: true, max_iterations: PASSES }),
    "condyle gauss-newton": inOurs({ method: "gauss-newton", max_iterations: PASSES }),
};
for (const [name, solve] of Object.entries(ways)) {
    targets.slice(0, 100).forEach(solve);
    row(name, targets.map((place) => timed(() => solve(place))));
}
