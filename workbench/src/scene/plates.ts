// Force plates, and the force on each as an arrow from where it presses.

import {
    BufferAttribute,
    BufferGeometry,
    ConeGeometry,
    CylinderGeometry,
    DoubleSide,
    Group,
    LineBasicMaterial,
    LineLoop,
    Mesh,
    MeshBasicMaterial,
    MeshLambertMaterial,
    Quaternion,
    Vector3,
} from "three";
import type { Plate } from "../engine/data.ts";

const Y = new Vector3(0, 1, 0);
const force = new Vector3();
const turn = new Quaternion();
/** As long as a metre is a force of a thousand newtons. */
const METRES_PER_NEWTON = 1e-3;
const SMALLEST_N = 10;

export class Plates {
    readonly group = new Group();
    #arrows: { shaft: Mesh; head: Mesh; plate: Plate }[] = [];

    constructor(plates: readonly Plate[]) {
        const plain = new MeshBasicMaterial({
            color: "#7f93a8",
            transparent: true,
            opacity: 0.22,
            side: DoubleSide,
            depthWrite: false,
        });
        const arrow = new MeshLambertMaterial({ color: "#ffc24d" });
        for (const plate of plates) {
            const corners = Float32Array.from(plate.corners_m.flat());
            if (corners.length !== 12 || !corners.every(Number.isFinite)) {
                continue;
            }
            const geometry = new BufferGeometry();
            geometry.setAttribute("position", new BufferAttribute(corners, 3));
            const outline = new LineLoop(geometry.clone(), new LineBasicMaterial({ color: "#9fb2c6" }));
            geometry.setIndex([0, 1, 2, 0, 2, 3]);
            const shaft = new Mesh(new CylinderGeometry(0.008, 0.008, 1, 8).translate(0, 0.5, 0), arrow);
            const head = new Mesh(new ConeGeometry(0.024, 0.07, 12), arrow);
            this.group.add(new Mesh(geometry, plain), outline, shaft, head);
            this.#arrows.push({ shaft, head, plate });
        }
    }

    update(frame: number): void {
        for (const { shaft, head, plate } of this.#arrows) {
            const at = 3 * frame;
            force.set(plate.force_N[at] ?? 0, plate.force_N[at + 1] ?? 0, plate.force_N[at + 2] ?? 0);
            const newtons = force.length();
            const isThere = newtons > SMALLEST_N && Number.isFinite(plate.centre_m[at] ?? Number.NaN);
            shaft.visible = head.visible = isThere;
            if (!isThere) {
                continue;
            }
            const length = newtons * METRES_PER_NEWTON;
            force.divideScalar(newtons);
            turn.setFromUnitVectors(Y, force);
            shaft.position.set(plate.centre_m[at]!, plate.centre_m[at + 1]!, plate.centre_m[at + 2]!);
            shaft.quaternion.copy(turn);
            shaft.scale.set(1, length, 1);
            head.position.copy(shaft.position).addScaledVector(force, length);
            head.quaternion.copy(turn);
        }
    }

    dispose(): void {
        this.group.traverse((child) => {
            if (child instanceof Mesh || child instanceof LineLoop) {
                child.geometry.dispose();
            }
        });
    }
}
