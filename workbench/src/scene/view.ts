// The scene: figures of all recordings that are shown, drawn when something changed.

import { type Object3D, Vector3, WebGLRenderer } from "three";
import { app, duration_s, seek, span_s } from "../app/app.ts";
import type { Trial } from "../app/trial.ts";
import { complain } from "../app/trials.ts";
import { Cameras, type ViewName } from "./cameras.ts";
import { PAPERS } from "./colours.ts";
import { Figure, isOverlaid } from "./figure.ts";
import { forwardOf } from "./forward.ts";
import { pickOnClick } from "./pick.ts";
import { Stage } from "./stage.ts";

export class View {
    readonly canvas = document.createElement("canvas");
    readonly cameras: Cameras;
    readonly stage = new Stage(PAPERS[app.theme.value]);
    readonly renderer: WebGLRenderer | null;
    #figures = new Map<Trial, Figure>();
    #isDirty = true;
    #isUndressed = true;
    #last_ms = 0;
    #carried: Vector3 | null = null;
    /** Called before each drawing. */
    readonly before = new Set<() => void>();
    /** How long the script of the last frames took. */
    readonly script_ms: number[] = [];
    /** How many frames were drawn. */
    drawn = 0;

    constructor() {
        this.canvas.tabIndex = 0;
        this.canvas.setAttribute("role", "img");
        this.canvas.setAttribute("aria-label", "The recording in three dimensions. Numbers 1 to 6 choose a view.");
        this.cameras = new Cameras(this.canvas);
        this.cameras.onChange = () => this.redraw();
        this.renderer = this.#makeRenderer();
        pickOnClick(this.canvas, this.cameras, () => this.active);
        app.trials.on(() => this.#refresh());
        app.active.on(() => this.#refresh());
        for (const signal of [app.layers, app.joint, app.marker, app.theme, app.side, app.trail_s]) {
            signal.on(() => this.undress());
        }
        app.theme.on(() => this.#repaint());
        app.time_s.on(() => this.redraw());
        app.isFollowing.on(() => ((this.#carried = null), this.redraw()));
        app.isOrthographic.on((isIt) => {
            this.cameras.isOrthographic = isIt;
            this.redraw();
        });
        new ResizeObserver(() => this.#resize()).observe(this.canvas);
        requestAnimationFrame((now) => this.#loop(now));
    }

    #makeRenderer(): WebGLRenderer | null {
        try {
            return new WebGLRenderer({
                canvas: this.canvas,
                antialias: true,
                stencil: true,
                preserveDrawingBuffer: true,
            });
        } catch {
            complain("this browser shows no WebGL: the scene stays empty; graphs and tables work");
            return null;
        }
    }

    /** The figure of the active recording. */
    get active(): Figure | null {
        const trial = app.active.value;
        return (trial && this.#figures.get(trial)) ?? null;
    }

    get figures(): readonly Figure[] {
        return [...this.#figures.values()];
    }

    redraw(): void {
        this.#isDirty = true;
    }

    /** Dresses all figures anew, and draws. */
    undress(): void {
        this.#isUndressed = true;
        this.#isDirty = true;
    }

    add(object: Object3D): void {
        this.stage.scene.add(object);
        this.redraw();
    }

    /** Builds figures for what is new, drops what is gone. */
    #refresh(): void {
        const shown = app.trials.value.filter(({ recording }) => recording);
        for (const [trial, figure] of this.#figures) {
            const isStale =
                figure.recording !== trial.recording ||
                figure.performance !== trial.performance ||
                figure.isTinted !== isOverlaid();
            if (!shown.includes(trial) || isStale) {
                figure.dispose();
                this.#figures.delete(trial);
            }
        }
        for (const trial of shown) {
            if (!this.#figures.has(trial)) {
                const figure = new Figure(trial);
                this.#figures.set(trial, figure);
                this.stage.scene.add(figure.group);
                this.#isNew = true;
            }
            this.#figures.get(trial)!.group.visible = trial.isShown && app.side.value !== "kine";
        }
        // The first of what is open decides from where all is seen; who opens more keeps the view.
        this.#looked = new Set([...this.#looked].filter((trial) => app.trials.value.includes(trial)));
        const active = app.active.value;
        if (active && this.active && this.#looked.size === 0) {
            this.#repaint();
            this.lookAtAll();
        }
        if (active) {
            this.#looked.add(active);
        }
        this.undress();
    }

    #looked = new Set<Trial>();

    #repaint(): void {
        this.stage.repaint(PAPERS[app.theme.value], this.active?.extent.size_m ?? 1.8);
        this.undress();
    }

    /** Looks at the whole recording, or at the figure where it goes far; then it is followed. */
    lookAtAll(): void {
        const figure = this.active;
        if (figure) {
            app.isFollowing.value = figure.route.longest_m > 1.2 * figure.extent.size_m;
            this.look("oblique");
        }
    }

    /** Looks from a standard view. */
    look(view: ViewName): void {
        const figure = this.active;
        if (!figure) {
            this.cameras.look(view, new Vector3(0, 0.9, 0), 1.2, new Vector3(1, 0, 0));
            return;
        }
        const { low_m, high_m, size_m } = figure.extent;
        const frame = figure.trial.frameAt(app.time_s.value);
        const middle = low_m.map((low, axis) => 0.5 * (low + high_m[axis]!)) as [number, number, number];
        const at = figure.toScene(app.isFollowing.value ? figure.route.at(frame) : middle);
        at.y = figure.toScene(middle).y;
        const span = Math.hypot(...low_m.map((low, axis) => high_m[axis]! - low));
        const radius = app.isFollowing.value ? 0.62 * size_m : Math.max(0.55 * span, 0.5 * size_m);
        const forward = forwardOf(figure, frame);
        this.cameras.look(view, at, radius, forward);
        this.#carried = null;
        this.redraw();
    }

    /** As it was last measured: to measure it in every frame would lay out the page in every frame. */
    #height_px = 0;

    #resize(): void {
        const { clientWidth, clientHeight } = this.canvas;
        this.#height_px = clientHeight;
        if (clientWidth > 0 && clientHeight > 0) {
            this.renderer?.setPixelRatio(Math.min(devicePixelRatio, 2));
            this.renderer?.setSize(clientWidth, clientHeight, false);
            this.cameras.resize(clientWidth, clientHeight);
            this.redraw();
        }
    }

    #loop(now_ms: number): void {
        requestAnimationFrame((next) => this.#loop(next));
        const passed_s = Math.min(now_ms - this.#last_ms, 250) * 1e-3;
        this.#last_ms = now_ms;
        const since = performance.now();
        if (app.playing.value) {
            this.#advance(passed_s);
        }
        if (this.#isDirty && this.#height_px > 0) {
            this.draw();
            this.drawn += 1;
            this.script_ms.push(performance.now() - since);
            if (this.script_ms.length > 600) {
                this.script_ms.shift();
            }
        }
    }

    #advance(passed_s: number): void {
        const [from, to] = span_s();
        const next = app.time_s.value + passed_s * app.speed.value;
        if (next <= to) {
            seek(Math.max(next, from));
        } else if (app.loop.value && to > from) {
            seek(from + ((next - from) % (to - from)));
        } else {
            seek(to);
            app.playing.value = false;
        }
        if (duration_s() === 0) {
            app.playing.value = false;
        }
    }

    /** The present frame as a picture of this size; as on the screen with none. */
    picture(width = this.canvas.width, height = this.canvas.height): Promise<Blob> {
        const { renderer } = this;
        if (!renderer) {
            return Promise.reject(new Error("picture: this browser shows no WebGL"));
        }
        renderer.setPixelRatio(1);
        renderer.setSize(width, height, false);
        this.cameras.resize(width, height);
        this.draw();
        const made = new Promise<Blob>((resolve, reject) => {
            this.canvas.toBlob(
                (blob) => (blob ? resolve(blob) : reject(new Error("picture: the browser made none"))),
                "image/png",
            );
        });
        this.#resize();
        this.draw();
        return made;
    }

    /** Draws the present frame. */
    draw(): void {
        this.#isDirty = false;
        this.before.forEach((call) => call());
        const layers = app.layers.value;
        const isUndressed = this.#isUndressed;
        this.#isUndressed = false;
        const perPixel = this.cameras.unitsPerPixel(this.#height_px);
        for (const [trial, figure] of this.#figures) {
            figure.group.visible = trial.isShown && app.side.value !== "kine";
            if (isUndressed) {
                figure.dress(layers, this.stage.paper);
            }
            if (figure.group.visible) {
                figure.update(trial.frameAt(app.time_s.value), layers, perPixel);
            }
        }
        this.stage.floor.visible = layers.floor;
        this.#follow();
        const { target } = this.cameras.controls;
        this.stage.centre(target.x, target.z);
        this.renderer?.render(this.stage.scene, this.cameras.current);
        if (this.#isNew) {
            this.#isNew = false;
            performance.mark("condyle: seen");
        }
    }

    #isNew = false;

    #follow(): void {
        const figure = this.active;
        if (!figure || !app.isFollowing.value || app.side.value === "kine") {
            this.#carried = null;
            return;
        }
        const at = figure.toScene(figure.route.at(figure.trial.frameAt(app.time_s.value)));
        // Along the floor only: who jumps is seen to jump.
        at.y = 0;
        if (this.#carried) {
            const by = at.clone().sub(this.#carried);
            if (by.lengthSq() > 0) {
                const change = this.cameras.onChange;
                this.cameras.onChange = () => undefined;
                this.cameras.carry(by);
                this.cameras.onChange = change;
            }
        }
        this.#carried = at;
    }
}
