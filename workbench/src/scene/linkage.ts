// A linkage as it is drawn: bones and joints, in one colour.

import {
    CylinderGeometry,
    Group,
    InstancedMesh,
    Matrix4,
    MeshLambertMaterial,
    Quaternion,
    SphereGeometry,
    Vector3,
} from "three";

const from = new Vector3();
const to = new Vector3();
const along = new Vector3();
const scale = new Vector3();
const turn = new Quaternion();
const matrix = new Matrix4();
const Y = new Vector3(0, 1, 0);

export class DrawnLinkage {
    readonly group = new Group();
    #bones: InstancedMesh;
    #joints: InstancedMesh;
    #parents: readonly (number | null)[];
    #thick_m: number;

    constructor(parents: readonly (number | null)[], colour: string, thick_m: number, opacity: number) {
        this.#parents = parents;
        this.#thick_m = thick_m;
        const material = new MeshLambertMaterial({ color: colour, transparent: opacity < 1, opacity });
        this.#bones = new InstancedMesh(
            new CylinderGeometry(0.62, 1, 1, 14).translate(0, 0.5, 0),
            material,
            Math.max(parents.length, 1),
        );
        this.#joints = new InstancedMesh(new SphereGeometry(1, 18, 12), material, Math.max(parents.length, 1));
        this.#bones.frustumCulled = this.#joints.frustumCulled = false;
        this.group.add(this.#bones, this.#joints);
    }

    /** Shows joints that are written one after the other. */
    show(positions_m: ArrayLike<number>): void {
        this.place((joint, out) =>
            out.set(positions_m[3 * joint]!, positions_m[3 * joint + 1]!, positions_m[3 * joint + 2]!),
        );
    }

    /** Shows joints where they are said to be. */
    place(at: (joint: number, out: Vector3) => Vector3): void {
        let bones = 0;
        this.#parents.forEach((parent, joint) => {
            at(joint, to);
            turn.identity();
            const radius = this.#thick_m * 1.35;
            this.#joints.setMatrixAt(joint, matrix.compose(to, turn, scale.set(radius, radius, radius)));
            if (parent !== null) {
                const length = along.subVectors(to, at(parent, from)).length();
                if (length > 1e-9) {
                    turn.setFromUnitVectors(Y, along.divideScalar(length));
                    this.#bones.setMatrixAt(
                        bones++,
                        matrix.compose(from, turn, scale.set(this.#thick_m, length, this.#thick_m)),
                    );
                }
            }
        });
        this.#bones.count = bones;
        this.#joints.count = this.#parents.length;
        this.#bones.instanceMatrix.needsUpdate = this.#joints.instanceMatrix.needsUpdate = true;
    }

    dispose(): void {
        this.#bones.geometry.dispose();
        this.#joints.geometry.dispose();
        (this.#bones.material as MeshLambertMaterial).dispose();
        this.group.removeFromParent();
    }
}
