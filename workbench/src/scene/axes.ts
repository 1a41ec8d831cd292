// The axes of segments and sensors: x red, y green, z blue.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineBasicMaterial, LineSegments, Vector3 } from "three";
import { inSegment } from "./places.ts";

const at = new Vector3();
const COLOURS = [
    [0.95, 0.3, 0.3],
    [0.3, 0.85, 0.4],
    [0.35, 0.55, 1],
];

export class Axes {
    readonly lines: LineSegments;
    #poses: readonly Float32Array[];
    #length_m: number;

    constructor(poses: readonly Float32Array[], size_m: number) {
        this.#poses = poses;
        this.#length_m = 0.06 * size_m;
        const vertices = poses.length * 6;
        const geometry = new BufferGeometry();
        geometry.setAttribute(
            "position",
            new BufferAttribute(new Float32Array(3 * vertices), 3).setUsage(DynamicDrawUsage),
        );
        const colours = poses.flatMap(() => COLOURS.flatMap((one) => [...one, ...one]));
        geometry.setAttribute("color", new BufferAttribute(Float32Array.from(colours), 3));
        this.lines = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, depthTest: false }));
        this.lines.frustumCulled = false;
        this.lines.renderOrder = 12;
    }

    update(frame: number): void {
        const positions = this.lines.geometry.attributes["position"] as BufferAttribute;
        this.#poses.forEach((pose, segment) => {
            for (let axis = 0; axis < 3; axis += 1) {
                for (let end = 0; end < 2; end += 1) {
                    const local_m: [number, number, number] = [0, 0, 0];
                    local_m[axis] = end * this.#length_m;
                    const isThere = inSegment(pose, local_m, frame, at);
                    if (!isThere) {
                        at.set(0, 0, 0);
                    }
                    positions.setXYZ(6 * segment + 2 * axis + end, at.x, at.y, at.z);
                }
            }
        });
        positions.needsUpdate = true;
    }

    dispose(): void {
        this.lines.geometry.dispose();
        (this.lines.material as LineBasicMaterial).dispose();
    }
}
