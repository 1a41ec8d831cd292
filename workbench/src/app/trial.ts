// A recording that is open: what was read, what was fitted, and what the user asked for.

import { readyClient } from "../engine/client.ts";
import type { PerformanceData, RecordingData } from "../engine/data.ts";
import { Association } from "../table/association.ts";
import { initialOptions, type TrialOptions } from "./options.ts";

export type TrialState = "reading" | "read" | "fitting" | "fitted" | "failed";

let nextId = 1;

export class Trial {
    readonly id = nextId++;
    readonly name: string;
    readonly source: Blob;
    /** The ASF skeleton of an AMC motion. */
    readonly skeleton: Blob | null;
    readonly client = readyClient();
    state: TrialState = "reading";
    /** What went wrong, in the engine's words. */
    error: string | null = null;
    /** How much of a long recording is solved, 0 to 1. */
    solved: number | null = null;
    isShown = true;
    colour = 0;
    /** How much later than the others it starts, in seconds. */
    offset_s = 0;
    recording: RecordingData | null = null;
    performance: PerformanceData | null = null;
    options: TrialOptions = initialOptions();
    association = new Association();
    /** Whether the worker holds the recording. */
    isInWorker = false;
    /** Whether options that say how to read were changed. */
    mustRead = false;
    /** How long reading and fitting took. */
    took_ms: { read?: number; fit?: number } = {};

    constructor(name: string, source: Blob, skeleton: Blob | null = null) {
        this.name = name;
        this.source = source;
        this.skeleton = skeleton;
    }

    get rateHz(): number {
        return this.recording?.rateHz || 1;
    }

    get frames(): number {
        return this.recording?.frames ?? 0;
    }

    get duration_s(): number {
        return Math.max(0, this.frames - 1) / this.rateHz;
    }

    /** The frame shown at a time of the timeline, counted from 0. */
    frameAt(time_s: number): number {
        const frame = Math.round((time_s - this.offset_s) * this.rateHz);
        return Math.min(Math.max(frame, 0), Math.max(this.frames - 1, 0));
    }

    timeOf(frame: number): number {
        return frame / this.rateHz + this.offset_s;
    }

    /** Positions of a marker as they are to be drawn: repaired where that was done. */
    positions(marker: number): Float32Array {
        const recorded = this.recording!.markers[marker]!;
        const solved = this.solvedMarker(marker);
        return solved?.position_m ?? recorded.position_m;
    }

    solvedMarker(marker: number) {
        const label = this.recording?.markers[marker]?.label;
        return this.#solved.get(label ?? "");
    }

    #solved = new Map<string, PerformanceData["markers"][number]>();

    take(performance: PerformanceData | null): void {
        this.performance = performance;
        this.#solved = new Map(performance?.markers.map((marker) => [marker.label, marker]) ?? []);
    }
}
