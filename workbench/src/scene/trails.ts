// Where markers come from: a line behind each, fading with age. Markers in use are drawn stronger.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineBasicMaterial, LineSegments } from "three";
import { colour } from "./colours.ts";
import type { Track } from "./marks.ts";

const MAX_STEPS = 60;

export class Trails {
    readonly lines: LineSegments;
    #tracks: readonly (Track & { isInUse: boolean })[] = [];
    #positions = new Float32Array();
    #colours = new Float32Array();

    constructor() {
        const material = new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false });
        this.lines = new LineSegments(new BufferGeometry(), material);
        this.lines.frustumCulled = false;
    }

    show(tracks: readonly (Track & { isInUse: boolean })[]): void {
        this.#tracks = tracks;
        const vertices = tracks.length * MAX_STEPS * 2;
        this.#positions = new Float32Array(3 * vertices);
        this.#colours = new Float32Array(4 * vertices);
        const attribute = (array: Float32Array, size: number) =>
            new BufferAttribute(array, size).setUsage(DynamicDrawUsage);
        this.lines.geometry.dispose();
        this.lines.geometry = new BufferGeometry();
        this.lines.geometry.setAttribute("position", attribute(this.#positions, 3));
        this.lines.geometry.setAttribute("color", attribute(this.#colours, 4));
    }

    /** Draws so many frames up to this one. */
    update(frame: number, frames: number): void {
        const stride = Math.max(1, Math.ceil(frames / MAX_STEPS));
        const steps = Math.min(MAX_STEPS, Math.floor(Math.min(frames, frame) / stride));
        let vertex = 0;
        for (const { position_m, colour: own, isInUse } of this.#tracks) {
            const { r, g, b } = colour(own);
            const strength = isInUse ? 0.85 : 0.25;
            for (let back = 0; back < steps; back += 1) {
                const [from, to] = [3 * (frame - back * stride), 3 * (frame - (back + 1) * stride)];
                if (!Number.isFinite(position_m[from]!) || !Number.isFinite(position_m[to]!)) {
                    continue;
                }
                for (const [at, age] of [
                    [from, back],
                    [to, back + 1],
                ] as const) {
                    this.#positions.set(position_m.subarray(at, at + 3), 3 * vertex);
                    const alpha = strength * (1 - age / (steps + 1));
                    const place = 4 * vertex;
                    this.#colours[place] = r;
                    this.#colours[place + 1] = g;
                    this.#colours[place + 2] = b;
                    this.#colours[place + 3] = alpha;
                    vertex += 1;
                }
            }
        }
        const { geometry } = this.lines;
        geometry.setDrawRange(0, vertex);
        if (this.#tracks.length > 0) {
            geometry.attributes["position"]!.needsUpdate = true;
            geometry.attributes["color"]!.needsUpdate = true;
        }
    }

    dispose(): void {
        this.lines.geometry.dispose();
        (this.lines.material as LineBasicMaterial).dispose();
    }
}
