// Opening, reading again, fitting and closing recordings.

import { Growing, type Stretch } from "../engine/stretches.ts";
import { app, seek } from "./app.ts";
import { fitOptions, readOptions } from "./options.ts";
import { Trial } from "./trial.ts";

/** Told to the user, who may be looking elsewhere. */
export const said = new EventTarget();

function say(text: string, isError: boolean): void {
    said.dispatchEvent(new CustomEvent("say", { detail: { text, isError } }));
}

export const tell = (text: string): void => say(text, false);
export const complain = (text: string): void => say(text, true);

/** Opens a file: markers first, skeleton after. */
export async function open(file: File, skeleton: Blob | null = null): Promise<void> {
    performance.mark("condyle: dropped");
    const trial = new Trial(file.name, file, skeleton);
    const replaced = app.replace.value ? app.active.value : null;
    const taken = new Set(app.trials.value.filter((other) => other !== replaced).map(({ colour }) => colour));
    while (taken.has(trial.colour)) {
        trial.colour += 1;
    }
    app.trials.value = [...app.trials.value, trial];
    if (replaced) {
        close(replaced);
    }
    if (await read(trial)) {
        choose(trial);
        await fit(trial);
    } else if (trial.recording === null) {
        // What cannot be read is said, and gone.
        close(trial);
    }
}

/** Reads the file as the trial's options say. */
async function read(trial: Trial): Promise<boolean> {
    trial.state = "reading";
    trial.error = null;
    app.trials.touch();
    try {
        const bytes = await trial.source.arrayBuffer();
        const since = performance.now();
        const skeleton = trial.skeleton && new Uint8Array(await trial.skeleton.arrayBuffer());
        const options = { ...readOptions(trial.options), ...(skeleton && { skeleton }) };
        const ask = { bytes, name: trial.name, options };
        trial.recording = await trial.client.ask("open", ask, [bytes]);
        trial.take(null);
        trial.isInWorker = true;
        trial.took_ms.read = performance.now() - since;
        trial.state = "read";
        return true;
    } catch (error) {
        fail(trial, error);
        return false;
    } finally {
        app.trials.touch();
    }
}

/** Fits a skeleton and solves its motion as the trial's options say. */
async function fit(trial: Trial): Promise<void> {
    if (trial.recording?.skeleton) {
        // It moves already: there is nothing to fit.
        return;
    }
    trial.state = "fitting";
    trial.error = null;
    app.trials.touch();
    try {
        const since = performance.now();
        let growing: Growing | null = null;
        const add = (stretch: Stretch) => {
            growing ??= new Growing(trial.recording!, stretch);
            const isNew = growing.add(stretch);
            trial.solved = stretch.to / trial.frames;
            if (isNew) {
                // Somebody new is built anew, everything else grows where it is.
                trial.take({ ...growing.whole });
                app.active.touch();
            }
            app.trials.touch();
        };
        const fitted = await trial.client.ask("run", { options: fitOptions(trial.options) }, [], add);
        const whole = fitted ?? trial.performance;
        trial.took_ms.fit = performance.now() - since;
        if (whole) {
            // What came in stretches is built anew, now that all of it is there.
            trial.take({ ...whole });
            trial.association.propose(whole);
        }
        trial.solved = null;
        trial.state = "fitted";
    } catch (error) {
        trial.isInWorker = false;
        fail(trial, error);
    }
    app.trials.touch();
    if (app.active.value === trial) {
        app.active.touch();
    }
}

function fail(trial: Trial, error: unknown): void {
    if (!app.trials.value.includes(trial)) {
        return;
    }
    trial.state = "failed";
    trial.error = error instanceof Error ? error.message : String(error);
    complain(trial.error.startsWith(trial.name) ? trial.error : `${trial.name}: ${trial.error}`);
}

/** Reads and fits again, after options changed; reading only where that is needed. */
export async function again(trial: Trial, { mustRead = false } = {}): Promise<void> {
    if (trial.state === "fitting" || trial.state === "reading") {
        return;
    }
    if (mustRead || !trial.isInWorker) {
        if (!(await read(trial))) {
            return;
        }
        if (app.active.value === trial) {
            app.active.touch();
        }
    }
    await fit(trial);
}

/** Makes a recording the active one. */
export function choose(trial: Trial): void {
    if (app.active.value === trial) {
        app.active.touch();
        return;
    }
    app.joint.value = null;
    app.marker.value = null;
    app.window_s.value = null;
    app.active.value = trial;
    seek(app.time_s.value);
}

/** Closes a recording; its memory is given back. */
export function close(trial: Trial): void {
    app.trials.value = app.trials.value.filter((other) => other !== trial);
    void trial.client.close();
    trial.recording = null;
    trial.take(null);
    if (app.active.value === trial) {
        app.active.value = null;
        const next = app.trials.value.at(-1);
        if (next?.recording) {
            choose(next);
        } else {
            app.playing.value = false;
            app.time_s.value = 0;
        }
    }
}
