// Files in one: a ZIP that stores without packing, as pictures are packed already.

const TABLE = Uint32Array.from({ length: 256 }, (_, at) => {
    let value = at;
    for (let bit = 0; bit < 8; bit += 1) {
        value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
    }
    return value;
});

function crc32(bytes: Uint8Array): number {
    let crc = 0xffffffff;
    for (const byte of bytes) {
        crc = TABLE[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
    }
    return (crc ^ 0xffffffff) >>> 0;
}

/** What a local and a central header have in common, from the version on. */
function facts(bytes: Uint8Array, name: Uint8Array): number[] {
    const [crc, size] = [crc32(bytes), bytes.length];
    // Version 2, no flags, stored, 1 January 1980.
    return [
        20,
        0,
        0,
        0,
        0x21,
        crc & 0xffff,
        crc >>> 16,
        size & 0xffff,
        size >>> 16,
        size & 0xffff,
        size >>> 16,
        name.length,
        0,
    ];
}

const words = (values: readonly number[]): Uint8Array => new Uint8Array(Uint16Array.from(values).buffer);

export function zip(files: readonly { name: string; bytes: Uint8Array }[]): Blob {
    const parts: Uint8Array[] = [];
    const central: Uint8Array[] = [];
    let at = 0;
    let centralSize = 0;
    for (const { name, bytes } of files) {
        const encoded = new TextEncoder().encode(name);
        const shared = facts(bytes, encoded);
        const local = words([0x4b50, 0x0403, ...shared]);
        const entry = words([0x4b50, 0x0201, 20, ...shared, 0, 0, 0, 0, 0, at & 0xffff, at >>> 16]);
        parts.push(local, encoded, bytes);
        central.push(entry, encoded);
        at += local.length + encoded.length + bytes.length;
        centralSize += entry.length + encoded.length;
    }
    const count = files.length;
    const end = words([
        0x4b50,
        0x0605,
        0,
        0,
        count,
        count,
        centralSize & 0xffff,
        centralSize >>> 16,
        at & 0xffff,
        at >>> 16,
        0,
    ]);
    return new Blob([...parts, ...central, end] as BlobPart[], { type: "application/zip" });
}
