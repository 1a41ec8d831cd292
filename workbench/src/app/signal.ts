/** A value that tells when it changes. */
export class Signal<T> {
    #value: T;
    #listeners = new Set<(value: T) => void>();

    constructor(value: T) {
        this.#value = value;
    }

    get value(): T {
        return this.#value;
    }

    set value(value: T) {
        if (!Object.is(value, this.#value)) {
            this.#value = value;
            this.touch();
        }
    }

    /** Tells of a change inside the value. */
    touch(): void {
        [...this.#listeners].forEach((listener) => listener(this.#value));
    }

    /** Calls back now and at every change; returns how to stop. */
    watch(listener: (value: T) => void): () => void {
        listener(this.#value);
        return this.on(listener);
    }

    /** Calls back at every change; returns how to stop. */
    on(listener: (value: T) => void): () => void {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
    }
}
