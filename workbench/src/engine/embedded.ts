// What a saved page carries with it: blocks of data that are never run, gzip in base64.

export function embedded(id: string): HTMLElement | null {
    return document.getElementById(id);
}

export async function bytesOf(block: HTMLElement): Promise<ArrayBuffer> {
    const text = atob((block.textContent ?? "").trim());
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(unpacked).arrayBuffer();
}

/** The recordings that the page carries. */
export async function embeddedFiles(): Promise<File[]> {
    const blocks = [...document.querySelectorAll<HTMLElement>("script.condyle-file")];
    return Promise.all(blocks.map(async (block) => new File([await bytesOf(block)], block.dataset["name"] ?? "recording")));
}
