// The page: a bar, and below it the list or a recording.

import "uplot/dist/uPlot.min.css";
import "./style/base.css";
import "./style/list.css";
import "./style/viewer.css";
import "./style/hud.css";
import "./style/panels.css";
import { render } from "preact";
import { App } from "./app";
import { ServerSource } from "./data/server";
import { startTheme } from "./state/theme";
import type { Viewer } from "./ui/viewer/session";

declare global {
  interface Window {
    /** For the tests, and for people who look into the page. */
    postgame: { viewer: Viewer | undefined };
  }
}

window.postgame = { viewer: undefined };
startTheme();
render(<App source={new ServerSource()} />, document.getElementById("app") as HTMLElement);
