// The static files of the workbench on loopback, for tests and pictures.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".css": "text/css",
    ".wasm": "application/wasm",
};

/** Serves a folder; returns its address and how to stop. */
export async function serve(folder) {
    const server = createServer(async (request, response) => {
        const path = normalize(new URL(request.url, "http://x").pathname).replace(/^\/+/, "") || "index.html";
        const file = join(folder, path);
        const found = file.startsWith(folder) && (await stat(file).catch(() => null));
        if (!found || !found.isFile()) {
            response.writeHead(404).end();
            return;
        }
        response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
        createReadStream(file).pipe(response);
    });
    await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
    return { url: `http://127.0.0.1:${server.address().port}/`, stop: () => server.close() };
}
