import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

// Names are fixed, so that a page can be put together from the files (docs/workbench.md).
const named = (entry) => ({
    entryFileNames: entry,
    chunkFileNames: entry,
    assetFileNames: "app[extname]",
});

export default defineConfig({
    base: "./",
    resolve: {
        alias: { "@condyle/engine": process.env.CONDYLE_ENGINE ?? here("../crates/condyle-wasm/condyle.mjs") },
    },
    build: {
        outDir: process.env.CONDYLE_WORKBENCH_OUT ?? here("../target/workbench"),
        emptyOutDir: false,
        target: "es2022",
        cssCodeSplit: false,
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 1500,
        rollupOptions: { output: { ...named("app.js"), codeSplitting: false } },
    },
    worker: { format: "iife", rollupOptions: { output: named("worker.js") } },
});
