// The ground, from the heights of what is known to stand on it: resource nodes, collectables and foundations. No image
// of the game.

import { BufferAttribute, DoubleSide, Mesh, MeshBasicMaterial, PlaneGeometry } from "three";
import { WORLD } from "../../facts/satisfactory";

/** Points along each side of the world. */
const SIDE = 176;
/** Fewer known heights than this make no land. */
export const FEWEST_POINTS = 300;
/** Heights run over into cells that nothing is known of, so many times. */
const PASSES = 140;
/** Below what stands on it, in metres. */
const BELOW_M = 3;
/** Low land, high land, and how much darker is what was never seen. */
const LOW = [46, 82, 74];
const HIGH = [176, 162, 128];
const UNSEEN = 0.5;
const STEEP = 0.035;

export interface Heights {
  /** X, Y, Z of each. */
  points: Float32Array;
}

const EDGES = [WORLD.MAP_WEST_CM, WORLD.MAP_EAST_CM, WORLD.MAP_NORTH_CM, WORLD.MAP_SOUTH_CM].map(
  (edge) => edge / 100,
) as [number, number, number, number];

/** Where a place is on the grid, from 0 to 1. */
function onGrid(x: number, z: number): [number, number] {
  const [west, east, north, south] = EDGES;
  return [(x - west) / (east - west), (z - north) / (south - north)];
}

export function relief({ points }: Heights, fog: { side: number; seen: Uint8Array } | undefined): Mesh {
  const heights = spread(points);
  const [west, east, north, south] = EDGES;
  const geometry = new PlaneGeometry(east - west, south - north, SIDE - 1, SIDE - 1);
  geometry.rotateX(-Math.PI / 2);
  geometry.translate((west + east) / 2, 0, (north + south) / 2);
  const at = geometry.getAttribute("position");
  const colours = new Float32Array(at.count * 3);
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const height of heights) [low, high] = [Math.min(low, height), Math.max(high, height)];
  const cell_m = (east - west) / (SIDE - 1);
  for (let row = 0; row < SIDE; row++) {
    for (let column = 0; column < SIDE; column++) {
      const index = row * SIDE + column;
      const height = heights[index] as number;
      at.setY(index, height - BELOW_M);
      // Light from the north-west.
      const step =
        (heights[row * SIDE + Math.min(SIDE - 1, column + 1)] as number) +
        (heights[Math.min(SIDE - 1, row + 1) * SIDE + column] as number) -
        2 * height;
      const light = Math.max(0.62, Math.min(1.35, 1 - (step / cell_m) * (STEEP * 14)));
      const seen = fog
        ? (fog.seen[Math.floor((row / SIDE) * fog.side) * fog.side + Math.floor((column / SIDE) * fog.side)] ?? 0) / 255
        : 1;
      const shade = light * (UNSEEN + (1 - UNSEEN) * seen);
      const part = Math.max(0, Math.min(1, (height - low) / Math.max(1, high - low)));
      // Lines of equal height, so that hills are read as hills.
      const line = Math.abs(height / 50 - Math.round(height / 50)) < 0.045 ? 0.9 : 1;
      for (let channel = 0; channel < 3; channel++) {
        const mixed = (LOW[channel] as number) + ((HIGH[channel] as number) - (LOW[channel] as number)) * part;
        colours[index * 3 + channel] = ((mixed * shade * line) / 255) ** 2.2;
      }
    }
  }
  geometry.setAttribute("color", new BufferAttribute(colours, 3));
  const mesh = new Mesh(geometry, new MeshBasicMaterial({ vertexColors: true, side: DoubleSide }));
  mesh.renderOrder = -1;
  return mesh;
}

/** Known heights on a grid, run over into the cells between them. */
function spread(points: Float32Array): Float32Array {
  const [sums, counts] = [new Float32Array(SIDE * SIDE), new Uint16Array(SIDE * SIDE)];
  let total = 0;
  for (let at = 0; at < points.length; at += 3) {
    const [u, v] = onGrid(points[at] as number, points[at + 2] as number);
    if (u < 0 || v < 0 || u >= 1 || v >= 1) continue;
    const index = Math.floor(v * SIDE) * SIDE + Math.floor(u * SIDE);
    if ((counts[index] as number) >= 60_000) continue;
    sums[index] = (sums[index] as number) + (points[at + 1] as number);
    counts[index] = (counts[index] as number) + 1;
    total += points[at + 1] as number;
  }
  const mean = total / Math.max(1, points.length / 3);
  let heights = Float32Array.from(sums, (sum, index) => (counts[index] ? sum / (counts[index] as number) : mean));
  for (let pass = 0; pass < PASSES; pass++) {
    const next = new Float32Array(heights);
    for (let row = 0; row < SIDE; row++) {
      for (let column = 0; column < SIDE; column++) {
        const index = row * SIDE + column;
        const around =
          ((heights[Math.max(0, row - 1) * SIDE + column] as number) +
            (heights[Math.min(SIDE - 1, row + 1) * SIDE + column] as number) +
            (heights[row * SIDE + Math.max(0, column - 1)] as number) +
            (heights[row * SIDE + Math.min(SIDE - 1, column + 1)] as number)) /
          4;
        // What is known stays nearly what it is: a single point is no peak.
        next[index] =
          counts[index] && pass > PASSES - 6
            ? (heights[index] as number) * 0.6 + around * 0.4
            : counts[index]
              ? (heights[index] as number)
              : around;
      }
    }
    heights = next;
  }
  return heights;
}
