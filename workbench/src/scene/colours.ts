// The colours of what is drawn. Left and right differ for any colour vision (Okabe and Ito 2008), as in reports.

import { Color } from "three";

export const SIDES = { left: "#d5649f", right: "#17a67c", none: "#7b93ad" } as const;

/** Of joints, by how well their centre is known. */
export const KNOWN = { well: "#1d2733", fairly: "#f4f6f8", barely: "#e5484d" } as const;

/** Of whole recordings where several are shown over each other. */
export const TRIALS = ["#4ea1f3", "#f0a03c", "#9d7bf0", "#3ec6b8", "#e86a5f", "#b8bf3f"] as const;

export const MARKER = { measured: "#dbe3ec", filled: "#f2a33a", predicted: "#b57bf2", chosen: "#ffe04d" } as const;

export interface Paper {
    background: string;
    fog: string;
    floor: string;
    line: string;
    strong: string;
    text: string;
    measured: string;
    shadow: number;
}

/** What lies behind, dark and light. */
export const PAPERS: Record<"dark" | "light", Paper> = {
    dark: {
        background: "#12161c",
        fog: "#12161c",
        floor: "#171c24",
        line: "#262e39",
        strong: "#36414f",
        text: "#d5dde6",
        measured: "#dbe3ec",
        shadow: 0.45,
    },
    light: {
        background: "#eef1f4",
        fog: "#eef1f4",
        floor: "#e6eaef",
        line: "#d3dae2",
        strong: "#b9c3ce",
        text: "#1f2933",
        measured: "#5a6775",
        shadow: 0.2,
    },
};

export const trialColour = (index: number): string => TRIALS[index % TRIALS.length]!;

/** A colour for each group, far from its neighbours in the list: steps of the golden angle. */
export function groupColour(index: number): string {
    const hue = (index * 137.508 + 205) % 360;
    return `hsl(${hue.toFixed(0)} 62% ${index % 2 ? 66 : 56}%)`;
}

const parsed = new Map<string, Color>();

/** A colour of three.js, made once. */
export function colour(name: string): Color {
    let made = parsed.get(name);
    if (!made) {
        made = new Color(hslWithCommas(name));
        parsed.set(name, made);
    }
    return made;
}

/** three.js reads hsl with commas only. */
function hslWithCommas(name: string): string {
    return name.startsWith("hsl(") ? name.replaceAll(" ", ", ") : name;
}
