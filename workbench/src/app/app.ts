// The state of the page, in one place. Whoever shows something watches its signal.

import { initialLayers, type Layers } from "./layers.ts";
import { Signal } from "./signal.ts";
import type { Trial } from "./trial.ts";

export type Side = "scene" | "joints" | "graphs" | "markers" | "options" | "kine";

export interface JointChoice {
    performer: number;
    joint: number;
}

export const app = {
    trials: new Signal<Trial[]>([]),
    active: new Signal<Trial | null>(null),
    /** Whether a figure that is added takes the place of the active one. */
    replace: new Signal(false),

    /** Seconds on the timeline, from the first frame. */
    time_s: new Signal(0),
    playing: new Signal(false),
    loop: new Signal(true),
    speed: new Signal(1),
    /** The stretch that is played and fitted; the whole with null. */
    window_s: new Signal<[number, number] | null>(null),

    layers: new Signal<Layers>(initialLayers()),
    trail_s: new Signal(0.5),
    isFollowing: new Signal(false),
    isOrthographic: new Signal(false),
    theme: new Signal<"dark" | "light">("dark"),

    side: new Signal<Side>("scene"),
    joint: new Signal<JointChoice | null>(null),
    /** The chosen marker of the active trial. */
    marker: new Signal<number | null>(null),
};

/** How long the timeline is: the longest of the recordings that are shown. */
export function duration_s(): number {
    const ends = app.trials.value.filter(({ isShown }) => isShown).map((trial) => trial.duration_s + trial.offset_s);
    return Math.max(0, ...ends);
}

/** Goes to a time, within the timeline. */
export function seek(time_s: number): void {
    app.time_s.value = Math.min(Math.max(time_s, 0), duration_s());
}

/** Goes so many frames of the active recording on. */
export function step(frames: number): void {
    const trial = app.active.value;
    if (trial) {
        app.playing.value = false;
        seek(trial.timeOf(trial.frameAt(app.time_s.value) + frames));
    }
}

/** The stretch that is played. */
export function span_s(): [number, number] {
    return app.window_s.value ?? [0, duration_s()];
}

/** The chosen joint, with whose it is. */
export function chosenJoint() {
    const trial = app.active.value;
    const choice = app.joint.value;
    const performer = trial?.performance?.performers[choice?.performer ?? -1];
    const joint = performer?.joints[choice?.joint ?? -1];
    return trial && performer && joint ? { trial, performer, joint } : null;
}
