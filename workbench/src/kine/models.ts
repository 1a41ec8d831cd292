// What reaches: a chain in the plane, one in space, or the skeleton that was fitted.

import type { Model } from "@condyle/engine";
import { app } from "../app/app.ts";

export type Kind = "plane" | "space" | "skeleton";

/** How far a joint of the chains may bend, with limits on. */
const BEND_DEG = 50;
const REACH_M = 1.6;

/** A chain of so many joints, up from the floor. */
function chain(joints: number, kind: "plane" | "space"): Model {
    const bone_m = REACH_M / (joints - 1);
    const hinge = { type: "hinge", axis: [0, 0, 1], range_deg: [-BEND_DEG, BEND_DEG] };
    const limits = Array.from({ length: joints - 1 }, (_, joint) =>
        joint === 0
            ? kind === "plane"
                ? { ...hinge, range_deg: [-180, 180] }
                : null
            : kind === "plane"
              ? hinge
              : BEND_DEG,
    );
    return { joints: Array.from({ length: joints }, (_, joint) => [0, joint * bone_m, 0]), limits };
}

/** The model of a kind, or why there is none. */
export function modelOf(kind: Kind, joints: number): Model | string {
    if (kind !== "skeleton") {
        return chain(joints, kind);
    }
    const performer = app.active.value?.performance?.performers[0];
    return performer ? { subject: performer.subjectJson } : "need a fitted skeleton: drop a recording first";
}
