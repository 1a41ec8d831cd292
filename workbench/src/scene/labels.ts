// Names beside markers and joints: painted on small canvases, so that pictures and movies hold them too.

import { CanvasTexture, Group, LinearFilter, Sprite, SpriteMaterial } from "three";

const HEIGHT_PX = 15;
const FONT = `${2 * HEIGHT_PX * 0.8}px system-ui, sans-serif`;

interface Label {
    sprite: Sprite;
    texture: CanvasTexture;
    position_m: Float32Array;
}

export class Labels {
    readonly group = new Group();
    #labels: Label[] = [];
    #aspects = new Map<Sprite, number>();

    show(texts: readonly { text: string; position_m: Float32Array }[], colour: string): void {
        this.dispose();
        for (const { text, position_m } of texts) {
            const { texture, aspect } = painted(text, colour);
            const material = new SpriteMaterial({
                map: texture,
                sizeAttenuation: false,
                depthTest: false,
                transparent: true,
            });
            const sprite = new Sprite(material);
            sprite.center.set(-0.12 / Math.max(aspect, 0.5), 0.5);
            sprite.renderOrder = 20;
            this.#aspects.set(sprite, aspect);
            this.group.add(sprite);
            this.#labels.push({ sprite, texture, position_m });
        }
    }

    /** Keeps labels as tall on the screen as letters are. */
    scale(unitsPerPixel: number): void {
        for (const { sprite } of this.#labels) {
            const tall = HEIGHT_PX * unitsPerPixel;
            sprite.scale.set(tall * this.#aspects.get(sprite)!, tall, 1);
        }
    }

    update(frame: number): void {
        for (const { sprite, position_m } of this.#labels) {
            const x = position_m[3 * frame]!;
            sprite.visible = Number.isFinite(x);
            if (sprite.visible) {
                sprite.position.set(x, position_m[3 * frame + 1]!, position_m[3 * frame + 2]!);
            }
        }
    }

    dispose(): void {
        this.#labels.forEach(({ sprite, texture }) => {
            texture.dispose();
            sprite.material.dispose();
        });
        this.#labels = [];
        this.#aspects.clear();
        this.group.clear();
    }
}

function painted(text: string, colour: string): { texture: CanvasTexture; aspect: number } {
    const canvas = document.createElement("canvas");
    const pen = canvas.getContext("2d")!;
    const shown = text.length > 40 ? `${text.slice(0, 39)}…` : text;
    pen.font = FONT;
    canvas.width = Math.ceil(pen.measureText(shown).width) + 8;
    canvas.height = 2 * HEIGHT_PX;
    pen.font = FONT;
    pen.textBaseline = "middle";
    pen.fillStyle = colour;
    pen.fillText(shown, 4, HEIGHT_PX);
    const texture = new CanvasTexture(canvas);
    texture.minFilter = LinearFilter;
    texture.generateMipmaps = false;
    return { texture, aspect: canvas.width / canvas.height };
}
