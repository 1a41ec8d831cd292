// Microseconds a solve of ikts and of three.js's CCDIKSolver, on the targets of a file.
// usage: node peers.mjs MODULES TARGETS.csv TOLERANCE
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, file, tolerance] = process.argv.slice(2);
const require = createRequire(modules + "/");
const targets = readFileSync(file, "utf8").trim().split("\n").map((line) => line.split(",").map(Number));
const joints = 10;

function report(name, solve) {
  targets.slice(0, 200).forEach(solve); // so that the compiler has seen it
  // The best of three for each target: what else the machine does only adds.
  const best = targets.map(() => Infinity);
  let reached = 0;
  for (let turn = 0; turn < 3; turn++) {
    reached = 0;
    targets.forEach((target, index) => {
      const [seconds, distance] = solve(target);
      best[index] = Math.min(best[index], seconds);
      reached += distance <= tolerance ? 1 : 0;
    });
  }
  const mean = best.reduce((sum, seconds) => sum + seconds, 0) / targets.length;
  console.log(`${name}\t${mean * 1e6}\t${(100 * reached) / targets.length}`);
}

try {
  const IK = await import(pathToFileURL(require.resolve("ikts")).href).then((m) => m.default ?? m);
  report("ikts", (target) => {
    const chain = new IK.Chain3D();
    chain.addBone(new IK.Bone3D(new IK.V3(0, 0, 0), new IK.V3(0, 0, 1)));
    for (let i = 1; i < joints - 1; i++) {
      const angle = 0.1 * i;
      chain.addConsecutiveBone(new IK.V3(Math.sin(angle), 0.3 * Math.sin(angle), Math.cos(angle)).normalised(), 1);
    }
    chain.setSolveDistanceThreshold(tolerance);
    chain.setMinIterationChange(1e-9);
    chain.setMaxIterationAttempts(2000);
    const goal = new IK.V3(...target);
    const begun = performance.now();
    chain.solveForTarget(goal);
    const seconds = (performance.now() - begun) / 1e3;
    const end = chain.bones[chain.bones.length - 1].end;
    return [seconds, Math.hypot(end.x - target[0], end.y - target[1], end.z - target[2])];
  });
} catch (error) {
  console.log(`ikts\tcannot run: ${error.message}`);
}

try {
  const THREE = await import(pathToFileURL(require.resolve("three").replace("three.cjs", "three.module.js")).href);
  const at = require.resolve("three").replace(/build.*/, "examples/jsm/animation/CCDIKSolver.js");
  const { CCDIKSolver } = await import(pathToFileURL(at).href);
  report("three.js CCDIKSolver", (target) => {
    const bones = [];
    for (let i = 0; i < joints; i++) {
      const bone = new THREE.Bone();
      if (i > 0) {
        bone.position.set(0, 0, 1);
        bones[i - 1].add(bone);
        bones[i - 1].rotation.set(0, 0.1, 0);
      }
      bones.push(bone);
    }
    const goal = new THREE.Bone();
    goal.position.set(...target);
    bones.push(goal);
    const mesh = new THREE.SkinnedMesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial());
    mesh.add(bones[0]);
    mesh.add(goal);
    mesh.bind(new THREE.Skeleton(bones));
    mesh.updateMatrixWorld(true);
    const links = [];
    for (let i = joints - 2; i >= 0; i--) links.push({ index: i });
    const solver = new CCDIKSolver(mesh, [{ target: joints, effector: joints - 1, links, iteration: 1 }]);
    const end = new THREE.Vector3();
    const begun = performance.now();
    for (let sweep = 0; sweep < 2000; sweep++) {
      solver.update();
      bones[joints - 1].getWorldPosition(end);
      if (end.distanceTo(goal.position) <= tolerance) break;
    }
    return [(performance.now() - begun) / 1e3, end.distanceTo(goal.position)];
  });
} catch (error) {
  console.log(`three.js CCDIKSolver\tcannot run: ${error.message}`);
}
