/** What can be undone and done again: whole states, newest last. */
export class History<T> {
    #past: T[] = [];
    #future: T[] = [];

    /** Remembers the state before a change. */
    push(before: T): void {
        this.#past.push(before);
        this.#future = [];
    }

    undo(now: T): T {
        const before = this.#past.pop();
        if (before === undefined) {
            return now;
        }
        this.#future.push(now);
        return before;
    }

    redo(now: T): T {
        const after = this.#future.pop();
        if (after === undefined) {
            return now;
        }
        this.#past.push(now);
        return after;
    }

    get canUndo(): boolean {
        return this.#past.length > 0;
    }

    get canRedo(): boolean {
        return this.#future.length > 0;
    }
}
