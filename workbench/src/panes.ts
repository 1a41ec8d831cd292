// What is fetched later than the rest: once there is a recording, or when it is asked for (panels/later.ts).

export { captureAsked } from "./capture/asked.ts";
export { recordFrames, recordWebm } from "./capture/movie.ts";
export { graphsPane } from "./graphs/pane.ts";
export { jointsPane } from "./panels/joints.ts";
export { kinePane } from "./kine/pane.ts";
export { optionsPane } from "./panels/options.ts";
export { markersPane } from "./table/pane.ts";
