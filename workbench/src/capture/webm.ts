// WebM as a file: one track of pictures, each a block with its time in milliseconds.

type Part = Uint8Array | number[] | string;

export interface Frame {
    time_ms: number;
    isKey: boolean;
    bytes: Uint8Array;
}

const EVERY_MS = 1000;
/** Clusters hold times of 16 bits. */
const LONGEST_CLUSTER_MS = 30_000;

function joined(parts: readonly Part[]): Uint8Array {
    const all = parts.map((part) =>
        typeof part === "string" ? new TextEncoder().encode(part) : Uint8Array.from(part),
    );
    const whole = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
    all.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
    return whole;
}

/** A number in as many bytes as it needs, the first one first. */
function number(value: number): number[] {
    const bytes: number[] = [];
    for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) {
        bytes.unshift(rest % 256);
    }
    return bytes.length > 0 ? bytes : [0];
}

function float(value: number): number[] {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, value);
    return [...new Uint8Array(view.buffer)];
}

/** An element: its name, its size in eight bytes, what is in it. */
function element(name: number, ...parts: Part[]): Uint8Array {
    const content = joined(parts);
    const size = number(content.length);
    return joined([number(name), [1, ...new Array<number>(7 - size.length).fill(0), ...size], content]);
}

export function webm(frames: readonly Frame[], codec: "V_VP8" | "V_VP9", width: number, height: number): Blob {
    const head = element(
        0x1a45dfa3,
        element(0x4286, [1]),
        element(0x42f7, [1]),
        element(0x42f2, [4]),
        element(0x42f3, [8]),
        element(0x4282, "webm"),
        element(0x4287, [4]),
        element(0x4285, [2]),
    );
    const last = frames.at(-1)?.time_ms ?? 0;
    const info = element(
        0x1549a966,
        element(0x2ad7b1, number(1e6)),
        element(0x4489, float(last)),
        element(0x4d80, "condyle"),
        element(0x5741, "condyle"),
    );
    const picture = element(0xe0, element(0xb0, number(width)), element(0xba, number(height)));
    const tracks = element(
        0x1654ae6b,
        element(0xae, element(0xd7, [1]), element(0x73c5, [1]), element(0x83, [1]), element(0x86, codec), picture),
    );
    const clusters: Uint8Array[] = [];
    let from = 0;
    while (from < frames.length) {
        const start = frames[from]!.time_ms;
        let to = from + 1;
        while (
            to < frames.length &&
            frames[to]!.time_ms - start < LONGEST_CLUSTER_MS &&
            !(frames[to]!.isKey && frames[to]!.time_ms - start >= EVERY_MS)
        ) {
            to += 1;
        }
        const blocks = frames.slice(from, to).map(({ time_ms, isKey, bytes }) => {
            const since = Math.round(time_ms - start);
            return element(0xa3, [0x81, since >> 8, since & 255, isKey ? 0x80 : 0], bytes);
        });
        clusters.push(element(0x1f43b675, element(0xe7, number(Math.round(start))), ...blocks));
        from = to;
    }
    return new Blob([head, element(0x18538067, info, tracks, ...clusters)] as BlobPart[], { type: "video/webm" });
}
