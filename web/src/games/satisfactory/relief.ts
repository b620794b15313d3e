// The ground, from the heights of what is known to lie on it: nodes, and what is to be found. No image of the game.

import {
  CanvasTexture,
  CustomBlending,
  DoubleSide,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  SRGBColorSpace,
} from "three";
import { WORLD } from "../../facts/satisfactory";

/** Points along each side of the world at which heights are computed, of the mesh, and of its picture. */
const SIDE = 256;
const MESH = 128;
const PICTURE = 768;
/** Fewer known heights than this make no land. */
export const FEWEST_POINTS = 300;
/** Farther than this from any known point, in metres, the world is not known to go on; the shore is as wide as this. */
const REACH_M = 330;
const SHORE_M = 110;
/** Below what stands on it, in metres. */
const BELOW_M = 4;
/** Land by its height, from the lowest to the highest, and how much darker is what was never seen. */
const BANDS = ["#2c4d52", "#3f6a5c", "#5f8062", "#8c936c", "#b09f7c", "#c7b9a0", "#e0d8ca"].map(parse);
const UNSEEN = 0.58;
/** How strongly slopes are lit, and how far apart lines of equal height are, in metres. */
const RELIEF = 1.15;
const CONTOUR_M = 40;

const EDGES = [WORLD.MAP_WEST_CM, WORLD.MAP_EAST_CM, WORLD.MAP_NORTH_CM, WORLD.MAP_SOUTH_CM].map(
  (edge) => edge / 100,
) as [number, number, number, number];

export interface Fog {
  side: number;
  seen: Uint8Array;
}

type Colour = readonly [number, number, number];

function parse(colour: string): Colour {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Where a place is on a grid, from 0 to 1. */
function onGrid(x: number, z: number): [number, number] {
  const [west, east, north, south] = EDGES;
  return [(x - west) / (east - west), (z - north) / (south - north)];
}

/** Rows of the picture that are painted at once: nothing else happens meanwhile. */
const ROWS = 48;
const SMOOTHINGS = 12;
/** How far the edge of what was seen is blurred, in points of the game's own map of it. */
const BLUR = 2;

export type Land = Mesh<PlaneGeometry, MeshBasicMaterial>;

/** `built` are places of what was built: the land is never above it. */
export async function relief(points: Float32Array, built: Float32Array, fog: Fog | undefined): Promise<Land> {
  const heights = below(spread(points), built);
  const reach = distances(points);
  const light = lit(heights);
  const [west, east, north, south] = EDGES;
  const geometry = new PlaneGeometry(east - west, south - north, MESH - 1, MESH - 1);
  geometry.rotateX(-Math.PI / 2);
  geometry.translate((west + east) / 2, 0, (north + south) / 2);
  const at = geometry.getAttribute("position");
  for (let index = 0; index < at.count; index++) {
    const [u, v] = onGrid(at.getX(index), at.getZ(index));
    at.setY(index, between(heights, u, v) - BELOW_M);
  }
  const texture = new CanvasTexture(await paint({ heights, reach, light }, fog && blurred(fog)));
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 4;
  // Drawn first, and yet with a soft shore.
  const material = new MeshBasicMaterial({ map: texture, side: DoubleSide, blending: CustomBlending });
  const mesh = new Mesh(geometry, material);
  mesh.renderOrder = -1;
  return mesh;
}

interface Grids {
  heights: Float32Array;
  /** How far each point is from a known one. */
  reach: Float32Array;
  /** How strongly the sun meets the slope. */
  light: Float32Array;
}

async function paint({ heights, reach, light }: Grids, fog: Fog | undefined): Promise<HTMLCanvasElement> {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = PICTURE;
  const context = canvas.getContext("2d");
  if (!context) return canvas;
  const image = context.createImageData(PICTURE, PICTURE);
  const sorted = heights.filter((_, index) => (reach[index] as number) < REACH_M).sort();
  const [low, high] = [sorted[0] ?? 0, sorted[Math.floor(sorted.length * 0.995)] ?? 1];
  const step = 1 / PICTURE;
  for (let row = 0; row < PICTURE; row++) {
    if (row % ROWS === ROWS - 1) await pause();
    for (let column = 0; column < PICTURE; column++) {
      const [u, v] = [(column + 0.5) * step, (row + 0.5) * step];
      const at = (row * PICTURE + column) * 4;
      const far_m = between(reach, u, v);
      if (far_m > REACH_M) continue;
      const height = between(heights, u, v);
      const seen = fog ? seenAt(fog, u, v) : 1;
      const line = Math.abs(height / CONTOUR_M - Math.round(height / CONTOUR_M)) < 0.035 ? 0.93 : 1;
      const shade = between(light, u, v) * line * (UNSEEN + (1 - UNSEEN) * seen);
      const colour = band((height - low) / Math.max(1, high - low));
      for (let channel = 0; channel < 3; channel++)
        image.data[at + channel] = Math.min(255, (colour[channel] as number) * shade);
      image.data[at + 3] = 255 * Math.min(1, (REACH_M - far_m) / SHORE_M);
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

function band(part: number): Colour {
  const at = Math.max(0, Math.min(BANDS.length - 1.001, part * (BANDS.length - 1)));
  const [from, to] = [BANDS[Math.floor(at)] as Colour, BANDS[Math.floor(at) + 1] as Colour];
  const rest = at - Math.floor(at);
  return [0, 1, 2].map((channel) => (from[channel] as number) * (1 - rest) + (to[channel] as number) * rest) as [
    number,
    number,
    number,
  ];
}

function seenAt({ side, seen }: Fog, u: number, v: number): number {
  const at = (x: number, y: number) =>
    (seen[Math.max(0, Math.min(side - 1, y)) * side + Math.max(0, Math.min(side - 1, x))] ?? 0) / 255;
  const [x, y] = [u * side - 0.5, v * side - 0.5];
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [fx, fy] = [x - left, y - top];
  return (
    (at(left, top) * (1 - fx) + at(left + 1, top) * fx) * (1 - fy) +
    (at(left, top + 1) * (1 - fx) + at(left + 1, top + 1) * fx) * fy
  );
}

/** The same heights, but never above what was built: interpolation knows nothing of valleys between its points. */
function below(heights: Float32Array, built: Float32Array): Float32Array {
  let isChanged = false;
  const lowered = new Float32Array(heights);
  for (const [cell, at] of cells(built)) {
    const top = (built[at + 1] as number) - BELOW_M;
    // The four around it, so that no corner of the land cuts through.
    for (const near of [cell, cell - 1, cell + 1, cell - SIDE, cell + SIDE]) {
      if (!(top < (lowered[near] ?? Number.NEGATIVE_INFINITY))) continue;
      lowered[near] = top;
      isChanged = true;
    }
  }
  return isChanged ? lowered : heights;
}

/** Light from the north-west on every slope. */
function lit(heights: Float32Array): Float32Array {
  const cell_m = (EDGES[1] - EDGES[0]) / SIDE;
  const light = new Float32Array(heights.length);
  for (let row = 0; row < SIDE; row++) {
    const [up, down] = [Math.max(0, row - 1) * SIDE, Math.min(SIDE - 1, row + 1) * SIDE];
    for (let column = 0; column < SIDE; column++) {
      const [left, right] = [Math.max(0, column - 1), Math.min(SIDE - 1, column + 1)];
      const east = (heights[row * SIDE + right] as number) - (heights[row * SIDE + left] as number);
      const south = (heights[down + column] as number) - (heights[up + column] as number);
      const slope = (east + south) / (2 * cell_m);
      light[row * SIDE + column] = Math.max(0.72, Math.min(1.2, 1 + slope * RELIEF));
    }
  }
  return smooth(light);
}

/** What was seen, with soft edges. */
function blurred({ side, seen }: Fog): Fog {
  const soft = new Uint8Array(seen.length);
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++) {
      let [sum, count] = [0, 0];
      for (let y = Math.max(0, row - BLUR); y <= Math.min(side - 1, row + BLUR); y++)
        for (let x = Math.max(0, column - BLUR); x <= Math.min(side - 1, column + BLUR); x++) {
          sum += seen[y * side + x] as number;
          count++;
        }
      soft[row * side + column] = sum / count;
    }
  return { side, seen: soft };
}

/** A value of a grid between its points. */
function between(grid: Float32Array, u: number, v: number): number {
  const [x, y] = [u * SIDE - 0.5, v * SIDE - 0.5];
  const left = Math.max(0, Math.min(SIDE - 2, Math.floor(x)));
  const top = Math.max(0, Math.min(SIDE - 2, Math.floor(y)));
  const fx = Math.max(0, Math.min(1, x - left));
  const fy = Math.max(0, Math.min(1, y - top));
  const at = top * SIDE + left;
  const upper = (grid[at] as number) * (1 - fx) + (grid[at + 1] as number) * fx;
  const lower = (grid[at + SIDE] as number) * (1 - fx) + (grid[at + SIDE + 1] as number) * fx;
  return upper * (1 - fy) + lower * fy;
}

/** The cell of every point that is on the map. */
function* cells(points: Float32Array): Generator<[cell: number, at: number]> {
  for (let at = 0; at < points.length; at += 3) {
    const [u, v] = onGrid(points[at] as number, points[at + 2] as number);
    if (u >= 0 && v >= 0 && u < 1 && v < 1) yield [Math.floor(v * SIDE) * SIDE + Math.floor(u * SIDE), at];
  }
}

/**
 * Known heights on a grid, and between them the mean of what is around, from coarse to fine: each coarser grid fills the
 * gaps of the finer one. A single point is no peak: at the end all is smoothed.
 */
function spread(points: Float32Array): Float32Array {
  const sums = new Float32Array(SIDE * SIDE);
  const weights = new Float32Array(SIDE * SIDE);
  for (const [cell, at] of cells(points)) {
    sums[cell] = (sums[cell] as number) + (points[at + 1] as number);
    weights[cell] = (weights[cell] as number) + 1;
  }
  let heights = fill(sums, weights, SIDE);
  for (let pass = 0; pass < SMOOTHINGS; pass++) heights = smooth(heights);
  return heights;
}

function fill(sums: Float32Array, weights: Float32Array, side: number): Float32Array {
  const half = side >> 1;
  const filled = new Float32Array(side * side);
  let coarse: Float32Array | undefined;
  if (half >= 1) {
    const [sum, weight] = [new Float32Array(half * half), new Float32Array(half * half)];
    for (let row = 0; row < side; row++)
      for (let column = 0; column < side; column++) {
        const to = (row >> 1) * half + (column >> 1);
        sum[to] = (sum[to] as number) + (sums[row * side + column] as number);
        weight[to] = (weight[to] as number) + (weights[row * side + column] as number);
      }
    coarse = fill(sum, weight, half);
  }
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++) {
      const at = row * side + column;
      const own = weights[at] as number;
      if (own > 0) filled[at] = (sums[at] as number) / own;
      else if (coarse) filled[at] = soft(coarse, half, column / 2 - 0.25, row / 2 - 0.25);
    }
  return filled;
}

function soft(grid: Float32Array, side: number, x: number, y: number): number {
  const clamp = (value: number) => Math.max(0, Math.min(side - 1, value));
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [fx, fy] = [x - left, y - top];
  const at = (column: number, row: number) => grid[clamp(row) * side + clamp(column)] as number;
  return (
    (at(left, top) * (1 - fx) + at(left + 1, top) * fx) * (1 - fy) +
    (at(left, top + 1) * (1 - fx) + at(left + 1, top + 1) * fx) * fy
  );
}

function smooth(heights: Float32Array): Float32Array {
  const next = new Float32Array(heights.length);
  for (let row = 0; row < SIDE; row++) {
    const [up, down] = [Math.max(0, row - 1) * SIDE, Math.min(SIDE - 1, row + 1) * SIDE];
    for (let column = 0; column < SIDE; column++) {
      const at = row * SIDE + column;
      const around =
        (heights[up + column] as number) +
        (heights[down + column] as number) +
        (heights[row * SIDE + Math.max(0, column - 1)] as number) +
        (heights[row * SIDE + Math.min(SIDE - 1, column + 1)] as number);
      next[at] = (heights[at] as number) * 0.4 + around * 0.15;
    }
  }
  return next;
}

/** How far every point of the grid is from the nearest known one, in metres: twice over the grid, there and back. */
function distances(points: Float32Array): Float32Array {
  const cell_m = (EDGES[1] - EDGES[0]) / SIDE;
  const far = new Float32Array(SIDE * SIDE).fill(1e6);
  for (const [cell] of cells(points)) far[cell] = 0;
  const better = (at: number, from: number, step: number) => {
    const other = (far[from] as number) + step * cell_m;
    if (other < (far[at] as number)) far[at] = other;
  };
  const pass = (first: number, step: number) => {
    for (let row = 0; row < SIDE; row++)
      for (let column = 0; column < SIDE; column++) {
        const at = first + step * (row * SIDE + column);
        if (column > 0) better(at, at - step, 1);
        if (row > 0) better(at, at - step * SIDE, 1);
        if (row > 0 && column > 0) better(at, at - step * (SIDE + 1), Math.SQRT2);
        if (row > 0 && column < SIDE - 1) better(at, at - step * (SIDE - 1), Math.SQRT2);
      }
  };
  pass(0, 1);
  pass(SIDE * SIDE - 1, -1);
  return smooth(smooth(far));
}
