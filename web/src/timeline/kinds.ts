// What kinds of events are called, how they are drawn, and which of them matter enough to be shown at first.

import { capital } from "../format";

export type Glyph = "ball" | "triangle" | "square" | "cross" | "diamond" | "line" | "star" | "dot";

export interface Kind {
  label: string;
  glyph: Glyph;
  /** Shown on the timeline, and a stop for next and previous, without being asked for. */
  matters: boolean;
}

/** By the format; the first pattern that fits counts. */
const KINDS: Record<string, [RegExp, string, Glyph][]> = {
  "rocket-league": [
    [/^goal$/, "Goal", "ball"],
    [/^own-goal$/, "Own goal", "ball"],
    [/^shot$/, "Shot", "triangle"],
    [/^save$/, "Save", "square"],
    [/^epic-save$/, "Epic save", "square"],
    [/^demolition$/, "Demolition", "cross"],
    [/^kick-?off$/, "Kick-off", "line"],
    [/^overtime/, "Overtime", "line"],
  ],
  slippi: [
    [/^kill$/, "Kill", "star"],
    [/^stock-lost$/, "Stock lost", "cross"],
    [/^conversion-start$/, "Conversion", "triangle"],
    [/^(game-end|quit)$/, "End of the game", "line"],
  ],
  rumble: [
    [/^damage$/, "Damage", "dot"],
    [/^knock-?out$/, "Knock-out", "star"],
    [/^(round|match)-(start|end)/, "Round", "line"],
    [/^(win|loss|defeat)/, "Win", "star"],
  ],
  satisfactory: [
    [/^(milestone|phase|mam|research)/, "Milestone", "diamond"],
    [/^saved$/, "Saved", "line"],
  ],
};

/** How a kind is called and drawn; one we have no words for goes by its own name. */
export function kindOf(format: string, kind: string): Kind {
  const found = KINDS[format]?.find(([pattern]) => pattern.test(kind));
  if (found) return { label: found[1], glyph: found[2], matters: true };
  return { label: capital(kind.replaceAll("-", " ")), glyph: "dot", matters: false };
}

/** Draws a glyph around a point. Shapes differ, so that colour is not all that tells them apart. */
export function drawGlyph(context: CanvasRenderingContext2D, glyph: Glyph, x: number, y: number, radius: number): void {
  context.beginPath();
  switch (glyph) {
    case "ball":
      context.arc(x, y, radius, 0, 2 * Math.PI);
      break;
    case "dot":
      context.arc(x, y, radius * 0.55, 0, 2 * Math.PI);
      break;
    case "triangle":
      polygon(context, x, y, radius * 1.1, 3, -Math.PI / 2);
      break;
    case "square":
      context.rect(x - radius * 0.8, y - radius * 0.8, radius * 1.6, radius * 1.6);
      break;
    case "diamond":
      polygon(context, x, y, radius * 1.1, 4, 0);
      break;
    case "star":
      star(context, x, y, radius * 1.25);
      break;
    case "line":
      context.rect(x - radius * 0.2, y - radius, radius * 0.4, radius * 2);
      break;
    case "cross":
      for (const sign of [-1, 1]) {
        context.moveTo(x - radius * 0.8, y - sign * radius * 0.8);
        context.lineTo(x + radius * 0.8, y + sign * radius * 0.8);
      }
      context.lineWidth = radius * 0.5;
      context.strokeStyle = context.fillStyle;
      context.stroke();
      return;
  }
  context.fill();
}

function polygon(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  corners: number,
  turn: number,
) {
  for (let corner = 0; corner < corners; corner++) {
    const angle = turn + (corner * 2 * Math.PI) / corners;
    context.lineTo(x + Math.cos(angle) * radius, y + Math.sin(angle) * radius);
  }
  context.closePath();
}

function star(context: CanvasRenderingContext2D, x: number, y: number, radius: number) {
  for (let point = 0; point < 10; point++) {
    const angle = -Math.PI / 2 + (point * Math.PI) / 5;
    const reach = point % 2 === 0 ? radius : radius * 0.45;
    context.lineTo(x + Math.cos(angle) * reach, y + Math.sin(angle) * reach);
  }
  context.closePath();
}
