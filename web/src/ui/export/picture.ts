// The scene with what stands over it, as one picture.

import type { Gauge, HudState } from "../../scene/hud";
import type { Viewer } from "../viewer/session";

const CARD = "rgba(14, 19, 27, 0.82)";
const INK = "#eef2f8";
const QUIET = "#b9c4d4";

/** Draws the scene and its HUD into a canvas of a width; the height follows. */
export function compose(viewer: Viewer, target: HTMLCanvasElement, width: number): void {
  const { canvas } = viewer.stage;
  const height = Math.round((width * canvas.height) / Math.max(1, canvas.width));
  if (target.width !== width || target.height !== height) {
    target.width = width;
    target.height = height;
  }
  const context = target.getContext("2d");
  if (!context) return;
  viewer.stage.render();
  context.drawImage(canvas, 0, 0, width, height);
  const hud = viewer.hud.peek();
  if (hud) paintHud(context, hud, width, height);
}

function paintHud(context: CanvasRenderingContext2D, hud: HudState, width: number, height: number): void {
  // Drawn as if the picture were 1,280 wide.
  const scale = Math.max(0.45, width / 1280);
  context.save();
  context.scale(scale, scale);
  const [w, h] = [width / scale, height / scale];
  const line = 40;
  const top = hud.place === "top" ? 12 : h - 12 - line;
  const score = hud.score ? `${hud.score[0]} – ${hud.score[1]}` : "";
  const middle = [score, hud.clock ?? ""].filter(Boolean).join("   ");
  if (middle) {
    context.font = "700 22px system-ui, sans-serif";
    const size = context.measureText(middle).width + 32;
    const y = hud.place === "top" ? top : 12;
    card(context, (w - size) / 2, y, size, line);
    context.fillStyle = INK;
    context.textAlign = "center";
    context.fillText(middle, w / 2, y + 28);
  }
  const room = hud.place === "top" ? (w - 260) / 2 : w / 2;
  row(context, hud.left, 12, top, Math.min(190, (room - 12) / Math.max(1, hud.left.length)), line);
  const own = Math.min(190, (room - 12) / Math.max(1, hud.right.length));
  row(context, hud.right, w - 12 - own * hud.right.length, top, own, line);
  context.restore();
}

function row(
  context: CanvasRenderingContext2D,
  gauges: Gauge[],
  left: number,
  top: number,
  size: number,
  line: number,
): void {
  for (const [index, { name, value, colour, part, stocks }] of gauges.entries()) {
    const x = left + index * size;
    card(context, x + 3, top, size - 6, line);
    context.fillStyle = colour;
    context.fillRect(x + 3, top, 4, line);
    context.textAlign = "left";
    context.font = "600 13px system-ui, sans-serif";
    context.fillStyle = INK;
    context.fillText(fitted(context, name, size - 76), x + 14, top + 17);
    context.textAlign = "right";
    context.font = "700 16px system-ui, sans-serif";
    context.fillText(value, x + size - 12, top + 18);
    if (part !== undefined) {
      context.fillStyle = "rgba(255, 255, 255, 0.16)";
      context.fillRect(x + 14, top + 26, size - 28, 6);
      context.fillStyle = colour;
      context.fillRect(x + 14, top + 26, (size - 28) * Math.max(0, Math.min(1, part)), 6);
    } else if (stocks !== undefined) {
      context.textAlign = "left";
      context.font = "12px system-ui, sans-serif";
      context.fillStyle = QUIET;
      context.fillText("●".repeat(Math.min(5, stocks)), x + 14, top + 33);
    }
  }
}

function card(context: CanvasRenderingContext2D, x: number, y: number, width: number, height: number): void {
  context.fillStyle = CARD;
  context.beginPath();
  context.roundRect(x, y, width, height, 8);
  context.fill();
}

function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  let shown = text;
  while (shown.length > 1 && context.measureText(shown).width > width) shown = `${shown.slice(0, -2).trimEnd()}…`;
  return shown;
}

export async function picture(viewer: Viewer): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  compose(viewer, canvas, viewer.stage.canvas.width);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
