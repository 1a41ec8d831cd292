// Where the engine and its worker come from: files beside the page, or the page itself.

import { bytesOf, embedded } from "./embedded.ts";

let module: Promise<WebAssembly.Module> | null = null;
let workerUrl: Promise<string | null> | null = null;

/** The engine, compiled once. */
export function engineModule(): Promise<WebAssembly.Module> {
    module ??= compile();
    return module;
}

async function compile(): Promise<WebAssembly.Module> {
    const inside = embedded("condyle-wasm");
    if (inside) {
        return WebAssembly.compile(await bytesOf(inside));
    }
    const answer = await fetch("./condyle_wasm.wasm");
    if (!answer.ok) {
        throw new Error(`condyle_wasm.wasm: ${answer.status} ${answer.statusText}`);
    }
    return WebAssembly.compile(await answer.arrayBuffer());
}

async function embeddedWorker(): Promise<string | null> {
    const inside = embedded("condyle-worker");
    return inside && URL.createObjectURL(new Blob([await bytesOf(inside)], { type: "text/javascript" }));
}

export async function newWorker(): Promise<Worker> {
    workerUrl ??= embeddedWorker();
    const url = await workerUrl;
    return url ? new Worker(url) : new Worker(new URL("../worker.ts", import.meta.url), { type: "module" });
}
