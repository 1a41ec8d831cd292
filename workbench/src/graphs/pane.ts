// The graphs: what is drawn, the window, and what is fitted to it.

import { app, chosenJoint } from "../app/app.ts";
import type { Trial } from "../app/trial.ts";
import { complain, tell } from "../app/trials.ts";
import { fill, h } from "../dom/h.ts";
import { askForText } from "../dom/choose.ts";
import { save, stem } from "../dom/save.ts";
import { Chart } from "./chart.ts";
import { saveCsv, savePng } from "./files.ts";
import { gapMap } from "./gapmap.ts";
import { histogram } from "./histogram.ts";
import { type Motion, motionLines, motionOf, readMotion } from "./motion.ts";
import { type ChartData, quantitiesOf, unsided } from "./quantities.ts";
import { type Fitted, fitAll, fittedWindow } from "./taylor.ts";
import { fitTable, windowRow } from "./windowrow.ts";

const GAPS = "Gap map";
const LEAST = 260;

export function graphsPane(): HTMLElement {
    const what = h("select", { "aria-label": "What is drawn" });
    const whose = h("select", { "aria-label": "Of what" });
    const area = h("div", { class: "charts" });
    const fitArea = h("div", { "aria-live": "polite" });
    const row = windowRow();
    let charts: Chart[] = [];
    let drops: (() => void)[] = [];
    let pictures: { title: string; canvas: HTMLCanvasElement }[] = [];
    let shown: ChartData[] = [];
    let fits: Fitted[] = [];
    let motion: Motion | null = null;
    /** Whether the user said what is drawn; angles come first otherwise. */
    let isChosen = false;
    const isVisible = () => app.side.value === "graphs" && area.clientWidth > 0;
    const width = () => Math.max(LEAST, area.clientWidth);

    const options = (select: HTMLSelectElement, names: readonly string[], wanted: string) => {
        fill(select, ...names.map((name, at) => h("option", { value: at }, name)));
        const at = names.indexOf(wanted);
        select.value = String(Math.max(at, 0));
    };
    const chosenName = (select: HTMLSelectElement) => select.selectedOptions[0]?.textContent ?? "";
    const setWindow = (from: number, to: number) => {
        const least = 3 / (app.active.value?.rateHz ?? 100);
        app.window_s.value = [Math.max(0, Math.min(from, to - least)), Math.max(to, from + least)];
    };

    /** What there is to choose from, keeping what is chosen. */
    const offer = () => {
        const trial = app.active.value;
        const all = trial?.recording ? quantitiesOf(trial) : [];
        options(
            what,
            [...all.map(({ name }) => name), ...(trial?.recording ? [GAPS] : [])],
            isChosen ? chosenName(what) : "",
        );
        const quantity = all.find(({ name }) => name === chosenName(what));
        options(whose, quantity?.subjects.map(({ name }) => name) ?? [], chosenName(whose));
        whose.hidden = !quantity;
    };
    const clear = () => {
        charts.forEach((chart) => chart.dispose());
        drops.forEach((drop) => drop());
        [charts, drops, pictures, shown] = [[], [], [], []];
    };
    const draw = () => {
        const trial = app.active.value;
        clear();
        if (!trial?.recording || !isVisible()) {
            fill(area, h("p", { class: "dim" }, "Nothing to draw yet."));
            return;
        }
        if (chosenName(what) === GAPS) {
            fill(area, gapMap(trial, width()));
            return;
        }
        const quantity = quantitiesOf(trial).find(({ name }) => name === chosenName(what));
        shown = quantity?.subjects.find(({ name }) => name === chosenName(whose))?.charts() ?? [];
        charts = shown.map((data) => {
            const fitted = fits.filter(({ title }) => title === data.title).map(({ overlay }) => overlay);
            return new Chart(
                data,
                width(),
                [...fitted, ...(motion ? motionLines(motion, data.title) : [])],
                trial.offset_s,
                setWindow,
            );
        });
        pictures = charts.map(({ data, canvas }) => ({ title: data.title, canvas }));
        const more =
            quantity?.name === "Residuals"
                ? trial.performance!.performers.map(({ residual_m_in_frames }) =>
                      histogram(residual_m_in_frames, width()),
                  )
                : [];
        more.forEach(({ canvas, dispose }) => {
            pictures.push({ title: "Residuals, how often", canvas });
            drops.push(dispose);
        });
        fill(area, ...charts.map(({ element }) => element), ...more.map(({ element }) => element));
    };
    let asked = 0;
    const fitWindow = async () => {
        const trial = app.active.value;
        const mine = ++asked;
        if (!trial || !isVisible() || !row.isOn || shown.length === 0 || trial.state === "fitting") {
            if (fits.length > 0) {
                fits = [];
                draw();
            }
            fill(fitArea);
            return;
        }
        const made = await fitAll(trial, shown, fittedWindow(), row.order);
        if (mine === asked) {
            fits = made.fits;
            draw();
            fill(fitArea, ...(made.problem ? [h("p", { class: "error" }, made.problem)] : []), fitTable(fits));
        }
    };
    const redraw = () => {
        if (isVisible()) {
            draw();
            void fitWindow();
        }
    };
    const refresh = () => {
        offer();
        fits = [];
        redraw();
    };
    what.addEventListener("change", () => {
        isChosen = true;
        refresh();
    });
    whose.addEventListener("change", refresh);
    row.onChange = () => void fitWindow();
    app.active.on(refresh);
    app.side.on(refresh);
    app.theme.on(redraw);
    app.window_s.on(() => void fitWindow());
    const showJoint = () => {
        const joint = chosenJoint();
        if (joint) {
            const at =
                ["Joint angles", "Joint centres", "Bone lengths"].find((name) => name === chosenName(what)) ??
                "Joint angles";
            choose(at, unsided(joint.joint.name));
        }
    };
    const showMarker = (marker: number | null) => {
        const label = marker === null ? undefined : app.active.value?.recording?.markers[marker]?.label;
        if (label !== undefined && chosenName(what) !== GAPS) {
            choose("Markers", app.active.value!.association.nameOf(label));
        } else if (chosenName(what) === GAPS) {
            redraw();
        }
    };
    app.joint.on(showJoint);
    app.marker.on(showMarker);
    /** Shows this, where there is such a thing. */
    const choose = (quantity: string, subject: string) => {
        const trial = app.active.value;
        const found = trial?.recording ? quantitiesOf(trial).find(({ name }) => name === quantity) : null;
        const own = found?.subjects.find(({ name }) => name === subject || name.endsWith(`: ${subject}`));
        if (found && own) {
            isChosen = true;
            offer();
            what.value = [...what.options].find((option) => option.textContent === quantity)?.value ?? what.value;
            options(
                whose,
                found.subjects.map(({ name }) => name),
                own.name,
            );
            whose.hidden = false;
            fits = [];
            redraw();
        }
    };
    let wide = 0;
    new ResizeObserver(() => {
        if (Math.abs(area.clientWidth - wide) > 2) {
            wide = area.clientWidth;
            charts.length > 0 && isVisible() ? charts.forEach((chart) => chart.resize(width())) : draw();
        }
    }).observe(area);

    const need = (run: (trial: Trial) => unknown) => () => {
        const trial = app.active.value;
        if (trial?.recording) {
            void run(trial);
        }
    };
    const saveMotion = need(async (trial) => {
        const made = await motionOf(trial, fittedWindow(), row.order);
        if (made.expansions.length === 0) {
            complain("save motion: need joint angles, got none");
            return;
        }
        save(`${stem(trial.name)}-motion.json`, JSON.stringify(made, null, 1), "application/json");
    });
    const getMotion = async () => {
        const file = await askForText(".json");
        try {
            motion = file && readMotion(file.text);
            if (motion) {
                tell(`${file!.name}: ${motion.expansions.length} expansions of ${motion.recording}`);
            }
            redraw();
        } catch (error) {
            complain(`${file!.name}: ${error instanceof Error ? error.message : error}`);
        }
    };
    const saveData = need(async (trial) => {
        try {
            const bytes = await trial.client.ask("export", { format: "angles.csv", performer: 0, names: {} });
            save(`${stem(trial.name)}-angles.csv`, bytes as BlobPart, "text/csv");
        } catch (error) {
            complain(`save data: ${error instanceof Error ? error.message : error}`);
        }
    });
    // What was chosen before the graphs were there.
    offer();
    showJoint();
    showMarker(app.marker.value);
    return h(
        "div",
        {},
        h("div", { class: "row tight" }, what, whose),
        row.element,
        area,
        fitArea,
        h(
            "div",
            { class: "buttons" },
            h("button", { onclick: need((trial) => saveCsv(trial, chosenName(whose), shown)) }, "Export CSV"),
            h("button", { onclick: need((trial) => savePng(trial, chosenName(whose), pictures)) }, "Export PNG"),
            h("button", { onclick: saveMotion, title: "Taylor expansions of all angles in the window" }, "Save motion"),
            h("button", { onclick: getMotion, title: "Expansions that were saved, drawn beside" }, "Get motion"),
            h("button", { onclick: saveData, title: "All joint angles as CSV" }, "Save data"),
        ),
    );
}
