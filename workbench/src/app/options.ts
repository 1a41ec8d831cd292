// What the user says about a recording: how it is read, and how the skeleton is fitted.

export interface TrialOptions {
    /** How it is read, in the engine's words; null: what the file says. */
    unit: string | null;
    up: string | null;
    rate_hz: number | null;
    scale: number;
    left_handed: boolean;
    /** How it is fitted. */
    segments_by: "auto" | "names" | "motion" | "bodies";
    soft_tissue: "auto" | "none" | number;
    knowledge: "auto" | "none" | string;
    knowledgeName: string | null;
    fill: "auto" | "off" | "short" | "all";
    smoothing: "auto" | "off" | number;
    zero_frame: number | null;
    root: string | null;
    performer: string | null;
    measured: Record<MeasuredSize, number | null>;
    weight_kg: number | null;
    subject: object | null;
    subjectName: string | null;
    plan: string | null;
    /** The marker-set file that an association of Knight's names. */
    marker_set: string | null;
    /** How it is looked at. */
    forward: string;
}

export const SIZES = {
    stature_m: "Height",
    leg_length_m: "Leg length",
    knee_width_m: "Knee width",
    ankle_width_m: "Ankle width",
    elbow_width_m: "Elbow width",
    wrist_width_m: "Wrist width",
} as const;

export type MeasuredSize = keyof typeof SIZES;

export function initialOptions(): TrialOptions {
    const measured = Object.fromEntries(Object.keys(SIZES).map((size) => [size, null]));
    return {
        unit: null,
        up: null,
        rate_hz: null,
        scale: 1,
        left_handed: false,
        segments_by: "auto",
        soft_tissue: "auto",
        knowledge: "auto",
        knowledgeName: null,
        fill: "auto",
        smoothing: "auto",
        zero_frame: null,
        root: null,
        performer: null,
        measured: measured as TrialOptions["measured"],
        weight_kg: null,
        subject: null,
        subjectName: null,
        plan: null,
        marker_set: null,
        forward: "auto",
    };
}

/** The engine's words for how to read. */
export function readOptions(options: TrialOptions): object {
    return clean({
        unit: options.unit,
        up: options.up,
        rate_hz: options.rate_hz,
        scale: options.scale === 1 ? null : options.scale,
        is_left_handed: options.left_handed || null,
    });
}

/** The engine's words for how to fit: `condyle::job::Options`. */
export function fitOptions(options: TrialOptions): object {
    const { soft_tissue, knowledge, smoothing } = options;
    return clean({
        segments_by: options.segments_by,
        soft_tissue: typeof soft_tissue === "number" ? { metres: soft_tissue } : soft_tissue,
        knowledge: knowledge === "auto" || knowledge === "none" ? knowledge : { text: knowledge },
        fill: options.fill,
        smoothing: typeof smoothing === "number" ? { at: smoothing } : smoothing,
        zero_frame: options.zero_frame,
        root: options.root,
        performer: options.performer,
        measured: clean(options.measured),
        subject: options.subject,
        plan: options.plan === null ? null : { text: options.plan, marker_set: options.marker_set },
    });
}

function clean(object: Record<string, unknown>): object {
    return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null && value !== undefined));
}
