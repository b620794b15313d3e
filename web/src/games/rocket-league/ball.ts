// The ball, or what is played with instead: round, a puck, a cube.

import {
  BoxGeometry,
  BufferGeometry,
  CylinderGeometry,
  IcosahedronGeometry,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type Object3D,
  RingGeometry,
  Vector3,
} from "three";
import type { Entity } from "../../data/recording";
import { SHAPES } from "../../facts/rocket_league";
import { shapeOf } from "../../facts/shape";
import { group } from "../../scene/actor";
import { Shadow } from "../../scene/shadow";

const RADIUS_M = shapeOf(SHAPES, "ball", "").size_m[0] / 2;
/** A puck's thickness by its width, about: drawn after pictures of the game. */
const PUCK_FLAT = 0.36;

function shapeFor(told: string): Object3D {
  if (/puck|snow ?day|hockey/i.test(told)) {
    const puck = new Mesh(
      new CylinderGeometry(RADIUS_M * 1.15, RADIUS_M * 1.15, RADIUS_M * 2 * PUCK_FLAT, 40),
      new MeshStandardMaterial({ color: "#262d38", roughness: 0.35 }),
    );
    const band = new Mesh(
      new CylinderGeometry(RADIUS_M * 1.17, RADIUS_M * 1.17, RADIUS_M * 0.22, 40, 1, true),
      new MeshBasicMaterial({ color: "#e9f1ff" }),
    );
    return group(puck, band);
  }
  if (/cube/i.test(told))
    return group(
      new Mesh(
        new BoxGeometry(RADIUS_M * 1.6, RADIUS_M * 1.6, RADIUS_M * 1.6),
        new MeshStandardMaterial({ color: "#e8edf5", roughness: 0.4 }),
      ),
    );
  const colour = /basket|hoops/i.test(told) ? "#e8803a" : "#eef2f8";
  const core = new Mesh(
    new IcosahedronGeometry(RADIUS_M, 3),
    new MeshStandardMaterial({
      color: colour,
      roughness: 0.35,
      flatShading: false,
      emissive: colour,
      emissiveIntensity: 0.08,
    }),
  );
  const panels = new Mesh(
    new IcosahedronGeometry(RADIUS_M * 1.004, 1),
    new MeshBasicMaterial({ color: "#4a5668", wireframe: true, transparent: true, opacity: 0.55 }),
  );
  return group(core, panels);
}

export class Ball {
  readonly object: Object3D;
  /** On the ground: where it would fall. */
  readonly mark = group();
  private readonly shadow = new Shadow(RADIUS_M * 3);
  private readonly ring = new Mesh(
    new RingGeometry(RADIUS_M * 1.15, RADIUS_M * 1.3, 48),
    new MeshBasicMaterial({ color: "#ffffff", transparent: true, opacity: 0.7, depthWrite: false }),
  );
  private readonly height = new Line(
    new BufferGeometry().setFromPoints([new Vector3(), new Vector3(0, 1, 0)]),
    new LineBasicMaterial({ color: "#ffffff", transparent: true, opacity: 0.45 }),
  );

  constructor(entity: Entity, mode: string) {
    this.object = group(shapeFor(`${entity.name} ${mode}`));
    this.ring.rotation.x = -Math.PI / 2;
    this.ring.renderOrder = 2;
    this.mark.add(this.shadow.mesh, this.ring, this.height);
  }

  show(): void {
    const { position, visible } = this.object;
    this.shadow.under(visible ? position : undefined, 0.03);
    const isHigh = visible && position.y > RADIUS_M * 1.4;
    this.ring.visible = isHigh;
    this.height.visible = isHigh;
    this.ring.position.set(position.x, 0.07, position.z);
    this.height.position.set(position.x, 0.05, position.z);
    this.height.scale.y = Math.max(0.01, position.y - RADIUS_M);
  }
}
