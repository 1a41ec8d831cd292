// Kine: a chain or the fitted skeleton reaches for a target, by two methods side by side.

import type { ReachOptions } from "@condyle/engine";
import { Group, Mesh, MeshLambertMaterial, Plane, Quaternion, SphereGeometry, Vector3 } from "three";
import { app } from "../app/app.ts";
import { fill, h } from "../dom/h.ts";
import type { Linkage } from "../engine/data.ts";
import { Client } from "../engine/client.ts";
import { choice } from "../panels/fields.ts";
import { DrawnLinkage } from "../scene/linkage.ts";
import type { Figure } from "../scene/figure.ts";
import { forwardOf } from "../scene/forward.ts";
import type { View } from "../scene/view.ts";
import { dragTarget } from "./drag.ts";
import { type Kind, modelOf } from "./models.ts";

const METHODS = [
    "fabrik",
    "ccd",
    "jt",
    "pinv",
    "dls",
    "svd-dls",
    "sdls",
    "smc",
    "gauss-newton",
    "arc",
    "triangulation",
    "two-link",
    "ftl",
] as const;
const COLOURS = ["#4ea1f3", "#f0a03c"] as const;
const KINDS = { plane: "chain in the plane", space: "chain in space", skeleton: "fitted skeleton" };

export function kinePane(view: View): HTMLElement {
    const root = new Group();
    root.visible = false;
    view.add(root);
    const target = new Mesh(
        new SphereGeometry(1, 20, 14),
        new MeshLambertMaterial({ color: "#e5484d", emissive: "#5a1013" }),
    );
    root.add(target);
    let client: Client | null = null;
    let kind: Kind = "plane";
    let linkage: Linkage | null = null;
    let drawn: DrawnLinkage[] = [];
    let methods: (typeof METHODS)[number][] = ["fabrik", "ccd"];
    let effector = 0;
    /** Which question about a model is the newest: answers to older ones are dropped. */
    let asked = 0;
    const readings = methods.map((_, at) => h("tr", { "data-method": at }));
    const says = h("p", { class: "error", role: "alert" });
    const effectors = h("select", { "aria-label": "What reaches" });
    const count = h("input", {
        type: "number",
        min: 2,
        max: 40,
        value: 6,
        class: "small",
        "aria-label": "Joints of the chain",
    });
    const limited = h("input", { type: "checkbox" });
    const held = h("input", { type: "checkbox", checked: true });
    const plain = h("input", { type: "checkbox" });
    const places = ["x", "y", "z"].map((axis) =>
        h("input", { type: "number", step: 0.05, class: "small", "aria-label": `Target ${axis}, m` }),
    );

    const build = async () => {
        const mine = ++asked;
        drawn.forEach((one) => one.dispose());
        [drawn, linkage] = [[], null];
        says.textContent = "";
        const model = modelOf(kind, Math.min(Math.max(Number(count.value) || 6, 2), 40));
        if (typeof model === "string") {
            says.textContent = model;
            target.visible = false;
            view.redraw();
            return;
        }
        client ??= new Client();
        try {
            const made = await client.ask("reachers", { model, count: methods.length });
            if (mine !== asked) {
                return;
            }
            linkage = made;
        } catch (error) {
            says.textContent = error instanceof Error ? error.message : String(error);
            return;
        }
        const figure = view.active;
        root.position.set(0, 0, 0);
        root.quaternion.identity();
        if (kind === "skeleton" && figure) {
            stand(root, figure);
        }
        const size_m = spread(linkage.rest_m);
        drawn = methods.map(
            (_, at) =>
                new DrawnLinkage(
                    linkage!.parents,
                    COLOURS[at]!,
                    (kind === "skeleton" ? 0.011 : 0.02) * size_m,
                    at === 0 ? 1 : 0.62,
                ),
        );
        drawn.forEach((one) => {
            one.show(linkage!.rest_m.flat());
            root.add(one.group);
        });
        fill(
            effectors,
            ...linkage.effectors.map((joint, at) =>
                h("option", { value: at }, linkage!.names[joint] ?? `joint ${joint}`),
            ),
        );
        effector = Math.max(
            0,
            linkage.effectors.findIndex((joint) => /hand|wrist/.test(linkage!.names[joint] ?? "")),
        );
        effectors.value = String(effector);
        effectors.disabled = linkage.effectors.length < 2;
        target.visible = true;
        target.scale.setScalar((kind === "skeleton" ? 0.018 : 0.028) * size_m);
        target.position.set(...endOf(effector));
        if (kind !== "skeleton") {
            target.position.set(0.7, 0.9, kind === "plane" ? 0 : 0.3);
        }
        look(size_m);
        move(target.position.clone());
    };
    const endOf = (at: number): [number, number, number] => linkage!.rest_m[linkage!.effectors[at]!]!;
    const look = (size_m: number) => {
        const middle = linkage!.rest_m
            .reduce((sum, place) => sum.add(new Vector3(...place)), new Vector3())
            .divideScalar(linkage!.rest_m.length);
        root.updateMatrixWorld(true);
        root.localToWorld(middle);
        view.cameras.look(
            kind === "skeleton" ? "oblique" : "front",
            middle,
            (kind === "skeleton" ? 0.7 : 1) * size_m,
            kind === "skeleton" && view.active ? forwardOf(view.active, frameNow()) : new Vector3(0, 0, 1),
        );
        view.redraw();
    };

    let isBusy = false;
    let isWaiting = false;
    const solve = async () => {
        if (isBusy) {
            isWaiting = true;
            return;
        }
        if (!linkage || !client) {
            return;
        }
        isBusy = true;
        const [own, mine] = [linkage, asked];
        const aim = own.effectors.map((_, at) =>
            at === effector ? target.position.toArray() : held.checked && kind === "skeleton" ? endOf(at) : null,
        );
        for (const [which, method] of methods.entries()) {
            const options: ReachOptions = {
                method,
                no_limits: !limited.checked,
                plain: plain.checked,
                max_iterations: 500,
            };
            try {
                const reach = await client.ask("reach", { which, targets: aim, options });
                if (mine === asked) {
                    drawn[which]?.show(reach.positions_m);
                    fill(
                        readings[which]!,
                        ...cells(which, method, [
                            String(reach.iterations),
                            `${reach.time_ms.toFixed(2)} ms`,
                            `${(1e3 * reach.error_m).toFixed(1)} mm`,
                            reach.outcome,
                        ]),
                    );
                }
            } catch (error) {
                fill(
                    readings[which]!,
                    ...cells(which, method, ["–", "–", "–", error instanceof Error ? error.message : String(error)]),
                );
            }
        }
        isBusy = false;
        view.redraw();
        if (isWaiting) {
            isWaiting = false;
            void solve();
        }
    };
    const cells = (which: number, method: string, values: string[]) => {
        const dot = h("i", { class: "dot" });
        dot.style.background = COLOURS[which]!;
        return [h("th", { scope: "row" }, dot, " ", method), ...values.map((value) => h("td", {}, value))];
    };

    const move = (local: Vector3) => {
        target.position.copy(local);
        if (kind === "plane") {
            target.position.z = 0;
        }
        places.forEach((input, axis) => {
            if (document.activeElement !== input) {
                input.value = target.position.getComponent(axis).toFixed(2);
            }
        });
        view.redraw();
        void solve();
    };
    dragTarget(view, {
        at: () => target.getWorldPosition(new Vector3()),
        plane: () => (kind === "plane" ? new Plane(new Vector3(0, 0, 1), 0) : null),
        moveTo: (place) => move(root.worldToLocal(place)),
    });
    places.forEach((input, axis) =>
        input.addEventListener("input", () =>
            move(target.position.clone().setComponent(axis, Number(input.value) || 0)),
        ),
    );
    for (const box of [limited, held, plain]) {
        box.addEventListener("change", () => void solve());
    }
    count.addEventListener("change", () => void build());
    effectors.addEventListener("change", () => {
        effector = Number(effectors.value);
        move(new Vector3(...endOf(effector)));
    });
    app.side.watch((side) => {
        const isShown = side === "kine";
        if (root.visible !== isShown) {
            root.visible = isShown;
            app.playing.value = app.playing.value && !isShown;
            if (isShown) {
                void build();
            } else {
                asked += 1;
                view.lookAtAll();
            }
        }
    });
    app.active.on(() => root.visible && kind === "skeleton" && void build());

    const methodChoice = (at: number) =>
        choice(
            at === 0 ? "Method" : "Beside it",
            Object.fromEntries(METHODS.map((method) => [method, method])),
            methods[at]!,
            (method) => {
                methods[at] = method as (typeof METHODS)[number];
                void solve();
            },
        );
    const head = h(
        "tr",
        {},
        ...["Method", "Iterations", "Time", "Left", ""].map((name) => h("th", { scope: "col" }, name)),
    );
    return h(
        "div",
        {},
        h("p", { class: "dim" }, "Drag the red target, or click where it should be."),
        choice("What", KINDS, kind, (chosen) => {
            kind = chosen as Kind;
            void build();
        }),
        h("div", { class: "row" }, h("span", {}, "Joints of the chain"), count),
        h("div", { class: "row" }, h("span", {}, "Reaches"), effectors),
        methodChoice(0),
        methodChoice(1),
        h(
            "div",
            { class: "checks" },
            h("label", { class: "check" }, limited, h("span", {}, "Limits")),
            h(
                "label",
                { class: "check", title: "The algorithm to the letter, without what finishes it" },
                plain,
                h("span", {}, "Plain"),
            ),
            h("label", { class: "check" }, held, h("span", {}, "Hold other ends")),
        ),
        h("div", { class: "row" }, h("span", {}, "Target, m"), ...places),
        h("div", { class: "buttons" }, h("button", { onclick: () => void build() }, "Start again")),
        says,
        h("table", { class: "reach", "aria-live": "polite" }, h("thead", {}, head), h("tbody", {}, ...readings)),
    );
}

const frameNow = (): number => app.active.value?.frameAt(app.time_s.value) ?? 0;

/** Lets a subject stand as its root segment does in the present frame: it is written in the axes of that segment. */
function stand(root: Group, figure: Figure): void {
    const segments = figure.trial.performance!.performers[0]!.segments;
    const pose = (segments.find(({ parent }) => parent === null) ?? segments[0])?.pose;
    const at = 7 * frameNow();
    root.quaternion.copy(figure.group.quaternion);
    if (pose && Number.isFinite(pose[at]!)) {
        root.quaternion.multiply(new Quaternion(pose[at + 1], pose[at + 2], pose[at + 3], pose[at]));
        root.position.copy(figure.toScene([pose[at + 4]!, pose[at + 5]!, pose[at + 6]!]));
    }
}

/** How far apart joints are, at most. */
function spread(rest_m: readonly (readonly number[])[]): number {
    const spans = [0, 1, 2].map((axis) => {
        const values = rest_m.map((place) => place[axis]!);
        return Math.max(...values) - Math.min(...values);
    });
    return Math.max(...spans, 1e-3);
}
