// A worker and what is asked of it, as promises.

import type { Call, Calls } from "./data.ts";
import { engineModule, newWorker } from "./module.ts";

/** What the engine said is wrong, in the command line's words. */
export class EngineError extends Error {}

interface Waiting {
    resolve(value: unknown): void;
    reject(error: Error): void;
    /** Called with what comes before the answer. */
    part(part: unknown): void;
}

export class Client {
    #worker: Promise<Worker>;
    #waiting = new Map<number, Waiting>();
    #next = 0;
    #isClosed = false;

    constructor() {
        this.#worker = this.#start();
        this.#worker.catch(() => undefined);
    }

    async #start(): Promise<Worker> {
        const module = await engineModule();
        const worker = await newWorker();
        worker.addEventListener("message", ({ data }) => this.#receive(data));
        worker.addEventListener("error", (event) => this.#fail(new EngineError(event.message || "the worker failed")));
        worker.postMessage({ module });
        return worker;
    }

    async ask<K extends Call>(
        call: K,
        ask: Calls[K]["ask"],
        transfer: Transferable[] = [],
        part: (part: never) => void = () => undefined,
    ): Promise<Calls[K]["answer"]> {
        const worker = await this.#worker;
        if (this.#isClosed) {
            throw new EngineError("closed");
        }
        const id = this.#next++;
        return new Promise((resolve, reject) => {
            this.#waiting.set(id, {
                resolve: resolve as (value: unknown) => void,
                reject,
                part: part as (part: unknown) => void,
            });
            worker.postMessage({ id, call, ask }, transfer);
        });
    }

    #receive(data: { id: number; value?: unknown; error?: string; part?: unknown }): void {
        const waiting = this.#waiting.get(data.id);
        if (data.part !== undefined) {
            waiting?.part(data.part);
            return;
        }
        this.#waiting.delete(data.id);
        if (data.error === undefined) {
            waiting?.resolve(data.value);
            return;
        }
        waiting?.reject(new EngineError(data.error));
    }

    #fail(error: Error): void {
        this.#waiting.forEach(({ reject }) => reject(error));
        this.#waiting.clear();
    }

    /** Ends the worker, and whatever it is doing. */
    async close(): Promise<void> {
        this.#isClosed = true;
        this.#fail(new EngineError("closed"));
        (await this.#worker.catch(() => null))?.terminate();
    }
}

let spare: Client | null = null;

/** A worker that is ready to read; the next one gets ready meanwhile, so that a drop need not wait. */
export function readyClient(): Client {
    const ready = spare ?? new Client();
    spare = new Client();
    warm(spare);
    return ready;
}

/** Gets the first worker ready. */
export function prepare(): void {
    spare ??= new Client();
    warm(spare);
}

/** Any call makes the engine; this is the cheapest. */
function warm(client: Client): void {
    const values = new Float64Array(3);
    client.ask("taylor", { values, rateHz: 1, from: 0, to: 3, order: 1 }).catch(() => undefined);
}
