// What is around the figures: light, floor, grid.

import {
    CircleGeometry,
    Color,
    DirectionalLight,
    Fog,
    Group,
    HemisphereLight,
    type LineSegments,
    Mesh,
    MeshBasicMaterial,
    Scene,
} from "three";
import type { Paper } from "./colours.ts";
import { gridLines } from "./grid.ts";

export class Stage {
    readonly scene = new Scene();
    readonly floor = new Group();
    #ground: Mesh<CircleGeometry, MeshBasicMaterial>;
    #grids: LineSegments[] = [];
    #paper: Paper;
    #cell = 1;

    constructor(paper: Paper) {
        this.#paper = paper;
        this.scene.add(new HemisphereLight("#ffffff", "#8b95a5", 2.1));
        const sun = new DirectionalLight("#ffffff", 1.9);
        sun.position.set(2, 5, 3);
        this.scene.add(sun, this.floor);
        this.#ground = new Mesh(new CircleGeometry(60, 48).rotateX(-Math.PI / 2), new MeshBasicMaterial());
        this.#ground.position.y = -0.004;
        this.floor.add(this.#ground);
        this.repaint(paper, 10);
    }

    /** Paints everything anew, for a figure as tall as this. */
    repaint(paper: Paper, size_m: number): void {
        this.#paper = paper;
        this.scene.background = new Color(paper.background);
        this.scene.fog = new Fog(paper.fog, 5 * size_m, 17 * size_m);
        this.#ground.material.color.set(paper.floor);
        this.#ground.scale.setScalar(size_m / 2);
        this.#grids.forEach((grid) => {
            this.floor.remove(grid);
            grid.geometry.dispose();
        });
        // Squares of a metre, or of the power of ten that suits small things.
        const cell = 10 ** Math.round(Math.log10(size_m / 1.7));
        this.#cell = cell;
        const fine = gridLines(cell / 2, 44, paper.line);
        const coarse = gridLines(cell, 22, paper.strong);
        fine.position.y = -0.002 * cell;
        this.#grids = [fine, coarse];
        this.floor.add(fine, coarse);
    }

    /** Keeps the floor under what is looked at: its lines stay where they are. */
    centre(x: number, z: number): void {
        const snap = (value: number) => Math.round(value / this.#cell) * this.#cell;
        this.floor.position.set(snap(x), 0, snap(z));
    }

    get paper(): Paper {
        return this.#paper;
    }
}
