// Condyle in a browser or in Node: recordings in; markers, skeletons and motion out. condyle.d.ts says what there is.
//
// Every row of numbers is a copy in an array of its own, so that it can be kept, or transferred to another thread.

/** What is wrong, as the library says it. */
export class CondyleError extends Error {
    constructor({ kind, code = null, message, place = null }) {
        super(message);
        this.name = "CondyleError";
        Object.assign(this, { kind, code, place });
    }
}

/** Where a sample comes from, by its byte. */
export const originWords = Object.freeze(["missing", "measured", "filled", "predicted"]);
/** How a joint was placed, by its byte: from the most certain to the least. */
export const placedWords = Object.freeze(["missing", "by markers", "with joints", "twist open"]);

/** The module's memory and its one call. */
class Engine {
    #module;
    #instance = null;
    #open = 0;
    /** Counts instances: what was open in another one is gone. */
    age = 0;

    constructor(module) {
        this.#module = module;
    }

    /** How much memory the module has, in bytes. */
    get bytes() {
        return this.#instance?.exports.memory.buffer.byteLength ?? 0;
    }

    get #exports() {
        this.#instance ??= new WebAssembly.Instance(this.#module);
        return this.#instance.exports;
    }

    /** Asks for something; `data` are bytes that come with it. */
    call(request, ...data) {
        try {
            return this.#call(request, data);
        } catch (error) {
            if (error instanceof CondyleError) {
                throw error;
            }
            // A trap: nothing in there can be relied on any more.
            this.#forget();
            const why = error instanceof Error ? error.message : String(error);
            const message = `the engine stopped (${why}), maybe for want of memory: what was open has to be read again`;
            throw new CondyleError({ kind: "fault", message });
        }
    }

    #call(request, data) {
        const module = this.#exports;
        const at = (place, length) => new Uint8Array(module.memory.buffer, place, length);
        const { do: what, ...rest } = request;
        const asked = Object.keys(rest).length > 0 ? { [what]: rest } : what;
        const text = new TextEncoder().encode(JSON.stringify(asked));
        const length = data.reduce((sum, part) => sum + part.byteLength, 0);
        const place = module.condyle_data(length);
        at(module.condyle_text(text.length), text.length).set(text);
        let end = place;
        for (const part of data) {
            const bytes = ArrayBuffer.isView(part)
                ? new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
                : new Uint8Array(part);
            at(end, bytes.length).set(bytes);
            end += bytes.length;
        }
        const isDone = module.condyle_call();
        const answer = at(module.condyle_answer(), module.condyle_answer_bytes());
        const found = JSON.parse(new TextDecoder().decode(answer));
        if (!isDone) {
            throw new CondyleError(found);
        }
        return found;
    }

    /** Asks for something that is open from then on: its facts. */
    open(request, ...data) {
        const { handle, ...facts } = this.call(request, ...data);
        this.#open += 1;
        return { handle, age: this.age, facts };
    }

    /** Takes numbers out of the module's memory. */
    take({ at, length, type }) {
        const Numbers = type === "f64" ? Float64Array : Uint8Array;
        return new Numbers(this.#exports.memory.buffer, at, length).slice();
    }

    /** Forgets what is open. When nothing is, the module's memory goes too: by itself it would never shrink. */
    close(handle, age) {
        if (age !== this.age) {
            return;
        }
        this.call({ do: "close", handle });
        this.#open -= 1;
        if (this.#open === 0) {
            this.#forget();
        }
    }

    #forget() {
        this.#instance = null;
        this.#open = 0;
        this.age += 1;
    }
}

/** Something that is open until it is closed. */
class Handle {
    #engine;
    #handle;
    #age;
    #isClosed = false;

    constructor(engine, { handle, age, facts }) {
        this.#engine = engine;
        this.#handle = handle;
        this.#age = age;
        Object.assign(this, facts);
    }

    get isClosed() {
        return this.#isClosed || this.#age !== this.#engine.age;
    }

    get _engine() {
        return this.#engine;
    }

    /** Its handle, while it is open. */
    get _handle() {
        if (this.isClosed) {
            const message = "need something that is open, got something that is closed";
            throw new CondyleError({ kind: "closed", message });
        }
        return this.#handle;
    }

    close() {
        if (!this.isClosed) {
            this.#engine.close(this.#handle, this.#age);
        }
        this.#isClosed = true;
    }
}

/** Options of the main job as the library takes them: plans and subjects may be text. */
function jobOptions({ plan, subject, ...options } = {}) {
    if (plan != null) {
        options.plan = typeof plan === "string" ? { text: plan, marker_set: null } : plan;
    }
    if (subject != null) {
        options.subject = typeof subject === "string" ? JSON.parse(subject) : subject;
    }
    return options;
}

/** Adds functions that no copy to another thread takes along. */
function withFunctions(object, functions) {
    for (const [name, value] of Object.entries(functions)) {
        Object.defineProperty(object, name, { value });
    }
    return object;
}

/** How a C3D file begins that was rearranged to compress better, as pages that `condyle view` saves have them. */
const PACKED = "CONDYLE\x01";

/** The file as it was: numbers a frame apart were subtracted, and their bytes stand in planes. */
function unpacked(source) {
    const bytes = ArrayBuffer.isView(source)
        ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
        : new Uint8Array(source);
    if (![...PACKED].every((letter, index) => letter.charCodeAt(0) === bytes[index])) {
        return source;
    }
    const facts = new DataView(bytes.buffer, bytes.byteOffset + PACKED.length, 16);
    const [start, stride, size, count] = [0, 4, 8, 12].map((at) => facts.getUint32(at, true));
    const head = PACKED.length + 16;
    const whole = new Uint8Array(bytes.length - head);
    whole.set(bytes.subarray(head, head + start));
    const planes = bytes.subarray(head + start, head + start + size * count);
    whole.set(bytes.subarray(head + start + size * count), start + size * count);
    const words = new Int32Array(count);
    for (let index = 0; index < count; index += 1) {
        let coded = 0;
        for (let plane = 0; plane < size; plane += 1) {
            coded |= planes[plane * count + index] << (8 * plane);
        }
        const step = (coded >>> 1) ^ -(coded & 1);
        words[index] = step + (index < stride ? 0 : words[index - stride]);
        for (let byte = 0; byte < size; byte += 1) {
            whole[start + size * index + byte] = words[index] >>> (8 * byte);
        }
    }
    return whole;
}

class Recording extends Handle {
    #performances = new Set();

    constructor(engine, opened) {
        super(engine, opened);
        this.markers.forEach((own, index) => {
            withFunctions(own, {
                position_m: () => this.position_m(index),
                origin: () => this.#row("origin", index),
            });
        });
        this.channels.forEach((own, index) => {
            withFunctions(own, { values: () => this.#row("channel", index) });
        });
        this.plates.forEach((own, index) => {
            withFunctions(own, {
                force_N: () => this.#row("force", index),
                centre_m: () => this.#row("centre-of-pressure", index),
            });
        });
        this.bodies.forEach((own, index) => {
            withFunctions(own, { pose: () => this.#row("body", index) });
        });
        if (this.skeleton) {
            withFunctions(this.skeleton, { positions_m: () => this.#row("joint", 0) });
        }
    }

    #row(row, index) {
        const request = { do: "of-recording", recording: this._handle, row, index };
        return this._engine.take(this._engine.call(request));
    }

    position_m(marker) {
        return this.#row("marker", marker);
    }

    plan(options) {
        return this._engine.call({ do: "plan", recording: this._handle, options: jobOptions(options) });
    }

    edited(edits) {
        const request = { do: "edit", recording: this._handle, edits };
        return new Recording(this._engine, this._engine.open(request));
    }

    write(format) {
        const file = this._engine.call({ do: "write", recording: this._handle, format });
        return this._engine.take(file.bytes);
    }

    run(options) {
        const request = { do: "run", recording: this._handle, options: jobOptions(options) };
        const performance = new Performance(this._engine, this._engine.open(request));
        this.#performances.add(performance);
        return performance;
    }

    /**
     * The same for long recordings: a subject from frames that are spread over all of it, then stretch after stretch,
     * each closed when the next is asked for. Labels that are exchanged throughout, and gaps, are seen to in each.
     */
    *runInStretches(options = {}, { frames = 10_000, fitFrames = 5_000 } = {}) {
        if (this.frames <= frames) {
            const performance = this.run(options);
            yield { from: 0, to: this.frames, performance };
            performance.close();
            return;
        }
        let subjects = [options.subject];
        if (options.subject == null) {
            const thinned = this.edited([{ thin: { step: Math.ceil(this.frames / fitFrames) } }]);
            const fitted = thinned.run(options);
            subjects = fitted.performers.map((performer) => performer.subjectJson());
            thinned.close();
        }
        for (let from = 0; from < this.frames; from += frames) {
            const to = Math.min(from + frames, this.frames);
            const stretch = this.edited([{ frames: { from, to } }]);
            try {
                for (const [performer, subject] of subjects.entries()) {
                    const performance = stretch.run({ ...options, subject, accept_any_subject: true });
                    yield { from, to, performer, performance };
                }
            } finally {
                stretch.close();
            }
        }
    }

    close() {
        this.#performances.forEach((performance) => performance.close());
        super.close();
    }
}

class Performance extends Handle {
    constructor(engine, opened) {
        super(engine, opened);
        this.markers.forEach((own, index) => {
            withFunctions(own, {
                position_m: () => this.#row("marker", 0, index),
                origin: () => this.#row("origin", 0, index),
                sd_m: () => this.#row("marker-sd", 0, index),
            });
        });
        this.performers.forEach((own, performer) => this.#withRows(own, performer));
    }

    #withRows(own, performer) {
        const row = (name, index) => () => this.#row(name, performer, index);
        own.joints.forEach((joint, index) => {
            withFunctions(joint, {
                position_m: row("joint", index),
                placed: row("placed", index),
                sd_m_in_frames: row("joint-sd", index),
                bone_m_in_frames: row("bone", index),
            });
        });
        own.segments.forEach((segment, index) => {
            withFunctions(segment, { pose: row("segment", index) });
        });
        own.angles.forEach((angle) => withFunctions(angle, { values: row("angle", angle.index) }));
        withFunctions(own, {
            point_m: (index) => row("point", index)(),
            residual_m_in_frames: row("residual", 0),
            markerResidual_m_in_frames: (index) => row("marker-residual", index)(),
            subjectJson: () => new TextDecoder().decode(this.export("subject.json", performer)),
        });
    }

    #row(row, performer, index) {
        const request = { do: "of-performance", performance: this._handle, row, performer, index };
        return this._engine.take(this._engine.call(request));
    }

    residual_m(performer) {
        return this.#row("residual", performer, 0);
    }

    export(format, performer = 0, { names = {} } = {}) {
        const file = this._engine.call({ do: "export", performance: this._handle, performer, format, names });
        return this._engine.take(file.bytes);
    }
}

class Reacher extends Handle {
    #with({ positions_m, ...found }) {
        return { ...found, positions_m: this._engine.take(positions_m) };
    }

    reach(targets, options = {}) {
        return this.#with(this._engine.call({ do: "reach", reacher: this._handle, targets, options }));
    }

    rest() {
        return this.#with(this._engine.call({ do: "rest", reacher: this._handle })).positions_m;
    }

    moveBase(at_m) {
        return this.#with(this._engine.call({ do: "move-base", reacher: this._handle, at_m })).positions_m;
    }
}

class Live extends Handle {
    push(frame) {
        const { numbers, ...found } = this._engine.call({ do: "push", live: this._handle }, frame);
        const all = this._engine.take(numbers);
        let end = 0;
        const next = (count) => all.subarray(end, (end += count));
        for (const performer of found.performers) {
            const [joints, segments] = [performer.joints.length, performer.segments.length];
            performer.positions_m = next(3 * joints);
            performer.sds_m = next(joints);
            performer.poses = next(7 * segments);
        }
        return found;
    }

    finish() {
        const live = this._handle;
        const performance = new Performance(this._engine, this._engine.open({ do: "finish", live }));
        this.close();
        return performance;
    }
}

/** The bytes of a file beside this one. */
async function beside(name) {
    const url = new URL(name, import.meta.url);
    if (url.protocol !== "file:") {
        return await (await fetch(url)).arrayBuffer();
    }
    // Only Node gets here: bundlers need not look for it.
    const files = "node:fs/promises";
    return await (await import(/* @vite-ignore */ files)).readFile(url);
}

/** Loads the module: its bytes, a response that has them, or what was compiled from them; by itself the file beside. */
export async function load(source = beside("condyle_wasm.wasm")) {
    let module = await source;
    if (typeof Response !== "undefined" && module instanceof Response) {
        module = await module.arrayBuffer();
    }
    if (!(module instanceof WebAssembly.Module)) {
        module = await WebAssembly.compile(module);
    }
    const engine = new Engine(module);

    function read(source, name = "", { skeleton, ...options } = {}) {
        const bytes = unpacked(source);
        const motion_bytes = skeleton ? bytes.byteLength : null;
        const request = { do: "read", name, options, motion_bytes };
        return new Recording(engine, engine.open(request, bytes, ...(skeleton ? [skeleton] : [])));
    }

    function reacher(model) {
        const from = model.subject
            ? { subject: { subject: jobOptions(model).subject, pin: model.pin ?? null } }
            : { linkage: model };
        return new Reacher(engine, engine.open({ do: "reacher", model: from }));
    }

    function ik(model, targets, options) {
        const own = reacher(model);
        try {
            return own.reach(targets, options);
        } finally {
            own.close();
        }
    }

    function live({ labels, rateHz = 0, ...options }) {
        const request = { do: "live", labels, rate_hz: rateHz, options: jobOptions(options) };
        return new Live(engine, engine.open(request));
    }

    function taylor(values, rateHz, from, to, order) {
        const request = { do: "taylor", rate_hz: rateHz, from, to, order };
        const { fitted, ...found } = engine.call(request, Float64Array.from(values));
        return { ...found, fitted: engine.take(fitted) };
    }

    return {
        read,
        reacher,
        ik,
        live,
        taylor,
        version: engine.call({ do: "version" }),
        defaultOptions: () => engine.call({ do: "default-options" }),
        get memoryBytes() {
            return engine.bytes;
        },
    };
}
