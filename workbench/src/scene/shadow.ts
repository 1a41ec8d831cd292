// The shadow of a figure: its own marks, pressed flat onto the floor.

import {
    type BufferGeometry,
    Group,
    InstancedMesh,
    KeepStencilOp,
    MeshBasicMaterial,
    NotEqualStencilFunc,
    ReplaceStencilOp,
} from "three";

/** A flat copy of what is drawn by instances; it shares their places. */
export class Shadow {
    readonly group = new Group();
    readonly material: MeshBasicMaterial;
    #pairs: [InstancedMesh<BufferGeometry>, InstancedMesh][] = [];

    constructor(axis: 0 | 1 | 2, floor_m: number, lift_m: number) {
        // Each pixel is darkened once, however many marks lie over each other.
        this.material = new MeshBasicMaterial({
            color: "#000000",
            transparent: true,
            opacity: 0.3,
            depthWrite: false,
            stencilWrite: true,
            stencilRef: 1,
            stencilFunc: NotEqualStencilFunc,
            stencilZPass: ReplaceStencilOp,
            stencilZFail: KeepStencilOp,
        });
        const scale: [number, number, number] = [1, 1, 1];
        scale[axis] = 1e-4;
        this.group.scale.set(...scale);
        this.group.position.setComponent(axis, floor_m + lift_m);
    }

    add(mesh: InstancedMesh): void {
        const flat = new InstancedMesh(mesh.geometry, this.material, mesh.instanceMatrix.count);
        flat.instanceMatrix = mesh.instanceMatrix;
        flat.frustumCulled = false;
        flat.renderOrder = -5;
        this.group.add(flat);
        this.#pairs.push([mesh, flat]);
    }

    update(): void {
        this.#pairs.forEach(([mesh, flat]) => (flat.count = mesh.count));
    }

    dispose(): void {
        this.material.dispose();
    }
}
