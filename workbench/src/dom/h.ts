// Elements by hand. Text always becomes a text node: what a file says is never read as markup.

type Child = Node | string | number | null | undefined | false;
type Props = Record<string, unknown>;

/** An element with attributes, listeners (`onclick`) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    props: Props = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(props)) {
        if (value === null || value === undefined || value === false) {
            continue;
        }
        if (name.startsWith("on") && typeof value === "function") {
            element.addEventListener(name.slice(2), value as EventListener);
        } else if (name === "class") {
            element.className = String(value);
        } else if (name === "value" && "value" in element) {
            (element as HTMLInputElement).value = String(value);
        } else if (name === "checked") {
            (element as unknown as HTMLInputElement).checked = Boolean(value);
        } else {
            element.setAttribute(name, value === true ? "" : String(value));
        }
    }
    element.append(...children.filter(isThere).map((child) => (child instanceof Node ? child : String(child))));
    return element;
}

function isThere(child: Child): child is Node | string | number {
    return child !== null && child !== undefined && child !== false;
}

/** Puts other children into an element. */
export function fill(element: Element, ...children: Child[]): void {
    element.replaceChildren(
        ...children.filter(isThere).map((child) => (child instanceof Node ? child : String(child))),
    );
}
