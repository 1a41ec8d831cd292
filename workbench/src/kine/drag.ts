// The target: dragged, or put where a click goes; in the plane of the chain, or in the plane of the screen.

import { Plane, Raycaster, Vector2, Vector3 } from "three";
import { app } from "../app/app.ts";
import type { View } from "../scene/view.ts";

const NEAR_PX = 26;
const STILL_PX = 4;

export interface Draggable {
    /** Where it is, in the scene's axes. */
    at(): Vector3;
    /** The plane it stays in; that of the screen with null. */
    plane(): Plane | null;
    moveTo(place: Vector3): void;
}

export function dragTarget(view: View, target: Draggable): void {
    const { canvas, cameras } = view;
    let isDragged = false;
    let down: [number, number] | null = null;
    const place = (event: PointerEvent): Vector3 | null => {
        const box = canvas.getBoundingClientRect();
        const point = new Vector2(
            (2 * (event.clientX - box.left)) / box.width - 1,
            1 - (2 * (event.clientY - box.top)) / box.height,
        );
        const ray = new Raycaster();
        ray.setFromCamera(point, cameras.current);
        const facing = cameras.current.getWorldDirection(new Vector3());
        const plane = target.plane() ?? new Plane().setFromNormalAndCoplanarPoint(facing, target.at());
        return ray.ray.intersectPlane(plane, new Vector3());
    };
    const move = (event: PointerEvent) => {
        const there = place(event);
        if (there) {
            target.moveTo(there);
        }
    };
    const isNear = (event: PointerEvent) => {
        const box = canvas.getBoundingClientRect();
        const shown = target.at().project(cameras.current);
        return (
            Math.hypot(
                event.clientX - box.left - (0.5 + 0.5 * shown.x) * box.width,
                event.clientY - box.top - (0.5 - 0.5 * shown.y) * box.height,
            ) < NEAR_PX
        );
    };
    canvas.addEventListener(
        "pointerdown",
        (event) => {
            down = [event.clientX, event.clientY];
            if (app.side.value === "kine" && event.button === 0 && isNear(event)) {
                isDragged = true;
                cameras.controls.enabled = false;
                canvas.setPointerCapture(event.pointerId);
            }
        },
        { capture: true },
    );
    canvas.addEventListener("pointermove", (event) => isDragged && move(event));
    canvas.addEventListener("pointerup", (event) => {
        const isClick = down !== null && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < STILL_PX;
        if (isDragged || (isClick && event.button === 0 && app.side.value === "kine")) {
            move(event);
        }
        isDragged = false;
        down = null;
        cameras.controls.enabled = true;
    });
}
