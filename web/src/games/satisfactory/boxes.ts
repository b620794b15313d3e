// Everything that stands in a factory, as oriented boxes: one instanced mesh for each category, filled from the
// recording's columns once, and again when a class is shown or hidden. Nothing is done in a frame.

import {
  BoxGeometry,
  Color,
  InstancedBufferAttribute,
  InstancedMesh,
  Matrix4,
  type Plane,
  type Points,
  Quaternion,
  type Raycaster,
  Group as ThreeGroup,
  Vector3,
} from "three";
import type { Group, Recording } from "../../data/recording";
import { type BoxShape, categoryOf, colourOf, isQuiet, readable, shapeOf } from "./classes";
import { MARKED, marks, moveMarks } from "./marks";
import { boxMaterial } from "./material";

/** One class of things: where its rows begin among all, and how many there are. */
export interface FactoryClass {
  name: string;
  kind: string;
  category: string;
  shape: BoxShape;
  start: number;
  count: number;
  isShown: boolean;
}

/** More boxes than this are not filled at once: the page would stand still meanwhile. */
const MAX_AT_ONCE = 120_000;
/** As many values are enough to know where most is. */
const MAX_SORTED = 20_000;
/** Categories whose boxes are machines: their middle is raised. */
const RAISED = new Set(["production", "extraction", "generators", "storage", "special", "transport"]);

interface Layer {
  mesh: InstancedMesh;
  classes: FactoryClass[] /** The row of every instance that is drawn. */;
  rows: Uint32Array /** A dot on each. */;
  dots: Points | undefined;
}

export class FactoryBoxes {
  readonly object = new ThreeGroup();
  readonly classes: FactoryClass[] = [];
  /** The entity of every row; rows of one class are together. */
  readonly ids: Uint32Array;
  private readonly positions: Float32Array;
  private readonly rotations: Float32Array;
  private readonly layers: Layer[] = [];
  /** Called when boxes have been filled after others were shown. */
  onFilled: () => void = () => {};

  /** What is above one of the planes is not drawn. */
  constructor(
    recording: Recording,
    private readonly planes: Plane[] = [],
  ) {
    const groups = recording.statics.flatMap((group) => rowsOf(recording, group) ?? []);
    const counts = new Map<string, { kind: string; label: string; count: number; at: number }>();
    let total = 0;
    for (const { kind, names, labels, indices } of groups) {
      const own = new Uint32Array(names.length);
      for (let row = 0; row < indices.length; row++)
        own[indices[row] as number] = (own[indices[row] as number] ?? 0) + 1;
      for (const [index, count] of own.entries()) {
        const name = names[index] as string;
        const found = counts.get(name);
        if (found) found.count += count;
        else counts.set(name, { kind, label: labels[index] ?? "", count, at: 0 });
      }
      total += indices.length;
    }
    this.ids = new Uint32Array(total);
    this.positions = new Float32Array(total * 3);
    this.rotations = new Float32Array(total * 4);
    let start = 0;
    for (const [className, own] of counts) {
      this.classes.push({
        name: own.label || readable(className),
        kind: own.kind,
        category: categoryOf(className, own.kind),
        shape: shapeOf(className, own.kind),
        start,
        count: own.count,
        isShown: !isQuiet(own.kind),
      });
      own.at = start;
      start += own.count;
    }
    for (const group of groups) this.take(group, counts);
    for (const category of new Set(this.classes.map((own) => own.category))) this.addLayer(category);
    void this.fillAll();
  }

  /** Puts a group's rows where their classes have theirs. */
  private take({ names, indices, ids, positions, rotations }: Rows, counts: Map<string, { at: number }>): void {
    const at = Uint32Array.from(names, (name) => counts.get(name)?.at ?? 0);
    for (let from = 0; from < indices.length; from++) {
      const index = indices[from] as number;
      const row = at[index] as number;
      at[index] = row + 1;
      this.ids[row] = ids[from] as number;
      for (let axis = 0; axis < 3; axis++) this.positions[row * 3 + axis] = positions[from * 3 + axis] as number;
      if (!rotations) this.rotations[row * 4 + 3] = 1;
      else for (let axis = 0; axis < 4; axis++) this.rotations[row * 4 + axis] = rotations[from * 4 + axis] as number;
    }
    for (const [index, name] of names.entries()) {
      const own = counts.get(name);
      if (own) own.at = at[index] as number;
    }
  }

  private addLayer(category: string): void {
    const classes = this.classes.filter((own) => own.category === category);
    const count = classes.reduce((sum, own) => sum + own.count, 0);
    const mesh = new InstancedMesh(new BoxGeometry(1, 1, 1), boxMaterial(RAISED.has(category), this.planes), count);
    mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(count * 3), 3);
    mesh.name = category;
    // A layer is as wide as the factory: it is nearly always in the picture, and asking costs a look at every box.
    mesh.frustumCulled = false;
    mesh.matrixAutoUpdate = false;
    mesh.count = 0;
    const dots = MARKED.has(category) ? marks(count, colourOf(category)) : undefined;
    this.layers.push({ mesh, classes, rows: new Uint32Array(count), dots });
    this.object.add(mesh);
    if (dots) this.object.add(dots);
  }

  /** Fills all layers, and lets the page breathe between them where there are very many boxes. */
  private async fillAll(): Promise<void> {
    let since = 0;
    for (const layer of this.layers) {
      if (since > 0 && since + layer.rows.length > MAX_AT_ONCE) {
        this.onFilled();
        await new Promise((resolve) => setTimeout(resolve));
        since = 0;
      }
      this.fill(layer);
      since += layer.rows.length;
    }
    this.onFilled();
  }

  /** Shows some classes and hides others; only their layers are filled anew. */
  show(classes: FactoryClass[], isShown: boolean): void {
    for (const own of classes) own.isShown = isShown;
    for (const layer of this.layers) if (layer.classes.some((own) => classes.includes(own))) this.fill(layer);
  }

  private fill({ mesh, classes, rows, dots }: Layer): void {
    const { positions, rotations } = this;
    const matrices = mesh.instanceMatrix.array as Float32Array;
    const colours = mesh.instanceColor?.array as Float32Array;
    const colour = new Color();
    let instance = 0;
    for (const { name, category, shape, start, count, isShown } of classes) {
      if (!isShown) continue;
      colour.set(colourOf(category)).offsetHSL(0, 0, (name.length % 5) * 0.03 - 0.06);
      for (let row = start; row < start + count; row++) {
        compose(matrices, instance * 16, positions, rotations, row, shape);
        colours[instance * 3] = colour.r;
        colours[instance * 3 + 1] = colour.g;
        colours[instance * 3 + 2] = colour.b;
        rows[instance++] = row;
      }
    }
    mesh.count = instance;
    mesh.visible = instance > 0;
    mesh.instanceMatrix.needsUpdate = true;
    if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    mesh.boundingSphere = null;
    if (dots) moveMarks(dots, rows.subarray(0, instance), positions);
  }

  /** What a ray meets first: its row, its class, and where its box is. */
  pick(ray: Raycaster): { row: number; own: FactoryClass; matrix: Matrix4 } | undefined {
    const hits = ray.intersectObjects(
      this.layers.map(({ mesh }) => mesh),
      false,
    );
    const hit = hits.find(({ point }) => this.planes.every((plane) => plane.distanceToPoint(point) >= 0));
    const layer = this.layers.find(({ mesh }) => mesh === hit?.object);
    const row = layer?.rows[hit?.instanceId ?? -1];
    if (!layer || row === undefined) return undefined;
    const matrix = new Matrix4();
    layer.mesh.getMatrixAt(hit?.instanceId as number, matrix);
    return { row, own: this.classOf(row) as FactoryClass, matrix };
  }

  /** Where a row stands. */
  positionOf(row: number): [number, number, number] {
    return [
      this.positions[row * 3] as number,
      this.positions[row * 3 + 1] as number,
      this.positions[row * 3 + 2] as number,
    ];
  }

  /** The box of a row, where it is drawn. */
  matrixOf(row: number): Matrix4 | undefined {
    for (const { mesh, rows } of this.layers) {
      const instance = rows.subarray(0, mesh.count).indexOf(row);
      if (instance < 0) continue;
      const matrix = new Matrix4();
      mesh.getMatrixAt(instance, matrix);
      return matrix;
    }
    return undefined;
  }

  /** Every row by its entity's name. */
  rowsByName({ entities }: Recording): Map<string, number> {
    const rows = new Map<string, number>();
    for (const [row, id] of this.ids.entries()) rows.set(entities.name(id), row);
    return rows;
  }

  classOf(row: number): FactoryClass | undefined {
    return this.classes.find(({ start, count }) => row >= start && row < start + count);
  }

  /** Where things of a kind are. */
  placesOf(kind: string): Float32Array {
    const own = this.classes.filter((one) => one.kind === kind);
    const places = new Float32Array(own.reduce((sum, { count }) => sum + count, 0) * 3);
    let at = 0;
    for (const { start, count } of own) {
      places.set(this.positions.subarray(start * 3, (start + count) * 3), at);
      at += count * 3;
    }
    return places;
  }

  /** Where things of a kind are, one axis: a sorted sample. */
  sorted(axis: 0 | 1 | 2, kind: string): Float32Array {
    const own = this.classes.filter((one) => one.kind === kind);
    const total = own.reduce((sum, { count }) => sum + count, 0);
    const step = Math.max(1, Math.ceil(total / MAX_SORTED));
    const values: number[] = [];
    for (const { start, count } of own)
      for (let row = start; row < start + count; row += step) values.push(this.positions[row * 3 + axis] as number);
    return Float32Array.from(values).sort();
  }

  /** The lowest and the highest place of things of a kind. */
  span(kind: string): [low: number, high: number] {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const own of this.classes) {
      if (own.kind !== kind) continue;
      for (let row = own.start; row < own.start + own.count; row++) {
        const y = this.positions[row * 3 + 1] as number;
        low = Math.min(low, y);
        high = Math.max(high, y);
      }
    }
    return low > high ? [0, 0] : [low, high];
  }

  /** The entities of everything that is shown. */
  shown(): number[] {
    return this.classes.flatMap(({ isShown, start, count }) =>
      isShown ? Array.from(this.ids.subarray(start, start + count)) : [],
    );
  }

  /** Where everything that is drawn stands, by entity: read back from what the graphics card is given. */
  drawn(): Record<number, [number, number, number]> {
    const all: Record<number, [number, number, number]> = {};
    const [matrix, at, turn, size, centre] = [
      new Matrix4(),
      new Vector3(),
      new Quaternion(),
      new Vector3(),
      new Vector3(),
    ];
    for (const { mesh, rows } of this.layers) {
      for (let instance = 0; instance < mesh.count; instance++) {
        const row = rows[instance] as number;
        mesh.getMatrixAt(instance, matrix);
        matrix.decompose(at, turn, size);
        at.sub(centre.fromArray((this.classOf(row) as FactoryClass).shape.centre_m).applyQuaternion(turn));
        all[this.ids[row] as number] = [at.x, at.y, at.z];
      }
    }
    return all;
  }
}

/** A group of things that never move, as columns. */
interface Rows {
  kind: string;
  names: string[];
  labels: string[];
  /** The class of each. */
  indices: Uint32Array;
  ids: Uint32Array;
  positions: Float32Array;
  rotations: Float32Array | undefined;
}

/** What has a place and never moves; what has no class goes by its own name. */
function rowsOf({ entities }: Recording, { kind, entities: ids, columns }: Group): Rows | undefined {
  const [positions, rotations, classes] = [columns.get("position"), columns.get("rotation"), columns.get("class")];
  if (!positions) return undefined;
  const own = {
    kind,
    ids,
    positions: positions.numbers as Float32Array,
    rotations: rotations?.numbers as Float32Array,
  };
  if (classes) return { ...own, names: classes.names, labels: classes.labels, indices: classes.numbers as Uint32Array };
  const names: string[] = [];
  const known = new Map<string, number>();
  const indices = ids.map((id) => {
    const name = entities.name(id);
    const index = known.get(name) ?? names.push(name) - 1;
    known.set(name, index);
    return index;
  });
  return { ...own, names, labels: [], indices };
}

/** The matrix of a row's box: its class's size, turned, with its middle where the class has it. */
function compose(
  to: Float32Array,
  at: number,
  positions: Float32Array,
  rotations: Float32Array,
  row: number,
  { size_m: [width, height, depth], centre_m: [cx, cy, cz] }: BoxShape,
): void {
  const [x, y, z, w] = [
    rotations[row * 4] as number,
    rotations[row * 4 + 1] as number,
    rotations[row * 4 + 2] as number,
    rotations[row * 4 + 3] as number,
  ];
  // The rotation's columns.
  const ax = 1 - 2 * (y * y + z * z);
  const ay = 2 * (x * y + w * z);
  const az = 2 * (x * z - w * y);
  const bx = 2 * (x * y - w * z);
  const by = 1 - 2 * (x * x + z * z);
  const bz = 2 * (y * z + w * x);
  const dx = 2 * (x * z + w * y);
  const dy = 2 * (y * z - w * x);
  const dz = 1 - 2 * (x * x + y * y);
  to[at] = ax * width;
  to[at + 1] = ay * width;
  to[at + 2] = az * width;
  to[at + 3] = 0;
  to[at + 4] = bx * height;
  to[at + 5] = by * height;
  to[at + 6] = bz * height;
  to[at + 7] = 0;
  to[at + 8] = dx * depth;
  to[at + 9] = dy * depth;
  to[at + 10] = dz * depth;
  to[at + 11] = 0;
  to[at + 12] = (positions[row * 3] as number) + ax * cx + bx * cy + dx * cz;
  to[at + 13] = (positions[row * 3 + 1] as number) + ay * cx + by * cy + dy * cz;
  to[at + 14] = (positions[row * 3 + 2] as number) + az * cx + bz * cy + dz * cz;
  to[at + 15] = 1;
}
