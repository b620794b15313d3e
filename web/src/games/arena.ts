// Rocket League's arena in metres, drawn from its known dimensions (community measurements in RLBot's wiki): the game's
// X is our X, its Y our Z. Goals at both ends of Z, 34 boost pads. Our own shapes; nothing of the game's.

import {
  BoxGeometry, BufferGeometry, CylinderGeometry, DoubleSide, EdgesGeometry, LineBasicMaterial, LineLoop, LineSegments, Mesh, MeshStandardMaterial, type Object3D,
  PlaneGeometry, RingGeometry, Shape, ShapeGeometry, Vector2, Vector3,
} from "three";
import { teamColour } from "../colours";
import { group } from "../scene/actor";

export const HALF_WIDTH = 40.96;
export const HALF_LENGTH = 51.2;
const CORNER = 11.52;
const WALL = 20.44;
const GOAL = { half: 8.93, height: 6.43, depth: 8.8 };

/** The pads on one half with positive X, and on the axes: mirrored they are all 34. The third number is 1 for a large one. */
const QUARTER: [number, number, number][] = [
  [30.72, 40.96, 1], [35.84, 0, 1], [0, 42.4, 0], [17.92, 41.84, 0], [9.4, 33.08, 0], [0, 28.16, 0], [35.84, 24.84, 0], [17.88, 23, 0],
  [20.48, 10.36, 0], [0, 10.24, 0], [10.24, 0, 0],
];

export interface PadPlace { x: number; z: number; isLarge: boolean }

export const PADS: PadPlace[] = QUARTER.flatMap(([x, z, large]) => {
  const signs = (value: number) => (value === 0 ? [0] : [-1, 1]);
  return signs(x).flatMap((sx) => signs(z).map((sz) => ({ x: sx * x, z: sz * z, isLarge: large === 1 })));
});

function outline(): Vector2[] {
  const [w, l, c] = [HALF_WIDTH, HALF_LENGTH, CORNER];
  return [[w - c, l], [w, l - c], [w, c - l], [w - c, -l], [c - w, -l], [-w, c - l], [-w, l - c], [c - w, l]].map(([x, y]) => new Vector2(x, y));
}

export function arena(): Object3D {
  const field = new Mesh(new ShapeGeometry(new Shape(outline())), new MeshStandardMaterial({ color: "#2f5d3a", roughness: 1, side: DoubleSide }));
  field.rotation.x = -Math.PI / 2;
  const made = group(field);
  const white = new LineBasicMaterial({ color: "#9fb8a6" });
  const corners = outline();
  for (const y of [0.03, WALL]) made.add(new LineLoop(new BufferGeometry().setFromPoints(corners.map((corner) => new Vector3(corner.x, y, corner.y))), white));
  for (const [index, { x, y }] of corners.entries()) {
    const next = corners[(index + 1) % corners.length] as Vector2;
    const length = Math.hypot(next.x - x, next.y - y);
    const glass = new MeshStandardMaterial({ color: "#7fa4d0", transparent: true, opacity: 0.07, side: DoubleSide, depthWrite: false });
    const wall = new Mesh(new PlaneGeometry(length, WALL), glass);
    wall.position.set((x + next.x) / 2, WALL / 2, (y + next.y) / 2);
    wall.rotation.y = Math.atan2(-(next.y - y), next.x - x);
    made.add(wall, new LineSegments(new BufferGeometry().setFromPoints([new Vector3(x, 0, y), new Vector3(x, WALL, y)]), white));
  }
  const circle = new Mesh(new RingGeometry(9.0, 9.3, 64), new MeshStandardMaterial({ color: "#9fb8a6" }));
  circle.rotation.x = -Math.PI / 2;
  circle.position.y = 0.03;
  made.add(circle, new LineSegments(new BufferGeometry().setFromPoints([new Vector3(-HALF_WIDTH, 0.03, 0), new Vector3(HALF_WIDTH, 0.03, 0)]), white));
  for (const [team, sign] of [[0, -1], [1, 1]] as const) {
    const box = new BoxGeometry(GOAL.half * 2, GOAL.height, GOAL.depth);
    const colour = teamColour(team);
    const net = new Mesh(box, new MeshStandardMaterial({ color: colour, transparent: true, opacity: 0.22, side: DoubleSide, depthWrite: false }));
    const goal = group(net, new LineSegments(new EdgesGeometry(box), new LineBasicMaterial({ color: colour })));
    goal.position.set(0, GOAL.height / 2, sign * (HALF_LENGTH + GOAL.depth / 2));
    made.add(goal);
  }
  return made;
}

export interface Pad { full: Mesh; place: PadPlace }

export function pads(): Pad[] {
  const shape = (radius: number, height: number) => new CylinderGeometry(radius * 0.5, radius * 0.6, height, 24);
  const [large, small] = [shape(2.08, 1.2), shape(1.44, 0.25)];
  const glow = new MeshStandardMaterial({ color: "#ffc94d", emissive: "#a86b00" });
  return PADS.map((place) => {
    const full = new Mesh(place.isLarge ? large : small, glow);
    full.position.set(place.x, place.isLarge ? 0.7 : 0.15, place.z);
    return { full, place };
  });
}
