// Saving files: named after the recording and the moment.

import { fileName, minutes } from "../../format";
import { headline } from "../../names/headline";
import type { Viewer } from "../viewer/session";

/** Long enough for every browser to have begun the download. */
const KEPT_MS = 10_000;

/** `Ada vs Ben on Battlefield, 0m12.png`. */
export function nameOf({ recording, player }: Viewer, what: string, ending: string, hasMoment = false): string {
  const parts = [headline(recording).title, what];
  if (hasMoment) parts.push(minutes(player.time_s - recording.start_s).replaceAll(":", "m"));
  return `${fileName(parts.filter(Boolean).join(" "))}.${ending}`;
}

export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}

export function saveText(viewer: Viewer, what: string, ending: "csv" | "json", text: string): void {
  const type = ending === "csv" ? "text/csv" : "application/json";
  saveBlob(nameOf(viewer, what, ending), new Blob([text], { type }));
}
