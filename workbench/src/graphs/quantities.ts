// What can be drawn over time: which charts a choice makes, and the lines in each.

import type { Trial } from "../app/trial.ts";
import { SIDES, trialColour } from "../scene/colours.ts";

export interface Line {
    label: string;
    colour: string;
    values: Float32Array;
    /** Which of so many numbers a frame belongs to this line. */
    stride: number;
    at: number;
    factor: number;
    rateHz: number;
}

export interface ChartData {
    title: string;
    unit: string;
    lines: Line[];
}

export interface Quantity {
    name: string;
    subjects: { name: string; charts(): ChartData[] }[];
}

const XYZ = ["x", "y", "z"] as const;
const AXES = ["#e5605f", "#49b675", "#5b8def"];
const NEUTRAL = "#4ea1f3";
/** Standard gravity, m/s². */
const GRAVITY = 9.80665;

const line = (label: string, colour: string, values: Float32Array, rateHz: number, rest: Partial<Line> = {}): Line => {
    return { label, colour, values, rateHz, stride: 1, at: 0, factor: 1, ...rest };
};

const sideColour = (side: "left" | "right" | null): string => SIDES[side ?? "none"];
/** A name without its side: `left knee` is a `knee`. */
export const unsided = (name: string): string => name.replace(/^(left|right) /, "");

function grouped<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
    const groups = new Map<string, T[]>();
    items.forEach((item) => groups.set(key(item), [...(groups.get(key(item)) ?? []), item]));
    return groups;
}

/** All that a recording has to show. */
export function quantitiesOf(trial: Trial): Quantity[] {
    return [
        angles(trial),
        joints(trial),
        markers(trial),
        bones(trial),
        residuals(trial),
        plates(trial),
        channels(trial),
    ].filter(({ subjects }) => subjects.length > 0);
}

function angles(trial: Trial): Quantity {
    const performers = trial.performance?.performers ?? [];
    const rate = trial.rateHz;
    const subjects = performers.flatMap((performer) => {
        const prefix = performers.length > 1 ? `${performer.name}: ` : "";
        return [...grouped(performer.angles, ({ joint }) => unsided(joint))].map(([joint, own]) => ({
            name: prefix + joint,
            charts: () =>
                [...grouped(own, ({ name }) => name)].map(([name, both]) => ({
                    title: `${joint} ${name}`,
                    unit: "degrees",
                    lines: both.map((angle) =>
                        line(angle.side ?? angle.joint, sideColour(angle.side), angle.values, rate),
                    ),
                })),
        }));
    });
    return { name: "Joint angles", subjects };
}

/** Three charts, one an axis, of tracks beside each other. */
function coordinates(
    name: string,
    tracks: readonly { label: string; colour: string; position_m: Float32Array }[],
    rate: number,
): ChartData[] {
    return XYZ.map((axis, at) => ({
        title: `${name} ${axis}`,
        unit: "mm",
        lines: tracks.map(({ label, colour, position_m }) =>
            line(label, colour, position_m, rate, { stride: 3, at, factor: 1e3 }),
        ),
    }));
}

function joints(trial: Trial): Quantity {
    const performers = trial.performance?.performers ?? [];
    const subjects = performers.flatMap(({ name: performer, joints: own }) => {
        const prefix = performers.length > 1 ? `${performer}: ` : "";
        return [...grouped(own, ({ name }) => unsided(name))].map(([name, both]) => ({
            name: prefix + name,
            charts: () => {
                const side = (joint: string) =>
                    joint.startsWith("left ") ? "left" : joint.startsWith("right ") ? "right" : null;
                const tracks = both.map((joint) => ({
                    label: side(joint.name) ?? joint.name,
                    colour: sideColour(side(joint.name)),
                    position_m: joint.position_m,
                }));
                return coordinates(name, tracks, trial.rateHz);
            },
        }));
    });
    return { name: "Joint centres", subjects };
}

function markers(trial: Trial): Quantity {
    const subjects = (trial.recording?.markers ?? []).map(({ label, position_m }, marker) => ({
        name: trial.association.nameOf(label),
        charts: () => {
            const solved = trial.solvedMarker(marker)?.position_m;
            const recorded = { label: "recorded", colour: NEUTRAL, position_m };
            const filled = solved && { label: "repaired", colour: "#f2a33a", position_m: solved };
            return coordinates(trial.association.nameOf(label), filled ? [filled, recorded] : [recorded], trial.rateHz);
        },
    }));
    return { name: "Markers", subjects };
}

function bones(trial: Trial): Quantity {
    const performers = trial.performance?.performers ?? [];
    const subjects = performers.flatMap((performer) => {
        const prefix = performers.length > 1 ? `${performer.name}: ` : "";
        const own = performer.joints.filter(
            ({ parent, bone_m_in_frames }) => parent !== null && bone_m_in_frames.length > 0,
        );
        return [...grouped(own, ({ name, parent }) => `${unsided(parent!)} to ${unsided(name)}`)].map(
            ([name, both]) => ({
                name: prefix + name,
                charts: () => [
                    {
                        title: name,
                        unit: "mm",
                        lines: both.map((joint) => {
                            const side = joint.name.startsWith("left ")
                                ? "left"
                                : joint.name.startsWith("right ")
                                  ? "right"
                                  : null;
                            return line(side ?? joint.name, sideColour(side), joint.bone_m_in_frames, trial.rateHz, {
                                factor: 1e3,
                            });
                        }),
                    },
                ],
            }),
        );
    });
    return { name: "Bone lengths", subjects };
}

function residuals(trial: Trial): Quantity {
    const performers = trial.performance?.performers ?? [];
    const lines = performers.map(({ name, residual_m_in_frames }, at) =>
        line(
            name || "residual",
            performers.length > 1 ? trialColour(at) : NEUTRAL,
            residual_m_in_frames,
            trial.rateHz,
            { factor: 1e3 },
        ),
    );
    const charts = () => [{ title: "Markers from where their segments have them, rms", unit: "mm", lines }];
    return { name: "Residuals", subjects: performers.length > 0 ? [{ name: "rms of all markers", charts }] : [] };
}

function plates(trial: Trial): Quantity {
    const kg = trial.options.weight_kg;
    const [unit, factor]: [string, number] = kg ? ["body weights", 1 / (kg * GRAVITY)] : ["N", 1];
    const subjects = (trial.recording?.plates ?? []).map(({ number, force_N }) => ({
        name: `plate ${number}`,
        charts: () => [
            {
                title: `Plate ${number}, force`,
                unit,
                lines: XYZ.map((axis, at) => line(axis, AXES[at]!, force_N, trial.rateHz, { stride: 3, at, factor })),
            },
        ],
    }));
    return { name: "Force plates", subjects };
}

function channels(trial: Trial): Quantity {
    const subjects = (trial.recording?.channels ?? []).map(({ label, unit, values, rateHz }) => ({
        name: label,
        charts: () => [{ title: label, unit, lines: [line(label, NEUTRAL, values, rateHz)] }],
    }));
    return { name: "Channels", subjects };
}

/** The value of a line at one of its samples. */
export const sample = ({ values, stride, at, factor }: Line, index: number): number =>
    values[stride * index + at]! * factor;

export const samples = ({ values, stride }: Line): number => Math.floor(values.length / stride);
