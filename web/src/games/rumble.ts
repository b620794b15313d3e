// RUMBLE: players as simple figures of their own size, structures by type, health.

import {
  BoxGeometry, CircleGeometry, CylinderGeometry, GridHelper, Mesh, MeshStandardMaterial, type Object3D,
  type PerspectiveCamera, Quaternion, RingGeometry, SphereGeometry, Vector3,
} from "three";
import { playerColour } from "../colours";
import type { Column, Entity, Recording } from "../data/recording";
import { el, setText } from "../dom";
import { FIGURE, SHAPES } from "../facts/rumble";
import { shapeOf } from "../facts/shape";
import { type Actor, group, label, still } from "../scene/actor";
import { GameScene, type Home } from "../scene/game";
import { solid } from "../scene/solids";

const UP = new Vector3(0, 1, 0);

interface Figure {
  rig?: Actor | undefined; head?: Actor | undefined; hands: (Actor | undefined)[];
  span: Column; length: Column; health: Column;
  torso: Mesh; arms: Mesh[]; legs: Mesh[]; tag: Object3D; bar: HTMLElement; count: HTMLElement;
}

export class RumbleScene extends GameScene {
  readonly home: Home = { position: [4.5, 3.4, 7], target: [0, 0.9, 0] };
  private readonly figures: Figure[] = [];

  constructor(recording: Recording) {
    super(recording);
    this.root.add(still(floor()));
    for (const [index, player] of recording.ofKind("player").entries()) this.addPlayer(player, playerColour(index));
    for (const structure of recording.ofKind("structure", "pedestal", "scene-prop")) this.add(structure, shape(structure), true);
    for (const { head } of this.figures) {
      if (!head) continue;
      this.cameras.push({ id: `first-${head.entity.id}`, label: `Eyes of ${playerName(recording, head.entity)}`, move: (camera) => eyes(camera, head.object) });
    }
  }

  /** From inside a head, that head is not to be seen. */
  override cameraChanged(id: string): void {
    for (const { head } of this.figures) for (const part of head?.object.children ?? []) part.visible = id !== `first-${head?.entity.id}`;
  }

  private addPlayer(player: Entity, colour: string): void {
    const skin = new MeshStandardMaterial({ color: colour, roughness: 0.6 });
    const dark = new MeshStandardMaterial({ color: "#2b313b", roughness: 0.8 });
    const parts = new Map(this.recording.childrenOf(player.id).map((part) => [part.kind, part]));
    const make = (kind: string, object: () => Object3D) => {
      const part = parts.get(kind);
      return part && this.add(part, object());
    };
    const limb = (radius: number, material: MeshStandardMaterial) => {
      const mesh = new Mesh(new CylinderGeometry(radius, radius * 0.85, 1, 12), material);
      this.root.add(mesh);
      return mesh;
    };
    const bar = el("i");
    const count = el("b");
    const name = el("span", { class: "name" }, player.name);
    name.style.color = colour;
    bar.style.background = colour;
    this.hud.append(el("div", { class: "gauge" }, name, el("span", { class: "bar" }, bar), count));
    const tag = label(player.name, colour);
    this.root.add(tag);
    this.figures.push({
      rig: make("rig", () => ring(colour)),
      head: make("head", () => headShape(skin, dark)),
      hands: ["left_hand", "right_hand"].map((kind) => make(kind, () => hand(skin))),
      span: this.recording.column(player.id, "arm_span"),
      length: this.recording.column(player.id, "length"),
      health: this.recording.column(player.id, "health"),
      torso: limb(0.17, skin), arms: [limb(0.045, skin), limb(0.045, skin)], legs: [limb(0.07, dark), limb(0.07, dark)],
      tag, bar, count,
    });
  }

  override update(time_s: number): void {
    super.update(time_s);
    for (const figure of this.figures) {
      this.pose(figure, time_s);
      const health = figure.health.number(time_s);
      figure.bar.style.width = `${Math.max(0, Math.min(1, (health ?? 0) / FIGURE.full_health)) * 100}%`;
      setText(figure.count, health === undefined ? "–" : String(health));
    }
  }

  /** Body and limbs between what was recorded: head, hands and the ground below. */
  private pose({ head, hands, rig, span, length, torso, arms, legs, tag }: Figure, time_s: number): void {
    const isThere = head?.object.visible === true;
    for (const part of [torso, ...arms, ...legs, tag]) part.visible = isThere;
    if (!head || !isThere) return;
    const top = head.object.position;
    const height = length.number(time_s) ?? FIGURE.height_m;
    const width = (span.number(time_s) ?? height) * 0.115;
    const ground = rig?.object.visible ? rig.object.position.y : 0;
    const side = new Vector3(1, 0, 0).applyQuaternion(head.object.quaternion).setY(0);
    if (side.lengthSq() < 1e-6) side.set(1, 0, 0);
    side.normalize();
    const neck = top.clone().addScaledVector(UP, -0.1 * height);
    const hip = new Vector3(top.x, Math.max(ground + 0.35, top.y - 0.45 * height), top.z);
    between(torso, neck, hip);
    torso.scale.x = torso.scale.z = width / 0.2;
    for (const [index, sign] of [-1, 1].entries()) {
      const arm = arms[index] as Mesh;
      const at = hands[index]?.object;
      arm.visible = at?.visible === true;
      if (at) between(arm, neck.clone().addScaledVector(side, sign * width).addScaledVector(UP, -0.03), at.position);
      const foot = new Vector3(hip.x, ground, hip.z).addScaledVector(side, sign * width * 0.7);
      between(legs[index] as Mesh, hip.clone().addScaledVector(side, sign * width * 0.5), foot);
    }
    tag.position.copy(top).addScaledVector(UP, 0.36);
  }
}

function playerName(recording: Recording, part: Entity): string {
  return recording.entity(part.parent)?.name ?? part.name;
}

/** Stretches a cylinder of length 1 from one point to another. */
function between(mesh: Mesh, from: Vector3, to: Vector3): void {
  const along = new Vector3().subVectors(to, from);
  const length = along.length() || 1e-3;
  mesh.position.copy(from).addScaledVector(along, 0.5);
  mesh.quaternion.copy(new Quaternion().setFromUnitVectors(UP, along.divideScalar(length)));
  mesh.scale.y = length;
}

/** Through a player's eyes: the head looks along its Z, a camera along its −Z. */
function eyes(camera: PerspectiveCamera, head: Object3D): void {
  camera.position.copy(head.position);
  camera.quaternion.copy(head.quaternion).multiply(new Quaternion(0, 1, 0, 0));
}

function floor(): Object3D {
  const stone = new MeshStandardMaterial({ color: "#59606b", roughness: 0.95 });
  const disc = new Mesh(new CircleGeometry(FIGURE.arena_radius_m, 96), stone);
  disc.rotation.x = -Math.PI / 2;
  disc.position.y = -0.01;
  const edge = new Mesh(new RingGeometry(FIGURE.arena_radius_m - 0.15, FIGURE.arena_radius_m + 0.1, 96), new MeshStandardMaterial({ color: "#c9a25b" }));
  edge.rotation.x = -Math.PI / 2;
  const grid = new GridHelper(16, 16, 0x6d7683, 0x6d7683);
  grid.position.y = -0.005;
  return group(disc, edge, grid);
}

function ring(colour: string): Object3D {
  const mesh = new Mesh(new RingGeometry(0.28, 0.34, 32), new MeshStandardMaterial({ color: colour }));
  mesh.rotation.x = -Math.PI / 2;
  mesh.position.y = 0.01;
  return group(mesh);
}

function headShape(skin: MeshStandardMaterial, dark: MeshStandardMaterial): Object3D {
  const skull = new Mesh(new SphereGeometry(0.13, 24, 16), skin);
  skull.scale.y = 1.15;
  const visor = new Mesh(new BoxGeometry(0.18, 0.05, 0.06), dark);
  visor.position.set(0, 0.02, 0.11);
  return group(skull, visor);
}

function hand(skin: MeshStandardMaterial): Object3D {
  return group(new Mesh(new BoxGeometry(0.09, 0.06, 0.14), skin));
}

/** A structure's shape by its type, which its name begins with. */
function shape({ name, kind }: Entity): Object3D {
  const stone = new MeshStandardMaterial({ color: kind === "structure" ? "#b7a68c" : "#7b8794", roughness: 0.9, flatShading: true });
  return group(solid(shapeOf(SHAPES, kind, name.replace(/ \d+$/, "")), stone));
}
