// Joints as balls, by how well their centre is known, and their standard errors as translucent ellipsoids.

import {
    DynamicDrawUsage,
    Group,
    InstancedMesh,
    Matrix4,
    MeshBasicMaterial,
    MeshLambertMaterial,
    Quaternion,
    SphereGeometry,
    Vector3,
} from "three";
import type { PerformerData } from "../engine/data.ts";
import { colour, KNOWN } from "./colours.ts";
import { type Eigen, eigen } from "./eigen.ts";

const centre = new Vector3();
const turn = new Quaternion();
const scale = new Vector3();
const matrix = new Matrix4();
const placedBy = new Matrix4();
const GONE = new Matrix4().makeScale(0, 0, 0);
/** Ellipsoids show so many standard errors. */
const ERRORS = 2;
/** Larger ones would hide the figure. */
const LARGEST = 0.16;

export class Joints {
    readonly balls: InstancedMesh;
    readonly ellipsoids = new Group();
    #mesh: InstancedMesh;
    #performer: PerformerData;
    #shapes: { matrix: Matrix4; segment: number }[];
    #radius_m: number;
    chosen: number | null = null;

    constructor(performer: PerformerData, size_m: number) {
        this.#performer = performer;
        this.#radius_m = 0.0085 * size_m;
        const count = performer.joints.length;
        this.balls = new InstancedMesh(new SphereGeometry(1, 18, 12), new MeshLambertMaterial(), Math.max(count, 1));
        this.#mesh = new InstancedMesh(
            new SphereGeometry(1, 20, 14),
            new MeshBasicMaterial({ transparent: true, opacity: 0.38, depthWrite: false }),
            Math.max(count, 1),
        );
        for (const mesh of [this.balls, this.#mesh]) {
            mesh.count = count;
            mesh.instanceMatrix.setUsage(DynamicDrawUsage);
            mesh.frustumCulled = false;
        }
        this.ellipsoids.add(this.#mesh);
        this.#mesh.renderOrder = 8;
        this.#shapes = performer.joints.map((joint) => ({
            matrix: ellipsoid(joint.covariance_m2 ? eigen(joint.covariance_m2) : null, joint.sd_m, size_m),
            segment: performer.segments.findIndex(({ name }) => name === joint.parentSegment),
        }));
        performer.joints.forEach((joint, at) => {
            this.#mesh.setColorAt(at, colour(joint.centre === "barely" ? KNOWN.barely : "#6fb7ff"));
        });
    }

    update(frame: number): void {
        this.#performer.joints.forEach((joint, at) => {
            const x = joint.position_m[3 * frame]!;
            const isThere = joint.placed[frame] !== 0 && Number.isFinite(x);
            if (!isThere) {
                this.balls.setMatrixAt(at, GONE);
                this.#mesh.setMatrixAt(at, GONE);
                return;
            }
            centre.set(x, joint.position_m[3 * frame + 1]!, joint.position_m[3 * frame + 2]!);
            const isChosen = at === this.chosen;
            const radius = this.#radius_m * (isChosen ? 1.9 : 1);
            turn.identity();
            this.balls.setMatrixAt(at, matrix.compose(centre, turn, scale.set(radius, radius, radius)));
            this.balls.setColorAt(at, colour(isChosen ? "#ffd23f" : KNOWN[joint.centre]));
            const shape = this.#shapes[at]!;
            const pose = this.#performer.segments[shape.segment]?.pose;
            if (pose && Number.isFinite(pose[7 * frame]!)) {
                turn.set(pose[7 * frame + 1]!, pose[7 * frame + 2]!, pose[7 * frame + 3]!, pose[7 * frame]!);
            }
            placedBy.compose(centre, turn, scale.set(1, 1, 1)).multiply(shape.matrix);
            this.#mesh.setMatrixAt(at, placedBy);
        });
        for (const mesh of [this.balls, this.#mesh]) {
            mesh.instanceMatrix.needsUpdate = true;
        }
        if (this.balls.instanceColor) {
            this.balls.instanceColor.needsUpdate = true;
        }
    }

    dispose(): void {
        for (const mesh of [this.balls, this.#mesh]) {
            mesh.geometry.dispose();
            (mesh.material as MeshLambertMaterial).dispose();
            mesh.dispose();
        }
    }
}

/** What turns the unit sphere into an ellipsoid of standard errors, in the axes of the covariance. */
function ellipsoid(found: Eigen | null, sd_m: number, size_m: number): Matrix4 {
    const bound = (deviation_m: number) => Math.min(Math.max(ERRORS * deviation_m, 0.002 * size_m), LARGEST * size_m);
    if (!found) {
        const radius = bound(sd_m);
        return new Matrix4().makeScale(radius, radius, radius);
    }
    const [x, y, z] = found.vectors.map((vector) => new Vector3(...vector)) as [Vector3, Vector3, Vector3];
    z.crossVectors(x, y);
    const radii = found.values.map((value) => bound(Math.sqrt(Math.max(value, 0))));
    return new Matrix4().makeBasis(x, y, z).scale(new Vector3(radii[0], radii[1], radii[2]));
}
