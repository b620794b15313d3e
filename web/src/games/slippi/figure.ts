// A jointed figure: trunk, head, limbs of two parts each, and what tells one character from another. It looks along its Z.

import {
  BackSide,
  BoxGeometry,
  type BufferGeometry,
  CapsuleGeometry,
  Color,
  ConeGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  SphereGeometry,
  TorusGeometry,
} from "three";
import type { Look } from "./looks";
import { mix, type Pose, poseOf } from "./poses";

/** Measures of a middling figure, in metres, before its size is applied. */
const LEG = 0.32;
const ARM = 0.27;
const TRUNK = 0.42;
const HEAD = 0.2;
const THICK = 0.095;
const OUTLINE = 0.028;
/** How fast a pose is taken, in parts a second; farther apart in time it is taken at once. */
const EASE_PER_S = 26;
const JUMP_S = 0.12;

const DEGREE = Math.PI / 180;
const WHITE = new Color("#ffffff");
/** Limbs on the far side are darker; heads are a little lighter than bodies, hands and feet much. */
const FAR_SHADE = 0.42;
const HEAD_TINT = 0.16;
const HAND_TINT = 0.62;

type Paint = "skin" | "dark" | "head" | "light";

interface Joint {
  upper: Group;
  lower: Group;
}

export class Figure {
  readonly object = new Group();
  readonly materials: Record<Paint, MeshLambertMaterial>;
  private readonly outline = new MeshBasicMaterial({ color: "#0a0d12", side: BackSide });
  private readonly body = new Group();
  private readonly hips = new Group();
  private readonly trunk = new Group();
  private readonly head = new Group();
  private arms: [Joint, Joint];
  private legs: [Joint, Joint];
  private readonly leg_m: number;
  private current: Pose | undefined;
  private last_s = Number.NaN;

  constructor(
    private readonly look: Look,
    colour: string,
  ) {
    const paint = (tint: number, shade = 1) =>
      new MeshLambertMaterial({
        color: new Color(colour).lerp(WHITE, tint).multiplyScalar(shade),
        transparent: true,
        emissive: "#000000",
      });
    this.materials = { skin: paint(0), dark: paint(0, FAR_SHADE), head: paint(HEAD_TINT), light: paint(HAND_TINT) };
    this.leg_m = LEG * look.legs;
    const wide = THICK * 1.5 * look.bulk;
    this.object.add(this.body);
    this.body.add(this.hips);
    this.hips.add(this.trunk);
    const trunk_m = look.isRound ? 0.3 : TRUNK;
    if (look.isRound)
      this.part(
        this.trunk,
        new SphereGeometry(0.42, 24, 18),
        "skin",
        (grown) => new SphereGeometry(0.42 + grown, 24, 18),
      ).position.y = 0.26;
    else this.capsule(this.trunk, wide, trunk_m - wide, "skin").position.y = trunk_m / 2;
    this.trunk.add(this.head);
    this.head.position.y = look.isRound ? 0.3 : trunk_m + HEAD * look.head * 0.75;
    this.face();
    const shoulder = look.isRound ? 0.34 : trunk_m * 0.86;
    this.arms = [
      this.limb(this.trunk, shoulder, ARM * look.arms, -wide * 1.1, "skin"),
      this.limb(this.trunk, shoulder, ARM * look.arms, wide * 1.1, "dark"),
    ];
    this.legs = [
      this.limb(this.hips, 0, this.leg_m, -wide * 0.6, "skin"),
      this.limb(this.hips, 0, this.leg_m, wide * 0.6, "dark"),
    ];
    if (look.sword) this.sword();
    if (look.tail) this.tail(look.tail);
    if (look.cape) this.cape();
    if (look.skirt) this.skirt();
    if (look.isFlat) this.body.scale.x = 0.15;
  }

  private part(host: Group, geometry: BufferGeometry, material: Paint, grown?: (by: number) => BufferGeometry): Group {
    const made = new Group();
    made.add(new Mesh(geometry, this.materials[material]));
    if (grown) made.add(new Mesh(grown(OUTLINE), this.outline));
    host.add(made);
    return made;
  }

  private capsule(host: Group, radius: number, length: number, material: Paint): Group {
    return this.part(
      host,
      new CapsuleGeometry(radius, Math.max(0.01, length), 5, 12),
      material,
      (by) => new CapsuleGeometry(radius + by, Math.max(0.01, length), 5, 12),
    );
  }

  private ball(host: Group, radius: number, material: Paint): Group {
    return this.part(
      host,
      new SphereGeometry(radius, 16, 12),
      material,
      (by) => new SphereGeometry(radius + by, 16, 12),
    );
  }

  private cone(host: Group, radius: number, height: number, material: Paint): Group {
    return this.part(
      host,
      new ConeGeometry(radius, height, 12),
      material,
      (by) => new ConeGeometry(radius + by, height + by * 2, 12),
    );
  }

  private limb(host: Group, y: number, length: number, side: number, material: Paint): Joint {
    const [upper, lower] = [new Group(), new Group()];
    host.add(upper);
    upper.position.set(side, y, 0);
    upper.add(lower);
    lower.position.y = -length;
    const thick = THICK * (0.75 + 0.25 * this.look.bulk);
    this.capsule(upper, thick * 0.85, length - thick, material).position.y = -length / 2;
    this.capsule(lower, thick * 0.75, length - thick, material).position.y = -length / 2;
    // A hand or a foot; those far from the camera stay dark.
    this.ball(lower, thick * 1.2, material === "dark" ? "dark" : "light").position.y = -length;
    return { upper, lower };
  }

  private face(): void {
    const { look, head } = this;
    const radius = HEAD * look.head;
    if (!look.isRound) this.ball(head, radius, "head");
    const front = look.isRound ? 0.36 : radius * 0.82;
    for (const side of [-1, 1]) {
      const white = new Mesh(new SphereGeometry(radius * 0.26, 10, 8), new MeshBasicMaterial({ color: "#ffffff" }));
      white.position.set(side * radius * 0.42, radius * 0.12, front);
      const pupil = new Mesh(new SphereGeometry(radius * 0.13, 8, 6), new MeshBasicMaterial({ color: "#0a0d12" }));
      pupil.position.set(side * radius * 0.44, radius * 0.12, front + radius * 0.2);
      head.add(white, pupil);
    }
    if (look.snout) {
      const snout = this.cone(head, radius * 0.5, radius * 1.1, "dark");
      snout.rotation.x = Math.PI / 2;
      snout.position.set(0, -radius * 0.25, radius * 1.15);
    }
    if (look.ears && look.ears !== "none") {
      for (const side of [-1, 1]) {
        const ear = this.cone(head, radius * 0.32, radius * (look.ears === "long" ? 1.5 : 0.9), "head");
        ear.position.set(side * radius * 0.55, radius * (look.isRound ? 1.1 : 1.1), -radius * 0.1);
        ear.rotation.z = -side * 0.35;
      }
    }
    if (look.hair === "cap") {
      const cap = this.part(head, new SphereGeometry(radius * 1.12, 16, 8, 0, Math.PI * 2, 0, Math.PI / 2), "dark");
      cap.position.y = radius * 0.15;
    } else if (look.hair === "spikes") {
      for (let spike = 0; spike < 4; spike++) {
        const one = this.cone(head, radius * 0.35, radius * 0.8, "dark");
        one.position.set(0, radius * (1 - spike * 0.25), -radius * (0.2 + spike * 0.28));
        one.rotation.x = -0.4 - spike * 0.35;
      }
    } else if (look.hair === "long") {
      const hair = this.capsule(head, radius * 0.55, radius * 1.6, "dark");
      hair.position.set(0, -radius * 0.5, -radius * 0.85);
    } else if (look.hair === "crown") {
      const crown = this.part(head, new TorusGeometry(radius * 0.9, radius * 0.16, 8, 20), "dark");
      crown.rotation.x = Math.PI / 2 - 0.2;
      crown.position.y = radius * 0.5;
    }
  }

  private sword(): void {
    const blade = new Mesh(new BoxGeometry(0.04, 0.62, 0.07), new MeshBasicMaterial({ color: "#e8eef8" }));
    const guard = new Mesh(new BoxGeometry(0.06, 0.05, 0.2), this.materials.dark);
    const held = new Group();
    held.add(blade, guard);
    blade.position.y = -0.36;
    held.position.y = -ARM * this.look.arms;
    held.rotation.x = -0.9;
    this.arms[0].lower.add(held);
  }

  private tail(kind: NonNullable<Look["tail"]>): void {
    const thick = { bushy: 0.11, thin: 0.05, bolt: 0.06, thick: 0.12 }[kind];
    const tail = this.capsule(this.hips, thick, kind === "bolt" ? 0.4 : 0.3, kind === "bushy" ? "skin" : "dark");
    tail.position.set(0, kind === "bolt" ? 0.22 : 0.06, -0.24);
    tail.rotation.x = kind === "bolt" ? -0.6 : -1.05;
  }

  private cape(): void {
    const cape = this.part(this.trunk, new BoxGeometry(0.34, 0.56, 0.04), "dark");
    cape.position.set(0, 0.1, -0.19);
    cape.rotation.x = 0.22;
  }

  private skirt(): void {
    const skirt = this.cone(this.hips, 0.3, 0.46, "skin");
    skirt.position.y = -0.12;
  }

  /** Takes the pose of an action at its age. */
  pose(action: string, age_frames: number, isAirborne: boolean, time_s: number): void {
    const wanted = poseOf(action, age_frames, isAirborne);
    const passed_s = Math.abs(time_s - this.last_s);
    this.last_s = time_s;
    const part = !this.current || !(passed_s < JUMP_S) ? 1 : 1 - Math.exp(-EASE_PER_S * passed_s);
    this.current = mix(this.current ?? wanted, wanted, part);
    this.apply(this.current);
  }

  private apply({ lean, turn, head, arms, legs, sink }: Pose): void {
    const round = this.look.isRound ? 0.35 : 1;
    const leg_m = this.leg_m * 2;
    this.hips.position.y = leg_m * (1 - sink) + (this.look.isRound ? 0.12 : THICK);
    this.trunk.rotation.x = lean * DEGREE * round;
    this.head.rotation.x = (head - lean * 0.5) * DEGREE * round;
    // The whole turns around its middle.
    const middle = leg_m + 0.2;
    this.body.rotation.x = turn * DEGREE;
    this.body.position.set(0, middle - Math.cos(turn * DEGREE) * middle, -Math.sin(turn * DEGREE) * middle);
    for (const [index, { upper, lower }] of this.arms.entries()) {
      const [a, b] = arms[index as 0 | 1];
      upper.rotation.x = -(a - lean * 0.3) * DEGREE;
      lower.rotation.x = -b * DEGREE;
    }
    for (const [index, { upper, lower }] of this.legs.entries()) {
      const [a, b] = legs[index as 0 | 1];
      upper.rotation.x = -a * DEGREE;
      lower.rotation.x = -b * DEGREE;
    }
  }

  /** Hurt, safe, or as always. */
  tint(glow: string, opacity: number): void {
    for (const material of Object.values(this.materials)) {
      material.emissive.set(glow);
      material.opacity = opacity;
    }
    this.outline.opacity = opacity;
    this.outline.transparent = opacity < 1;
  }
}
