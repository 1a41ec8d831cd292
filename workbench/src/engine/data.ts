// What the page holds of a recording: plain data and typed arrays that the worker handed over.
// Positions are metres in the recording's own axes, x y z frame after frame; missing ones are NaN.

import type * as engine from "@condyle/engine";

export type { Bone, Check, Gap, Note, Reach, ReachOptions, Taylor, TrialEvent } from "@condyle/engine";

/** Facts of the engine without its rows of numbers. */
type Facts<T> = { [K in keyof T as T[K] extends (...args: never[]) => unknown ? never : K]: T[K] };

export interface RecordedMarker extends Facts<engine.Marker> {
    position_m: Float32Array;
}

export interface Channel extends Facts<engine.Channel> {
    values: Float32Array;
}

export interface Plate extends Facts<engine.Plate> {
    force_N: Float32Array;
    centre_m: Float32Array;
}

export interface Body extends Facts<engine.Body> {
    pose: Float32Array;
}

/** A skeleton that the file itself holds. */
export interface FileSkeleton {
    joints: { name: string; parent: number | null }[];
    /** Of each joint. */
    positions_m: Float32Array[];
}

export interface RecordingData extends Pick<
    engine.Recording,
    | "name"
    | "format"
    | "variant"
    | "frames"
    | "firstFrame"
    | "rateHz"
    | "startS"
    | "units"
    | "up"
    | "upLikely"
    | "forward"
    | "events"
    | "subjects"
    | "notes"
> {
    markers: RecordedMarker[];
    channels: Channel[];
    plates: Plate[];
    bodies: Body[];
    skeleton: FileSkeleton | null;
}

/** Where a sample came from. */
export const MISSING = 0;
export const MEASURED = 1;
export const FILLED = 2;
export const PREDICTED = 3;

export interface SolvedMarker extends Facts<engine.SolvedMarker> {
    /** Null where it is as recorded. */
    position_m: Float32Array | null;
    origin: Uint8Array;
}

export interface Joint extends Facts<engine.Joint> {
    position_m: Float32Array;
    placed: Uint8Array;
    bone_m_in_frames: Float32Array;
}

export interface Segment extends Facts<engine.Segment> {
    /** qw qx qy qz x y z, frame after frame. */
    pose: Float32Array;
}

export interface Angle extends Facts<engine.Angle> {
    values: Float32Array;
}

export interface PerformerData extends Pick<
    engine.Performer,
    "name" | "bones" | "trunk" | "checks" | "notes" | "residual_m"
> {
    joints: Joint[];
    segments: Segment[];
    angles: Angle[];
    /** The points of the figure: first its joints, then where limbs end. */
    points_m: Float32Array[];
    residual_m_in_frames: Float32Array;
    subjectJson: string;
}

export interface PerformanceData extends Pick<
    engine.Performance,
    "kind" | "frames" | "firstFrame" | "rateHz" | "up" | "notes" | "gaps"
> {
    performers: PerformerData[];
    markers: SolvedMarker[];
    repairs: engine.Note[];
}

export type Aim = (number[] | null)[];

/** What is asked of a worker, and what it answers. */
export interface Calls {
    open: { ask: { bytes: ArrayBuffer; name: string; options: object }; answer: RecordingData };
    /** Null where it came in stretches. */
    run: { ask: { options: object }; answer: PerformanceData | null };
    plan: { ask: { options: object }; answer: engine.Plan };
    export: { ask: { format: string; performer: number; names: Record<string, string> }; answer: Uint8Array };
    reachers: { ask: { model: engine.Model; count: number }; answer: Linkage };
    reach: {
        ask: { which: number; targets: Aim; options: engine.ReachOptions };
        answer: engine.Reach & { time_ms: number };
    };
    rest: { ask: { which: number }; answer: Float64Array };
    taylor: {
        ask: { values: Float64Array; rateHz: number; from: number; to: number; order: number };
        answer: engine.Taylor;
    };
    memory: { ask: null; answer: { version: string; bytes: number } };
}

export interface Linkage {
    names: string[];
    parents: (number | null)[];
    effectors: number[];
    rest_m: [number, number, number][];
    hasLimits: boolean;
}

export type Call = keyof Calls;
