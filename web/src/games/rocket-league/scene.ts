// Rocket League: arena, pads, cars, ball, boost, score and clock.

import { signal } from "@preact/signals";
import { type Object3D, type PerspectiveCamera, Vector3 } from "three";
import { Overview } from "../../data/overview";
import type { Column, Entity, Recording } from "../../data/recording";
import { ARENA_M } from "../../facts/rocket_league";
import { minutes } from "../../format";
import type { People, Person } from "../../people";
import type { Gap } from "../../player";
import { type Actor, group, still } from "../../scene/actor";
import { type Clip, GameScene, type Home } from "../../scene/game";
import type { Gauge, HudState } from "../../scene/hud";
import { Plates } from "../../scene/plates";
import { Shadow } from "../../scene/shadow";
import { arena } from "./arena";
import { type ArenaShape, boundsShape, knownShape, modeOf } from "./arenas";
import { Ball } from "./ball";
import { CarBody, STANDS_M } from "./body";
import { PlayCamera } from "./camera";
import { type Pad, placePads } from "./pads";
import { Trail } from "./trail";

/** A camera's settings where a recording has none, and metres in one of the game's units. */
const CAMERA = { distance_uu: 270, height_uu: 100 };
const METRES = 0.01;
/** A car is drawn larger than it is from this distance on, up to so many times: it has to be found. */
const LARGER_FROM_M = 15;
const MAX_LARGER = 3;
/** Faster than this, with some allowance, nothing moves, in m/s. Source: RLBot wiki, useful game values: 2300 and 6000 uu/s. */
const TOP_M_S: Record<string, number> = { car: 23 * 1.1, ball: 60 * 1.1 };
/** What a clip holds before and after an event, in seconds. */
const CLIPS: Record<string, [before_s: number, after_s: number, label: string]> = {
  goal: [6, 2, "Goal"],
  "own-goal": [6, 2, "Own goal"],
  save: [4, 2, "Save"],
  "epic-save": [4, 2, "Epic save"],
};
/** What is shown of a celebration, and of the countdown before a kick-off, in seconds. */
const CELEBRATION_S = 2.5;
const COUNTDOWN_S = 3.5;

interface Car {
  actor: Actor;
  person: Person | undefined;
  boost: Column;
  boosting: Column;
  body: CarBody;
  shell: Object3D;
  shadow: Shadow;
  camera: RecordedCamera;
}

/** What a player's camera is set to, and whether it keeps the ball in view. */
interface RecordedCamera {
  followsBall: Column | undefined;
  distance: Column | undefined;
  height: Column | undefined;
}

export class RocketLeagueScene extends GameScene {
  readonly home: Home = { position: [58, 40, 0], target: [0, 0, 0] };
  override background = {
    dark: ["#05070c", "#0d1424", "#1b2943", "#0b0f16"],
    light: ["#5f86b8", "#a9c4e2", "#dce8f4", "#9fb0c4"],
  };
  private readonly cars: Car[] = [];
  private readonly balls: { actor: Actor; ball: Ball }[] = [];
  private readonly trails: Trail[] = [];
  private readonly pads: { available: Column; pad: Pad }[] = [];
  private readonly seconds: Column | undefined;
  private readonly teams: Column[];
  private readonly teamOf = new Map<number, Column>();
  private readonly plates = new Plates(this.root);
  private readonly play = new PlayCamera();
  private shape: ArenaShape | undefined;
  /** Whether cameras behind cars keep the ball in view: as recorded, always, never. */
  private readonly ballCamera = signal("recorded");
  private readonly skipsReplays = signal(false);

  constructor(recording: Recording, people: People) {
    super(recording, people);
    const { details, map } = recording.outline.summary;
    const told = `${map ?? ""} ${details["mode"] ?? ""} ${details["playlist"] ?? ""}`;
    for (const entity of recording.ofKind("ball")) this.addBall(entity, told);
    for (const car of recording.ofKind("car")) this.addCar(car);
    this.build(knownShape(modeOf(recording)));
    const game = recording.ofKind("game")[0];
    this.seconds = game && recording.column(game.id, "seconds_remaining");
    this.teams = recording
      .ofKind("team")
      .sort((a, b) => a.name.localeCompare(b.name))
      .map(({ id }) => recording.column(id, "score"));
    for (const { id } of people.all) this.teamOf.set(id, recording.column(id, "team"));
    this.addCameras();
    this.tools.push({ label: "Skip goal replays", value: this.skipsReplays });
    this.tools.push({
      label: "Ball camera",
      value: this.ballCamera,
      options: ["recorded", "on", "off"].map((value) => [value, `Ball cam: ${value}`]),
    });
    this.firstCamera = this.cars.length > 0 ? "play" : "free";
  }

  /** The arena of a known shape at once; else as large as what moved, when that is known. */
  private build(shape: ArenaShape | undefined): void {
    if (!shape) {
      void Overview.of(this.recording, (kind) => this.topSpeed_m_s(kind)).then((overview) => {
        this.build(boundsShape(overview));
        this.redraw();
      });
      return;
    }
    this.shape = shape;
    this.root.add(still(arena(shape)));
    this.notice.value = shape.notice;
    if (!shape.hasPads) return;
    const { objects, known } = placePads(this.recording);
    this.root.add(...objects.map((object) => still(object)));
    this.pads.push(...known);
  }

  private addBall(entity: Entity, told: string): void {
    const ball = new Ball(entity, told);
    this.root.add(ball.mark);
    this.balls.push({ actor: this.add(entity, ball.object), ball });
    this.addTrail(entity, "#e8ecf2");
  }

  private addTrail(entity: Entity, colour: string): void {
    const trail = new Trail(this.recording.column(entity.id, "position"), colour);
    this.trails.push(trail);
    this.root.add(trail.line);
  }

  private addCar(entity: Entity): void {
    const player = this.recording.entity(entity.parent);
    const person = this.people.of(entity.id);
    const colour = this.people.colourOf(entity.id);
    const body = new CarBody(player && this.recording.column(player.id, "body_id"), colour);
    const shell = group(body.object);
    const actor = this.add(entity, group(shell));
    const shadow = new Shadow(2.1);
    this.root.add(shadow.mesh);
    this.plates.add(person?.name ?? entity.name, colour, actor.object, 1.1);
    this.addTrail(entity, colour);
    const column = (key: string) => this.recording.column(entity.id, key);
    this.cars.push({
      actor,
      person,
      boost: column("boost_percent"),
      boosting: column("boosting"),
      body,
      shell,
      shadow,
      camera: this.cameraOf(player),
    });
  }

  /** Cars, for the tests. */
  get hulls(): CarBody[] {
    return this.cars.map(({ body }) => body);
  }

  private cameraOf(player: Entity | undefined): RecordedCamera {
    const camera = player && this.recording.childrenOf(player.id).find(({ kind }) => kind === "camera");
    const column = (name: string) => camera && this.recording.column(camera.id, name);
    return { followsBall: column("ball_camera"), distance: column("distance_uu"), height: column("height_uu") };
  }

  private addCameras(): void {
    this.cameras.unshift({
      id: "play",
      label: "Follow the play",
      move: (camera, _time_s, passed_s) => {
        const cars = this.cars.filter(({ actor }) => actor.object.visible).map(({ actor }) => actor.object.position);
        this.play.move(camera, this.ball(), cars, passed_s);
      },
    });
    this.cameras.push({
      id: "overhead",
      label: "From above",
      move: (camera) => look(camera, new Vector3(0.01, 95, 0), new Vector3()),
    });
    this.cameras.push({ id: "ball", label: "From the ball", move: (camera) => this.fromBall(camera) });
    const seen = new Set<number>();
    for (const car of this.cars) {
      const id = car.person?.id ?? car.actor.entity.id;
      if (seen.has(id)) continue;
      seen.add(id);
      this.cameras.push({
        id: `car-${id}`,
        label: `Behind ${car.person?.name ?? car.actor.entity.name}`,
        move: (camera, time_s) => this.follow(camera, this.carOf(id) ?? car, time_s),
      });
    }
  }

  /** The car of a player that is there now. */
  private carOf(person: number): Car | undefined {
    return this.cars.find((car) => car.person?.id === person && car.actor.object.visible);
  }

  override update(time_s: number): void {
    super.update(time_s);
    for (const { available, pad } of this.pads) pad.full.visible = available.number(time_s) !== 0;
    for (const trail of this.trails) trail.show(time_s);
    for (const { boosting, actor, body } of this.cars) {
      if (!actor.object.visible) continue;
      body.show(time_s);
      body.flame.visible = boosting.number(time_s) === 1;
    }
  }

  override beforeDrawing(camera: PerspectiveCamera, width: number, height: number): void {
    camera.updateMatrixWorld();
    for (const { actor, shell, shadow } of this.cars) {
      const { position, visible } = actor.object;
      const larger = Math.min(MAX_LARGER, Math.max(1, camera.position.distanceTo(position) / LARGER_FROM_M));
      shell.scale.setScalar(larger);
      shell.position.y = STANDS_M * (larger - 1);
      shadow.under(visible ? position : undefined, 0.02, larger);
    }
    for (const { ball } of this.balls) ball.show(camera);
    this.plates.arrange(camera, width, height);
  }

  override hudAt(time_s: number): HudState {
    const gauges: [Gauge[], Gauge[]] = [[], []];
    for (const person of this.people.playing) {
      const team = person.team ?? this.teamOf.get(person.id)?.number(time_s);
      if ((team !== 0 && team !== 1) || !this.recording.isPresent(person.id, time_s)) continue;
      const car = this.carOf(person.id);
      const amount = car?.boost.number(time_s);
      const hasBallCamera = car?.camera.followsBall?.number(time_s) === 1;
      gauges[team].push({
        id: person.id,
        name: person.name,
        colour: person.colour,
        value: amount === undefined ? "–" : String(Math.round(amount)),
        part: (amount ?? 0) / 100,
        detail: car ? (hasBallCamera ? "ball camera" : "") : "",
      });
    }
    // A team that has not scored yet has told no score.
    const goals = this.teams.map((team) => String(team.number(time_s) ?? 0));
    const left = this.seconds?.number(time_s);
    return {
      place: "top",
      left: gauges[0],
      right: gauges[1],
      score: goals.length >= 2 ? [goals[0] ?? "0", goals[1] ?? "0"] : undefined,
      clock: left === undefined ? undefined : minutes(left),
    };
  }

  override clips(): Clip[] {
    return this.recording.events.flatMap((event) => {
      const known = CLIPS[event.kind];
      if (!known) return [];
      const [before_s, after_s, label] = known;
      const who = this.recording.entity(event.who)?.name ?? "";
      const score = event.details["score"]?.replace(":", "–");
      return [
        {
          from_s: event.time_s - before_s,
          to_s: event.time_s + after_s,
          label: [label, who].filter(Boolean).join(": "),
          detail: score ?? "",
          colour: this.people.colourOf(event.who),
          decides: event.kind.endsWith("goal"),
        },
      ];
    });
  }

  override gaps(): Gap[] {
    if (!this.skipsReplays.value) return [];
    const times_s = (pattern: RegExp) =>
      this.recording.events.filter(({ kind }) => pattern.test(kind)).map(({ time_s }) => time_s);
    const kickoffs_s = times_s(/^kick-?off$/);
    return times_s(/goal$/).flatMap((goal_s): Gap[] => {
      const next_s = kickoffs_s.find((kickoff_s) => kickoff_s > goal_s);
      const gap: Gap = [goal_s + CELEBRATION_S, (next_s ?? 0) - COUNTDOWN_S];
      return next_s !== undefined && gap[1] > gap[0] ? [gap] : [];
    });
  }

  override outlines(): [number, number][][] {
    const outline = this.shape?.outline ?? [];
    if (outline.length === 0) return [];
    const closed = [...outline, outline[0] as [number, number]];
    if (!this.shape?.hasGoals) return [closed];
    const { goal_half_width: w, half_length: l, goal_depth: d, half_width, centre_circle } = ARENA_M;
    const circle = Array.from({ length: 49 }, (_, index): [number, number] => [
      Math.cos((index * Math.PI) / 24) * centre_circle,
      Math.sin((index * Math.PI) / 24) * centre_circle,
    ]);
    const goal = (sign: number): [number, number][] => [
      [-w, sign * l],
      [-w, sign * (l + d)],
      [w, sign * (l + d)],
      [w, sign * l],
    ];
    return [
      closed,
      [
        [-half_width, 0],
        [half_width, 0],
      ],
      circle,
      goal(-1),
      goal(1),
    ];
  }

  override topSpeed_m_s(kind: string): number {
    return TOP_M_S[kind] ?? Number.POSITIVE_INFINITY;
  }

  private ball(): Vector3 {
    return this.balls.find(({ actor }) => actor.object.visible)?.actor.object.position ?? new Vector3();
  }

  /** Behind the car, as its player had the camera: with the ball in view, or looking where the car goes. */
  private follow(camera: PerspectiveCamera, { actor: { object }, camera: own }: Car, time_s: number): void {
    const recorded = own.followsBall?.number(time_s) !== 0;
    const mode = this.ballCamera.peek();
    const followsBall = mode === "recorded" ? recorded : mode === "on";
    const ahead = new Vector3(1, 0, 0).applyQuaternion(object.quaternion).setY(0);
    const away = followsBall ? new Vector3().subVectors(object.position, this.ball()).setY(0) : ahead.negate();
    if (away.lengthSq() < 0.01) away.set(1, 0, 0);
    away.normalize();
    const target = followsBall ? this.ball() : object.position.clone().addScaledVector(away, -10);
    // Twice as far as in the game, so that the car is not all there is to see.
    const from = object.position
      .clone()
      .addScaledVector(away, (own.distance?.number(time_s) ?? CAMERA.distance_uu) * METRES * 2);
    from.y = Math.max(1, object.position.y + (own.height?.number(time_s) ?? CAMERA.height_uu) * METRES * 2);
    look(camera, from, target);
  }

  private fromBall(camera: PerspectiveCamera): void {
    const ball = this.ball();
    const there = this.cars.filter(({ actor }) => actor.object.visible).map(({ actor }) => actor.object.position);
    const nearest = there.sort((a, b) => a.distanceTo(ball) - b.distanceTo(ball))[0];
    look(camera, new Vector3(ball.x, ball.y + 1.5, ball.z), nearest ?? new Vector3());
  }
}

function look(camera: PerspectiveCamera, from: Vector3, to: Vector3): void {
  camera.position.copy(from);
  camera.up.set(0, 1, 0);
  camera.lookAt(to);
}
