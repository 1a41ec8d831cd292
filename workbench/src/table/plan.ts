// The association file: a plan in TOML, as docs/plan.md describes it.

import type { PlannedSegment, State } from "./association.ts";

const text = (value: string): string => JSON.stringify(value);

/** The plan of a state; segments without markers are left out, and what hung on them hangs on the next. */
export function planToml({ segments, of }: State): string {
    const markers = segments.map((_, index) => [...of].filter(([, on]) => on === index).map(([label]) => label));
    const performers = [...new Set(segments.map(({ performer }) => performer))];
    const used = segments.filter((_, index) => markers[index]!.length > 0);
    const lines = ["version = 1", ""];
    const isOne = performers.length < 2;
    for (const performer of performers) {
        const own = used.filter((segment) => segment.performer === performer);
        if (own.length === 0) {
            continue;
        }
        if (!isOne) {
            lines.push("[[performer]]", `name = ${text(performer)}`, `prefix = ${text(performer)}`, "");
        }
        for (const segment of own) {
            const parent = usedParent(segment, segments, own);
            const labels = markers[segments.indexOf(segment)]!;
            lines.push(isOne ? "[[segment]]" : "[[performer.segment]]", `name = ${text(segment.name)}`);
            if (parent) {
                lines.push(`parent = ${text(parent.name)}`);
                if (segment.joint) {
                    lines.push(`joint = ${text(segment.joint)}`);
                }
            }
            lines.push(`markers = [${labels.map(text).join(", ")}]`, "");
        }
    }
    return lines.join("\n");
}

function usedParent(
    segment: PlannedSegment,
    all: readonly PlannedSegment[],
    used: readonly PlannedSegment[],
): PlannedSegment | null {
    const seen = new Set<string>([segment.name]);
    let name = segment.parent;
    while (name !== null && !seen.has(name)) {
        seen.add(name);
        const parent = all.find((other) => other.performer === segment.performer && other.name === name);
        if (!parent || used.includes(parent)) {
            return parent ?? null;
        }
        name = parent.parent;
    }
    return null;
}
