// What condyle.mjs offers. Lengths are metres, in the recording's own right-handed axes; frames are counted from 0.
// Every array of numbers is a copy of its own: keep it, or transfer it to another thread. A place that is missing is NaN.

/** Something odd that was read, repaired or left out: docs/notes.md lists all codes. */
export interface Note {
    code: string;
    text: string;
    /** The marker, body, segment or joint that it is about. */
    about?: string;
    /** The first frame that it is about. */
    frame?: number;
}

export type Axis = "x" | "y" | "z" | "-x" | "-y" | "-z";
export type Side = "left" | "right" | null;

/** What a point is: a marker, one without a name, one that was computed, or no place at all. */
export type PointKind =
    "marker" | "unlabelled" | "virtual" | "reference" | "angle" | "force" | "moment" | "power" | "scalar";

export interface Marker {
    label: string;
    kind: PointKind;
    /** The share of its samples that are missing. */
    missing: number;
    /** The first frame of every gap, and the first after it. */
    gaps: [number, number][];
    /** x, y, z in every frame. */
    position_m(): Float64Array;
    /** Of every frame an index into `originWords`. */
    origin(): Uint8Array;
}

/** Where a sample comes from, by the byte that `origin()` has. */
export declare const originWords: readonly ["missing", "measured", "filled", "predicted"];
/** How a joint was placed, by the byte that `placed()` has: from the most certain to the least. */
export declare const placedWords: readonly ["missing", "by markers", "with joints", "twist open"];

/** A sensor or a rigid body with a pose of its own. */
export interface Body {
    name: string;
    missing: number;
    hasPositions: boolean;
    /** qw, qx, qy, qz, x, y, z in every frame. */
    pose(): Float64Array;
}

/** A skeleton that the file itself holds, as BVH does. */
export interface FileSkeleton {
    joints: { name: string; parent: number | null }[];
    /** For every frame x, y, z of every joint. */
    positions_m(): Float64Array;
}

export interface Channel {
    label: string;
    unit: string;
    rateHz: number;
    samples: number;
    values(): Float64Array;
}

export interface TrialEvent {
    label: string;
    context: string;
    subject: string;
    /** On the recording's clock: its first frame is at `startS`. */
    timeS: number;
}

/** A force plate, sampled where frames begin. */
export interface Plate {
    number: number;
    corners_m: [number, number, number][];
    /** The force upwards above which somebody is on it. */
    threshold_N: number;
    force_N(): Float64Array;
    /** Where the force acts; NaN while nobody is on it. */
    centre_m(): Float64Array;
}

/** What is known better than the file says it. */
export interface ReadOptions {
    unit?: "metre" | "decimetre" | "centimetre" | "millimetre" | "inch" | "foot";
    up?: Axis;
    rate_hz?: number;
    keep_invalid?: boolean;
    columns?: string[];
    is_left_handed?: boolean;
    /** What the points of an array are: `mediapipe`, `coco17`. */
    point_set?: string;
    scale?: number;
    /** The ASF skeleton of an AMC motion. */
    skeleton?: Uint8Array;
}

/** Options of the main job (docs/run.md); `defaultOptions()` lists them all. */
export interface JobOptions {
    segments_by?: "auto" | "names" | "motion" | "bodies";
    /** Which markers are on which segment: the text of a plan or of an association file. */
    plan?: string | { text: string; marker_set: string | null };
    /** A subject that was fitted before: its file's text, or that as an object. */
    subject?: string | object;
    accept_any_subject?: boolean;
    performer?: string;
    root?: string;
    soft_tissue?: "auto" | "none" | { metres: number };
    knowledge?: "auto" | "none" | { text: string };
    measured?: {
        stature_m?: number;
        knee_width_m?: number;
        ankle_width_m?: number;
        elbow_width_m?: number;
        wrist_width_m?: number;
        leg_length_m?: number;
    };
    weights?: Record<string, number>;
    segment_frame?: string;
    fill?: "off" | "short" | "auto" | "all";
    max_gap_s?: number;
    playback?: string;
    smoothing?: "auto" | "off" | { at: number };
    zero_frame?: number;
}

export interface Plan {
    /** What told the segments: the name of a marker set, `file`, `motion` or `bodies`. */
    by: string;
    /** The same as a file, to be edited and given as `options.plan`. */
    toml: string;
    performers: {
        name: string;
        segments: { name: string; parent: number | null; joint: string | null; markers: number[] }[];
    }[];
    excluded: { marker: number; why: string }[];
    notes: Note[];
}

/** A change to a recording; markers by their index. */
export type Edit =
    | { rename: { marker: number; label: string } }
    /** The samples of one go to the other where that has none; the one is gone. */
    | { join: { from: number; into: number } }
    /** From a frame on the samples belong to a new marker, which comes last. */
    | { split: { marker: number; frame: number; label: string } }
    | { exchange: { markers: [number, number]; from: number; to: number } }
    | { remove: { markers: number[] } }
    | { frames: { from: number; to: number } }
    /** Every so many frames alone. */
    | { thin: { step: number } }
    | { up: { up: Axis } }
    | { rate: { rate_hz: number } }
    | { scale: { factor: number } };

/** What is open until it is closed; the memory comes back when nothing is open any more. */
export interface Open {
    readonly isClosed: boolean;
    close(): void;
}

/** What was read, before anything is repaired. */
export interface Recording extends Open {
    name: string;
    format: string;
    variant: string;
    frames: number;
    /** The number that the file gives to its first frame. */
    firstFrame: number;
    /** 0 if the file does not say. */
    rateHz: number;
    startS: number;
    /** The unit of length in the file: `mm`. */
    units: string;
    up: Axis | null;
    /** How well markers agree with that axis. */
    upLikely: { axis: Axis; confidence: number } | null;
    /** Where people face. */
    forward: { axis: Axis; confidence: number } | null;
    markers: Marker[];
    bodies: Body[];
    skeleton: FileSkeleton | null;
    channels: Channel[];
    events: TrialEvent[];
    plates: Plate[];
    /** The subjects that the file names. */
    subjects: string[];
    notes: Note[];
    position_m(marker: number): Float64Array;
    /** Which markers are on which segment, by names or by motion. */
    plan(options?: JobOptions): Plan;
    /** A copy that is changed and open by itself; what does not change is shared. */
    edited(edits: Edit[]): Recording;
    /** As a file: c3d, trc, csv, bvh, mot or glb. */
    write(format: string): Uint8Array;
    /** The main job. */
    run(options?: JobOptions): Performance;
    /**
     * The same for recordings of an hour: a subject from frames spread over all of it, then stretch after stretch, each
     * closed as the next is asked for. Short recordings are one stretch, and that is `run`.
     */
    runInStretches(
        options?: JobOptions,
        how?: { frames?: number; fitFrames?: number },
    ): Generator<{ from: number; to: number; performer?: number; performance: Performance }>;
}

export interface Joint {
    name: string;
    /** The joint above it. */
    parent: string | null;
    kind: "ball" | "hinge" | "fixed";
    /** How well its centre is known. */
    centre: "well" | "fairly" | "barely";
    /** The standard error of the centre along its worst direction. */
    sd_m: number;
    /** The shares of what is known of it, along that direction. */
    from_motion: number;
    from_knowledge: number;
    /** What to record for a better one. */
    advice: string | null;
    /** The covariance of the centre, row by row, in the frame of `parentSegment`: turn it by that segment's pose. */
    covariance_m2: number[];
    parentSegment: string;
    childSegment: string;
    /** How far it turned about its three axes. */
    ranges_deg: [number, number, number];
    method: string;
    /** The frames that told it. */
    samples: number;
    wander_m: number;
    separation_m: number | null;
    /** The bone from the joint above: its length, and how much that changes as the markers have it. */
    bone_m: number | null;
    bone_sd_m: number | null;
    position_m(): Float64Array;
    /** Of every frame an index into `placedWords`. */
    placed(): Uint8Array;
    /** The standard error in every frame, of the centre and of the frame's pose together. */
    sd_m_in_frames(): Float64Array;
    /** The length of the bone in every frame as the markers have it. */
    bone_m_in_frames(): Float64Array;
}

export interface Segment {
    name: string;
    side: Side;
    markers: string[];
    markersInSegment_m: [number, number, number][];
    parent: string | null;
    /** The joints between which it is drawn, if it is. */
    bone: [number, number] | null;
    sigma_m: number;
    /** qw, qx, qy, qz, x, y, z in every frame. */
    pose(): Float64Array;
}

/** A line of the figure, between two of its points. */
export interface Bone {
    ends: [number, number];
    side: Side;
    /** How thick a limb is about it; 0 where nobody knows. */
    width_m: number;
}

export interface Angle {
    /** What it is, positive as it says: `flexion`. */
    name: string;
    joint: string;
    side: Side;
    unit: "deg";
    index: number;
    /** The pose in which it is zero, in words. */
    zero: string;
    convention: string;
    smoothedHz: number | null;
    centre: "well" | "fairly" | "barely";
    range_deg: [number, number] | null;
    values(): Float64Array;
}

export interface Check {
    name: string;
    value: string;
    expected: string;
    passed: boolean;
}

export interface Performer {
    name: string;
    joints: Joint[];
    segments: Segment[];
    /** How many points its figure has: first its joints, in their order, then where limbs end. */
    points: number;
    /** The figure as a body would be drawn, as reports draw it. */
    bones: Bone[];
    /** The points round the trunk: left and right shoulder, beside the waist where there is one, right and left hip, beside
     *  the waist; empty where some are missing. */
    trunk: number[];
    angles: Angle[];
    checks: Check[];
    notes: Note[];
    /** How far markers are from where their segments have them, in the median; and each marker of each segment. */
    residual_m: number | null;
    markerResidual_m: (number | null)[];
    provenance: { recordings: string[]; plan: string; frames: number };
    /** x, y, z of a point of the figure in every frame. */
    point_m(point: number): Float64Array;
    /** The distance of markers from where the solved segments have them: rms in every frame. */
    residual_m_in_frames(): Float64Array;
    /** The same of one marker, counted through the segments. */
    markerResidual_m_in_frames(marker: number): Float64Array;
    /** The subject's file, for `options.subject` of other recordings. */
    subjectJson(): string;
}

export interface SolvedMarker {
    label: string;
    performer: string | null;
    segment: string | null;
    position_m(): Float64Array;
    origin(): Uint8Array;
    /** How far filled samples may be off along each axis; 0 of measured ones. */
    sd_m(): Float64Array;
}

export interface Repair {
    repair: string;
    note: Note | null;
    [field: string]: unknown;
}

export interface Gap {
    marker: number;
    frames: [number, number];
    method: string;
    reason: string;
    predictedError_m: number | null;
    isFilled: boolean;
}

export type ExportFormat =
    | "csv"
    | "angles.csv"
    | "trc"
    | "markers.trc"
    | "mot"
    | "grf.mot"
    | "bvh"
    | "glb"
    | "c3d"
    | "filled.c3d"
    | "osim"
    | "json";

/** What was found in a recording. Its markers are those of the recording, repaired: there may be more of them. */
export interface Performance extends Open {
    kind: "markers" | "keypoints" | "bodies";
    frames: number;
    firstFrame: number;
    rateHz: number;
    startS: number;
    up: Axis | null;
    performers: Performer[];
    markers: SolvedMarker[];
    repairs: Repair[];
    gaps: Gap[];
    notes: Note[];
    residual_m(performer: number): Float64Array;
    /** A performer's motion as a file; `names` are other names for markers, by their labels. */
    export(format: ExportFormat, performer?: number, options?: { names?: Record<string, string> }): Uint8Array;
}

/** A chain or a tree as docs/ik.md has it, or a fitted subject. */
export type Model =
    | {
          joints: number[][];
          names?: string[];
          parents?: (number | null)[];
          limits?: unknown[];
          bone_limits?: unknown[];
          zero?: "straight" | "rest";
          effectors?: number[];
          loops?: [number, number][];
      }
    | { subject: string | object; pin?: string };

export interface ReachOptions {
    method?:
        | "fabrik"
        | "arc"
        | "ccd"
        | "jt"
        | "pinv"
        | "dls"
        | "svd-dls"
        | "sdls"
        | "triangulation"
        | "two-link"
        | "ftl"
        | "smc"
        | "gauss-newton";
    tolerance_m?: number;
    max_iterations?: number;
    max_step_m?: number;
    /** For a target that moves a little: the pose stays near the last one. */
    track?: boolean;
    /** The method's algorithm to the letter. */
    plain?: boolean;
    no_limits?: boolean;
}

export interface Reach {
    outcome: "reached" | "stalled" | "unreachable";
    reached: boolean;
    /** The largest distance of an effector from its target. */
    error_m: number;
    iterations: number;
    restarts: number;
    limitsActive: number;
    heldBack: boolean;
    /** How far limits are broken: 0 but for rounding, with every method that keeps them. */
    violation_rad: number;
    /** x, y, z of every joint. */
    positions_m: Float64Array;
}

/** A linkage and the pose that it is in: each reach begins where the last one ended. */
export interface Reacher extends Open {
    names: string[];
    parents: (number | null)[];
    effectors: number[];
    rest_m: [number, number, number][];
    hasLimits: boolean;
    /** Reaches for a place, or nothing, for every effector. */
    reach(targets: (number[] | null)[], options?: ReachOptions): Reach;
    rest(): Float64Array;
    moveBase(at_m: number[]): Float64Array;
}

export interface LiveFrame {
    frames: number;
    performers: {
        name: string;
        joints: { name: string; kind: string | null; centre: string | null; sd_m: number }[];
        segments: string[];
        positions_m: Float64Array;
        sds_m: Float64Array;
        poses: Float64Array;
    }[];
    notes: Note[];
    whyNobody: string | null;
}

/** A stream of frames. */
export interface Live extends Open {
    /** Takes x, y, z of every marker, NaN where it is not seen. */
    push(frame: Float64Array): LiveFrame;
    /** Ends it: what the main job makes of all frames. */
    finish(): Performance;
}

/** A polynomial Σ cₖ (t - centre_s)ᵏ through a window of a signal. */
export interface Taylor {
    coefficients: number[];
    /** In seconds from the first value. */
    centre_s: number;
    residual: number;
    /** The root mean square error of its prediction in the window of the same length that follows. */
    next: number | null;
    fitted: Float64Array;
}

export interface Condyle {
    version: string;
    /** How much memory the module has. */
    readonly memoryBytes: number;
    read(bytes: Uint8Array | ArrayBuffer, name?: string, options?: ReadOptions): Recording;
    reacher(model: Model): Reacher;
    ik(model: Model, targets: (number[] | null)[], options?: ReachOptions): Reach;
    live(options: { labels: string[]; rateHz?: number } & JobOptions): Live;
    taylor(values: ArrayLike<number>, rateHz: number, from: number, to: number, order: number): Taylor;
    defaultOptions(): Required<JobOptions>;
}

/**
 * What is wrong, in the library's words. `kind` is empty, not-recognised, malformed, cannot-hold, undetermined, argument
 * or io; closed for what is closed; fault if the engine stopped: then everything that was open is closed, and goes on
 * with the next call.
 */
export declare class CondyleError extends Error {
    kind: string;
    /** A stable short name, where a program could do something about it. */
    code: string | null;
    place: { byte: number } | { line: number } | null;
}

/** Loads the module from its bytes, a response that has them, or what was compiled from them; else the file beside. */
export declare function load(
    source?: BufferSource | Response | WebAssembly.Module | Promise<BufferSource | Response | WebAssembly.Module>,
): Promise<Condyle>;
