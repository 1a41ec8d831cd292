// A long recording is solved stretch after stretch: each is written into arrays of the whole as it comes.

import type { PerformanceData, PerformerData, RecordingData, SolvedMarker } from "./data.ts";

export interface Stretch {
    from: number;
    to: number;
    /** Whose it is, of several that are solved one after the other. */
    performer: number;
    data: PerformanceData;
}

/** The performance of a whole recording, as much of it as is there. */
export class Growing {
    readonly whole: PerformanceData;
    #recording: RecordingData;
    #markers = new Map<string, SolvedMarker>();

    constructor(recording: RecordingData, first: Stretch) {
        this.#recording = recording;
        const { frames, firstFrame } = recording;
        this.whole = {
            ...first.data,
            frames,
            firstFrame,
            performers: [],
            markers: [],
            repairs: [],
            gaps: [],
            notes: [],
        };
    }

    /** Takes a stretch; whether there is somebody new. */
    add({ from, performer, data }: Stretch): boolean {
        const { whole } = this;
        const own = data.performers[0];
        const isNew = own !== undefined && whole.performers[performer] === undefined;
        if (own) {
            whole.performers[performer] ??= emptied(own, data.frames, whole.frames);
            rowsOf(own).forEach((row, at) => put(rowsOf(whole.performers[performer]!)[at], row, data.frames, from));
        }
        data.markers.forEach((marker) => this.#addMarker(marker, data.frames, from));
        whole.repairs.push(...data.repairs);
        const known = new Set(whole.notes.map(({ code, text }) => code + text));
        whole.notes.push(...data.notes.filter(({ code, text }) => !known.has(code + text)));
        return isNew;
    }

    #addMarker(marker: SolvedMarker, frames: number, from: number): void {
        const { whole } = this;
        const recorded = this.#recording.markers.find(({ label }) => label === marker.label)?.position_m;
        let own = this.#markers.get(marker.label);
        if (!own) {
            const origin = new Uint8Array(whole.frames);
            own = {
                ...marker,
                position_m: recorded ? null : new Float32Array(3 * whole.frames).fill(Number.NaN),
                origin,
            };
            this.#markers.set(marker.label, own);
            whole.markers.push(own);
        }
        own.segment ??= marker.segment;
        own.performer ??= marker.performer;
        put(own.origin, marker.origin, frames, from);
        const given = marker.position_m;
        if (
            given &&
            recorded &&
            !own.position_m &&
            given.some((value, at) => !Object.is(value, recorded[3 * from + at]))
        ) {
            own.position_m = recorded.slice();
        }
        if (given && own.position_m) {
            own.position_m.set(given, 3 * from);
        }
    }
}

type Row = Float32Array | Uint8Array;

/** Every row of a performer, always in the same order. */
function rowsOf({ points_m, joints, segments, angles, residual_m_in_frames }: PerformerData): Row[] {
    return [
        ...points_m,
        ...joints.flatMap(({ placed, bone_m_in_frames }) => [placed, bone_m_in_frames]),
        ...segments.map(({ pose }) => pose),
        ...angles.map(({ values }) => values),
        residual_m_in_frames,
    ];
}

function put(into: Row | undefined, part: Row, frames: number, from: number): void {
    into?.set(part, (part.length / Math.max(frames, 1)) * from);
}

/** The same performer with rows of the whole length, with nothing in them yet. */
function emptied(performer: PerformerData, frames: number, all: number): PerformerData {
    const numbers = (row: Float32Array) => new Float32Array((row.length / Math.max(frames, 1)) * all).fill(Number.NaN);
    const points_m = performer.points_m.map(numbers);
    return {
        ...performer,
        points_m,
        joints: performer.joints.map((joint, at) => ({
            ...joint,
            position_m: points_m[at]!,
            placed: new Uint8Array(all),
            bone_m_in_frames: numbers(joint.bone_m_in_frames),
        })),
        segments: performer.segments.map((segment) => ({ ...segment, pose: numbers(segment.pose) })),
        angles: performer.angles.map((angle) => ({ ...angle, values: numbers(angle.values) })),
        residual_m_in_frames: numbers(performer.residual_m_in_frames),
    };
}
