// Which markers are on which segment: what was found, and what the user makes of it.

import { History } from "../app/history.ts";
import type { PerformanceData } from "../engine/data.ts";

export interface PlannedSegment {
    performer: string;
    name: string;
    parent: string | null;
    joint: string | null;
}

export interface State {
    segments: readonly PlannedSegment[];
    /** Which segment a marker is on, by its label in the file; an index into `segments`. */
    of: ReadonlyMap<string, number>;
    /** New names, by the label in the file. */
    names: ReadonlyMap<string, string>;
}

const EMPTY: State = { segments: [], of: new Map(), names: new Map() };

export class Association {
    #state: State = EMPTY;
    #history = new History<State>();
    /** The state that the last fit was made with. */
    #fitted: State = EMPTY;

    get state(): State {
        return this.#state;
    }

    get canUndo(): boolean {
        return this.#history.canUndo;
    }

    get canRedo(): boolean {
        return this.#history.canRedo;
    }

    /** Whether markers were moved since the last fit. */
    get isChanged(): boolean {
        return this.#state.segments !== this.#fitted.segments || this.#state.of !== this.#fitted.of;
    }

    nameOf(label: string): string {
        return this.#state.names.get(label) ?? label;
    }

    segmentOf(label: string): PlannedSegment | null {
        const index = this.#state.of.get(label);
        return index === undefined ? null : (this.#state.segments[index] ?? null);
    }

    /** Takes over what a fit found, unless the user has a say in it. */
    propose(performance: PerformanceData): void {
        if (!this.isChanged) {
            const { segments, of } = proposed(performance);
            this.#state = { ...this.#state, segments, of };
        }
        this.#fitted = this.#state;
    }

    /** Lets the next fit propose anew; names stay. */
    forget(): void {
        this.#fitted = this.#state;
    }

    undo(): void {
        this.#state = this.#history.undo(this.#state);
    }

    redo(): void {
        this.#state = this.#history.redo(this.#state);
    }

    rename(label: string, name: string): void {
        const names = new Map(this.#state.names);
        if (name === "" || name === label) {
            names.delete(label);
        } else {
            names.set(label, name);
        }
        this.#change({ names });
    }

    /** Puts markers on a segment; on none with null. */
    assign(labels: readonly string[], segment: number | null): void {
        const of = new Map(this.#state.of);
        labels.forEach((label) => (segment === null ? of.delete(label) : of.set(label, segment)));
        this.#change({ of });
    }

    /** Makes a segment of these markers; returns its index. */
    split(labels: readonly string[], name: string): number {
        const from = labels.map((label) => this.segmentOf(label)).find((segment) => segment !== null) ?? null;
        const taken = new Set(this.#state.segments.map((segment) => segment.name));
        let unique = name;
        for (let count = 2; taken.has(unique); count += 1) {
            unique = `${name} ${count}`;
        }
        const made: PlannedSegment = {
            performer: from?.performer ?? this.#state.segments[0]?.performer ?? "",
            name: unique,
            parent: from?.name ?? null,
            joint: null,
        };
        const index = this.#state.segments.length;
        const of = new Map(this.#state.of);
        labels.forEach((label) => of.set(label, index));
        this.#change({ segments: [...this.#state.segments, made], of });
        return index;
    }

    /** Puts all markers of one segment on another, and hangs on that what hung on the first. */
    join(from: number, into: number): void {
        const { segments } = this.#state;
        const [gone, kept] = [segments[from], segments[into]];
        if (!gone || !kept || from === into) {
            return;
        }
        const of = new Map([...this.#state.of].map(([label, on]) => [label, on === from ? into : on]));
        const hung = segments.map((segment) => {
            if (segment === kept && kept.parent === gone.name) {
                return { ...kept, parent: gone.parent, joint: gone.joint };
            }
            return segment.parent === gone.name ? { ...segment, parent: kept.name } : segment;
        });
        this.#change({ segments: hung, of });
    }

    #change(part: Partial<State>): void {
        this.#history.push(this.#state);
        this.#state = { ...this.#state, ...part };
    }
}

function proposed(performance: PerformanceData): State {
    const segments: PlannedSegment[] = performance.performers.flatMap((performer) =>
        performer.segments.map((segment) => ({
            performer: performer.name,
            name: segment.name,
            parent: segment.parent,
            joint: performer.joints.find(({ childSegment }) => childSegment === segment.name)?.name ?? null,
        })),
    );
    const of = new Map<string, number>();
    for (const { label, segment, performer } of performance.markers) {
        const index = segments.findIndex(
            (one) => one.name === segment && one.performer === (performer ?? one.performer),
        );
        if (segment !== null && index >= 0) {
            of.set(label, index);
        }
    }
    return { segments, of, names: new Map() };
}
