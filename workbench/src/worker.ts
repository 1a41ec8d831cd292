// The engine lives here, one recording a worker: a closed worker gives all of its memory back.
// Bytes come in; plain data and typed arrays go out, handed over and not copied.

import { type Condyle, load, type Performance, type Reacher, type Recording } from "@condyle/engine";
import type { Call, Calls } from "./engine/data.ts";
import { buffersOf, packPerformance, packRecording, RecordedPositions } from "./engine/pack.ts";
import type { Stretch } from "./engine/stretches.ts";

interface Ask<K extends Call = Call> {
    id: number;
    call: K;
    ask: Calls[K]["ask"];
}

let engine: Promise<Condyle> | null = null;
let recording: Recording | null = null;
let recorded: RecordedPositions | null = null;
let fitted: Performance | null = null;
let reachers: Reacher[] = [];

function need<T>(thing: T | null | undefined, what: string): T {
    if (thing === null || thing === undefined) {
        throw new Error(what);
    }
    return thing;
}

/** Recordings of more frames are solved in stretches, each seen as it comes. */
const LONG_FRAMES = 40_000;

/** Solves a long recording; each stretch goes out as it comes. */
function runInStretches(read: Recording, options: object, id: number): void {
    for (const { from, to, performer = 0, performance: part } of read.runInStretches(options)) {
        const stretch: Stretch = { from, to, performer, data: packPerformance(part, recorded!) };
        self.postMessage({ id, part: stretch }, { transfer: buffersOf(stretch) });
    }
}

const answers: { [K in Call]: (ask: Calls[K]["ask"], condyle: Condyle, id: number) => Calls[K]["answer"] } = {
    open({ bytes, name, options }, condyle) {
        fitted?.close();
        recording?.close();
        fitted = recording = null;
        recording = condyle.read(bytes, name, options);
        const data = packRecording(recording);
        recorded = new RecordedPositions(data);
        return data;
    },
    run({ options }, _, id) {
        fitted?.close();
        fitted = null;
        const read = need(recording, "no recording is open");
        if (read.frames > LONG_FRAMES) {
            runInStretches(read, options, id);
            return null;
        }
        fitted = read.run(options);
        return packPerformance(fitted, recorded!);
    },
    plan({ options }) {
        return need(recording, "no recording is open").plan(options);
    },
    export({ format, performer, names }) {
        return need(
            fitted,
            "need a skeleton of the whole recording in one; condyle run writes files of long ones",
        ).export(format as "csv", performer, { names });
    },
    reachers({ model, count }, condyle) {
        reachers.forEach((reacher) => reacher.close());
        reachers = Array.from({ length: count }, () => condyle.reacher(model));
        const { names, parents, effectors, rest_m, hasLimits } = reachers[0]!;
        return { names, parents, effectors, rest_m, hasLimits };
    },
    reach({ which, targets, options }) {
        const reacher = need(reachers[which], "no such chain");
        const since = performance.now();
        const reach = reacher.reach(targets, options);
        return { ...reach, time_ms: performance.now() - since };
    },
    rest({ which }) {
        return need(reachers[which], "no such chain").rest();
    },
    taylor({ values, rateHz, from, to, order }, condyle) {
        return condyle.taylor(values, rateHz, from, to, order);
    },
    memory(_, condyle) {
        return { version: condyle.version, bytes: condyle.memoryBytes };
    },
};

async function answer<K extends Call>({ id, call, ask }: Ask<K>): Promise<void> {
    try {
        const value = answers[call](ask, await need(engine, "the engine is not loaded"), id);
        self.postMessage({ id, value }, { transfer: buffersOf(value) });
    } catch (error) {
        self.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
    }
}

self.addEventListener("message", (event: MessageEvent<Ask | { module: WebAssembly.Module }>) => {
    if ("module" in event.data) {
        engine = load(event.data.module);
        engine.catch(() => undefined);
    } else {
        void answer(event.data);
    }
});
