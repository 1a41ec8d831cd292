// What a recording is, what the machine draws with, and results as files.

import type { Trial } from "../app/trial.ts";
import { complain } from "../app/trials.ts";
import { h } from "../dom/h.ts";
import { save, stem } from "../dom/save.ts";
import { row } from "./fields.ts";

const FILES: [string, string, string][] = [
    ["csv", "Joints CSV", "joints.csv"],
    ["angles.csv", "Angles CSV", "angles.csv"],
    ["trc", "Joints TRC", "joints.trc"],
    ["mot", "Angles MOT", "angles.mot"],
    ["bvh", "BVH", "skeleton.bvh"],
    ["glb", "glTF", "skeleton.glb"],
    ["c3d", "C3D", "with-joints.c3d"],
    ["osim", "OpenSim", "model.osim"],
    ["json", "Results", "results.json"],
];

export function exportButtons(trial: Trial): HTMLElement[] {
    return FILES.map(([format, name, ending]) => {
        const run = async () => {
            try {
                const names = Object.fromEntries(trial.association.state.names);
                const bytes = await trial.client.ask("export", { format, performer: 0, names });
                save(`${stem(trial.name)}-${ending}`, bytes as BlobPart, "application/octet-stream");
            } catch (error) {
                complain(`${name}: ${error instanceof Error ? error.message : error}`);
            }
        };
        return h("button", { disabled: !trial.performance, onclick: run }, name);
    });
}

function graphics(): string {
    const gl = document.createElement("canvas").getContext("webgl2");
    const named = gl?.getExtension("WEBGL_debug_renderer_info");
    const name = gl ? String(gl.getParameter(named ? named.UNMASKED_RENDERER_WEBGL : gl.RENDERER)) : "no WebGL";
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    return name;
}

export function aboutRows(trial: Trial): HTMLElement[] {
    const { recording } = trial;
    if (!recording) {
        return [];
    }
    const long = (text: string) => h("span", { class: "long" }, text);
    const memory = long("…");
    void trial.client
        .ask("memory", null)
        .then(
            ({ version, bytes }) =>
                (memory.textContent = `condyle ${version}, ${(bytes / 2 ** 20).toFixed(0)} MB in use`),
        );
    return [
        row("Format", long([recording.format, recording.variant].filter(Boolean).join(", "))),
        row("Frames", long(`${recording.frames}, from ${recording.firstFrame}, ${trial.duration_s.toFixed(2)} s`)),
        row("Units in the file", long(recording.units || "not said")),
        row("Subjects", long(recording.subjects.join(", ") || "none named")),
        row("Events, plates", long(`${recording.events.length}, ${recording.plates.length}`)),
        row(
            "Read, fitted in",
            long(
                [trial.took_ms.read, trial.took_ms.fit]
                    .map((ms) => (ms === undefined ? "–" : `${ms.toFixed(0)} ms`))
                    .join(", "),
            ),
        ),
        row("Engine", memory),
        row("Graphics", long(graphics())),
    ];
}
