// What is fetched later than the rest (panels/later.ts).

export { graphsPane } from "./graphs/pane.ts";
export { kinePane } from "./kine/pane.ts";
export { optionsPane } from "./panels/options.ts";
export { markersPane } from "./table/pane.ts";
