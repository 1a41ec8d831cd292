// Lines on the floor, cell by cell: none is so long that it passes behind the eye.

import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments } from "three";

/** Lines of cells of this size, so many on each side of the middle. */
export function gridLines(cell: number, half: number, colour: string): LineSegments {
    const places: number[] = [];
    for (let line = -half; line <= half; line += 1) {
        for (let step = -half; step < half; step += 1) {
            const [a, b, c] = [line * cell, step * cell, (step + 1) * cell];
            places.push(a, 0, b, a, 0, c, b, 0, a, c, 0, a);
        }
    }
    const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(Float32Array.from(places), 3));
    return new LineSegments(geometry, new LineBasicMaterial({ color: colour }));
}
