// The page: puts the parts together.

import "uplot/dist/uPlot.min.css";
import "./style.css";
import "./panes.css";
import { app } from "./app/app.ts";
import { acceptDrops, askAndOpen, openGiven } from "./app/drop.ts";
import { addCommands, listenToKeys } from "./app/keys.ts";
import { complain } from "./app/trials.ts";
import { h } from "./dom/h.ts";
import { icon } from "./dom/icon.ts";
import { messages } from "./dom/say.ts";
import { prepare } from "./engine/client.ts";
import { engineModule } from "./engine/module.ts";
import { helpDialog } from "./panels/help.ts";
import { later } from "./panels/later.ts";
import { resizer } from "./panels/resizer.ts";
import { scenePane } from "./panels/scene.ts";
import { tabs } from "./panels/tabs.ts";
import { themeButton } from "./panels/theme.ts";
import { trialChips } from "./panels/trials.ts";
import { VIEWS } from "./scene/cameras.ts";
import { View } from "./scene/view.ts";
import { timeline } from "./timeline/timeline.ts";
import { transport } from "./timeline/transport.ts";
import { welcome } from "./panels/welcome.ts";

const root = document.getElementById("app")!;
const view = new View();
const help = helpDialog();

const bar = h(
    "header",
    { class: "bar" },
    h("h1", {}, "condyle"),
    h(
        "button",
        { class: "primary", title: "Open (Ctrl+O), or drop files anywhere", onclick: askAndOpen },
        icon("open"),
        "Open",
    ),
    trialChips(),
    h("span", { class: "spring" }),
    themeButton(),
    h(
        "button",
        { class: "quiet", "aria-label": "Keys and help", title: "Keys and help (?)", onclick: () => help.showModal() },
        icon("help"),
    ),
);
const stage = h("main", { class: "stage", "aria-label": "Scene" }, view.canvas, welcome());
const side = tabs([
    { side: "scene", name: "Scene", element: scenePane(view) },
    { side: "joints", name: "Joints", element: later("joints", ({ jointsPane }) => jointsPane()) },
    { side: "graphs", name: "Graphs", element: later("graphs", ({ graphsPane }) => graphsPane()) },
    { side: "markers", name: "Markers", element: later("markers", ({ markersPane }) => markersPane()) },
    { side: "options", name: "Options", element: later("options", ({ optionsPane }) => optionsPane()) },
    { side: "kine", name: "Kine", element: later("kine", ({ kinePane }) => kinePane(view)) },
]);
root.append(
    bar,
    stage,
    resizer(root),
    side,
    h("footer", { class: "foot" }, timeline(), transport()),
    messages(),
    acceptDrops(),
    help,
);

addCommands([
    ...VIEWS.map((name, at) => ({ keys: [String(at + 1)], says: `View: ${name}`, run: () => view.look(name) })),
    { keys: ["0"], says: "Look at everything", run: () => view.lookAtAll() },
    { keys: ["Ctrl+o"], says: "Open files", run: askAndOpen },
    { keys: ["?"], says: "Keys and help", run: () => help.showModal() },
    { keys: ["Escape"], says: "Choose nothing", run: () => ((app.joint.value = null), (app.marker.value = null)) },
    { keys: ["ArrowUp"], says: "Turn the view up", run: () => view.cameras.nudge(0, 0.08, 1) },
    { keys: ["ArrowDown"], says: "Turn the view down", run: () => view.cameras.nudge(0, -0.08, 1) },
    { keys: [","], says: "Turn the view left", run: () => view.cameras.nudge(-0.08, 0, 1) },
    { keys: ["."], says: "Turn the view right", run: () => view.cameras.nudge(0.08, 0, 1) },
    { keys: ["PageUp"], says: "Nearer", run: () => view.cameras.nudge(0, 0, 1.15) },
    { keys: ["PageDown"], says: "Farther", run: () => view.cameras.nudge(0, 0, 1 / 1.15) },
]);
listenToKeys();
engineModule().then(prepare, (error) =>
    complain(`the engine cannot be loaded: ${error instanceof Error ? error.message : error}`),
);
// For measurements: how long the script of each drawn frame took (tests/measure.mjs).
Object.assign(window, { condyle: { script_ms: view.script_ms, drawn: () => view.drawn } });
void openGiven(view);
