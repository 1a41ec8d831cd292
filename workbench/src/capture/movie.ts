// Movies: one run through the stretch that is played, as WebM or as pictures at an interval.

import { app, seek, span_s } from "../app/app.ts";
import type { View } from "../scene/view.ts";
import { type Frame, webm } from "./webm.ts";
import { zip } from "./zip.ts";

const PER_SECOND = 30;
const KEY_EVERY = 30;
const BITS_PER_SECOND = 8e6;

/** What the browser can encode pictures with. */
async function encoding(width: number, height: number) {
    if (typeof VideoEncoder === "undefined") {
        return null;
    }
    for (const [codec, name] of [
        ["vp09.00.40.08", "V_VP9"],
        ["vp8", "V_VP8"],
    ] as const) {
        const config = { codec, width, height, bitrate: BITS_PER_SECOND, framerate: PER_SECOND };
        const { supported } = await VideoEncoder.isConfigSupported(config).catch(() => ({ supported: false }));
        if (supported) {
            return { config, name };
        }
    }
    return null;
}

/** The stretch that is played, picture by picture: no slower machine makes a shorter movie. */
export async function recordWebm(view: View): Promise<Blob> {
    // Encoders take even sizes only.
    const [width, height] = [view.canvas.width & ~1, view.canvas.height & ~1];
    const how = await encoding(width, height);
    if (!how) {
        throw new Error("movie: this browser encodes no WebM: capture pictures instead");
    }
    const frames: Frame[] = [];
    let problem: Error | null = null;
    const encoder = new VideoEncoder({
        output: (chunk) => {
            const bytes = new Uint8Array(chunk.byteLength);
            chunk.copyTo(bytes);
            frames.push({ time_ms: chunk.timestamp / 1e3, isKey: chunk.type === "key", bytes });
        },
        error: (error) => (problem = error),
    });
    encoder.configure(how.config);
    app.playing.value = false;
    const before = app.time_s.value;
    for (const [at, time_s] of pictureTimes(span_s(), app.speed.value / PER_SECOND).entries()) {
        seek(time_s);
        view.draw();
        const picture = new VideoFrame(view.canvas, {
            timestamp: Math.round((at * 1e6) / PER_SECOND),
            visibleRect: { x: 0, y: 0, width, height },
        });
        encoder.encode(picture, { keyFrame: at % KEY_EVERY === 0 });
        picture.close();
        while (encoder.encodeQueueSize > 4 && !problem) {
            await new Promise((later) => setTimeout(later));
        }
    }
    await encoder.flush();
    encoder.close();
    seek(before);
    if (problem) {
        throw problem;
    }
    return webm(frames, how.name, width, height);
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
        files.push({
            name: `${stem}-${String(files.length + 1).padStart(4, "0")}.png`,
            bytes: new Uint8Array(await picture.arrayBuffer()),
        });
    }
    seek(before);
    return { blob: zip(files), count: files.length };
}
