// Around an arena: rows of seats with a crowd of dots in the colour of the nearer team, and the dark beyond. All ours.

import {
  BackSide,
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  CircleGeometry,
  FrontSide,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  RepeatWrapping,
  SRGBColorSpace,
} from "three";
import { teamColour } from "../../colours";
import { group } from "../../scene/actor";
import { type ArenaShape, isClockwise } from "./arenas";

/** Seats begin so far from the wall and so low, and reach so far out and up, in metres. */
const FROM_M = { out: 5, up: 1.5 };
const REACH_M = { out: 34, up: 17 };
/** One piece of the crowd's picture is so wide, in metres. */
const PIECE_M = 24;
const ROWS = 11;
const SEATS = 26;

/** The ground beyond, and stands along every side. */
export function stands({ outline }: ArenaShape): Object3D {
  const ground = new Mesh(new CircleGeometry(260, 48), new MeshBasicMaterial({ color: "#0b0f16" }));
  ground.rotation.x = -Math.PI / 2;
  ground.position.y = -0.6;
  const made = group(ground);
  const half_length = Math.max(...outline.map(([, z]) => Math.abs(z)));
  const [inner, outer] = [grown(outline, FROM_M.out), grown(outline, FROM_M.out + REACH_M.out)];
  const crowds = [teamColour(0), teamColour(1), "#8b97aa"].map((colour) => crowd(colour, isClockwise(outline)));
  for (const index of outline.keys()) {
    const next = (index + 1) % outline.length;
    const corners = [inner[index], inner[next], outer[next], outer[index]] as [number, number][];
    const middle_z = corners.reduce((sum, [, z]) => sum + z, 0) / 4;
    const side = Math.abs(middle_z) < half_length * 0.3 ? 2 : middle_z < 0 ? 0 : 1;
    made.add(new Mesh(block(corners), crowds[side]));
  }
  return made;
}

/** The outline, moved out of its middle by some metres along each side's normal. */
function grown(outline: [number, number][], by_m: number): [number, number][] {
  const sign = isClockwise(outline) ? -1 : 1;
  const normal = (index: number): [number, number] => {
    const [x, z] = outline[(index + outline.length) % outline.length] as [number, number];
    const [nextX, nextZ] = outline[(index + 1) % outline.length] as [number, number];
    const length = Math.hypot(nextX - x, nextZ - z) || 1;
    return [((nextZ - z) / length) * sign, ((x - nextX) / length) * sign];
  };
  return outline.map(([x, z], index) => {
    const [a, b] = [normal(index - 1), normal(index)];
    const [mx, mz] = [a[0] + b[0], a[1] + b[1]];
    // Along the middle of both normals, so that both sides move equally far.
    const scale = (2 * by_m) / Math.max(0.4, mx * mx + mz * mz);
    return [x + mx * scale, z + mz * scale];
  });
}

function block([a, b, c, d]: [number, number][]): BufferGeometry {
  const [low, high] = [FROM_M.up, FROM_M.up + REACH_M.up];
  const points = [
    [a, low],
    [b, low],
    [c, high],
    [d, high],
  ] as [[number, number], number][];
  const places = new Float32Array(points.flatMap(([at, y]) => [at?.[0] ?? 0, y, at?.[1] ?? 0]));
  const width = Math.hypot((b?.[0] ?? 0) - (a?.[0] ?? 0), (b?.[1] ?? 0) - (a?.[1] ?? 0)) / PIECE_M;
  const wide = Math.hypot((c?.[0] ?? 0) - (d?.[0] ?? 0), (c?.[1] ?? 0) - (d?.[1] ?? 0)) / PIECE_M;
  const extra = (wide - width) / 2;
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(places, 3));
  geometry.setAttribute("uv", new BufferAttribute(new Float32Array([0, 0, width, 0, width + extra, 1, -extra, 1]), 2));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  return geometry;
}

/** Rows of heads, lit from the field. The same picture every time: it is not random. */
function crowd(colour: string, isFront: boolean): MeshBasicMaterial {
  const canvas = document.createElement("canvas");
  canvas.width = 512;
  canvas.height = 256;
  const context = canvas.getContext("2d");
  if (context) {
    context.fillStyle = "#10151f";
    context.fillRect(0, 0, canvas.width, canvas.height);
    let seed = 7;
    const chance = () => {
      seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
      return seed / 0x7fffffff;
    };
    const [across, down] = [canvas.width / SEATS, canvas.height / ROWS];
    for (let row = 0; row < ROWS; row++) {
      context.fillStyle = "#1a2230";
      context.fillRect(0, (row + 0.72) * down, canvas.width, down * 0.2);
      for (let seat = 0; seat < SEATS; seat++) {
        if (chance() < 0.16) continue;
        context.globalAlpha = (0.25 + 0.55 * chance()) * (0.45 + (0.55 * row) / ROWS);
        context.fillStyle = chance() < 0.62 ? colour : "#dfe6f2";
        context.beginPath();
        context.arc((seat + 0.5 + 0.25 * chance()) * across, (row + 0.5) * down, across * 0.24, 0, 2 * Math.PI);
        context.fill();
      }
      context.globalAlpha = 1;
    }
    // Darker to the top.
    const fade = context.createLinearGradient(0, 0, 0, canvas.height);
    fade.addColorStop(0, "rgba(9, 12, 18, 0.85)");
    fade.addColorStop(0.8, "rgba(9, 12, 18, 0.15)");
    context.fillStyle = fade;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  const texture = new CanvasTexture(canvas);
  texture.wrapS = RepeatWrapping;
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 8;
  return new MeshBasicMaterial({ map: texture, side: isFront ? BackSide : FrontSide });
}
