// Everything that is drawn of one recording.

import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, Quaternion, Vector3 } from "three";
import { app } from "../app/app.ts";
import type { Layers } from "../app/layers.ts";
import type { Trial } from "../app/trial.ts";
import { Axes } from "./axes.ts";
import { groupColour, type Paper, SIDES, trialColour } from "./colours.ts";
import { type Extent, extentOf, type Up, upAxis } from "./extent.ts";
import { Joints } from "./joints.ts";
import { Labels } from "./labels.ts";
import { DrawnLinkage } from "./linkage.ts";
import { Marks, type Track } from "./marks.ts";
import { Plates } from "./plates.ts";
import { Route } from "./route.ts";
import { Shadow } from "./shadow.ts";
import { Skeleton } from "./skeleton.ts";
import { Trails } from "./trails.ts";

const Y = new Vector3(0, 1, 0);

export class Figure {
    readonly group = new Group();
    readonly up: Up;
    readonly extent: Extent;
    readonly route: Route;
    readonly marks: Marks;
    readonly joints: Joints[];
    readonly skeletons: Skeleton[];
    #raw: Marks;
    #labels = new Labels();
    #trails = new Trails();
    #axes: Axes[];
    #bodies: Axes;
    #given: DrawnLinkage | null;
    #plates: Plates;
    #shadow: Shadow;
    #path = new Line(new BufferGeometry(), new LineBasicMaterial({ transparent: true, opacity: 0.8 }));
    /** What it was built from. */
    readonly recording: object;
    readonly performance: object | null;
    /** Whether it has the colour of its recording, to be told from others. */
    readonly isTinted = isOverlaid();

    constructor(readonly trial: Trial) {
        const recording = trial.recording!;
        this.recording = recording;
        this.performance = trial.performance;
        this.up = upAxis(trial.performance?.up ?? recording.up);
        this.extent = extentOf(trial, this.up);
        this.route = new Route(trial);
        const size_m = this.extent.size_m;
        const performers = trial.performance?.performers ?? [];
        this.marks = new Marks(recording.markers.length);
        this.#raw = new Marks(recording.markers.length, true);
        this.marks.size_m = this.#raw.size_m = 0.0062 * size_m;
        this.joints = performers.map((performer) => new Joints(performer, size_m));
        this.#axes = performers.map(
            (performer) =>
                new Axes(
                    performer.segments.map(({ pose }) => pose),
                    size_m,
                ),
        );
        const tint = this.isTinted ? trialColour(trial.colour) : null;
        this.skeletons = performers.map((performer) => new Skeleton(performer, size_m, tint));
        this.#bodies = new Axes(
            recording.bodies.map(({ pose }) => pose),
            size_m,
        );
        const given = recording.skeleton;
        this.#given =
            given &&
            new DrawnLinkage(
                given.joints.map(({ parent }) => parent),
                SIDES.none,
                0.009 * size_m,
                1,
            );
        this.#plates = new Plates(recording.plates);
        this.#shadow = new Shadow(this.up.axis, this.up.sign * this.extent.floor_m, this.up.sign * 0.002 * size_m);
        this.skeletons.forEach((skeleton) => skeleton.solids.forEach((solid) => this.#shadow.add(solid)));
        this.group.quaternion.copy(this.#turn);
        this.group.position.y = -this.extent.floor_m;
        this.group.add(
            this.marks.group,
            this.#raw.group,
            this.#labels.group,
            this.#trails.lines,
            this.#plates.group,
            this.#shadow.group,
            this.#path,
        );
        this.skeletons.forEach(({ bones, body }) => this.group.add(bones, body));
        this.joints.forEach(({ balls, ellipsoids }) => this.group.add(balls, ellipsoids));
        [...this.#axes, this.#bodies].forEach(({ lines }) => this.group.add(lines));
        if (this.#given) {
            this.group.add(this.#given.group);
        }
    }

    get #turn(): Quaternion {
        const up = new Vector3().setComponent(this.up.axis, this.up.sign);
        return new Quaternion().setFromUnitVectors(up, Y);
    }

    /** From the recording's axes to the scene's. */
    toScene(point: readonly [number, number, number]): Vector3 {
        return new Vector3(...point).applyQuaternion(this.group.quaternion).add(this.group.position);
    }

    /** Colours, labels and what is chosen: after anything but time changed. */
    dress(layers: Layers, paper: Paper): void {
        const { trial } = this;
        const isActive = app.active.value === trial;
        const { association } = trial;
        const own = this.isTinted ? trialColour(trial.colour) : paper.measured;
        const tracks = trial.recording!.markers.flatMap(({ kind, label }, marker): (Track & { isInUse: boolean })[] => {
            if (kind !== "marker") {
                return [];
            }
            const segment = association.state.of.get(label);
            const isInUse = segment !== undefined;
            const isGrouped = isInUse && app.side.value === "markers";
            return [
                {
                    marker,
                    position_m: trial.positions(marker),
                    origin: trial.solvedMarker(marker)?.origin ?? null,
                    colour: isGrouped ? groupColour(segment) : own,
                    isInUse: isInUse || trial.performance === null,
                },
            ];
        });
        this.marks.tracks = tracks;
        this.marks.chosen = isActive ? app.marker.value : null;
        this.marks.group.visible = layers.markers;
        this.#raw.tracks = tracks
            .filter(({ marker }) => trial.solvedMarker(marker)?.position_m)
            .map((track) => ({
                ...track,
                origin: null,
                colour: "#ff7a66",
                position_m: trial.recording!.markers[track.marker]!.position_m,
            }));
        this.#raw.group.visible = layers.raw;
        this.#labels.group.visible = layers.labels;
        const prefix = sharedPrefix(
            tracks.map(({ marker }) => association.nameOf(trial.recording!.markers[marker]!.label)),
        );
        this.#labels.show(
            layers.labels
                ? tracks.map(({ marker, position_m }) => ({
                      text: association.nameOf(trial.recording!.markers[marker]!.label).slice(prefix),
                      position_m,
                  }))
                : [],
            paper.text,
        );
        this.#trails.lines.visible = layers.trails;
        this.#trails.show(layers.trails ? tracks : []);
        this.skeletons.forEach((skeleton) => {
            skeleton.bones.visible = layers.bones;
            skeleton.body.visible = layers.body || layers.wire;
            skeleton.isWire = layers.wire;
        });
        this.joints.forEach((joints, performer) => {
            joints.balls.visible = layers.joints;
            joints.ellipsoids.visible = layers.ellipsoids;
            const choice = app.joint.value;
            joints.chosen = isActive && choice?.performer === performer ? choice.joint : null;
        });
        this.#axes.forEach(({ lines }) => (lines.visible = layers.axes));
        // Sensors have nothing else to be seen by.
        this.#bodies.lines.visible = layers.axes || trial.performance === null;
        if (this.#given) {
            this.#given.group.visible = layers.bones;
        }
        this.#plates.group.visible = layers.plates;
        this.#shadow.group.visible = layers.floor && layers.bones;
        this.#shadow.material.opacity = paper.shadow;
        this.#drawPath(layers.path && isActive, paper);
    }

    /** The way of what is chosen, from start to end. */
    #drawPath(isShown: boolean, paper: Paper): void {
        const { joint, marker } = app;
        const performers = this.trial.performance?.performers;
        const chosen = joint.value ? performers?.[joint.value.performer]?.joints[joint.value.joint]?.position_m : null;
        const track = chosen ?? (marker.value === null ? null : this.trial.positions(marker.value));
        this.#path.visible = isShown && Boolean(track);
        if (this.#path.visible && track) {
            const there = track.filter((_, at) => Number.isFinite(track[at - (at % 3)]!));
            this.#path.geometry.dispose();
            this.#path.geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(there, 3));
            this.#path.frustumCulled = false;
            (this.#path.material as LineBasicMaterial).color.set(paper.text);
        }
    }

    update(frame: number, layers: Layers, unitsPerPixel: number): void {
        if (layers.markers) {
            this.marks.update(frame);
        }
        if (layers.raw) {
            this.#raw.update(frame);
        }
        if (layers.labels) {
            this.#labels.update(frame);
            this.#labels.scale(unitsPerPixel);
        }
        if (layers.trails) {
            this.#trails.update(frame, Math.round(app.trail_s.value * this.trial.rateHz));
        }
        this.skeletons.forEach((skeleton) => skeleton.update(frame));
        this.joints.forEach((joints) => joints.update(frame));
        if (layers.axes) {
            this.#axes.forEach((axes) => axes.update(frame));
        }
        this.#bodies.update(frame);
        const tracks = this.trial.recording!.skeleton?.positions_m;
        this.#given?.place((joint, out) => out.fromArray(tracks![joint]!, 3 * frame));
        this.#plates.update(frame);
        this.#shadow.update();
    }

    dispose(): void {
        [this.marks, this.#raw, this.#labels, this.#trails, this.#plates, this.#shadow].forEach((part) =>
            part.dispose(),
        );
        [...this.skeletons, ...this.joints, ...this.#axes, this.#bodies].forEach((part) => part.dispose());
        this.#given?.dispose();
        this.#path.geometry.dispose();
        (this.#path.material as LineBasicMaterial).dispose();
        this.group.removeFromParent();
    }
}

/** How long a performer's name is that all labels begin with: `JOE:`. */
function sharedPrefix(labels: readonly string[]): number {
    const length = (labels[0]?.indexOf(":") ?? -1) + 1;
    return labels.every((label) => label.slice(0, length) === labels[0]!.slice(0, length)) ? length : 0;
}

/** Whether several recordings are drawn over each other. */
export function isOverlaid(): boolean {
    return app.trials.value.filter(({ recording }) => recording).length > 1;
}
