// Belts, pipes and rails as ribbons with their direction on them; wires as lines.

import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  DoubleSide,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  type Plane,
  RepeatWrapping,
  SRGBColorSpace,
} from "three";
import { still } from "../../scene/actor";

interface Kind {
  name: string;
  colour: string;
  /** How wide, in metres; none for a line. Source: about, by the game's own belts and rails. */
  width_m?: number;
  lift_m: number;
}

const KINDS: Record<string, Kind> = {
  belts: { name: "Belts", colour: "#4fb3f0", width_m: 1.7, lift_m: 0.35 },
  pipes: { name: "Pipelines", colour: "#3f73e0", width_m: 1.2, lift_m: 0.6 },
  hypertubes: { name: "Hypertubes", colour: "#36d1c4", width_m: 1.8, lift_m: 0.8 },
  rails: { name: "Rails", colour: "#d274b4", width_m: 2.6, lift_m: 0.4 },
  wires: { name: "Power lines", colour: "#ffe14d", lift_m: 5.5 },
};
/** Above so many pieces, all are lines: their ribbons would be most of the page's memory. */
const MAX_RIBBONS = 100_000;
/** How long one arrow is, in metres. */
const ARROW_M = 4;

export function kindOf(kind: string): Kind {
  return KINDS[kind] ?? { name: kind, colour: "#9aa4b2", lift_m: 0 };
}

/** `points` come in pairs, three numbers each. */
export function ribbons(kind: string, points: Float32Array, clippingPlanes: Plane[]): Object3D {
  const { colour, width_m, lift_m } = kindOf(kind);
  const made =
    width_m === undefined || points.length / 6 > MAX_RIBBONS
      ? lines(points, colour, lift_m)
      : ribbon(points, width_m, lift_m, colour);
  made.frustumCulled = false;
  made.material.clippingPlanes = clippingPlanes;
  return still(made);
}

function lines(points: Float32Array, colour: string, lift_m: number): LineSegments<BufferGeometry, LineBasicMaterial> {
  const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(points, 3));
  const made = new LineSegments(geometry, new LineBasicMaterial({ color: colour, transparent: true, opacity: 0.85 }));
  made.position.y = lift_m;
  return made;
}

function ribbon(
  points: Float32Array,
  width_m: number,
  lift_m: number,
  colour: string,
): Mesh<BufferGeometry, MeshBasicMaterial> {
  const count = Math.floor(points.length / 6);
  const [positions, uvs, indices] = [
    new Float32Array(count * 12),
    new Float32Array(count * 8),
    new Uint32Array(count * 6),
  ];
  let along = 0;
  for (let piece = 0; piece < count; piece++) {
    const at = piece * 6;
    const dx = (points[at + 3] as number) - (points[at] as number);
    const dy = (points[at + 4] as number) - (points[at + 1] as number);
    const dz = (points[at + 5] as number) - (points[at + 2] as number);
    const flat = Math.hypot(dx, dz);
    // What goes straight up is seen from the side.
    const sx = flat > 1e-4 ? (-dz / flat) * (width_m / 2) : width_m / 2;
    const sz = flat > 1e-4 ? (dx / flat) * (width_m / 2) : 0;
    const length = Math.hypot(flat, dy);
    for (let corner = 0; corner < 4; corner++) {
      const [end, side] = [corner >> 1, (corner & 1) * 2 - 1];
      const [vertex, from] = [piece * 4 + corner, at + end * 3];
      positions[vertex * 3] = (points[from] as number) + side * sx;
      positions[vertex * 3 + 1] = (points[from + 1] as number) + lift_m;
      positions[vertex * 3 + 2] = (points[from + 2] as number) + side * sz;
      uvs[vertex * 2] = corner & 1;
      uvs[vertex * 2 + 1] = (along + end * length) / ARROW_M;
    }
    along = (along + length) % (ARROW_M * 64);
    const [first, to] = [piece * 4, piece * 6];
    indices[to] = first;
    indices[to + 1] = indices[to + 3] = first + 1;
    indices[to + 2] = indices[to + 5] = first + 2;
    indices[to + 4] = first + 3;
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setAttribute("uv", new BufferAttribute(uvs, 2));
  geometry.setIndex(new BufferAttribute(indices, 1));
  return new Mesh(geometry, new MeshBasicMaterial({ map: arrows(colour), side: DoubleSide }));
}

function arrows(colour: string): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const context = canvas.getContext("2d");
  if (context) {
    context.fillStyle = colour;
    context.fillRect(0, 0, 64, 64);
    context.fillStyle = "rgba(0, 0, 0, 0.28)";
    context.fillRect(0, 0, 5, 64);
    context.fillRect(59, 0, 5, 64);
    context.strokeStyle = "rgba(255, 255, 255, 0.8)";
    context.lineWidth = 7;
    context.beginPath();
    // A texture's top is the end of the piece.
    context.moveTo(16, 42);
    context.lineTo(32, 22);
    context.lineTo(48, 42);
    context.stroke();
  }
  const texture = new CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 4;
  return texture;
}
