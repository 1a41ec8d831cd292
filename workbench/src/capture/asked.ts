// A capture that `condyle view --capture` asks for: made once the skeleton is there, and sent back.

import { app, seek } from "../app/app.ts";
import type { ViewName } from "../scene/cameras.ts";
import type { View } from "../scene/view.ts";
import { recordWebm } from "./movie.ts";

export interface Asked {
    kind: "png" | "webm";
    view: "front" | "side" | "oblique" | "top";
    /** From 0, the second not included. */
    frames: [number, number] | null;
    to: string;
}

export async function captureAsked(view: View, { kind, view: from, frames, to }: Asked): Promise<void> {
    const made = await make(view, kind, from === "side" ? "left" : from, frames).catch((error: unknown) => {
        return error instanceof Error ? error.message : String(error);
    });
    const type = typeof made === "string" ? "text/plain" : made.type;
    await fetch(to, { method: "PUT", body: made, headers: { "content-type": type } });
}

async function make(view: View, kind: Asked["kind"], from: ViewName, frames: Asked["frames"]): Promise<Blob> {
    const trial = app.active.value;
    if (!trial?.recording) {
        throw new Error("capture: no recording could be read");
    }
    if (frames) {
        app.window_s.value = [trial.timeOf(frames[0]), trial.timeOf(Math.max(frames[0], frames[1] - 1))];
        seek(trial.timeOf(frames[0]));
    }
    view.look(from);
    return kind === "png" ? view.picture() : recordWebm(view);
}
