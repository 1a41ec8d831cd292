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

/** The recordings that the page carries, with the skeletons of AMC motions. */
export async function embeddedFiles(): Promise<{ file: File; skeleton: Blob | null }[]> {
    const blocks = [...document.querySelectorAll<HTMLElement>("script.condyle-file")];
    const skeletons = [...document.querySelectorAll<HTMLElement>("script.condyle-skeleton")];
    return Promise.all(
        blocks.map(async (block) => {
            const name = block.dataset["name"] ?? "recording";
            const skeleton = skeletons.find(({ dataset }) => dataset["name"] === name);
            return {
                file: new File([await bytesOf(block)], name),
                skeleton: skeleton ? new Blob([await bytesOf(skeleton)]) : null,
            };
        }),
    );
}
