// Options: how the file is read, what is known of the performer, how the skeleton is fitted; and what it all is.

import { app } from "../app/app.ts";
import { SIZES, type MeasuredSize, type TrialOptions } from "../app/options.ts";
import type { Trial } from "../app/trial.ts";
import { again, complain, open, tell } from "../app/trials.ts";
import { fill, h } from "../dom/h.ts";
import { askForText } from "../dom/choose.ts";
import { save, stem } from "../dom/save.ts";
import { aboutRows, exportButtons } from "./about.ts";
import { choice, number, row } from "./fields.ts";

const UNITS = {
    "": "as the file says",
    metre: "m",
    decimetre: "dm",
    centimetre: "cm",
    millimetre: "mm",
    inch: "in",
    foot: "ft",
};
const AXES = { x: "+X", y: "+Y", z: "+Z", "-x": "−X", "-y": "−Y", "-z": "−Z" };
const BY = {
    auto: "names if known, else motion",
    names: "names of markers",
    motion: "their motion",
    bodies: "bodies with poses",
};
const FILL = { auto: "as far as it can be trusted", short: "short ones", all: "all", off: "none" };
const WAITS_MS = 500;

export function optionsPane(): HTMLElement {
    const box = h("div", {});
    const show = () => {
        if (app.side.value === "options") {
            const trial = app.active.value;
            fill(
                box,
                ...(trial ? fields(trial) : [h("p", { class: "dim" }, "Drop a recording to begin."), replaceBox()]),
            );
        }
    };
    app.active.on(show);
    app.side.on(show);
    show();
    return box;
}

const FOOT_M = 0.3048;
let waiting: ReturnType<typeof setTimeout> | undefined;

/** Changes options and does again what follows from them, once the user is done. */
function set(trial: Trial, part: Partial<TrialOptions>, mustRead = false): void {
    Object.assign(trial.options, part);
    trial.mustRead ||= mustRead;
    clearTimeout(waiting);
    waiting = setTimeout(() => {
        const must = trial.mustRead;
        trial.mustRead = false;
        void again(trial, { mustRead: must });
    }, WAITS_MS);
}

function fields(trial: Trial): HTMLElement[] {
    const { options, recording } = trial;
    const read = (part: Partial<TrialOptions>) => set(trial, part, true);
    const fit = (part: Partial<TrialOptions>) => set(trial, part);
    const numeric = (text: string) => (text.trim() === "" ? null : Number(text));
    const rate = number(
        "Rate, Hz",
        options.rate_hz ?? recording?.rateHz ?? null,
        (text) => read({ rate_hz: numeric(text) }),
        { min: 0, step: "any" },
    );
    const twice = h(
        "button",
        {
            title: "Twice the rate: half the time",
            onclick: () => read({ rate_hz: 2 * (options.rate_hz ?? trial.rateHz) }),
        },
        "×2",
    );
    rate.append(twice);
    const feet = h("input", { type: "checkbox", checked: options.scale === FOOT_M });
    feet.addEventListener("change", () => read({ scale: feet.checked ? FOOT_M : 1 }));
    const left = h("input", { type: "checkbox", checked: options.left_handed });
    left.addEventListener("change", () => read({ left_handed: left.checked }));
    const names = recording?.subjects ?? [];
    const root = h("input", { value: options.root ?? "", placeholder: "as found", "aria-label": "Root segment" });
    root.addEventListener("change", () => fit({ root: root.value.trim() || null }));
    const subject = options.subjectName ?? "none: fitted anew";
    const again_ = h(
        "button",
        { class: "primary", disabled: trial.state === "fitting", onclick: () => void again(trial) },
        "Fit again",
    );
    return [
        h("h2", {}, "How it is read"),
        row("File", h("span", { class: "long" }, trial.name)),
        choice("Units", UNITS, options.unit ?? "", (value) => read({ unit: value || null })),
        h("label", { class: "check" }, feet, h("span", {}, "ft → m: multiply by 0.3048")),
        number("Scale", options.scale, (text) => read({ scale: numeric(text) ?? 1 }), { min: 0, step: "any" }),
        rate,
        choice(
            "Up",
            { "": `as the file says${recording?.up ? `: ${recording.up}` : ""}`, ...AXES },
            options.up ?? "",
            (value) => read({ up: value || null }),
        ),
        h("label", { class: "check" }, left, h("span", {}, "Axes are left-handed")),
        choice(
            "Forwards",
            {
                auto: "as the body stands",
                ...Object.fromEntries(
                    Object.entries(AXES).map(([axis, name]) => [axis.length === 1 ? `+${axis}` : axis, name]),
                ),
            },
            options.forward,
            (value) => {
                options.forward = value;
                app.active.touch();
            },
        ),
        number(
            "Starts at, s",
            trial.offset_s,
            (text) => {
                trial.offset_s = Math.max(0, numeric(text) ?? 0);
                app.trials.touch();
            },
            { step: "any", min: 0 },
        ),
        replaceBox(),
        h("h2", {}, "The performer"),
        ...(names.length > 1
            ? [
                  choice(
                      "Performer",
                      { "": "all", ...Object.fromEntries(names.map((name) => [name, name])) },
                      options.performer ?? "",
                      (value) => fit({ performer: value || null }),
                  ),
              ]
            : []),
        ...Object.entries(SIZES).map(([size, name]) => {
            const isTall = size === "stature_m" || size === "leg_length_m";
            const unit = isTall ? 1 : 1e3;
            const value = options.measured[size as MeasuredSize];
            return number(
                `${name}, ${isTall ? "m" : "mm"}`,
                value === null ? null : value * unit,
                (text) => {
                    const given = numeric(text);
                    fit({ measured: { ...options.measured, [size]: given === null ? null : given / unit } });
                },
                { min: 0, step: "any" },
            );
        }),
        number(
            "Weight, kg",
            options.weight_kg,
            (text) => {
                options.weight_kg = numeric(text);
                app.active.touch();
            },
            { min: 0, step: "any" },
        ),
        h("h2", {}, "How the skeleton is fitted"),
        choice("Segments by", BY, options.segments_by, (value) =>
            fit({ segments_by: value as TrialOptions["segments_by"], plan: null }),
        ),
        row("Root segment", root),
        softTissue(options, fit),
        knowledge(options, fit),
        choice("Fill gaps", FILL, options.fill, (value) => fit({ fill: value as TrialOptions["fill"] })),
        smoothing(options, fit),
        number(
            "Zero frame",
            options.zero_frame === null ? null : options.zero_frame + 1,
            (text) => fit({ zero_frame: numeric(text) === null ? null : numeric(text)! - 1 }),
            { min: 1 },
        ),
        row("Subject", h("span", { class: "long" }, subject)),
        h("div", { class: "buttons" }, ...subjectButtons(trial, fit)),
        options.plan === null
            ? h("span", {})
            : row(
                  "Segments",
                  h("span", { class: "long" }, "as the association has them"),
                  h("button", { onclick: () => fit({ plan: null }) }, "Drop"),
              ),
        h(
            "div",
            { class: "buttons" },
            again_,
            h(
                "button",
                {
                    title: "The same file once more, to try other options beside it",
                    onclick: () => void open(new File([trial.source], trial.name), trial.skeleton),
                },
                "Open once more",
            ),
            trial.error ? h("p", { class: "error", role: "alert" }, trial.error) : null,
        ),
        h("h2", {}, "Results as files"),
        h("div", { class: "buttons" }, ...exportButtons(trial)),
        h("h2", {}, "About"),
        ...aboutRows(trial),
    ];
}

function replaceBox(): HTMLElement {
    const box = h("input", { type: "checkbox", checked: app.replace.value });
    box.addEventListener("change", () => (app.replace.value = box.checked));
    return h(
        "label",
        { class: "check" },
        box,
        h("span", {}, "replace: the next file takes the place of the active one, else it is added"),
    );
}

function softTissue(options: TrialOptions, fit: (part: Partial<TrialOptions>) => void): HTMLElement {
    const value = options.soft_tissue;
    const mm = h("input", {
        type: "number",
        min: 0,
        class: "small",
        "aria-label": "Soft tissue, mm",
        value: typeof value === "number" ? value * 1e3 : 10,
    });
    const field = choice(
        "Soft tissue",
        { auto: "typical of people", none: "none: a rig", metres: "millimetres:" },
        typeof value === "number" ? "metres" : value,
        (chosen) => fit({ soft_tissue: chosen === "metres" ? Number(mm.value) * 1e-3 : (chosen as "auto" | "none") }),
    );
    mm.addEventListener("change", () => fit({ soft_tissue: Number(mm.value) * 1e-3 }));
    field.append(mm);
    return field;
}

function smoothing(options: TrialOptions, fit: (part: Partial<TrialOptions>) => void): HTMLElement {
    const value = options.smoothing;
    const hz = h("input", {
        type: "number",
        min: 0,
        class: "small",
        "aria-label": "Cutoff, Hz",
        value: typeof value === "number" ? value : 6,
    });
    const field = choice(
        "Smooth angles",
        { auto: "by cross-validation", off: "no", at: "hertz:" },
        typeof value === "number" ? "at" : value,
        (chosen) => fit({ smoothing: chosen === "at" ? Number(hz.value) : (chosen as "auto" | "off") }),
    );
    hz.addEventListener("change", () => fit({ smoothing: Number(hz.value) }));
    field.append(hz);
    return field;
}

function knowledge(options: TrialOptions, fit: (part: Partial<TrialOptions>) => void): HTMLElement {
    const isFile = options.knowledge !== "auto" && options.knowledge !== "none";
    return choice(
        "Knowledge",
        {
            auto: "of people",
            none: "none: motion alone",
            file: isFile ? (options.knowledgeName ?? "a file") : "a file…",
        },
        isFile ? "file" : options.knowledge,
        async (chosen) => {
            const file = chosen === "file" ? await askForText(".toml") : null;
            if (chosen !== "file") {
                fit({ knowledge: chosen, knowledgeName: null });
            } else if (file) {
                fit({ knowledge: file.text, knowledgeName: file.name });
            }
        },
    );
}

function subjectButtons(trial: Trial, fit: (part: Partial<TrialOptions>) => void): HTMLElement[] {
    const take = (text: string, name: string) => {
        try {
            fit({ subject: JSON.parse(text) as object, subjectName: name });
        } catch (error) {
            complain(`${name}: ${error instanceof Error ? error.message : error}`);
        }
    };
    const others = app.trials.value.filter((other) => other !== trial && other.performance?.performers.length);
    const own = trial.performance?.performers[0];
    return [
        h(
            "button",
            {
                onclick: async () => {
                    const file = await askForText(".json");
                    if (file) {
                        take(file.text, file.name);
                    }
                },
            },
            "From a file",
        ),
        ...others.map((other) =>
            h(
                "button",
                { onclick: () => take(other.performance!.performers[0]!.subjectJson, other.name) },
                `Of ${other.name}`,
            ),
        ),
        h(
            "button",
            { disabled: options_(trial) === null, onclick: () => fit({ subject: null, subjectName: null }) },
            "Anew",
        ),
        h(
            "button",
            {
                disabled: !own,
                onclick: () => {
                    save(`${stem(trial.name)}-subject.json`, own!.subjectJson, "application/json");
                    tell("subject saved");
                },
            },
            "Save subject",
        ),
    ];
}

const options_ = (trial: Trial): object | null => trial.options.subject;
