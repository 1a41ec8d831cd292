// Bones, and limbs about as thick as they are.

import {
    BufferAttribute,
    BufferGeometry,
    CapsuleGeometry,
    Color,
    DoubleSide,
    DynamicDrawUsage,
    Group,
    InstancedMesh,
    LatheGeometry,
    Matrix4,
    Mesh,
    MeshLambertMaterial,
    Quaternion,
    Vector2,
    Vector3,
} from "three";
import type { PerformerData } from "../engine/data.ts";
import { colour, SIDES } from "./colours.ts";
import { pointAt, type Stick, sticksOf } from "./places.ts";

const from = new Vector3();
const to = new Vector3();
const along = new Vector3();
const scale = new Vector3();
const turn = new Quaternion();
const matrix = new Matrix4();
const Y = new Vector3(0, 1, 0);

/** A bone of length 1 along y: a shaft with two heads. */
function boneGeometry(): BufferGeometry {
    const outline: [number, number][] = [
        [0, 0],
        [0.75, 0.012],
        [1, 0.05],
        [0.95, 0.1],
        [0.62, 0.2],
        [0.5, 0.35],
        [0.46, 0.55],
        [0.5, 0.78],
        [0.7, 0.9],
        [0.8, 0.95],
        [0.6, 0.99],
        [0, 1],
    ];
    return new LatheGeometry(
        outline.map(([x, y]) => new Vector2(x, y)),
        10,
    );
}

/** A limb of length 1 along y and of radius 1: fuller near its upper end. */
function limbGeometry(): BufferGeometry {
    const outline = Array.from({ length: 15 }, (_, at) => {
        const y = at / 14;
        const taper = 1 - 0.38 * y;
        const round = Math.sqrt(Math.max(0, 1 - (2 * y - 1) ** 8));
        return new Vector2(round * taper, y);
    });
    return new LatheGeometry(outline, 14);
}

export class Skeleton {
    readonly bones = new Group();
    readonly body = new Group();
    readonly sticks: Stick[];
    readonly boneMesh: InstancedMesh;
    #limbMesh: InstancedMesh;
    #headMesh: InstancedMesh;
    #trunk: Trunk;
    #performer: PerformerData;
    #limbs: Stick[];
    #heads: Stick[];
    #radius_m: number;

    constructor(performer: PerformerData, size_m: number, tint: string | null) {
        this.#performer = performer;
        this.sticks = sticksOf(performer);
        this.#radius_m = 0.0105 * size_m;
        this.#limbs = this.sticks.filter(({ width_m, isHead }) => width_m > 0 && !isHead);
        this.#heads = this.sticks.filter(({ isHead }) => isHead);
        this.boneMesh = instances(boneGeometry(), new MeshLambertMaterial(), this.sticks.length);
        const flesh = () => new MeshLambertMaterial({ transparent: true, opacity: 0.3, depthWrite: false });
        this.#limbMesh = instances(limbGeometry(), flesh(), this.#limbs.length);
        this.#headMesh = instances(new CapsuleGeometry(0.8, 0.5, 6, 14), flesh(), this.#heads.length);
        this.#trunk = new Trunk(performer, size_m, flesh());
        this.bones.add(this.boneMesh);
        this.body.add(this.#limbMesh, this.#headMesh, this.#trunk.mesh);
        const paint = (mesh: InstancedMesh, sticks: Stick[], pale: number) =>
            sticks.forEach(({ side }, at) => {
                const own = new Color().copy(colour(SIDES[side]));
                mesh.setColorAt(at, tint ? own.lerp(colour(tint), 0.75) : own.lerp(new Color("#ffffff"), pale));
            });
        paint(this.boneMesh, this.sticks, 0.12);
        paint(this.#limbMesh, this.#limbs, 0.35);
        paint(this.#headMesh, this.#heads, 0.35);
        this.#trunk.tint(tint ?? "#a9b8c8");
        this.body.renderOrder = 5;
    }

    /** What casts a shadow. */
    get solids(): InstancedMesh[] {
        return [this.boneMesh, this.#limbMesh, this.#headMesh];
    }

    set isWire(isWire: boolean) {
        for (const mesh of [this.#limbMesh, this.#headMesh, this.#trunk.mesh]) {
            const material = mesh.material as MeshLambertMaterial;
            material.wireframe = isWire;
            material.opacity = isWire ? 0.22 : 0.3;
        }
    }

    update(frame: number): void {
        const performer = this.#performer;
        this.sticks.forEach((stick, at) => put(this.boneMesh, at, stick, performer, frame, this.#radius_m));
        this.#limbs.forEach((stick, at) => put(this.#limbMesh, at, stick, performer, frame, 0.5 * stick.width_m));
        this.#heads.forEach((stick, at) => {
            const isThere = pointAt(performer, stick.from, frame, from) && pointAt(performer, stick.to, frame, to);
            if (isThere) {
                const radius_m = 0.5 * stick.width_m;
                along.subVectors(to, from).normalize();
                // The skull goes on beyond the middle of its markers.
                turn.setFromUnitVectors(Y, along);
                matrix.compose(to, turn, scale.set(radius_m, radius_m, radius_m));
            }
            this.#headMesh.setMatrixAt(at, isThere ? matrix : GONE);
        });
        [this.boneMesh, this.#limbMesh, this.#headMesh].forEach(
            ({ instanceMatrix }) => (instanceMatrix.needsUpdate = true),
        );
        this.#trunk.update(frame);
    }

    dispose(): void {
        for (const mesh of [this.boneMesh, this.#limbMesh, this.#headMesh, this.#trunk.mesh]) {
            mesh.geometry.dispose();
            (mesh.material as MeshLambertMaterial).dispose();
        }
    }
}

const GONE = new Matrix4().makeScale(0, 0, 0);

function instances(geometry: BufferGeometry, material: MeshLambertMaterial, count: number): InstancedMesh {
    const mesh = new InstancedMesh(geometry, material, Math.max(count, 1));
    mesh.count = count;
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    return mesh;
}

/** Puts an instance of length 1 between the ends of a stick. */
function put(
    mesh: InstancedMesh,
    at: number,
    stick: Stick,
    performer: PerformerData,
    frame: number,
    radius_m: number,
): void {
    if (!pointAt(performer, stick.from, frame, from) || !pointAt(performer, stick.to, frame, to)) {
        mesh.setMatrixAt(at, GONE);
        return;
    }
    const length = along.subVectors(to, from).length();
    if (length < 1e-6) {
        mesh.setMatrixAt(at, GONE);
        return;
    }
    turn.setFromUnitVectors(Y, along.divideScalar(length));
    const thick = Math.min(radius_m, 0.45 * length);
    mesh.setMatrixAt(at, matrix.compose(from, turn, scale.set(thick, length, thick)));
}

/** A trunk of rings from the shoulders over the waist, where there is one, to the hips. */
class Trunk {
    readonly mesh: Mesh;
    #corners: number[];
    #performer: PerformerData;
    #deep_m: number;
    #points: Vector3[];
    #middle: [Vector3, Vector3] = [new Vector3(), new Vector3()];

    constructor(performer: PerformerData, size_m: number, material: MeshLambertMaterial) {
        this.#performer = performer;
        this.#deep_m = 0.055 * size_m;
        // Left and right shoulder, beside the waist, right and left hip, beside the waist.
        this.#corners = performer.trunk;
        this.#points = this.#corners.map(() => new Vector3());
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(new Float32Array(24 * 3), 3).setUsage(DynamicDrawUsage));
        geometry.setIndex(FACES);
        material.side = DoubleSide;
        material.flatShading = true;
        this.mesh = new Mesh(geometry, material);
        this.mesh.frustumCulled = false;
        this.mesh.visible = this.#isThere;
    }

    get #isThere(): boolean {
        return this.#corners.length === 4 || this.#corners.length === 6;
    }

    tint(name: string): void {
        (this.mesh.material as MeshLambertMaterial).color.copy(colour(name));
    }

    update(frame: number): void {
        if (!this.#isThere) {
            return;
        }
        const points = this.#points;
        const isPlaced = this.#corners.every((point, at) => pointAt(this.#performer, point, frame, points[at]!));
        this.mesh.visible = isPlaced;
        if (!isPlaced) {
            return;
        }
        const [left, right] = this.#edges();
        const across = along.subVectors(left[0], right[0]).add(left[2]).sub(right[2]);
        const positions = this.mesh.geometry.attributes["position"] as BufferAttribute;
        // Rings from the shoulders down: wide at the chest, narrow at the waist.
        for (let ring = 0; ring < RINGS.length; ring += 1) {
            const [share, wide, deep] = RINGS[ring]!;
            const half = share < 1 ? 0 : 1;
            const out = from.subVectors(left[half + 1]!, left[half]!).add(right[half + 1]!).sub(right[half]!);
            out.crossVectors(across, out).normalize();
            for (let corner = 0; corner < 8; corner += 1) {
                const angle = ((corner + 0.5) / 8) * 2 * Math.PI;
                const [u, v] = [
                    0.5 + 0.5 * wide * signedRoot(Math.cos(angle)),
                    deep * this.#deep_m * signedRoot(Math.sin(angle)),
                ];
                scale.copy(left[half]!).lerp(right[half]!, u);
                to.copy(left[half + 1]!).lerp(right[half + 1]!, u);
                scale.lerp(to, share - half).addScaledVector(out, v);
                positions.setXYZ(8 * ring + corner, scale.x, scale.y, scale.z);
            }
        }
        positions.needsUpdate = true;
    }

    /** Down the left and the right side; without a waist straight down. */
    #edges(): [Edge, Edge] {
        const points = this.#points;
        if (points.length === 6) {
            const [ls, rs, rw, rh, lh, lw] = points as [Vector3, Vector3, Vector3, Vector3, Vector3, Vector3];
            return [
                [ls, lw, lh],
                [rs, rw, rh],
            ];
        }
        const [ls, rs, rh, lh] = points as [Vector3, Vector3, Vector3, Vector3];
        const [lw, rw] = this.#middle;
        lw.copy(ls).lerp(lh, 0.7);
        rw.copy(rs).lerp(rh, 0.7);
        return [
            [ls, lw, lh],
            [rs, rw, rh],
        ];
    }
}

/** Shoulder, beside the waist, hip. */
type Edge = [Vector3, Vector3, Vector3];

const signedRoot = (value: number): number => Math.sign(value) * Math.abs(value) ** 0.7;

/** How far down (1 at the waist, 2 at the hips), how wide, how deep. */
const RINGS: [number, number, number][] = [
    [-0.08, 0.75, 0.8],
    [0.95, 1.0, 1.25],
    [2.15, 1.45, 1.25],
];

const FACES = RINGS.slice(1).flatMap((_, ring) =>
    Array.from({ length: 8 }, (_, corner) => {
        const [a, b] = [8 * ring + corner, 8 * ring + ((corner + 1) % 8)];
        return [a, a + 8, b, b, a + 8, b + 8];
    }).flat(),
);
