// Resource nodes: a dot in the resource's own colour, larger the purer it is, filled where a machine stands on it.

import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Color,
  Group,
  Points,
  PointsMaterial,
  SRGBColorSpace,
} from "three";
import type { WorldNode } from "../../data/source";

/** Colours of our own, near to how the resources look; told apart by name as well. */
const COLOURS: [RegExp, string][] = [
  [/^iron/i, "#7f9cc7"],
  [/^copper/i, "#e07a3a"],
  [/^limestone/i, "#d8ccab"],
  [/^coal/i, "#3c424c"],
  [/^caterium/i, "#f4c63d"],
  [/quartz/i, "#f29bd0"],
  [/^sulfur/i, "#dfe856"],
  [/^bauxite/i, "#b8442c"],
  [/^uranium/i, "#5fd35f"],
  [/oil/i, "#8455d6"],
  [/^water/i, "#46a6f0"],
  [/^nitrogen/i, "#a5e6ff"],
  [/^SAM/i, "#c04be0"],
  [/geyser/i, "#ff6b4a"],
];
const UNKNOWN = "#c3ccd9";
/** Rocks that are mined by hand are many, and shown on wish. */
const DEPOSIT = "deposit";
const DEPOSITS = "Deposits, by hand";
const SIZES_PX: Record<string, number> = { impure: 9, normal: 12, pure: 15 };
/** A well's middle, and what says no purity. */
const OTHER_PX = 10;

export function resourceColour(name: string): string {
  return COLOURS.find(([pattern]) => pattern.test(name))?.[1] ?? UNKNOWN;
}

/** Nodes of one resource: how many there are, and how many have a machine on them. */
export interface Resource {
  name: string;
  count: number;
  taken: number;
  byPurity: Record<string, number>;
  isShown: boolean;
}

export class ResourceNodes {
  readonly object = new Group();
  readonly resources: Resource[];

  constructor(private readonly nodes: readonly WorldNode[]) {
    const found = new Map<string, Resource>();
    for (const node of nodes) {
      const { purity, is_taken } = node;
      const name = nameOf(node);
      const own = found.get(name) ?? { name, count: 0, taken: 0, byPurity: {}, isShown: node.kind !== DEPOSIT };
      found.set(name, own);
      own.count++;
      if (is_taken) own.taken++;
      if (purity) own.byPurity[purity] = (own.byPurity[purity] ?? 0) + 1;
    }
    this.resources = [...found.values()].sort((a, b) => b.count - a.count);
    this.build();
  }

  show(resource: Resource, isShown: boolean): void {
    resource.isShown = isShown;
    this.build();
  }

  /** Where the nodes of a resource are, those without a machine first. */
  placesOf({ name }: Resource): [number, number, number][] {
    return this.nodes
      .filter((node) => nameOf(node) === name)
      .sort((a, b) => Number(a.is_taken) - Number(b.is_taken))
      .map(({ position }) => position);
  }

  private build(): void {
    for (const child of this.object.children) {
      if (!(child instanceof Points)) continue;
      child.geometry.dispose();
      child.material.dispose();
    }
    this.object.clear();
    const hidden = new Set(this.resources.filter(({ isShown }) => !isShown).map(({ name }) => name));
    const groups = new Map<string, WorldNode[]>();
    for (const node of this.nodes) {
      if (hidden.has(nameOf(node))) continue;
      const key = `${node.purity ?? ""} ${node.is_taken}`;
      groups.set(key, [...(groups.get(key) ?? []), node]);
    }
    for (const nodes of groups.values()) this.object.add(dots(nodes));
  }
}

function nameOf({ kind, resource }: WorldNode): string {
  return kind === DEPOSIT ? DEPOSITS : (resource ?? "Not told");
}

function dots(nodes: WorldNode[]): Points {
  const [places, colours] = [new Float32Array(nodes.length * 3), new Float32Array(nodes.length * 3)];
  const colour = new Color();
  for (const [index, { position, resource }] of nodes.entries()) {
    places.set(position, index * 3);
    colour.set(resourceColour(resource ?? "")).toArray(colours, index * 3);
  }
  const geometry = new BufferGeometry()
    .setAttribute("position", new BufferAttribute(places, 3))
    .setAttribute("color", new BufferAttribute(colours, 3));
  const [first] = nodes;
  const size = (SIZES_PX[first?.purity ?? ""] ?? OTHER_PX) * Math.min(2, devicePixelRatio);
  const made = new Points(
    geometry,
    new PointsMaterial({
      size,
      sizeAttenuation: false,
      vertexColors: true,
      map: disc(first?.is_taken ?? false),
      transparent: true,
      depthTest: false,
    }),
  );
  made.frustumCulled = false;
  made.matrixAutoUpdate = false;
  made.renderOrder = 4;
  return made;
}

/** A disc with a dark rim; a hollow one where nothing stands yet. */
export function disc(isFull: boolean): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const context = canvas.getContext("2d");
  if (context) {
    const ring = (radius: number, width: number, colour: string) => {
      context.beginPath();
      context.arc(32, 32, radius, 0, 2 * Math.PI);
      context.lineWidth = width;
      context.strokeStyle = colour;
      context.stroke();
    };
    if (isFull) {
      context.fillStyle = "#ffffff";
      context.beginPath();
      context.arc(32, 32, 24, 0, 2 * Math.PI);
      context.fill();
      ring(27, 7, "#0b1016");
    } else {
      ring(20, 24, "rgba(11, 16, 22, 0.75)");
      ring(21, 10, "#ffffff");
    }
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}
