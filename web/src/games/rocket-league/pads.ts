// Boost pads: a pad's place stays, what it gives is there or not.

import { type Group, Mesh, MeshStandardMaterial, type Object3D, SphereGeometry } from "three";
import type { Column, Recording } from "../../data/recording";
import { PADS, SHAPES } from "../../facts/rocket_league";
import { shapeOf } from "../../facts/shape";
import { group } from "../../scene/actor";
import { solid } from "../../scene/solids";

export interface Pad {
  object: Group;
  full: Object3D;
  x: number;
  z: number;
}

function pads(): Pad[] {
  const glow = new MeshStandardMaterial({ color: "#ffd75e", emissive: "#c98a12" });
  const dark = new MeshStandardMaterial({ color: "#3d3a30", roughness: 1 });
  return PADS.map(([x, z, isBig]) => {
    const shape = shapeOf(SHAPES, "boost-pad", isBig ? "Big" : "Small");
    const [width, , depth] = shape.size_m;
    const full: Object3D = isBig
      ? new Mesh(new SphereGeometry(width * 0.34, 20, 14), glow)
      : solid({ ...shape, size_m: [width * 0.7, 0.1, depth * 0.7] }, glow);
    if (isBig) full.position.y = 1.1;
    const base = solid({ ...shape, size_m: [width * 1.1, 0.06, depth * 1.1], centre_m: [0, 0.03, 0] }, dark);
    const object = group(base, full);
    object.position.set(x, 0, z);
    return { object, full, x, z };
  });
}

/** The arena's pads, and which pad of the recording is which: the one nearest to the cars that took it. */
export function placePads(recording: Recording): { objects: Group[]; known: { available: Column; pad: Pad }[] } {
  const all = pads();
  const taken = new Map<number, [number, number, number][]>();
  for (const { kind, whom, position } of recording.events) {
    if (kind === "boost-pickup" && whom !== null && position) taken.set(whom, [...(taken.get(whom) ?? []), position]);
  }
  const known = recording.ofKind("boost-pad").flatMap(({ id }) => {
    const own = recording.staticColumn(id, "position")?.numbers;
    const places = own ? [[own[0], own[1], own[2]] as [number, number, number]] : (taken.get(id) ?? []);
    if (places.length === 0) return [];
    const far = (pad: Pad) => places.reduce((sum, [x, , z]) => sum + Math.hypot(pad.x - x, pad.z - z), 0);
    const pad = all.reduce((best, other) => (far(other) < far(best) ? other : best));
    return [{ available: recording.column(id, "available"), pad }];
  });
  return { objects: all.map(({ object }) => object), known };
}
