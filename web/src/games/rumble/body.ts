// A RUMBLE player: head and hands as recorded, and a body with elbows and knees between them and the ground.

import {
  BoxGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import { FIGURE } from "../../facts/rumble";
import { group } from "../../scene/actor";

const UP = new Vector3(0, 1, 0);

/** Stretches a mesh of length 1 along Y from one point to another. */
function between(mesh: Mesh, from: Vector3, to: Vector3): void {
  const along = new Vector3().subVectors(to, from);
  const length = along.length() || 1e-3;
  mesh.position.copy(from).addScaledVector(along, 0.5);
  mesh.quaternion.copy(new Quaternion().setFromUnitVectors(UP, along.divideScalar(length)));
  mesh.scale.y = length;
}

/** Where a joint between two points is, when both parts together are `reach` long and bend towards a side. */
function joint(from: Vector3, to: Vector3, reach: number, towards: Vector3): Vector3 {
  const middle = from.clone().add(to).multiplyScalar(0.5);
  const half = from.distanceTo(to) / 2;
  const out = Math.sqrt(Math.max(0.0004, (reach / 2) ** 2 - half ** 2));
  return middle.addScaledVector(towards, Math.min(out, reach / 2));
}

export class Body {
  readonly object = group();
  private readonly chest: Mesh;
  private readonly belly: Mesh;
  private readonly limbs: { upper: Mesh; lower: Mesh; knob: Mesh }[];
  private readonly feet: Mesh[];
  readonly skin: MeshStandardMaterial;

  constructor(colour: string) {
    this.skin = new MeshStandardMaterial({ color: colour, roughness: 0.55 });
    const dark = new MeshStandardMaterial({ color: "#2a303b", roughness: 0.8 });
    const cloth = new MeshStandardMaterial({ color: colour, roughness: 0.85 });
    cloth.color.multiplyScalar(0.72);
    const add = (mesh: Mesh) => {
      this.object.add(mesh);
      return mesh;
    };
    this.chest = add(new Mesh(new CapsuleGeometry(0.17, 0.2, 8, 18), cloth));
    this.belly = add(new Mesh(new CapsuleGeometry(0.14, 0.14, 8, 18), dark));
    const limb = (thick: number, upper: MeshStandardMaterial, lower: MeshStandardMaterial) => ({
      upper: add(new Mesh(new CylinderGeometry(thick * 1.15, thick, 1, 14), upper)),
      lower: add(new Mesh(new CylinderGeometry(thick, thick * 0.8, 1, 14), lower)),
      knob: add(new Mesh(new SphereGeometry(thick * 1.05, 12, 10), upper)),
    });
    this.limbs = [
      limb(0.05, cloth, this.skin),
      limb(0.05, cloth, this.skin),
      limb(0.075, dark, dark),
      limb(0.075, dark, dark),
    ];
    this.feet = [0, 1].map(() => add(new Mesh(new BoxGeometry(0.1, 0.07, 0.24), cloth)));
  }

  /** Between head, hands and ground. */
  pose(
    head: Object3D,
    hands: (Object3D | undefined)[],
    feet: (Object3D | undefined)[],
    height: number,
    span: number,
    ground: number,
  ): void {
    const ahead = new Vector3(0, 0, 1).applyQuaternion(head.quaternion).setY(0);
    if (ahead.lengthSq() < 1e-6) ahead.set(0, 0, 1);
    ahead.normalize();
    const side = new Vector3().crossVectors(UP, ahead);
    const width = span * 0.115;
    const top = head.position;
    const neck = top
      .clone()
      .addScaledVector(UP, -0.1 * height)
      .addScaledVector(ahead, -0.02);
    const hip = new Vector3(top.x, Math.max(ground + 0.32, top.y - 0.43 * height), top.z).addScaledVector(ahead, -0.05);
    this.chest.position.lerpVectors(neck, hip, 0.32);
    this.chest.scale.set(width / 0.17, 1, width / 0.22);
    this.chest.quaternion.setFromUnitVectors(UP, new Vector3().subVectors(neck, hip).normalize());
    this.belly.position.lerpVectors(neck, hip, 0.82);
    this.belly.scale.set(width / 0.19, 1, width / 0.22);
    for (const [index, sign] of [-1, 1].entries()) {
      this.arm(
        index,
        hands[index],
        neck
          .clone()
          .addScaledVector(side, sign * width * 1.05)
          .addScaledVector(UP, -0.05),
        sign,
        side,
        ahead,
        span,
      );
      this.leg(
        index,
        feet[index],
        hip.clone().addScaledVector(side, sign * width * 0.55),
        sign,
        side,
        ahead,
        ground,
        height,
      );
    }
  }

  private arm(
    index: number,
    hand: Object3D | undefined,
    shoulder: Vector3,
    sign: number,
    side: Vector3,
    ahead: Vector3,
    span: number,
  ): void {
    const limb = this.limbs[index];
    if (!limb) return;
    const isThere = hand?.visible === true;
    for (const part of Object.values(limb)) part.visible = isThere;
    if (!hand || !isThere) return;
    const out = side
      .clone()
      .multiplyScalar(sign * 0.7)
      .addScaledVector(UP, -0.8)
      .addScaledVector(ahead, -0.4)
      .normalize();
    const elbow = joint(shoulder, hand.position, span * 0.36, out);
    between(limb.upper, shoulder, elbow);
    between(limb.lower, elbow, hand.position);
    limb.knob.position.copy(elbow);
  }

  private leg(
    index: number,
    foot: Object3D | undefined,
    hip: Vector3,
    sign: number,
    side: Vector3,
    ahead: Vector3,
    ground: number,
    height: number,
  ): void {
    const limb = this.limbs[index + 2];
    const shoe = this.feet[index];
    if (!limb || !shoe) return;
    const stand = hip
      .clone()
      .setY(ground + 0.05)
      .addScaledVector(side, sign * 0.07)
      .addScaledVector(ahead, sign * 0.06);
    const at = foot?.visible ? foot.position.clone() : stand;
    const knee = joint(hip, at, height * 0.5, ahead);
    between(limb.upper, hip, knee);
    between(limb.lower, knee, at);
    limb.knob.position.copy(knee);
    shoe.visible = !foot?.visible;
    shoe.position.copy(at).addScaledVector(ahead, 0.06);
    shoe.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), ahead);
  }
}

export function headShape(skin: MeshStandardMaterial): Object3D {
  const skull = new Mesh(new SphereGeometry(0.125, 28, 20), skin);
  skull.scale.set(0.92, 1.15, 1);
  const band = new Mesh(
    new CylinderGeometry(0.127, 0.127, 0.035, 28, 1, true),
    new MeshStandardMaterial({ color: "#f1ead8" }),
  );
  band.position.y = 0.06;
  const visor = new Mesh(
    new BoxGeometry(0.17, 0.045, 0.05),
    new MeshStandardMaterial({ color: "#131820", roughness: 0.3 }),
  );
  visor.position.set(0, 0.005, 0.1);
  return group(skull, band, visor);
}

export function handShape(skin: MeshStandardMaterial): Object3D {
  return group(new Mesh(new SphereGeometry(0.065, 16, 12), skin), new Mesh(new BoxGeometry(0.075, 0.05, 0.1), skin));
}

/** How high a player is whose recording does not say. */
export const HEIGHT_M = FIGURE.height_m;
