// Rocket League: arena, pads, cars as boxes of their hitbox, ball, boost, score and clock.

import {
  BoxGeometry, BufferAttribute, BufferGeometry, ConeGeometry, CylinderGeometry, DynamicDrawUsage, IcosahedronGeometry, Line, LineBasicMaterial, Mesh, MeshStandardMaterial,
  type Object3D, type PerspectiveCamera, Vector3,
} from "three";
import { teamColour } from "../colours";
import type { Column, Entity, Recording } from "../data/recording";
import { el, setText } from "../dom";
import { type Actor, group, label, still } from "../scene/actor";
import { GameScene, type Home } from "../scene/game";
import { type Pad, arena, pads } from "./arena";

/** The Octane's hitbox in metres, along the car's X, Y, Z, and how far its middle is from the car's own. */
const HITBOX = { size: [1.18, 0.36, 0.84], offset: [0.139, 0.208, 0] } as const;
/** How long a trail is, in seconds, and how many points it has. */
const TRAIL_S = 1.2;
const TRAIL_POINTS = 24;

interface Car { actor: Actor; boost: Column; team: Column; flame: Object3D; boosting: Column; bar: HTMLElement; count: HTMLElement; colour: string; trail: Trail }

export class RocketLeagueScene extends GameScene {
  readonly home: Home = { position: [62, 48, 0], target: [0, 0, 0] };
  private readonly cars: Car[] = [];
  private readonly balls: Actor[] = [];
  private readonly trails: Trail[] = [];
  private readonly pads: { available: Column; pad: Pad }[];
  private readonly score = el("b");
  private readonly clock = el("span");
  private readonly seconds: Column | undefined;
  private readonly teams: Column[];

  constructor(recording: Recording) {
    super(recording);
    this.root.add(still(arena()));
    this.hud.append(el("div", { class: "score", "aria-label": "Score and clock" }, this.score, this.clock));
    for (const ball of recording.ofKind("ball")) {
      const mesh = new Mesh(new IcosahedronGeometry(0.9275, 3), new MeshStandardMaterial({ color: "#e8ecf2", roughness: 0.4, flatShading: true }));
      this.balls.push(this.add(ball, group(mesh)));
      this.addTrail(ball, "#e8ecf2");
    }
    for (const car of recording.ofKind("car")) this.addCar(car);
    this.pads = this.places();
    const game = recording.ofKind("game")[0];
    this.seconds = game && recording.column(game.id, "seconds_remaining");
    this.teams = recording.ofKind("team").sort((a, b) => a.name.localeCompare(b.name)).map(({ id }) => recording.column(id, "score"));
    this.cameras.push({ id: "overhead", label: "Overhead", move: (camera) => look(camera, new Vector3(0.01, 95, 0), new Vector3()) });
    this.cameras.push({ id: "ball", label: "From the ball", move: (camera) => this.fromBall(camera) });
    for (const { actor } of this.cars) {
      this.cameras.push({ id: `car-${actor.entity.id}`, label: `Follow ${actor.entity.name}`, move: (camera) => this.follow(camera, actor) });
    }
  }

  private team(player: Entity | undefined): number | undefined {
    const own = this.recording.outline.summary.players.find(({ name }) => name === player?.name);
    return own?.team;
  }

  private addTrail(entity: Entity, colour: string): Trail {
    const trail = new Trail(this.recording.column(entity.id, "position"), colour);
    this.trails.push(trail);
    this.root.add(trail.line);
    return trail;
  }

  private addCar(entity: Entity): void {
    const player = this.recording.entity(entity.parent);
    const name = player?.name ?? entity.name;
    const colour = teamColour(this.team(player));
    const [length, height, width] = HITBOX.size;
    const box = new Mesh(new BoxGeometry(length, height, width), new MeshStandardMaterial({ color: colour, roughness: 0.5 }));
    const nose = new Mesh(new BoxGeometry(0.3, height * 0.6, width * 0.8), new MeshStandardMaterial({ color: "#11161d" }));
    nose.position.set(0.28, height * 0.5, 0);
    const flame = new Mesh(new ConeGeometry(0.2, 0.9, 12), new MeshStandardMaterial({ color: "#ffb347", emissive: "#ff7a00" }));
    flame.rotation.z = Math.PI / 2;
    flame.position.x = -1;
    const hull = group(box, nose, flame);
    hull.position.set(...HITBOX.offset);
    const wheels = [-0.38, 0.42].flatMap((x) => [-0.36, 0.36].map((z) => {
      const wheel = new Mesh(new CylinderGeometry(0.15, 0.15, 0.12, 12), new MeshStandardMaterial({ color: "#1b1f26" }));
      wheel.rotation.x = Math.PI / 2;
      wheel.position.set(x, 0, z);
      return wheel;
    }));
    const tag = label(name, colour);
    tag.position.y = 2;
    const actor = this.add(entity, group(hull, tag, ...wheels));
    const [bar, count] = [el("i"), el("b")];
    bar.style.background = colour;
    const title = el("span", { class: "name" }, name);
    title.style.color = colour;
    this.hud.append(el("div", { class: "gauge" }, title, el("span", { class: "bar" }, bar), count));
    const column = (key: string) => this.recording.column(entity.id, key);
    this.cars.push({
      actor, boost: column("boost_percent"), boosting: column("boosting"), team: column("team"), flame, bar, count, colour, trail: this.addTrail(entity, colour),
    });
  }

  /** Which pad of the recording is which of the arena: the one nearest to the cars that took it. */
  private places(): { available: Column; pad: Pad }[] {
    const all = pads();
    this.root.add(...all.map(({ full }) => still(full)));
    const taken = new Map<number, [number, number, number][]>();
    for (const { kind, whom, position } of this.recording.events) {
      if (kind === "boost-pickup" && whom !== null && position) taken.set(whom, [...(taken.get(whom) ?? []), position]);
    }
    return this.recording.ofKind("boost-pad").flatMap(({ id }) => {
      const own = this.recording.staticColumn(id, "position")?.numbers;
      const places = own ? [[own[0], own[1], own[2]] as [number, number, number]] : (taken.get(id) ?? []);
      if (places.length === 0) return [];
      const far = ({ place }: Pad) => places.reduce((sum, [x, , z]) => sum + Math.hypot(place.x - x, place.z - z), 0);
      const pad = all.reduce((best, other) => (far(other) < far(best) ? other : best));
      return [{ available: this.recording.column(id, "available"), pad }];
    });
  }

  override update(time_s: number): void {
    super.update(time_s);
    for (const { available, pad } of this.pads) pad.full.visible = available.number(time_s) !== 0;
    for (const trail of this.trails) trail.show(time_s);
    for (const { boost, boosting, flame, bar, count, actor } of this.cars) {
      const amount = boost.number(time_s);
      bar.style.width = `${Math.max(0, Math.min(100, amount ?? 0))}%`;
      setText(count, amount === undefined ? "–" : String(Math.round(amount)));
      flame.visible = actor.object.visible && boosting.number(time_s) === 1;
    }
    const goals = this.teams.map((team) => team.number(time_s) ?? 0);
    setText(this.score, goals.length >= 2 ? `${goals[0]} – ${goals[1]}` : "");
    const left = this.seconds?.number(time_s);
    setText(this.clock, left === undefined ? "" : `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`);
  }

  private ball(): Vector3 {
    return this.balls.find(({ object }) => object.visible)?.object.position ?? new Vector3();
  }

  /** Behind the car, with the ball in view. */
  private follow(camera: PerspectiveCamera, { object }: Actor): void {
    const away = new Vector3().subVectors(object.position, this.ball()).setY(0);
    if (away.lengthSq() < 0.01) away.set(1, 0, 0);
    away.normalize().multiplyScalar(7);
    look(camera, new Vector3(object.position.x + away.x, Math.max(1, object.position.y + 2.6), object.position.z + away.z), this.ball());
  }

  private fromBall(camera: PerspectiveCamera): void {
    const ball = this.ball();
    const nearest = this.cars.filter(({ actor }) => actor.object.visible).sort((a, b) => a.actor.object.position.distanceTo(ball) - b.actor.object.position.distanceTo(ball))[0];
    const target = nearest?.actor.object.position ?? new Vector3();
    look(camera, new Vector3(ball.x, ball.y + 1.5, ball.z), target);
  }
}

function look(camera: PerspectiveCamera, from: Vector3, to: Vector3): void {
  camera.position.copy(from);
  camera.up.set(0, 1, 0);
  camera.lookAt(to);
}

/** Where something came from: a line through the last second. */
class Trail {
  readonly line: Line;
  private readonly points = new BufferAttribute(new Float32Array(TRAIL_POINTS * 3), 3).setUsage(DynamicDrawUsage);

  constructor(private readonly position: Column, colour: string) {
    const geometry = new BufferGeometry().setAttribute("position", this.points);
    this.line = new Line(geometry, new LineBasicMaterial({ color: colour, transparent: true, opacity: 0.6 }));
    this.line.frustumCulled = false;
  }

  show(time_s: number): void {
    let count = 0;
    for (let index = 0; index < TRAIL_POINTS; index++) {
      const at = this.position.at(time_s - (TRAIL_S * index) / (TRAIL_POINTS - 1));
      if (!at) break;
      this.points.setXYZ(count++, at[0] as number, at[1] as number, at[2] as number);
    }
    this.line.geometry.setDrawRange(0, count);
    this.points.needsUpdate = true;
  }
}
