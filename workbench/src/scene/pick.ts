// A click in the scene: the joint or marker under it, or near it.

import { Raycaster, Vector2 } from "three";
import { app } from "../app/app.ts";
import type { Figure } from "./figure.ts";
import type { Cameras } from "./cameras.ts";

const STILL_PX = 4;

export function pickOnClick(canvas: HTMLCanvasElement, cameras: Cameras, figure: () => Figure | null): void {
    let down: [number, number] | null = null;
    canvas.addEventListener("pointerdown", (event) => (down = [event.clientX, event.clientY]));
    canvas.addEventListener("pointerup", (event) => {
        const isClick = down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < STILL_PX;
        down = null;
        const chosen = figure();
        if (isClick && event.button === 0 && chosen && app.side.value !== "kine") {
            pick(event, canvas, cameras, chosen);
        }
    });
}

function pick(event: PointerEvent, canvas: HTMLCanvasElement, cameras: Cameras, figure: Figure): void {
    const box = canvas.getBoundingClientRect();
    const at = new Vector2(
        (2 * (event.clientX - box.left)) / box.width - 1,
        1 - (2 * (event.clientY - box.top)) / box.height,
    );
    const ray = new Raycaster();
    ray.setFromCamera(at, cameras.current);
    let nearest = Number.POSITIVE_INFINITY;
    let take: () => void = () => undefined;
    const offer = (distance: number, chosen: () => void) => {
        if (distance < nearest) {
            [nearest, take] = [distance, chosen];
        }
    };
    if (figure.marks.group.visible) {
        for (const { mesh, marker } of figure.marks.targets) {
            mesh.boundingSphere = null;
            ray.intersectObject(mesh).forEach(({ distance, instanceId }) => {
                const found = marker(instanceId!);
                offer(distance, () => {
                    app.joint.value = null;
                    app.marker.value = found;
                });
            });
        }
    }
    figure.joints.forEach(({ balls }, performer) => {
        if (balls.visible) {
            balls.boundingSphere = null;
            // Joints lie inside of limbs: they go before markers a little behind.
            ray.intersectObject(balls).forEach(({ distance, instanceId }) => {
                offer(distance - 0.05 * figure.extent.size_m, () => {
                    app.marker.value = null;
                    app.joint.value = { performer, joint: instanceId! };
                });
            });
        }
    });
    take();
}
