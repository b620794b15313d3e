// Which panels a recording has.

import type { Panel } from "../../scene/game";
import type { Library } from "../list/library";
import type { Viewer } from "../viewer/session";
import { ChartsPanel } from "./charts";
import { EventsPanel } from "./events";
import { ExportPanel } from "./export";
import { MapPanel } from "./map";
import { Overview } from "./overview";
import { TechnicalPanel } from "./technical";

export function panelsOf(viewer: Viewer, library: Library): Panel[] {
  const { recording, game } = viewer;
  const panels: Panel[] = [
    { id: "overview", label: "Overview", render: () => <Overview viewer={viewer} library={library} /> },
  ];
  panels.push(...game.panels);
  if (recording.events.length > 0)
    panels.push({ id: "events", label: "Events", render: () => <EventsPanel viewer={viewer} /> });
  if (!recording.isMoment) {
    panels.push({ id: "charts", label: "Charts", render: () => <ChartsPanel viewer={viewer} /> });
    panels.push({ id: "map", label: "Map", render: () => <MapPanel viewer={viewer} /> });
  }
  panels.push({ id: "export", label: "Export", render: () => <ExportPanel viewer={viewer} /> });
  panels.push({ id: "technical", label: "Technical", render: () => <TechnicalPanel viewer={viewer} /> });
  return panels;
}
