// From where the scene is seen: orbit, pan, zoom, standard views, perspective and orthographic.

import { MOUSE, OrthographicCamera, PerspectiveCamera, TOUCH, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

export const VIEWS = ["oblique", "front", "back", "left", "right", "top"] as const;
export type ViewName = (typeof VIEWS)[number];

const FIELD_DEG = 32;

export class Cameras {
    readonly perspective = new PerspectiveCamera(FIELD_DEG, 1, 0.01, 1000);
    readonly orthographic = new OrthographicCamera(-1, 1, 1, -1, -100, 1000);
    readonly controls: OrbitControls;
    #isOrthographic = false;
    #aspect = 1;
    onChange: () => void = () => undefined;

    constructor(canvas: HTMLElement) {
        this.controls = new OrbitControls(this.perspective, canvas);
        this.controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
        this.controls.touches = { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN };
        this.controls.zoomToCursor = true;
        this.controls.rotateSpeed = 0.8;
        this.controls.addEventListener("change", () => this.onChange());
        // As in the document: Alt-drag zooms; Ctrl-, Command- and Shift-drag pan.
        const alt = (event: PointerEvent) => {
            this.controls.mouseButtons.LEFT = event.altKey ? MOUSE.DOLLY : MOUSE.ROTATE;
        };
        canvas.addEventListener("pointerdown", alt, { capture: true });
    }

    get current(): PerspectiveCamera | OrthographicCamera {
        return this.#isOrthographic ? this.orthographic : this.perspective;
    }

    resize(width: number, height: number): void {
        this.#aspect = width / Math.max(height, 1);
        this.perspective.aspect = this.#aspect;
        this.perspective.updateProjectionMatrix();
        this.#frameOrthographic();
    }

    get #distance(): number {
        return this.perspective.position.distanceTo(this.controls.target);
    }

    #frameOrthographic(): void {
        const half = this.#distance * Math.tan((FIELD_DEG / 360) * Math.PI);
        Object.assign(this.orthographic, {
            left: -half * this.#aspect,
            right: half * this.#aspect,
            top: half,
            bottom: -half,
        });
        this.orthographic.updateProjectionMatrix();
    }

    set isOrthographic(isIt: boolean) {
        if (isIt === this.#isOrthographic) {
            return;
        }
        const [old, next] = isIt ? [this.perspective, this.orthographic] : [this.orthographic, this.perspective];
        next.position.copy(old.position);
        next.quaternion.copy(old.quaternion);
        if (isIt) {
            this.orthographic.zoom = 1;
            this.#frameOrthographic();
        } else {
            const away = this.perspective.position.sub(this.controls.target);
            this.perspective.position.copy(this.controls.target).addScaledVector(away, 1 / this.orthographic.zoom);
        }
        this.#isOrthographic = isIt;
        this.controls.object = next;
        this.controls.update();
    }

    /** How much of the scene a pixel is, for what keeps its size on the screen at distance 1. */
    unitsPerPixel(height_px: number): number {
        if (this.#isOrthographic) {
            return (this.orthographic.top - this.orthographic.bottom) / this.orthographic.zoom / height_px;
        }
        return (2 * Math.tan((FIELD_DEG / 360) * Math.PI)) / height_px;
    }

    /** Moves along with what is followed. */
    carry(by: Vector3): void {
        this.controls.target.add(by);
        this.perspective.position.add(by);
        this.orthographic.position.add(by);
        this.controls.update();
    }

    /** Looks at a ball from a standard view, for someone who faces `forward` (in the plane of the floor). */
    look(view: ViewName, centre: Vector3, radius: number, forward: Vector3): void {
        const up = new Vector3(0, 1, 0);
        const left = new Vector3().crossVectors(up, forward).normalize();
        const direction = {
            oblique: forward.clone().addScaledVector(left, 0.75).addScaledVector(up, 0.42),
            front: forward.clone(),
            back: forward.clone().negate(),
            left: left.clone(),
            right: left.clone().negate(),
            top: up.clone().addScaledVector(forward, -1e-3),
        }[view].normalize();
        const fit = radius / Math.sin((FIELD_DEG / 360) * Math.PI);
        const distance = this.#aspect < 1 ? fit / this.#aspect : fit;
        this.controls.target.copy(centre);
        for (const camera of [this.perspective, this.orthographic]) {
            camera.position.copy(centre).addScaledVector(direction, distance);
            camera.lookAt(centre);
        }
        this.perspective.near = distance / 200;
        this.perspective.far = distance * 60;
        this.perspective.updateProjectionMatrix();
        this.orthographic.zoom = 1;
        this.orthographic.near = -distance * 20;
        this.orthographic.far = distance * 60;
        this.#frameOrthographic();
        this.controls.update();
        this.onChange();
    }

    /** Turns and zooms by the keyboard. */
    nudge(right_rad: number, up_rad: number, zoom: number): void {
        const camera = this.current;
        const away = camera.position.clone().sub(this.controls.target);
        const distance = away.length();
        const polar = Math.min(Math.max(Math.acos(away.y / distance) - up_rad, 0.01), Math.PI - 0.01);
        const turn = Math.atan2(away.x, away.z) + right_rad;
        away.setFromSphericalCoords(distance / (this.#isOrthographic ? 1 : zoom), polar, turn);
        camera.position.copy(this.controls.target).add(away);
        if (this.#isOrthographic) {
            this.orthographic.zoom *= zoom;
            this.orthographic.updateProjectionMatrix();
        }
        this.controls.update();
        this.onChange();
    }
}
