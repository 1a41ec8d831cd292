// Where three.js has the bones of a file, at rest and then at given times, as JSON.
import { readFileSync } from "node:fs";
import { AnimationMixer, LoopOnce, REVISION, Vector3 } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";

globalThis.self ??= globalThis;
const file = readFileSync(process.argv[2]);
const buffer = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
const gltf = await new GLTFLoader().parseAsync(buffer, "");
const bones = [];
let skinned = 0;
gltf.scene.traverse((node) => {
  if (node.isBone) bones.push(node);
  if (node.isSkinnedMesh) skinned += 1;
});
const place = () => {
  gltf.scene.updateMatrixWorld(true);
  return bones.map((bone) => bone.getWorldPosition(new Vector3()).toArray());
};
const frames = [place()];
const mixer = new AnimationMixer(gltf.scene);
const action = mixer.clipAction(gltf.animations[0]);
// The last key is the last pose, not the first one again.
action.setLoop(LoopOnce, 1);
action.clampWhenFinished = true;
action.play();
for (const time of process.argv.slice(3).map(Number)) {
  mixer.setTime(time);
  frames.push(place());
}
const parents = bones.map((bone) => bones.indexOf(bone.parent));
const names = bones.map((bone) => bone.name);
console.log(JSON.stringify({ revision: REVISION, names, parents, skinned, frames }));
