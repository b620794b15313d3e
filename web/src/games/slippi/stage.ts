// A stage: its ground, ledges and blast zones where they are known, and what it does: wind, transformations.

import {
  BoxGeometry,
  BufferGeometry,
  ConeGeometry,
  ExtrudeGeometry,
  GridHelper,
  type Group,
  LineBasicMaterial,
  LineLoop,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  Shape,
  SphereGeometry,
  Vector2,
  Vector3,
} from "three";
import type { Column, Recording } from "../../data/recording";
import { shapeOf } from "../../facts/shape";
import { SHAPES, STAGES, type StageShape } from "../../facts/slippi";
import { group, still } from "../../scene/actor";

/** Metres in one of the game's units. */
export const METRES = 0.1;
const STONE = "#46536b";
const EDGE = "#8ea6cc";
/** The stadium's ground by its shape; its layouts are in no source we have. */
const SHADES: Record<string, string> = { fire: "#7a4338", grass: "#45694a", rock: "#6b5d4c", water: "#3c5f85" };

export class StageScene {
  readonly object: Group;
  /** True where the stage's measures are known. */
  readonly isKnown: boolean;
  /** What the stage does now, as text. */
  state = "";
  private readonly stone = new MeshStandardMaterial({ color: STONE, roughness: 0.9 });
  private readonly arrows: Object3D;
  private readonly platforms: { mesh: Mesh; width: Column }[] = [];
  private readonly wind: Column | undefined;
  private readonly shape: Column | undefined;
  private readonly phase: Column | undefined;

  constructor(private readonly recording: Recording) {
    const name = recording.outline.summary.map ?? "";
    const shape = STAGES[name];
    this.isKnown = shape !== undefined;
    this.object = group(shape ? this.ground(shape) : grid());
    this.arrows = arrows();
    this.object.add(this.arrows);
    const column = (kind: string, key: string) => {
      const entity = recording.ofKind(kind)[0];
      return entity && recording.column(entity.id, key);
    };
    this.wind = column("wind", "wind");
    this.shape = column("stage-shape", "shape");
    this.phase = column("stage-shape", "phase");
  }

  /** A platform that comes with the recording; its width may change. */
  platform(id: number): Object3D {
    const {
      size_m: [, height, depth],
      centre_m,
    } = shapeOf(SHAPES, "platform", "");
    const mesh = new Mesh(new BoxGeometry(1, height, depth), new MeshStandardMaterial({ color: "#8fa3c4" }));
    mesh.position.set(...centre_m);
    this.platforms.push({ mesh, width: this.recording.column(id, "width_m") });
    return group(mesh);
  }

  show(time_s: number): void {
    for (const { mesh, width } of this.platforms) mesh.scale.x = width.number(time_s) ?? 1;
    const wind = this.wind?.text(time_s) ?? "none";
    const shape = this.shape?.text(time_s) ?? "normal";
    this.arrows.visible = wind === "left" || wind === "right";
    this.arrows.scale.x = wind === "left" ? -1 : 1;
    this.stone.color.set(SHADES[shape] ?? STONE);
    const phase = this.phase?.text(time_s) ?? "finished";
    const stadium = shape === "normal" ? "" : `Stadium: ${shape}${phase === "finished" ? "" : ` (${phase})`}`;
    this.state = wind === "left" || wind === "right" ? `Whispy blows to the ${wind}` : stadium;
  }

  private ground({ left, right, top, bottom, edge, outline }: StageShape): Object3D {
    const shape = new Shape(outline.map(([x, y]) => new Vector2(x * METRES, y * METRES)));
    const ground = new ExtrudeGeometry(shape, { depth: 2.4, bevelEnabled: false });
    ground.translate(0, 0, -1.2);
    const rim = new BufferGeometry().setFromPoints(outline.map(([x, y]) => new Vector3(x * METRES, y * METRES, 1.21)));
    const made = group(new Mesh(ground, this.stone), new LineLoop(rim, new LineBasicMaterial({ color: EDGE })), grid());
    for (const sign of [-1, 1]) {
      const ledge = new Mesh(new SphereGeometry(0.14, 12, 8), new MeshStandardMaterial({ color: "#f2c94c" }));
      ledge.position.set(sign * edge * METRES, 0, 1.2);
      made.add(ledge);
    }
    const corners = [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ] as const;
    const zone = new BufferGeometry().setFromPoints(corners.map(([x, y]) => new Vector3(x * METRES, y * METRES, 0)));
    made.add(new LineLoop(zone, new LineBasicMaterial({ color: "#d9534f", transparent: true, opacity: 0.5 })));
    return still(made);
  }
}

/** Behind everything: a grid of metres, so that movement is seen. */
function grid(): Object3D {
  const lines = new GridHelper(80, 40, 0x3c4a5f, 0x2a3444);
  lines.rotation.x = Math.PI / 2;
  lines.position.z = -4;
  return still(group(lines));
}

/** Arrows to the right. */
function arrows(): Object3D {
  const made = group();
  const air = new MeshStandardMaterial({ color: "#dfe9f5", transparent: true, opacity: 0.55 });
  for (const [x, y] of [
    [-4, 1],
    [0, 2.2],
    [4, 1],
    [-2, 3.4],
    [3, 3.6],
  ] as const) {
    const arrow = new Mesh(new ConeGeometry(0.18, 1.6, 10), air);
    arrow.rotation.z = -Math.PI / 2;
    arrow.position.set(x, y, -0.9);
    made.add(arrow);
  }
  return made;
}
