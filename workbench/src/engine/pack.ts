// From what the engine offers to what can be handed over to the page.

import type { Performance, Recording } from "@condyle/engine";
import type { FileSkeleton, PerformanceData, RecordingData } from "./data.ts";

/** In single precision: a tenth of a micrometre at a metre, and half the memory. */
const single = (values: Float64Array): Float32Array => Float32Array.from(values);

/** Everything but functions. */
function facts<T extends object>(of: T): T {
    return Object.fromEntries(Object.entries(of).filter(([, value]) => typeof value !== "function")) as T;
}

export function packRecording(recording: Recording): RecordingData {
    const { name, format, variant, frames, firstFrame, rateHz, startS, units, up, upLikely, forward } = recording;
    const { events, subjects, notes } = recording;
    return {
        ...{ name, format, variant, frames, firstFrame, rateHz, startS, units, up, upLikely, forward },
        ...{ events, subjects, notes },
        markers: recording.markers.map((marker) => ({ ...facts(marker), position_m: single(marker.position_m()) })),
        channels: recording.channels.map((channel) => ({ ...facts(channel), values: single(channel.values()) })),
        plates: recording.plates.map((plate) => {
            return { ...facts(plate), force_N: single(plate.force_N()), centre_m: single(plate.centre_m()) };
        }),
        bodies: recording.bodies.map((body) => ({ ...facts(body), pose: single(body.pose()) })),
        skeleton: recording.skeleton && packSkeleton(recording.skeleton, frames),
    };
}

function packSkeleton(skeleton: NonNullable<Recording["skeleton"]>, frames: number): FileSkeleton {
    const all = skeleton.positions_m();
    const { joints } = skeleton;
    const positions_m = joints.map((_, joint) => {
        const track = new Float32Array(3 * frames);
        for (let frame = 0; frame < frames; frame += 1) {
            const at = 3 * (frame * joints.length + joint);
            track.set(all.subarray(at, at + 3), 3 * frame);
        }
        return track;
    });
    return { joints, positions_m };
}

export function packPerformance(performance: Performance, recorded: RecordedPositions): PerformanceData {
    const { kind, frames, firstFrame, rateHz, up, notes, gaps } = performance;
    return {
        ...{ kind, frames, firstFrame, rateHz, up, notes, gaps },
        repairs: performance.repairs.map(({ repair, note }) => note ?? { code: repair, text: "" }),
        performers: performance.performers.map((performer) => {
            const { name, bones, trunk, checks, residual_m } = performer;
            const points_m = Array.from({ length: performer.points }, (_, point) => single(performer.point_m(point)));
            return {
                ...{ name, bones, trunk, checks, residual_m, points_m },
                notes: performer.notes,
                joints: performer.joints.map((joint, index) => ({
                    ...facts(joint),
                    position_m: points_m[index]!,
                    placed: joint.placed(),
                    bone_m_in_frames: single(joint.bone_m_in_frames()),
                })),
                segments: performer.segments.map((segment) => ({ ...facts(segment), pose: single(segment.pose()) })),
                angles: performer.angles.map((angle) => ({ ...facts(angle), values: single(angle.values()) })),
                residual_m_in_frames: single(performer.residual_m_in_frames()),
                subjectJson: performer.subjectJson(),
            };
        }),
        markers: performance.markers.map((marker) => {
            const position_m = single(marker.position_m());
            const isSame = recorded.isSame(marker.label, position_m);
            return { ...facts(marker), position_m: isSame ? null : position_m, origin: marker.origin() };
        }),
    };
}

/** Remembers what was recorded, to hand over again only what is different: as sums, not as copies. */
export class RecordedPositions {
    #sums: Map<string, number>;

    constructor(recording: RecordingData) {
        this.#sums = new Map(recording.markers.map(({ label, position_m }) => [label, hash(position_m)]));
    }

    isSame(label: string, position_m: Float32Array): boolean {
        return this.#sums.get(label) === hash(position_m);
    }
}

/** FNV-1a over the bits of all samples. */
function hash(values: Float32Array): number {
    let sum = 0x811c9dc5;
    for (const word of new Uint32Array(values.buffer, values.byteOffset, values.length)) {
        // All missing samples are the same.
        sum = Math.imul(sum ^ ((word & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : word), 0x01000193);
    }
    return sum;
}

/** Every buffer in plain data, each once. */
export function buffersOf(value: unknown, found = new Set<ArrayBuffer>()): ArrayBuffer[] {
    if (value instanceof ArrayBuffer) {
        found.add(value);
    } else if (ArrayBuffer.isView(value)) {
        found.add(value.buffer as ArrayBuffer);
    } else if (typeof value === "object" && value !== null) {
        Object.values(value).forEach((inner) => buffersOf(inner, found));
    }
    return [...found];
}
