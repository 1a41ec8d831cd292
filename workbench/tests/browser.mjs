// Headless Chromium, where there is one.

import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const PLACES = [
    process.env.CONDYLE_CHROMIUM,
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
];

/** Where Chromium is, or null. */
export const chromiumPath = () => PLACES.find((path) => path && existsSync(path)) ?? null;

/** Starts it; pictures are drawn in software, so that they are the same everywhere. */
export function launch() {
    return chromium.launch({
        executablePath: chromiumPath(),
        args: [
            "--no-sandbox",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--use-angle=swiftshader",
            "--enable-unsafe-swiftshader",
            "--ignore-gpu-blocklist",
        ],
    });
}
