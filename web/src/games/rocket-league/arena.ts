// An arena from its measures in metres: the game's X is our X, its Y our Z, the goals are at both ends of Z.

import {
  BackSide,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  CylinderGeometry,
  DoubleSide,
  FrontSide,
  LineBasicMaterial,
  LineLoop,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type Object3D,
  PlaneGeometry,
  Shape,
  ShapeGeometry,
  TorusGeometry,
  Vector2,
  Vector3,
} from "three";
import { teamColour } from "../../colours";
import { ARENA_M } from "../../facts/rocket_league";
import { group } from "../../scene/actor";
import { type ArenaShape, HOOPS_M, isClockwise } from "./arenas";
import { FLOORS, fieldTexture } from "./field";
import { stands } from "./stands";

/** Between ribs on the walls, in metres. */
const RIB_M = 8;
const POST_M = 0.22;
const NET_M = 1.2;
/** The floor bends up into the walls: radius of the bend, about, and its pieces. */
const BEND_M = 2.6;
const BENDS = 6;

export function arena(shape: ArenaShape): Object3D {
  const { outline, ceiling } = shape;
  const half_width = Math.max(...outline.map(([x]) => Math.abs(x)));
  const half_length = Math.max(...outline.map(([, z]) => Math.abs(z)));
  const made = group(floor(shape, half_width, half_length), walls(outline, ceiling));
  if (shape.mode !== "other") made.add(stands(shape), bends(shape));
  for (const [team, sign] of [
    [0, -1],
    [1, 1],
  ] as const) {
    if (shape.hasGoals) made.add(goal(team, sign));
    if (shape.mode === "hoops") made.add(rim(team, sign));
  }
  return made;
}

function floor(shape: ArenaShape, half_width: number, half_length: number): Object3D {
  // The shape lies in a plane whose Y is turned to −Z.
  const geometry = new ShapeGeometry(new Shape(shape.outline.map(([x, z]) => new Vector2(x, -z))));
  const [at, uv] = [geometry.getAttribute("position"), geometry.getAttribute("uv")];
  for (let index = 0; index < at.count; index++)
    uv.setXY(index, (at.getX(index) / half_width + 1) / 2, (at.getY(index) / half_length + 1) / 2);
  const field = new Mesh(
    geometry,
    new MeshStandardMaterial({ map: fieldTexture(shape, half_width, half_length), roughness: 0.95, side: DoubleSide }),
  );
  field.rotation.x = -Math.PI / 2;
  return field;
}

/** Glass with ribs: one sees through it from outside, and still where it is. */
function walls(outline: [number, number][], ceiling: number): Object3D {
  const made = group();
  const glass = new MeshBasicMaterial({
    color: "#8fb4e6",
    transparent: true,
    opacity: 0.04,
    side: DoubleSide,
    depthWrite: false,
  });
  const ribs: Vector3[] = [];
  for (const [index, [x, z]] of outline.entries()) {
    const [nextX, nextZ] = outline[(index + 1) % outline.length] as [number, number];
    const length = Math.hypot(nextX - x, nextZ - z);
    const wall = new Mesh(new PlaneGeometry(length, ceiling), glass);
    wall.position.set((x + nextX) / 2, ceiling / 2, (z + nextZ) / 2);
    wall.rotation.y = Math.atan2(-(nextZ - z), nextX - x);
    made.add(wall);
    const count = Math.max(1, Math.round(length / RIB_M));
    for (let rib = 0; rib < count; rib++) {
      const [px, pz] = [x + ((nextX - x) * rib) / count, z + ((nextZ - z) * rib) / count];
      ribs.push(new Vector3(px, 0, pz), new Vector3(px, ceiling, pz));
    }
  }
  const dim = new LineBasicMaterial({ color: "#8aa4c8", transparent: true, opacity: 0.22 });
  const bright = new LineBasicMaterial({ color: "#b8cdec", transparent: true, opacity: 0.75 });
  made.add(new LineSegments(new BufferGeometry().setFromPoints(ribs), dim));
  for (const [y, material] of [
    [0.04, bright],
    [ceiling, dim],
  ] as const) {
    made.add(new LineLoop(new BufferGeometry().setFromPoints(outline.map(([x, z]) => new Vector3(x, y, z))), material));
  }
  return made;
}

/** Where the floor bends up into the walls; open where the goals are. */
function bends({ outline, hasGoals, mode }: ArenaShape): Object3D {
  const made = group();
  const places: number[] = [];
  const colours: number[] = [];
  const indices: number[] = [];
  const dark = new Color(FLOORS[mode].edge);
  const light = new Color(FLOORS[mode].bend);
  const mixed = new Color();
  const piece = (from: [number, number], to: [number, number], inward: [number, number]) => {
    const first = places.length / 3;
    for (let step = 0; step <= BENDS; step++) {
      const angle = (step / BENDS) * (Math.PI / 2);
      const [into, up] = [BEND_M * (1 - Math.sin(angle)), BEND_M * (1 - Math.cos(angle))];
      mixed.lerpColors(dark, light, step / BENDS);
      for (const [x, z] of [from, to]) {
        places.push(x + inward[0] * into, up + 0.015, z + inward[1] * into);
        // Faint where it leaves the floor.
        colours.push(mixed.r, mixed.g, mixed.b, step / BENDS);
      }
    }
    for (let step = 0; step < BENDS; step++) {
      const at = first + step * 2;
      indices.push(at, at + 1, at + 2, at + 1, at + 3, at + 2);
    }
  };
  for (const [index, from] of outline.entries()) {
    const to = outline[(index + 1) % outline.length] as [number, number];
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const across: [number, number] = [-(to[1] - from[1]) / length, (to[0] - from[0]) / length];
    const [mx, mz] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    const inward: [number, number] = across[0] * mx + across[1] * mz < 0 ? across : [-across[0], -across[1]];
    const isEnd = hasGoals && Math.abs(from[1] - to[1]) < 1e-6;
    if (!isEnd) {
      piece(from, to, inward);
      continue;
    }
    const sign = Math.sign(to[0] - from[0]);
    const post = ARENA_M.goal_half_width + POST_M;
    piece(from, [-sign * post, from[1]], inward);
    piece([sign * post, to[1]], to, inward);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(colours), 4));
  geometry.setIndex(indices);
  made.add(
    new Mesh(
      geometry,
      new MeshBasicMaterial({
        vertexColors: true,
        // From outside one looks through it.
        side: isClockwise(outline) ? BackSide : FrontSide,
        transparent: true,
        opacity: 0.5,
        depthWrite: false,
      }),
    ),
  );
  return made;
}

function goal(team: number, sign: number): Object3D {
  const { goal_half_width: w, goal_height: h, goal_depth: d, half_length } = ARENA_M;
  const colour = teamColour(team);
  const solid = new MeshStandardMaterial({ color: colour, emissive: colour, emissiveIntensity: 0.45 });
  const bar = (length: number, x: number, y: number, isFlat: boolean) => {
    const mesh = new Mesh(new CylinderGeometry(POST_M, POST_M, length, 12), solid);
    mesh.position.set(x, y, 0);
    if (isFlat) mesh.rotation.z = Math.PI / 2;
    return mesh;
  };
  const floorPlate = new Mesh(
    new BoxGeometry(w * 2, 0.04, d),
    new MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.28 }),
  );
  floorPlate.position.set(0, 0.02, (sign * d) / 2);
  const net: Vector3[] = [];
  for (let x = -w; x <= w + 1e-6; x += (w * 2) / Math.round((w * 2) / NET_M))
    net.push(
      new Vector3(x, 0, sign * d),
      new Vector3(x, h, sign * d),
      new Vector3(x, h, 0),
      new Vector3(x, h, sign * d),
    );
  for (let y = 0; y <= h + 1e-6; y += h / Math.round(h / NET_M)) {
    net.push(new Vector3(-w, y, sign * d), new Vector3(w, y, sign * d));
    for (const x of [-w, w]) net.push(new Vector3(x, y, 0), new Vector3(x, y, sign * d));
  }
  const lines = new LineSegments(
    new BufferGeometry().setFromPoints(net),
    new LineBasicMaterial({ color: colour, transparent: true, opacity: 0.4 }),
  );
  const made = group(bar(h, -w, h / 2, false), bar(h, w, h / 2, false), bar(w * 2, 0, h, true), floorPlate, lines);
  made.position.z = sign * half_length;
  return made;
}

function rim(team: number, sign: number): Object3D {
  const colour = teamColour(team);
  const ring = new Mesh(
    new TorusGeometry(HOOPS_M.rim_radius, POST_M, 12, 64),
    new MeshStandardMaterial({ color: colour, emissive: colour, emissiveIntensity: 0.5 }),
  );
  ring.rotation.x = Math.PI / 2;
  ring.position.set(0, HOOPS_M.rim_height, sign * HOOPS_M.rim_at);
  return group(ring);
}
