// RUMBLE: two bodies, structures by type, health, hits as flashes.

import {
  EdgesGeometry,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type Object3D,
  type PerspectiveCamera,
  Quaternion,
  RingGeometry,
  Vector3,
} from "three";
import type { Column, Entity, Recording } from "../../data/recording";
import { after } from "../../data/sample";
import { FIGURE, SHAPES } from "../../facts/rumble";
import { shapeOf } from "../../facts/shape";
import { capital } from "../../format";
import type { People, Person } from "../../people";
import { type Actor, group, still } from "../../scene/actor";
import { type Clip, GameScene, type Home } from "../../scene/game";
import type { Gauge, HudState } from "../../scene/hud";
import { Plates } from "../../scene/plates";
import { Shadow } from "../../scene/shadow";
import { solid } from "../../scene/solids";
import { arena } from "./arena";
import { Body, HEIGHT_M, handShape, headShape } from "./body";

/** A body glows for so long after damage. */
const FLASH_S = 0.22;
const CLIP_S = { before: 3, after: 1.5 };
const EASE_PER_S = 2.2;
const JUMP_M = 6;

interface Figure {
  person: Person;
  rig: Actor | undefined;
  head: Actor | undefined;
  hands: (Actor | undefined)[];
  feet: (Actor | undefined)[];
  span: Column;
  length: Column;
  health: Column;
  body: Body;
  shadow: Shadow;
  hurt_s: Float64Array;
}

export class RumbleScene extends GameScene {
  readonly home: Home = { position: [4.6, 3.2, 6.6], target: [0, 0.9, 0] };
  private readonly figures: Figure[] = [];
  private readonly structures: { actor: Actor; shadow: Shadow }[] = [];
  private readonly plates = new Plates(this.root);
  private readonly target = new Vector3(0, 0.9, 0);
  private away_m = 8;
  private isFirst = true;

  constructor(recording: Recording, people: People) {
    super(recording, people);
    this.root.add(still(arena()));
    for (const person of people.all) this.addPlayer(person);
    for (const structure of recording.ofKind("structure", "pedestal", "scene-prop")) {
      const actor = this.add(structure, shape(structure), true);
      const shadow = new Shadow(1.5);
      this.root.add(shadow.mesh);
      this.structures.push({ actor, shadow });
    }
    this.cameras.unshift({
      id: "ring",
      label: "Both in the picture",
      move: (camera, _time_s, passed_s) => this.follow(camera, passed_s),
    });
    for (const { head, person } of this.figures) {
      if (head)
        this.cameras.push({
          id: `first-${head.entity.id}`,
          label: `Eyes of ${person.name}`,
          move: (camera) => eyes(camera, head.object),
        });
    }
    this.firstCamera = this.figures.some(({ head }) => head) ? "ring" : "free";
  }

  /** From inside a head, that head is not to be seen. */
  override cameraChanged(id: string): void {
    for (const { head } of this.figures)
      for (const part of head?.object.children ?? []) part.visible = id !== `first-${head?.entity.id}`;
  }

  private addPlayer(person: Person): void {
    const body = new Body(person.colour);
    const shadow = new Shadow(1.3);
    this.root.add(body.object, shadow.mesh);
    const parts = new Map(this.recording.childrenOf(person.id).map((part) => [part.kind, part]));
    const make = (kind: string, object: () => Object3D) => {
      const part = parts.get(kind);
      return part && this.add(part, object());
    };
    const foot = () => group(solid(shapeOf(SHAPES, "left_foot", ""), body.skin));
    const head = make("head", () => headShape(body.skin));
    if (head) this.plates.add(person.name, person.colour, head.object, 0.34);
    const hurt = this.recording.events.filter(({ kind, whom }) => kind === "damage" && whom === person.id);
    this.figures.push({
      person,
      rig: make("rig", () => ring(person.colour)),
      head,
      hands: ["left_hand", "right_hand"].map((kind) => make(kind, () => handShape(body.skin))),
      feet: ["left_foot", "right_foot"].map((kind) => make(kind, foot)),
      span: this.recording.column(person.id, "arm_span"),
      length: this.recording.column(person.id, "length"),
      health: this.recording.column(person.id, "health"),
      body,
      shadow,
      hurt_s: Float64Array.from(hurt, ({ time_s }) => time_s),
    });
  }

  override update(time_s: number): void {
    super.update(time_s);
    for (const figure of this.figures) this.pose(figure, time_s);
    for (const { actor, shadow } of this.structures)
      shadow.under(actor.object.visible ? actor.object.position : undefined, 0);
  }

  private pose({ head, hands, feet, rig, span, length, body, shadow, hurt_s }: Figure, time_s: number): void {
    const isThere = head?.object.visible === true;
    body.object.visible = isThere;
    shadow.under(isThere ? head.object.position : undefined, rig?.object.visible ? rig.object.position.y : 0);
    if (!head || !isThere) return;
    const height = length.number(time_s) ?? HEIGHT_M;
    const ground = rig?.object.visible ? rig.object.position.y : 0;
    body.pose(
      head.object,
      hands.map((hand) => hand?.object),
      feet.map((foot) => foot?.object),
      height,
      span.number(time_s) ?? height,
      ground,
    );
    const last_s = hurt_s[after(hurt_s, time_s + 1e-6) - 1];
    const flash = last_s === undefined ? 0 : Math.max(0, 1 - (time_s - last_s) / FLASH_S);
    body.skin.emissive.setRGB(flash, flash * 0.25, flash * 0.15);
  }

  override beforeDrawing(camera: PerspectiveCamera, width: number, height: number): void {
    camera.updateMatrixWorld();
    this.plates.arrange(camera, width, height);
  }

  /** From the side of both, as far as it takes. */
  private follow(camera: PerspectiveCamera, passed_s: number): void {
    const there = this.figures.flatMap(({ head }) => (head?.object.visible ? [head.object.position] : []));
    const wanted =
      there.length > 0
        ? there.reduce((sum, one) => sum.add(one), new Vector3()).divideScalar(there.length)
        : new Vector3(0, 1, 0);
    const [a, b] = there;
    const apart_m = a && b ? a.distanceTo(b) : 1;
    const away_m = Math.max(3.4, (apart_m * 1.05 + 2) * Math.max(1, 1.25 / camera.aspect));
    const part = this.isFirst || wanted.distanceTo(this.target) > JUMP_M ? 1 : 1 - Math.exp(-EASE_PER_S * passed_s);
    this.isFirst = false;
    this.target.lerp(wanted, part);
    this.away_m += (away_m - this.away_m) * part;
    const along = a && b ? new Vector3().subVectors(b, a).setY(0) : new Vector3(1, 0, 0);
    if (along.lengthSq() < 0.01) along.set(1, 0, 0);
    // Always the same side, so that left and right do not change places.
    const side = new Vector3(0.34, 0, 0.94);
    camera.position.copy(this.target).addScaledVector(side, this.away_m);
    camera.position.y = this.target.y + this.away_m * 0.22 + 0.2;
    camera.up.set(0, 1, 0);
    camera.lookAt(this.target.x, this.target.y - 0.45, this.target.z);
  }

  override hudAt(time_s: number): HudState {
    const gauges = this.figures
      .filter(({ person }) => this.recording.isPresent(person.id, time_s))
      .map(({ person, health }): Gauge => {
        const value = health.number(time_s);
        return {
          id: person.id,
          name: person.name,
          colour: person.colour,
          value: value === undefined ? "–" : String(value),
          part: (value ?? 0) / FIGURE.full_health,
        };
      });
    const middle = Math.ceil(gauges.length / 2);
    return { place: "top", left: gauges.slice(0, middle), right: gauges.slice(middle) };
  }

  override clips(): Clip[] {
    const found = this.recording.events.filter(({ kind }) => /^(damage|knock-?out)$/.test(kind));
    return found.map((event) => {
      const victim = this.recording.entity(event.whom ?? event.who)?.name ?? "";
      return {
        from_s: event.time_s - CLIP_S.before,
        to_s: event.time_s + CLIP_S.after,
        label: `${capital(event.kind)}: ${victim}`,
        detail: event.details["amount"] ? `−${event.details["amount"]}` : "",
        colour: this.people.colourOf(event.whom ?? event.who),
        decides: event.kind !== "damage",
      };
    });
  }

  override outlines(): [number, number][][] {
    return [
      Array.from({ length: 65 }, (_, index): [number, number] => [
        Math.cos((index * Math.PI) / 32) * FIGURE.arena_radius_m,
        Math.sin((index * Math.PI) / 32) * FIGURE.arena_radius_m,
      ]),
    ];
  }
}

/** Through a player's eyes: the head looks along its Z, a camera along its −Z. */
function eyes(camera: PerspectiveCamera, head: Object3D): void {
  camera.position.copy(head.position);
  camera.quaternion.copy(head.quaternion).multiply(new Quaternion(0, 1, 0, 0));
}

function ring(colour: string): Object3D {
  const mesh = new Mesh(new RingGeometry(0.34, 0.4, 40), new MeshBasicMaterial({ color: colour }));
  mesh.rotation.x = -Math.PI / 2;
  mesh.position.y = 0.03;
  return group(mesh);
}

/** A structure's shape by its type, which its name begins with: stone with lit edges. */
function shape({ name, kind }: Entity): Object3D {
  const stone = new MeshStandardMaterial({
    color: kind === "structure" ? "#b7a68c" : "#7b8794",
    roughness: 0.9,
    flatShading: true,
  });
  const mesh = solid(shapeOf(SHAPES, kind, name.replace(/ \d+$/, "")), stone);
  const edges = new LineSegments(
    new EdgesGeometry(mesh.geometry, 30),
    new LineBasicMaterial({ color: "#e6d9bf", transparent: true, opacity: 0.55 }),
  );
  edges.position.copy(mesh.position);
  edges.scale.copy(mesh.scale);
  return group(mesh, edges);
}
