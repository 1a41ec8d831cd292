import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

// Names are fixed, so that a page can be put together from the files (docs/workbench.md).
const named = (entry) => ({
    entryFileNames: entry,
    chunkFileNames: entry,
    assetFileNames: "app[extname]",
});

// A page that is saved has one script with everything in it: `vite build --mode whole`.
const apart = { ...named("app.js"), chunkFileNames: "panes.js" };
const whole = { ...named("whole.js"), codeSplitting: false };

export default defineConfig(({ mode }) => ({
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
        rollupOptions: mode === "whole" ? { input: here("src/main.ts"), output: whole } : { output: apart },
    },
    worker: { format: "iife", rollupOptions: { output: named("worker.js") } },
}));
