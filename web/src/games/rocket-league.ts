// Rocket League: arena, pads, cars as boxes of their hitbox, ball, boost, score and clock.

import {
  BoxGeometry, BufferAttribute, BufferGeometry, ConeGeometry, CylinderGeometry, DynamicDrawUsage, Line, LineBasicMaterial, Mesh, MeshStandardMaterial,
  type Object3D, type PerspectiveCamera, Vector3,
} from "three";
import { teamColour } from "../colours";
import type { Column, Entity, Recording } from "../data/recording";
import { el, setText } from "../dom";
import { BODIES, SHAPES } from "../facts/rocket_league";
import { shapeOf } from "../facts/shape";
import { type Actor, group, label, still } from "../scene/actor";
import { GameScene, type Home } from "../scene/game";
import { solid } from "../scene/solids";
import { type Pad, arena, pads } from "./arena";

/** A camera's settings where a recording has none, and metres in one of the game's units. */
const CAMERA = { distance_uu: 270, height_uu: 100 };
const METRES = 0.01;
/** How long a trail is, in seconds, and how many points it has. */
const TRAIL_S = 1.2;
const TRAIL_POINTS = 24;

interface Car { actor: Actor; boost: Column; team: Column; flame: Object3D; boosting: Column; bar: HTMLElement; count: HTMLElement; view: HTMLElement; colour: string; trail: Trail; camera: RecordedCamera; hull: Hull }

/** What a player's camera is set to, and whether it keeps the ball in view. */
interface RecordedCamera { followsBall: Column | undefined; distance: Column | undefined; height: Column | undefined }

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
  /** Whether cameras behind cars keep the ball in view: as recorded, always, never. */
  private readonly ballCamera: HTMLSelectElement = el(
    "select", { "aria-label": "Ball camera", title: "Ball camera", change: () => this.redraw() },
    ...["recorded", "on", "off"].map((value) => el("option", { value }, `Ball cam: ${value}`)),
  );

  constructor(recording: Recording) {
    super(recording);
    this.root.add(still(arena()));
    this.hud.append(el("div", { class: "score", "aria-label": "Score and clock" }, this.score, this.clock));
    for (const ball of recording.ofKind("ball")) {
      const white = new MeshStandardMaterial({ color: "#e8ecf2", roughness: 0.4, flatShading: true });
      this.balls.push(this.add(ball, group(solid(shapeOf(SHAPES, "ball", ""), white))));
      this.addTrail(ball, "#e8ecf2");
    }
    for (const car of recording.ofKind("car")) this.addCar(car);
    this.pads = this.places();
    const game = recording.ofKind("game")[0];
    this.seconds = game && recording.column(game.id, "seconds_remaining");
    this.teams = recording.ofKind("team").sort((a, b) => a.name.localeCompare(b.name)).map(({ id }) => recording.column(id, "score"));
    this.cameras.push({ id: "overhead", label: "Overhead", move: (camera) => look(camera, new Vector3(0.01, 95, 0), new Vector3()) });
    this.cameras.push({ id: "ball", label: "From the ball", move: (camera) => this.fromBall(camera) });
    for (const car of this.cars) {
      const { id, parent, name } = car.actor.entity;
      this.cameras.push({ id: `car-${id}`, label: `Follow ${recording.entity(parent)?.name ?? name}`, move: (camera, time_s) => this.follow(camera, car, time_s) });
    }
    this.tools.push(this.ballCamera);
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
    const hull = new Hull(player && this.recording.column(player.id, "body_id"), colour);
    const wheels = [-0.38, 0.42].flatMap((x) => [-0.36, 0.36].map((z) => {
      const wheel = new Mesh(new CylinderGeometry(0.15, 0.15, 0.12, 12), new MeshStandardMaterial({ color: "#1b1f26" }));
      wheel.rotation.x = Math.PI / 2;
      wheel.position.set(x, 0, z);
      return wheel;
    }));
    const tag = label(name, colour);
    tag.position.y = 2;
    const actor = this.add(entity, group(hull.object, tag, ...wheels));
    const [bar, count, view] = [el("i"), el("b"), el("span", { class: "note" })];
    bar.style.background = colour;
    const title = el("span", { class: "name" }, name);
    title.style.color = colour;
    this.hud.append(el("div", { class: "gauge" }, title, el("span", { class: "bar" }, bar), count, view));
    const column = (key: string) => this.recording.column(entity.id, key);
    this.cars.push({
      actor, boost: column("boost_percent"), boosting: column("boosting"), team: column("team"), flame: hull.flame, bar, count, view, colour, trail: this.addTrail(entity, colour),
      camera: this.cameraOf(player), hull,
    });
  }

  private cameraOf(player: Entity | undefined): RecordedCamera {
    const camera = player && this.recording.childrenOf(player.id).find(({ kind }) => kind === "camera");
    const column = (name: string) => camera && this.recording.column(camera.id, name);
    return { followsBall: column("ball_camera"), distance: column("distance_uu"), height: column("height_uu") };
  }

  /** Which pad of the recording is which of the arena: the one nearest to the cars that took it. */
  private places(): { available: Column; pad: Pad }[] {
    const all = pads();
    this.root.add(...all.map(({ object }) => still(object)));
    const taken = new Map<number, [number, number, number][]>();
    for (const { kind, whom, position } of this.recording.events) {
      if (kind === "boost-pickup" && whom !== null && position) taken.set(whom, [...(taken.get(whom) ?? []), position]);
    }
    return this.recording.ofKind("boost-pad").flatMap(({ id }) => {
      const own = this.recording.staticColumn(id, "position")?.numbers;
      const places = own ? [[own[0], own[1], own[2]] as [number, number, number]] : (taken.get(id) ?? []);
      if (places.length === 0) return [];
      const far = (pad: Pad) => places.reduce((sum, [x, , z]) => sum + Math.hypot(pad.x - x, pad.z - z), 0);
      const pad = all.reduce((best, other) => (far(other) < far(best) ? other : best));
      return [{ available: this.recording.column(id, "available"), pad }];
    });
  }

  override update(time_s: number): void {
    super.update(time_s);
    for (const { available, pad } of this.pads) pad.full.visible = available.number(time_s) !== 0;
    for (const trail of this.trails) trail.show(time_s);
    for (const { boost, boosting, flame, bar, count, view, actor, camera, hull } of this.cars) {
      hull.show(time_s);
      const amount = boost.number(time_s);
      bar.style.width = `${Math.max(0, Math.min(100, amount ?? 0))}%`;
      setText(count, amount === undefined ? "–" : String(Math.round(amount)));
      setText(view, camera.followsBall?.number(time_s) === 1 ? "ball cam" : "");
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

  /** Behind the car, as its player had the camera: with the ball in view, or looking where the car goes. */
  private follow(camera: PerspectiveCamera, { actor: { object }, camera: own }: Car, time_s: number): void {
    const recorded = own.followsBall?.number(time_s) !== 0;
    const followsBall = this.ballCamera.value === "recorded" ? recorded : this.ballCamera.value === "on";
    const ahead = new Vector3(1, 0, 0).applyQuaternion(object.quaternion).setY(0);
    const away = followsBall ? new Vector3().subVectors(object.position, this.ball()).setY(0) : ahead.negate();
    if (away.lengthSq() < 0.01) away.set(1, 0, 0);
    away.normalize();
    const target = followsBall ? this.ball() : object.position.clone().addScaledVector(away, -10);
    // Twice as far as in the game, so that the car is not all there is to see.
    const from = object.position.clone().addScaledVector(away, (own.distance?.number(time_s) ?? CAMERA.distance_uu) * METRES * 2);
    from.y = Math.max(1, object.position.y + (own.height?.number(time_s) ?? CAMERA.height_uu) * METRES * 2);
    look(camera, from, target);
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

/** A car's box, of the size of its body's hitbox as soon as that is known. */
class Hull {
  readonly object: Object3D;
  readonly flame = new Mesh(new ConeGeometry(0.2, 0.9, 12), new MeshStandardMaterial({ color: "#ffb347", emissive: "#ff7a00" }));
  private readonly box: Mesh;
  private readonly nose = new Mesh(new BoxGeometry(1, 1, 1), new MeshStandardMaterial({ color: "#11161d" }));
  private shown: number | undefined = -1;
  /** The hitbox's family and size, for the tests. */
  hitbox = shapeOf(SHAPES, "car", "");

  constructor(private readonly body: Column | undefined, colour: string) {
    this.box = new Mesh(new BoxGeometry(1, 1, 1), new MeshStandardMaterial({ color: colour, roughness: 0.5 }));
    this.flame.rotation.z = Math.PI / 2;
    this.object = group(this.box, this.nose, this.flame);
  }

  show(time_s: number): void {
    const body = this.body?.number(time_s);
    if (body === this.shown) return;
    this.shown = body;
    this.hitbox = shapeOf(SHAPES, "car", BODIES[body ?? -1] ?? "");
    const [length, height, width] = this.hitbox.size_m;
    this.object.position.set(...this.hitbox.centre_m);
    this.box.scale.set(length, height, width);
    this.nose.scale.set(length * 0.3, height * 0.3, width * 0.85);
    this.nose.position.set(length * 0.2, height * 0.4, 0);
    this.flame.position.x = -length / 2 - 0.4;
  }
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
