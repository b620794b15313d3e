// The ball, or what is played with instead: round, a puck, a cube.

import {
  BoxGeometry,
  BufferGeometry,
  CylinderGeometry,
  DodecahedronGeometry,
  EdgesGeometry,
  IcosahedronGeometry,
  Line,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type Object3D,
  type PerspectiveCamera,
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
const SEAM_PIECES = 8;
/** It is drawn larger than it is from this distance on, up to so many times. */
const LARGER_FROM_M = 30;
const MAX_LARGER = 1.5;

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
    new IcosahedronGeometry(RADIUS_M, 4),
    new MeshStandardMaterial({
      color: colour,
      roughness: 0.35,
      flatShading: false,
      emissive: colour,
      emissiveIntensity: 0.08,
    }),
  );
  return group(core, seams());
}

/** The seams between a ball's panels: edges of a solid, bent onto the ball. */
function seams(): LineSegments {
  const edges = new EdgesGeometry(new DodecahedronGeometry(RADIUS_M)).getAttribute("position");
  const points: Vector3[] = [];
  const [from, to] = [new Vector3(), new Vector3()];
  for (let index = 0; index + 1 < edges.count; index += 2) {
    from.fromBufferAttribute(edges, index);
    to.fromBufferAttribute(edges, index + 1);
    for (let piece = 0; piece < SEAM_PIECES; piece++)
      for (const part of [piece, piece + 1])
        points.push(
          from
            .clone()
            .lerp(to, part / SEAM_PIECES)
            .setLength(RADIUS_M * 1.012),
        );
  }
  return new LineSegments(
    new BufferGeometry().setFromPoints(points),
    new LineBasicMaterial({ color: "#53617a", transparent: true, opacity: 0.9 }),
  );
}

export class Ball {
  readonly object: Object3D;
  private readonly shell: Object3D;
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
    this.shell = shapeFor(`${entity.name} ${mode}`);
    this.object = group(this.shell);
    this.ring.rotation.x = -Math.PI / 2;
    this.ring.renderOrder = 2;
    this.mark.add(this.shadow.mesh, this.ring, this.height);
  }

  show(camera: PerspectiveCamera): void {
    const { position, visible } = this.object;
    const larger = Math.min(MAX_LARGER, Math.max(1, camera.position.distanceTo(position) / LARGER_FROM_M));
    this.shell.scale.setScalar(larger);
    this.shadow.under(visible ? position : undefined, 0.03, larger);
    const isHigh = visible && position.y > RADIUS_M * 1.4;
    this.ring.visible = isHigh;
    this.height.visible = isHigh;
    this.ring.position.set(position.x, 0.07, position.z);
    this.height.position.set(position.x, 0.05, position.z);
    this.height.scale.y = Math.max(0.01, position.y - RADIUS_M);
  }
}
