// Cars: a body for each hitbox preset, drawn by us in the preset's own proportions.

import {
  BoxGeometry,
  ConeGeometry,
  CylinderGeometry,
  ExtrudeGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Shape,
  Vector2,
} from "three";
import type { Column } from "../../data/recording";
import { BODIES, SHAPES } from "../../facts/rocket_league";
import { shapeOf } from "../../facts/shape";

type Profile = [number, number][];
interface Design {
  /** Seen from the side, from −0.5 (back) to 0.5 (front), and from 0 to 1 in height. */
  hull: Profile;
  cabin: Profile;
  /** Where the axles are, and whether there is a wing. */
  axles: [number, number];
  wing: boolean;
}

const DESIGNS: Record<string, Design> = {
  Octane: {
    hull: [
      [-0.5, 0.1],
      [-0.5, 0.52],
      [-0.4, 0.62],
      [0.08, 0.6],
      [0.44, 0.42],
      [0.5, 0.28],
      [0.5, 0.08],
    ],
    cabin: [
      [-0.4, 0.58],
      [-0.3, 1],
      [-0.04, 1],
      [0.2, 0.54],
    ],
    axles: [-0.31, 0.33],
    wing: true,
  },
  Dominus: {
    hull: [
      [-0.5, 0.18],
      [-0.5, 0.66],
      [-0.1, 0.62],
      [0.46, 0.52],
      [0.5, 0.4],
      [0.5, 0.14],
    ],
    cabin: [
      [-0.36, 0.6],
      [-0.27, 1],
      [-0.06, 1],
      [0.1, 0.58],
    ],
    axles: [-0.32, 0.33],
    wing: true,
  },
  Plank: {
    hull: [
      [-0.5, 0.25],
      [-0.5, 0.7],
      [0.12, 0.72],
      [0.5, 0.36],
      [0.5, 0.2],
    ],
    cabin: [
      [-0.22, 0.66],
      [-0.12, 1],
      [0.12, 1],
      [0.3, 0.58],
    ],
    axles: [-0.33, 0.32],
    wing: true,
  },
  Breakout: {
    hull: [
      [-0.5, 0.16],
      [-0.5, 0.74],
      [-0.05, 0.66],
      [0.5, 0.24],
      [0.5, 0.12],
    ],
    cabin: [
      [-0.32, 0.66],
      [-0.18, 1],
      [0.02, 0.96],
      [0.28, 0.42],
    ],
    axles: [-0.33, 0.34],
    wing: false,
  },
  Hybrid: {
    hull: [
      [-0.5, 0.12],
      [-0.5, 0.6],
      [0.12, 0.6],
      [0.46, 0.44],
      [0.5, 0.16],
    ],
    cabin: [
      [-0.42, 0.56],
      [-0.34, 1],
      [0, 1],
      [0.2, 0.56],
    ],
    axles: [-0.32, 0.33],
    wing: false,
  },
  Merc: {
    hull: [
      [-0.5, 0.08],
      [-0.5, 0.5],
      [0.46, 0.46],
      [0.5, 0.32],
      [0.5, 0.08],
    ],
    cabin: [
      [-0.49, 0.46],
      [-0.47, 1],
      [0.14, 1],
      [0.34, 0.44],
    ],
    axles: [-0.31, 0.31],
    wing: false,
  },
};
const ROUND = 0.045;
const WHEEL_M = 0.15;
/** How high a car's position is when it stands, in metres. Source: RLBot wiki, useful game values. */
export const STANDS_M = 0.17;

/** A car as drawn: of its body's hitbox as soon as that is known. */
export class CarBody {
  readonly object = new Group();
  readonly flame = new Group();
  private readonly paint: MeshStandardMaterial;
  private shown: number | undefined = -1;
  /** The hitbox's family and size, for the tests. */
  hitbox = shapeOf(SHAPES, "car", "");

  constructor(
    private readonly body: Column | undefined,
    colour: string,
  ) {
    this.paint = new MeshStandardMaterial({
      color: colour,
      roughness: 0.38,
      metalness: 0.25,
      emissive: colour,
      emissiveIntensity: 0.12,
    });
    for (const [radius, length, light] of [
      [0.17, 1.2, "#ff8a1f"],
      [0.09, 0.8, "#fff0b0"],
    ] as const) {
      const cone = new Mesh(
        new ConeGeometry(radius, length, 14, 1, true),
        new MeshBasicMaterial({ color: light, transparent: true, opacity: 0.85, depthWrite: false }),
      );
      cone.rotation.z = Math.PI / 2;
      cone.position.x = -length / 2;
      this.flame.add(cone);
    }
  }

  show(time_s: number): void {
    const body = this.body?.number(time_s);
    if (body !== this.shown) {
      this.shown = body;
      this.make(BODIES[body ?? -1] ?? "");
    }
    // The flame flickers with the time of the recording: a picture of a moment is always the same.
    this.flame.scale.x = 0.85 + 0.3 * Math.abs(Math.sin(time_s * 47));
  }

  private make(family: string): void {
    this.hitbox = shapeOf(SHAPES, "car", family);
    const design = DESIGNS[family] ?? (DESIGNS["Octane"] as Design);
    const [length, height, width] = this.hitbox.size_m;
    for (const child of this.object.children) if (child instanceof Mesh) child.geometry.dispose();
    this.object.clear();
    this.object.position.set(...this.hitbox.centre_m);
    const glass = new MeshStandardMaterial({ color: "#0f1722", roughness: 0.15, metalness: 0.6 });
    const dark = new MeshStandardMaterial({ color: "#1a1f28", roughness: 0.8 });
    this.object.add(
      new Mesh(extrude(design.hull, length, height, width * 0.9), this.paint),
      new Mesh(extrude(design.cabin, length, height, width * 0.68), glass),
    );
    const roof = design.cabin.filter(([, y]) => y > 0.9);
    const [from, to] = [roof[0]?.[0] ?? 0, roof.at(-1)?.[0] ?? 0.2];
    this.box(this.paint, (to - from) * length, 0.03, width * 0.66, ((from + to) / 2) * length, height / 2 + 0.005);
    if (design.wing) this.box(this.paint, 0.16, 0.03, width * 0.94, -length * 0.46, height * 0.42);
    for (const side of [-1, 1]) {
      this.box(
        new MeshBasicMaterial({ color: "#fff6d8" }),
        0.02,
        0.05,
        0.14,
        length / 2 + 0.005,
        -height * 0.12,
        side * width * 0.3,
      );
      this.box(
        new MeshBasicMaterial({ color: "#ff5a4a" }),
        0.02,
        0.05,
        0.16,
        -length / 2 - 0.005,
        height * 0.02,
        side * width * 0.3,
      );
      for (const axle of design.axles) {
        const wheel = new Mesh(new CylinderGeometry(WHEEL_M, WHEEL_M, 0.13, 18), dark);
        wheel.rotation.x = Math.PI / 2;
        wheel.position.set(axle * length, WHEEL_M - STANDS_M - this.hitbox.centre_m[1], side * width * 0.46);
        this.object.add(wheel);
      }
    }
    this.flame.position.set(-length / 2, -height * 0.05, 0);
    this.object.add(this.flame);
  }

  private box(
    material: MeshStandardMaterial | MeshBasicMaterial,
    x: number,
    y: number,
    z: number,
    atX: number,
    atY: number,
    atZ = 0,
  ): void {
    const mesh = new Mesh(new BoxGeometry(x, y, z), material);
    mesh.position.set(atX, atY, atZ);
    this.object.add(mesh);
  }
}

function extrude(profile: Profile, length: number, height: number, width: number): ExtrudeGeometry {
  const shape = new Shape(profile.map(([x, y]) => new Vector2(x * (length - 2 * ROUND), (y - 0.5) * height)));
  const depth = width - 2 * ROUND;
  const geometry = new ExtrudeGeometry(shape, {
    depth,
    bevelEnabled: true,
    bevelThickness: ROUND,
    bevelSize: ROUND,
    bevelSegments: 2,
  });
  geometry.translate(0, 0, -depth / 2);
  return geometry;
}
