// A stage: its ground, ledges and blast zones where they are known, and what it does: wind, transformations.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  ConeGeometry,
  ExtrudeGeometry,
  GridHelper,
  type Group,
  LineBasicMaterial,
  LineLoop,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshStandardMaterial,
  type Object3D,
  OctahedronGeometry,
  Shape,
  Vector2,
  Vector3,
} from "three";
import type { Column, Recording } from "../../data/recording";
import { shapeOf } from "../../facts/shape";
import { SHAPES, STAGES, type StageShape } from "../../facts/slippi";
import { group, still } from "../../scene/actor";

/** Metres in one of the game's units. */
export const METRES = 0.1;
const STONE = "#7f8db0";
const EDGE = "#c6d5f2";
/** The layer that is walked on, and how thick it is. */
const TOP = "#aebfe4";
const TOP_M = 0.16;
const LEDGE = "#ffd75e";
/** How thick the ground is towards the camera, and how the rock darkens below its top, in metres. */
const DEPTH_M = 2.6;
const DARKENS_M = 5;
const DARKEST = 0.16;
/** A slope flatter than this is walked on: its edge is bright. */
const WALKED = 0.7;
/** Farther below the middle of the stage rock may stand out, but is not walked on. */
const WALKED_BELOW_M = 0.8;
/** The stadium's ground by its shape; its layouts are in no source we have. */
const SHADES: Record<string, string> = { fire: "#b8705c", grass: "#7fae85", rock: "#ab9880", water: "#6f9acb" };

export class StageScene {
  readonly object: Group;
  /** True where the stage's measures are known. */
  readonly isKnown: boolean;
  /** What the stage does now, as text. */
  state = "";
  private readonly stone = new MeshLambertMaterial({ color: STONE, vertexColors: true });
  private readonly lines = new LineBasicMaterial({ color: "#8fa6d6", transparent: true, opacity: 0.13 });
  private readonly arrows: Object3D;
  private readonly platforms: { mesh: Mesh; width: Column }[] = [];
  private readonly wind: Column | undefined;
  private readonly shape: Column | undefined;
  private readonly phase: Column | undefined;

  constructor(private readonly recording: Recording) {
    const name = recording.outline.summary.map ?? "";
    const shape = STAGES[name];
    this.isKnown = shape !== undefined;
    this.object = group(shape ? this.ground(shape) : grid(this.lines));
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
    const mesh = new Mesh(new BoxGeometry(1, height, depth), new MeshLambertMaterial({ color: "#9fb2d8" }));
    const top = new Mesh(new BoxGeometry(1, 0.03, depth), new MeshBasicMaterial({ color: EDGE }));
    top.position.y = height / 2;
    mesh.add(top);
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

  applyTheme(theme: "dark" | "light"): void {
    this.lines.color.set(theme === "dark" ? "#8fa6d6" : "#3a4f7a");
  }

  private ground({ left, right, top, bottom, edge, outline }: StageShape): Object3D {
    const points = outline.map(([x, y]) => new Vector2(x * METRES, y * METRES));
    const rock = new ExtrudeGeometry(new Shape(points), { depth: DEPTH_M, bevelEnabled: false });
    rock.translate(0, 0, -DEPTH_M / 2);
    shade(rock);
    const made = group(new Mesh(rock, this.stone), walked(points), grid(this.lines));
    const height = Math.max(...points.filter(({ x }) => Math.abs(x) > edge * METRES * 0.98).map(({ y }) => y));
    for (const sign of [-1, 1]) {
      const ledge = new Mesh(new OctahedronGeometry(0.11), new MeshBasicMaterial({ color: LEDGE }));
      ledge.position.set(sign * edge * METRES, Number.isFinite(height) ? height : 0, DEPTH_M / 2);
      made.add(ledge);
    }
    const corners = [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ] as const;
    const zone = new BufferGeometry().setFromPoints(corners.map(([x, y]) => new Vector3(x * METRES, y * METRES, 0)));
    made.add(new LineLoop(zone, new LineBasicMaterial({ color: "#f0525b", transparent: true, opacity: 0.55 })));
    return still(made);
  }
}

/** Rock is light at its top and dark below. */
function shade(rock: BufferGeometry): void {
  const at = rock.getAttribute("position");
  const colours = new Float32Array(at.count * 3);
  for (let index = 0; index < at.count; index++) {
    const part = Math.min(1, Math.max(0, -at.getY(index) / DARKENS_M));
    colours.fill(1 - (1 - DARKEST) * Math.sqrt(part), index * 3, index * 3 + 3);
  }
  rock.setAttribute("color", new BufferAttribute(colours, 3));
}

/** What is walked on, as a bright edge; the rest of the outline is faint. */
function walked(points: Vector2[]): Object3D {
  const made = group();
  const turf = new MeshLambertMaterial({ color: TOP });
  const [bright, faint]: [Vector3[], Vector3[]] = [[], []];
  // Counter-clockwise, the top goes from right to left.
  const area = points.reduce((sum, { x, y }, index) => {
    const next = points[(index + 1) % points.length] as Vector2;
    return sum + x * next.y - next.x * y;
  }, 0);
  for (const [index, from] of points.entries()) {
    const to = points[(index + 1) % points.length] as Vector2;
    const onward = (to.x - from.x) * (area > 0 ? -1 : 1);
    const isTop = onward > 0 && Math.abs(to.y - from.y) < onward * WALKED && Math.min(from.y, to.y) > -WALKED_BELOW_M;
    const ends = [from, to].map(({ x, y }) => new Vector3(x, y, DEPTH_M / 2 + 0.01));
    (isTop ? bright : faint).push(...ends);
    if (!isTop) continue;
    const strip = new Mesh(new BoxGeometry(from.distanceTo(to), TOP_M, DEPTH_M + 0.04), turf);
    strip.position.set((from.x + to.x) / 2, (from.y + to.y) / 2 - TOP_M / 2 + 0.005, 0);
    strip.rotation.z = Math.atan2(to.y - from.y, to.x - from.x);
    made.add(strip);
  }
  made.add(
    new LineSegments(new BufferGeometry().setFromPoints(bright), new LineBasicMaterial({ color: EDGE })),
    new LineSegments(
      new BufferGeometry().setFromPoints(faint),
      new LineBasicMaterial({ color: EDGE, transparent: true, opacity: 0.3 }),
    ),
  );
  return made;
}

/** Behind everything: a grid of two metres, so that movement is seen. */
function grid(material: LineBasicMaterial): Object3D {
  const lines = new GridHelper(120, 60);
  lines.geometry.deleteAttribute("color");
  lines.material.dispose();
  lines.material = material;
  lines.rotation.x = Math.PI / 2;
  lines.position.z = -5;
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
