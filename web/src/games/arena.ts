// Rocket League's arena, drawn from its known dimensions in metres: the game's X is our X, its Y our Z, the goals are at
// both ends of Z. Our own shapes; nothing of the game's.

import {
  BoxGeometry, BufferGeometry, DoubleSide, EdgesGeometry, type Group, LineBasicMaterial, LineLoop, LineSegments, Mesh, MeshStandardMaterial, type Object3D,
  PlaneGeometry, RingGeometry, Shape, ShapeGeometry, Vector2, Vector3,
} from "three";
import { teamColour } from "../colours";
import { ARENA_M, PADS, SHAPES } from "../facts/rocket_league";
import { shapeOf } from "../facts/shape";
import { group } from "../scene/actor";
import { solid } from "../scene/solids";

function outline(): Vector2[] {
  const { half_width: w, half_length: l, corner: c } = ARENA_M;
  return [[w - c, l], [w, l - c], [w, c - l], [w - c, -l], [c - w, -l], [-w, c - l], [-w, l - c], [c - w, l]].map(([x, y]) => new Vector2(x, y));
}

export function arena(): Object3D {
  const { half_width, half_length, ceiling, goal_half_width, goal_height, goal_depth, centre_circle } = ARENA_M;
  const field = new Mesh(new ShapeGeometry(new Shape(outline())), new MeshStandardMaterial({ color: "#2f5d3a", roughness: 1, side: DoubleSide }));
  field.rotation.x = -Math.PI / 2;
  const made = group(field);
  const white = new LineBasicMaterial({ color: "#9fb8a6" });
  const corners = outline();
  for (const y of [0.03, ceiling]) made.add(new LineLoop(new BufferGeometry().setFromPoints(corners.map((corner) => new Vector3(corner.x, y, corner.y))), white));
  for (const [index, { x, y }] of corners.entries()) {
    const next = corners[(index + 1) % corners.length] as Vector2;
    const length = Math.hypot(next.x - x, next.y - y);
    const glass = new MeshStandardMaterial({ color: "#7fa4d0", transparent: true, opacity: 0.07, side: DoubleSide, depthWrite: false });
    const wall = new Mesh(new PlaneGeometry(length, ceiling), glass);
    wall.position.set((x + next.x) / 2, ceiling / 2, (y + next.y) / 2);
    wall.rotation.y = Math.atan2(-(next.y - y), next.x - x);
    made.add(wall, new LineSegments(new BufferGeometry().setFromPoints([new Vector3(x, 0, y), new Vector3(x, ceiling, y)]), white));
  }
  const circle = new Mesh(new RingGeometry(centre_circle - 0.15, centre_circle + 0.15, 64), new MeshStandardMaterial({ color: "#9fb8a6" }));
  circle.rotation.x = -Math.PI / 2;
  circle.position.y = 0.03;
  made.add(circle, new LineSegments(new BufferGeometry().setFromPoints([new Vector3(-half_width, 0.03, 0), new Vector3(half_width, 0.03, 0)]), white));
  for (const [team, sign] of [[0, -1], [1, 1]] as const) {
    const box = new BoxGeometry(goal_half_width * 2, goal_height, goal_depth);
    const colour = teamColour(team);
    const net = new Mesh(box, new MeshStandardMaterial({ color: colour, transparent: true, opacity: 0.22, side: DoubleSide, depthWrite: false }));
    const goal = group(net, new LineSegments(new EdgesGeometry(box), new LineBasicMaterial({ color: colour })));
    goal.position.set(0, goal_height / 2, sign * (half_length + goal_depth / 2));
    made.add(goal);
  }
  return made;
}

/** A pad: its place stays, what it gives is there or not. */
export interface Pad { object: Group; full: Object3D; x: number; z: number }

export function pads(): Pad[] {
  const glow = new MeshStandardMaterial({ color: "#ffc94d", emissive: "#a86b00" });
  const dark = new MeshStandardMaterial({ color: "#4a4636", roughness: 1 });
  return PADS.map(([x, z, isBig]) => {
    const shape = shapeOf(SHAPES, "boost-pad", isBig ? "Big" : "Small");
    const [width, , depth] = shape.size_m;
    const full = solid(shape, glow);
    const base = solid({ ...shape, size_m: [width * 1.15, 0.06, depth * 1.15], centre_m: [0, 0.03, 0] }, dark);
    const object = group(base, full);
    object.position.set(x, 0, z);
    return { object, full, x, z };
  });
}
