// Everything that stands in a factory, as oriented boxes: one instanced mesh for each category, filled from the
// recording's columns once, and again when a class is shown or hidden. Nothing is done in a frame.

import {
  BoxGeometry,
  Color,
  Group,
  InstancedMesh,
  Matrix4,
  type Plane,
  type Points,
  Quaternion,
  type Raycaster,
  Vector3,
} from "three";
import type { Recording } from "../../data/recording";
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

/** Categories whose boxes are machines: their middle is raised. */
const RAISED = new Set(["production", "extraction", "generators", "storage", "special", "transport"]);

interface Layer {
  mesh: InstancedMesh;
  classes: FactoryClass[] /** The row of every instance that is drawn. */;
  rows: Uint32Array /** A dot on each. */;
  dots: Points | undefined;
}

export class FactoryBoxes {
  readonly object = new Group();
  readonly classes: FactoryClass[] = [];
  /** The entity of every row; rows of one class are together. */
  readonly ids: Uint32Array;
  private readonly positions: Float32Array;
  private readonly rotations: Float32Array;
  private readonly layers: Layer[] = [];

  /** What is above one of the planes is not drawn. */
  constructor(
    recording: Recording,
    private readonly planes: Plane[] = [],
  ) {
    const counts = new Map<string, { kind: string; label: string; count: number; at: number }>();
    let total = 0;
    eachRow(recording, (className, kind, label) => {
      const own = counts.get(className);
      if (own) own.count++;
      else counts.set(className, { kind, label, count: 1, at: 0 });
      total++;
    });
    this.ids = new Uint32Array(total);
    this.positions = new Float32Array(total * 3);
    this.rotations = new Float32Array(total * 4);
    let start = 0;
    for (const [className, own] of counts) {
      const name = own.label || readable(className);
      this.classes.push({
        name,
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
    eachRow(recording, (className, _kind, _label, id, position, rotation) => {
      const own = counts.get(className) as { at: number };
      const row = own.at++;
      this.ids[row] = id;
      this.positions.set(position, row * 3);
      if (rotation) this.rotations.set(rotation, row * 4);
      else this.rotations[row * 4 + 3] = 1;
    });
    for (const category of new Set(this.classes.map((own) => own.category))) {
      const classes = this.classes.filter((own) => own.category === category);
      const count = classes.reduce((sum, own) => sum + own.count, 0);
      const mesh = new InstancedMesh(new BoxGeometry(1, 1, 1), boxMaterial(RAISED.has(category), planes), count);
      mesh.name = category;
      // A layer is as wide as the factory: it is nearly always in the picture, and asking costs a look at every box.
      mesh.frustumCulled = false;
      mesh.matrixAutoUpdate = false;
      const dots = MARKED.has(category) ? marks(count, colourOf(category)) : undefined;
      const layer = { mesh, classes, rows: new Uint32Array(count), dots };
      this.layers.push(layer);
      this.fill(layer);
      this.object.add(mesh);
      if (dots) this.object.add(dots);
    }
  }

  /** Shows some classes and hides others; only their layers are filled anew. */
  show(classes: FactoryClass[], isShown: boolean): void {
    for (const own of classes) own.isShown = isShown;
    for (const layer of this.layers) if (layer.classes.some((own) => classes.includes(own))) this.fill(layer);
  }

  private fill({ mesh, classes, rows, dots }: Layer): void {
    const [matrix, at, turn, size, centre, colour] = [
      new Matrix4(),
      new Vector3(),
      new Quaternion(),
      new Vector3(),
      new Vector3(),
      new Color(),
    ];
    let instance = 0;
    for (const { name, category, shape, start, count, isShown } of classes) {
      if (!isShown) continue;
      colour.set(colourOf(category)).offsetHSL(0, 0, (name.length % 5) * 0.03 - 0.06);
      size.fromArray(shape.size_m);
      for (let row = start; row < start + count; row++) {
        at.fromArray(this.positions, row * 3);
        turn.fromArray(this.rotations, row * 4);
        at.add(centre.fromArray(shape.centre_m).applyQuaternion(turn));
        mesh.setMatrixAt(instance, matrix.compose(at, turn, size));
        mesh.setColorAt(instance, colour);
        rows[instance++] = row;
      }
    }
    mesh.count = instance;
    mesh.visible = instance > 0;
    mesh.instanceMatrix.needsUpdate = true;
    if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    mesh.boundingSphere = null;
    if (dots) moveMarks(dots, rows.subarray(0, instance), this.positions);
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

  /** Where things of a kind are, one axis: a sorted copy. */
  sorted(axis: 0 | 1 | 2, kind: string): Float32Array {
    const own = this.classes.filter((one) => one.kind === kind);
    const values = new Float32Array(own.reduce((sum, { count }) => sum + count, 0));
    let index = 0;
    for (const { start, count } of own)
      for (let row = start; row < start + count; row++) values[index++] = this.positions[row * 3 + axis] as number;
    return values.sort();
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

/** Goes through everything that has a place and never moves. */
function eachRow(
  { statics, entities }: Recording,
  visit: (
    className: string,
    kind: string,
    label: string,
    id: number,
    position: Float32Array,
    rotation: Float32Array | undefined,
  ) => void,
): void {
  for (const { kind, entities: ids, columns } of statics) {
    const [positions, rotations, classes] = [columns.get("position"), columns.get("rotation"), columns.get("class")];
    if (!positions) continue;
    const at = positions.numbers as Float32Array;
    const turns = rotations?.numbers as Float32Array | undefined;
    for (let row = 0; row < ids.length; row++) {
      const id = ids[row] as number;
      const index = classes?.numbers[row] as number;
      const className = classes ? (classes.names[index] ?? "") : entities.name(id);
      visit(
        className,
        kind,
        classes?.labels[index] ?? "",
        id,
        at.subarray(row * 3, row * 3 + 3),
        turns?.subarray(row * 4, row * 4 + 4),
      );
    }
  }
}
