// Movies: one run through the stretch that is played, as WebM or as pictures at an interval.

import { app, seek, span_s } from "../app/app.ts";
import type { View } from "../scene/view.ts";
import { zip } from "./zip.ts";

const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];
const PER_SECOND = 30;

/** Plays the stretch once and records it. */
export async function recordWebm(view: View): Promise<Blob> {
    const type = typeof MediaRecorder === "undefined" ? undefined : KINDS.find((kind) => MediaRecorder.isTypeSupported(kind));
    if (!type) {
        throw new Error("movie: this browser writes no WebM: capture frames instead");
    }
    const wasLooping = app.loop.value;
    const [from] = span_s();
    app.loop.value = false;
    app.playing.value = false;
    seek(from);
    view.draw();
    const recorder = new MediaRecorder(view.canvas.captureStream(PER_SECOND), { mimeType: type, videoBitsPerSecond: 6e6 });
    const parts: Blob[] = [];
    recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
    const done = new Promise<void>((resolve) => recorder.addEventListener("stop", () => resolve()));
    recorder.start();
    app.playing.value = true;
    await new Promise<void>((resolve) => {
        const stop = app.playing.on((isPlaying) => {
            if (!isPlaying) {
                stop();
                resolve();
            }
        });
    });
    recorder.stop();
    await done;
    app.loop.value = wasLooping;
    return new Blob(parts, { type: "video/webm" });
}

/** The times of pictures at an interval: of a stretch of T seconds as many as begin in it, ceil(T / every). */
export function pictureTimes([from, to]: readonly [number, number], every_s: number): number[] {
    // Rounding must not add one that would begin at the end.
    const count = Math.max(1, Math.ceil((to - from) / every_s - 1e-9));
    return Array.from({ length: count }, (_, at) => from + at * every_s);
}

/** A picture at every interval, in one ZIP. */
export async function recordFrames(view: View, every_s: number, stem: string): Promise<{ blob: Blob; count: number }> {
    app.playing.value = false;
    const before = app.time_s.value;
    const files: { name: string; bytes: Uint8Array }[] = [];
    for (const time_s of pictureTimes(span_s(), every_s)) {
        seek(time_s);
        const picture = await view.picture();
        files.push({ name: `${stem}-${String(files.length + 1).padStart(4, "0")}.png`, bytes: new Uint8Array(await picture.arrayBuffer()) });
    }
    seek(before);
    return { blob: zip(files), count: files.length };
}
