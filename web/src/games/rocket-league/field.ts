// The floor of an arena as one drawn picture: stripes, the teams' halves, lines. Our own drawing.

import { CanvasTexture, SRGBColorSpace } from "three";
import { teamColour } from "../../colours";
import { ARENA_M } from "../../facts/rocket_league";
import { type ArenaShape, HOOPS_M } from "./arenas";

/** Pixels in a metre, and along a side at most: a floor as large as what moved can be a kilometre wide. */
const SCALE = 20;
const MAX_PX = 2048;
const STRIPE_M = 6.4;
/** The height of a hexagonal tile's row, and how wide a tile is. Source: RLBot wiki, Dropshot. */
const TILE_M = 7.68;

/** Floors by mode: the ground itself, its border, and where it bends up into the walls. */
export const FLOORS: Record<ArenaShape["mode"], { ground: string; edge: string; bend: string }> = {
  soccar: { ground: "#2f6a45", edge: "#1d3f33", bend: "#8fb4e6" },
  hoops: { ground: "#7d5b3a", edge: "#4a3726", bend: "#d8b48a" },
  dropshot: { ground: "#2c3444", edge: "#1c222e", bend: "#8fa6d6" },
  other: { ground: "#3a4557", edge: "#252d3a", bend: "#8fa6d6" },
};

export function fieldTexture(
  { outline, mode, hasGoals }: ArenaShape,
  half_width: number,
  half_length: number,
): CanvasTexture {
  const canvas = document.createElement("canvas");
  const scale = Math.min(SCALE, MAX_PX / (2 * Math.max(half_width, half_length)));
  canvas.width = Math.max(1, Math.round(half_width * 2 * scale));
  canvas.height = Math.max(1, Math.round(half_length * 2 * scale));
  const context = canvas.getContext("2d");
  if (context) {
    context.scale(scale, scale);
    context.translate(half_width, half_length);
    floor(context, mode, half_width, half_length);
    context.strokeStyle = "rgba(240, 248, 244, 0.72)";
    context.lineWidth = 0.28;
    if (mode !== "dropshot") {
      line(context, [
        [-half_width, 0],
        [half_width, 0],
      ]);
      circle(context, 0, 0, mode === "hoops" ? 6 : ARENA_M.centre_circle);
    }
    if (hasGoals) for (const sign of [-1, 1]) boxes(context, sign, half_length);
    if (mode === "hoops") for (const sign of [-1, 1]) circle(context, 0, sign * HOOPS_M.rim_at, HOOPS_M.rim_radius);
    context.lineWidth = 0.5;
    line(context, [...outline, outline[0] as [number, number]]);
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 8;
  return texture;
}

function floor(context: CanvasRenderingContext2D, mode: ArenaShape["mode"], w: number, l: number): void {
  const grass = mode === "soccar";
  context.fillStyle = FLOORS[mode].ground;
  context.fillRect(-w, -l, w * 2, l * 2);
  if (mode === "dropshot") tiles(context, w, l);
  else {
    context.fillStyle = grass ? "rgba(255, 255, 255, 0.06)" : "rgba(255, 255, 255, 0.03)";
    for (let at = -Math.ceil(l / STRIPE_M) * STRIPE_M; at < l; at += STRIPE_M * 2)
      context.fillRect(-w, at, w * 2, STRIPE_M);
  }
  for (const [team, sign] of [
    [0, -1],
    [1, 1],
  ] as const) {
    const fade = context.createLinearGradient(0, 0, 0, sign * l);
    fade.addColorStop(0, "rgba(0, 0, 0, 0)");
    fade.addColorStop(0.35, `${teamColour(team)}12`);
    fade.addColorStop(1, `${teamColour(team)}78`);
    context.fillStyle = fade;
    context.fillRect(-w, Math.min(0, sign * l), w * 2, l);
  }
}

function tiles(context: CanvasRenderingContext2D, w: number, l: number): void {
  const side = TILE_M / Math.sqrt(3);
  context.strokeStyle = "rgba(220, 230, 245, 0.28)";
  context.lineWidth = 0.18;
  let row = 0;
  for (let y = side; y < l + TILE_M; y += side * 1.5, row++) {
    for (const sign of [-1, 1]) {
      for (let x = -w - TILE_M + (row % 2) * (TILE_M / 2); x < w + TILE_M; x += TILE_M) {
        context.beginPath();
        for (let corner = 0; corner < 6; corner++) {
          const angle = (corner * Math.PI) / 3 + Math.PI / 6;
          context.lineTo(x + Math.cos(angle) * side, sign * y + Math.sin(angle) * side);
        }
        context.closePath();
        context.stroke();
      }
    }
  }
}

function boxes(context: CanvasRenderingContext2D, sign: number, l: number): void {
  for (const [width, depth] of [
    [ARENA_M.goal_half_width * 1.25, 6],
    [ARENA_M.goal_half_width * 2.1, 15],
  ] as const) {
    line(context, [
      [-width, sign * l],
      [-width, sign * (l - depth)],
      [width, sign * (l - depth)],
      [width, sign * l],
    ]);
  }
}

function line(context: CanvasRenderingContext2D, points: [number, number][]): void {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.stroke();
}

function circle(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.stroke();
}
