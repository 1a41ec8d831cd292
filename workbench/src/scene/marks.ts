// Markers as marks: round where measured, diamonds where filled, cubes where predicted.

import {
    BoxGeometry,
    type BufferGeometry,
    DynamicDrawUsage,
    Group,
    InstancedMesh,
    Matrix4,
    MeshLambertMaterial,
    OctahedronGeometry,
    SphereGeometry,
} from "three";
import { FILLED, MEASURED, MISSING, PREDICTED } from "../engine/data.ts";
import { colour } from "./colours.ts";

export interface Track {
    /** Its index in the recording. */
    marker: number;
    position_m: Float32Array;
    /** Null: measured wherever it is there. */
    origin: Uint8Array | null;
    colour: string;
}

interface Shape {
    mesh: InstancedMesh;
    /** Which marker each instance is. */
    markers: number[];
    scale: number;
    colour: string | null;
}

const matrix = new Matrix4();

export class Marks {
    readonly group = new Group();
    tracks: readonly Track[] = [];
    chosen: number | null = null;
    size_m = 0.01;
    #shapes: Map<number, Shape>;

    constructor(count: number, isFaint = false) {
        const shape = (geometry: BufferGeometry, scale: number, fixed: string | null): Shape => {
            const material = new MeshLambertMaterial({ transparent: isFaint, opacity: isFaint ? 0.35 : 1 });
            const mesh = new InstancedMesh(geometry, material, Math.max(count, 1));
            mesh.instanceMatrix.setUsage(DynamicDrawUsage);
            mesh.frustumCulled = false;
            this.group.add(mesh);
            return { mesh, markers: [], scale, colour: fixed };
        };
        this.#shapes = new Map([
            [MEASURED, shape(new SphereGeometry(1, 12, 8), 1, null)],
            [FILLED, shape(new OctahedronGeometry(1), 1.5, "#f2a33a")],
            [PREDICTED, shape(new BoxGeometry(1.5, 1.5, 1.5), 1, "#b57bf2")],
        ]);
    }

    update(frame: number): void {
        const shapes = [...this.#shapes.values()];
        shapes.forEach((shape) => (shape.markers.length = 0));
        for (const { marker, position_m, origin, colour: own } of this.tracks) {
            const [x, y, z] = [position_m[3 * frame]!, position_m[3 * frame + 1]!, position_m[3 * frame + 2]!];
            if (!Number.isFinite(x)) {
                continue;
            }
            const shape = this.#shapes.get((origin ? origin[frame] : MEASURED) || MEASURED);
            if (!shape || (origin && origin[frame] === MISSING)) {
                continue;
            }
            const isChosen = marker === this.chosen;
            const size_m = this.size_m * shape.scale * (isChosen ? 1.7 : 1);
            const at = shape.markers.push(marker) - 1;
            shape.mesh.setMatrixAt(at, matrix.makeScale(size_m, size_m, size_m).setPosition(x, y, z));
            shape.mesh.setColorAt(at, colour(isChosen ? "#ffd23f" : (shape.colour ?? own)));
        }
        for (const { mesh, markers } of shapes) {
            mesh.count = markers.length;
            mesh.instanceMatrix.needsUpdate = true;
            if (mesh.instanceColor) {
                mesh.instanceColor.needsUpdate = true;
            }
        }
    }

    /** What can be clicked, and which marker an instance of it is. */
    get targets(): { mesh: InstancedMesh; marker(instance: number): number }[] {
        return [...this.#shapes.values()].map(({ mesh, markers }) => ({ mesh, marker: (at) => markers[at]! }));
    }

    dispose(): void {
        this.#shapes.forEach(({ mesh }) => {
            mesh.geometry.dispose();
            (mesh.material as MeshLambertMaterial).dispose();
            mesh.dispose();
        });
    }
}
