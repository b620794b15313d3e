// Slippi: the stage, figures that show what they do, percent, stocks and controllers.

import { signal } from "@preact/signals";
import {
  CircleGeometry,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type Object3D,
  type PerspectiveCamera,
  RingGeometry,
} from "three";
import type { Column, Entity, Recording } from "../../data/recording";
import { shapeOf } from "../../facts/shape";
import { BODIES, SHAPES } from "../../facts/slippi";
import { capital, minutes, short } from "../../format";
import type { People, Person } from "../../people";
import { type Actor, group } from "../../scene/actor";
import { type Clip, GameScene, type Home, type MapPlane } from "../../scene/game";
import type { Gauge, HudState, PadState } from "../../scene/hud";
import { Plates } from "../../scene/plates";
import { solid } from "../../scene/solids";
import { SideCamera } from "./camera";
import { Figure } from "./figure";
import { Footing } from "./footing";
import { lookOf } from "./looks";
import { Rollbacks } from "./rollbacks";
import { Sparks, Vectors } from "./sparks";
import { METRES, StageScene } from "./stage";

/** A shield that nothing has touched, and the size of a middling character, which our figure has. */
const FULL_SHIELD = 60;
const MIDDLE_SIZE = 11;
const FOLLOWER = 0.8;
/** From the side everything is nearly flat, as in the game; half of the height that is seen of one who is followed. */
const SIDE_FOV_DEG = 24;
const FOLLOW_M = 4.2;
/**
 * Faster than this nobody flies, in m/s: a launch has 0.03 units a frame for each unit of knockback, 6 m/s a unit, and
 * knockback of 300 is beyond what games last to see. What is faster came back on the platform.
 */
const TOP_M_S = 54;
/** A clip begins before its first hit and ends after its last, in seconds. */
const BEFORE_S = 1;
const AFTER_S = 1.5;
/** Shorter than this, a conversion is one hit and no clip. */
const FEWEST_MOVES = 3;
const BUTTONS = ["a", "b", "x", "y", "z", "l", "r"];

interface Fighter {
  actor: Actor;
  person: Person | undefined;
  host: Object3D;
  figure: Figure | undefined;
  shown: string;
  shield: Mesh;
  colour: string;
  size: number;
  vectors: Vectors;
  columns: Record<
    "action" | "age" | "airborne" | "hurtbox" | "shield" | "percent" | "stocks" | "character" | "hitstun",
    Column
  >;
  pad: { stick: [Column, Column]; cstick: [Column, Column]; trigger: Column; buttons: [string, Column][] } | undefined;
}

export class SlippiScene extends GameScene {
  readonly home: Home = { position: [0, 3, 24], target: [0, 0.8, 0] };
  override background = {
    dark: ["#1a2238", "#222d4a", "#141a2b", "#0b0e17"],
    light: ["#c4d7f2", "#e9f1fb", "#d5dfec", "#b7c3d4"],
  };
  override readonly plane: MapPlane = { right: 0, up: 1, flipUp: false };
  readonly rollbacks: Rollbacks;
  private readonly fighters: Fighter[] = [];
  /** The fighters in the order of the recording's characters. */
  private readonly inOrder: Object3D[] = [];
  private readonly stage: StageScene;
  private readonly footing: Footing | undefined;
  private readonly sparks: Sparks;
  private readonly plates = new Plates(this.root);
  private readonly side = new SideCamera();
  private readonly inputs = signal(true);
  private readonly vectors = signal(false);
  private readonly go_s: number;

  constructor(recording: Recording, people: People) {
    super(recording, people);
    this.stage = new StageScene(recording);
    this.root.add(this.stage.object);
    for (const player of recording.ofKind("player")) this.addFighter(player, 1);
    for (const follower of recording.ofKind("follower")) this.addFighter(follower, FOLLOWER);
    const sorted = [...this.fighters].sort((a, b) => a.actor.entity.id - b.actor.entity.id);
    this.inOrder.push(...sorted.map(({ actor }) => actor.object));
    for (const item of recording.ofKind("item")) this.add(item, this.itemShape(item));
    for (const platform of recording.ofKind("platform")) this.add(platform, this.stage.platform(platform.id));
    this.sparks = new Sparks(recording);
    this.root.add(this.sparks.object);
    this.rollbacks = new Rollbacks(
      recording,
      sorted.map(({ colour }) => colour),
      () => this.redraw(),
    );
    this.root.add(this.rollbacks.object);
    if (!this.stage.isKnown) {
      this.footing = new Footing(
        recording,
        sorted.map(({ actor }) => actor.entity.id),
      );
      this.root.add(this.footing.object);
      this.notice.value = "The measures of this stage are not known: its ground is where somebody stood.";
    }
    this.go_s = recording.events.find(({ kind }) => kind === "go")?.time_s ?? recording.start_s;
    this.tools.push(
      { label: "Inputs", value: this.inputs },
      { label: "Vectors", value: this.vectors },
      { label: "Rollbacks", value: this.rollbacks.isWanted },
    );
    this.addCameras();
    this.firstCamera = "side";
  }

  private addCameras(): void {
    const there = () =>
      this.fighters.filter(({ actor }) => actor.object.visible).map(({ actor }) => actor.object.position);
    this.cameras.unshift({
      id: "side",
      label: "All fighters",
      fov_deg: SIDE_FOV_DEG,
      move: (camera, _time_s, passed_s) => this.side.move(camera, there(), passed_s),
    });
    for (const { actor, person } of this.fighters) {
      this.cameras.push({
        id: `follow-${actor.entity.id}`,
        label: `Follow ${person && actor.entity.id === person.id ? person.name : actor.entity.name}`,
        fov_deg: SIDE_FOV_DEG,
        move: (camera) => {
          const { x, y } = actor.object.position;
          camera.position.set(x, y + 1, FOLLOW_M / Math.tan((camera.fov * Math.PI) / 360));
          camera.rotation.set(0, 0, 0);
        },
      });
    }
  }

  private addFighter(entity: Entity, size: number): void {
    const person = this.people.of(entity.id);
    const colour = this.people.colourOf(entity.id);
    const shield = new Mesh(
      new CircleGeometry(0.5, 40),
      new MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.38, depthWrite: false }),
    );
    const rim = new Mesh(new RingGeometry(0.47, 0.5, 40), new MeshBasicMaterial({ color: colour }));
    shield.add(rim);
    shield.renderOrder = 3;
    this.root.add(shield);
    const host = group();
    const column = (name: string) => this.recording.column(entity.id, name);
    const actor = this.add(entity, group(host));
    const isLeader = size === 1;
    if (isLeader) this.plates.add(person?.name ?? entity.name, colour, actor.object, 1.75);
    const vectors = new Vectors(
      this.recording.column(entity.id, "position"),
      [column("joystick_x"), column("joystick_y")],
      colour,
    );
    this.root.add(vectors.lines);
    this.fighters.push({
      actor,
      person,
      host,
      figure: undefined,
      shown: "\0",
      shield,
      colour,
      size,
      vectors,
      columns: {
        action: column("action_state"),
        age: column("state_age_frames"),
        airborne: column("airborne"),
        hurtbox: column("hurtbox"),
        shield: column("shield"),
        percent: column("percent"),
        stocks: column("stocks"),
        character: column("character"),
        hitstun: column("hitstun_frames"),
      },
      pad: isLeader
        ? {
            stick: [column("joystick_x"), column("joystick_y")],
            cstick: [column("cstick_x"), column("cstick_y")],
            trigger: column("trigger"),
            buttons: BUTTONS.map((button) => [button, column(`button_${button}`)]),
          }
        : undefined,
    });
  }

  override update(time_s: number): void {
    super.update(time_s);
    this.stage.show(time_s);
    this.footing?.look();
    for (const fighter of this.fighters) this.pose(fighter, time_s);
    const of = (entity: number) =>
      this.fighters.find(({ actor }) => actor.entity.id === entity || actor.entity.parent === entity)?.actor.object;
    this.sparks.show(time_s, of);
    this.rollbacks.show(time_s, this.inOrder);
  }

  private pose(fighter: Fighter, time_s: number): void {
    const { actor, columns, shield, host, colour, size } = fighter;
    const isThere = actor.object.visible;
    shield.visible = false;
    fighter.vectors.show(time_s, this.vectors.peek() && isThere);
    if (!isThere) return;
    const name = columns.character.text(time_s) ?? "";
    const own = BODIES[name === "Popo" || name === "Nana" ? "Ice Climbers" : name];
    if (name !== fighter.shown) {
      fighter.shown = name;
      fighter.figure = new Figure(lookOf(name), colour);
      host.clear();
      host.add(fighter.figure.object);
      host.scale.setScalar((size * (own?.size ?? MIDDLE_SIZE)) / MIDDLE_SIZE);
    }
    const action = columns.action.text(time_s) ?? "";
    const hitstun = columns.hitstun.number(time_s);
    // Old recordings do not tell hitstun; what the character does tells nearly as much.
    const isHurt = hitstun === undefined ? /^(Damage|DownBound|DownDamage|Capture|Thrown)/.test(action) : hitstun > 0;
    const hurtbox = columns.hurtbox.text(time_s);
    const isSafe = hurtbox === undefined ? /^(Rebirth|Escape)/.test(action) : hurtbox !== "vulnerable";
    fighter.figure?.pose(action, columns.age.number(time_s) ?? 0, columns.airborne.number(time_s) === 1, time_s);
    fighter.figure?.tint(isHurt ? "#7a1020" : "#000000", isSafe ? 0.5 : 1);
    const left = Math.max(0, (columns.shield.number(time_s) ?? FULL_SHIELD) / FULL_SHIELD);
    shield.visible = /^Guard/.test(action);
    shield.position.set(actor.object.position.x, actor.object.position.y + 0.67 * host.scale.y, 0.5);
    shield.scale.setScalar((own ? own.modelScale * own.shieldBase : 14) * METRES * (0.15 + 0.85 * left));
  }

  override themeChanged(theme: "dark" | "light"): void {
    this.stage.applyTheme(theme);
  }

  override beforeDrawing(camera: PerspectiveCamera, width: number, height: number): void {
    camera.updateMatrixWorld();
    this.plates.arrange(camera, width, height);
  }

  override hudAt(time_s: number): HudState {
    const gauges = this.fighters
      .filter(({ pad, actor }) => pad && this.recording.isPresent(actor.entity.id, time_s))
      .map((fighter) => this.gauge(fighter, time_s));
    const middle = Math.ceil(gauges.length / 2);
    return {
      place: "bottom",
      left: gauges.slice(0, middle),
      right: gauges.slice(middle),
      clock: minutes(Math.max(0, time_s - this.go_s)),
      note: this.rollbacks.text || this.stage.state,
    };
  }

  private gauge({ actor, person, columns, colour, pad }: Fighter, time_s: number): Gauge {
    const percent = columns.percent.number(time_s);
    const name = columns.character.text(time_s) ?? "";
    const hitstun = columns.hitstun.number(time_s) ?? 0;
    const hurtbox = columns.hurtbox.text(time_s);
    const notes = [
      hurtbox && hurtbox !== "vulnerable" ? hurtbox : "",
      hitstun > 0 ? `hitstun ${Math.ceil(hitstun)}` : "",
    ]
      .filter(Boolean)
      .join(", ");
    const pads = (): PadState | undefined =>
      pad && {
        stick: [pad.stick[0].number(time_s) ?? 0, pad.stick[1].number(time_s) ?? 0],
        cstick: [pad.cstick[0].number(time_s) ?? 0, pad.cstick[1].number(time_s) ?? 0],
        pressed: new Set(pad.buttons.filter(([, column]) => column.number(time_s) === 1).map(([button]) => button)),
        trigger: pad.trigger.number(time_s) ?? 0,
      };
    return {
      id: actor.entity.id,
      name: person?.name ?? actor.entity.name,
      detail: [name, notes].filter(Boolean).join(" · "),
      colour,
      value: percent === undefined ? "–" : `${Math.floor(percent)} %`,
      stocks: Math.max(0, columns.stocks.number(time_s) ?? 0),
      pad: this.inputs.value ? pads() : undefined,
    };
  }

  override topSpeed_m_s(): number {
    return TOP_M_S;
  }

  override clips(): Clip[] {
    const { events } = this.recording;
    const clips: Clip[] = [];
    for (const [index, event] of events.entries()) {
      const name = this.people.of(event.who)?.name ?? this.recording.entity(event.who)?.name ?? "";
      const colour = this.people.colourOf(event.who);
      if (event.kind === "kill") {
        const { move, percent } = event.details;
        clips.push({
          from_s: event.time_s - 4,
          to_s: event.time_s + AFTER_S,
          label: `Kill: ${name}`,
          detail: [capital(move ?? ""), percent ? `at ${short(Number.parseFloat(percent))} %` : ""]
            .filter(Boolean)
            .join(" "),
          colour,
          decides: true,
        });
      } else if (event.kind === "conversion-end") {
        const moves = Number(event.details["moves"] ?? 0);
        if (moves < FEWEST_MOVES) continue;
        const start = events
          .slice(0, index)
          .reverse()
          .find(({ kind, who }) => kind === "conversion-start" && who === event.who);
        const damage = Number.parseFloat(event.details["damage"] ?? "");
        clips.push({
          from_s: (start?.time_s ?? event.time_s - 3) - BEFORE_S,
          to_s: event.time_s + AFTER_S,
          label: `${moves} hits: ${name}`,
          detail: Number.isFinite(damage) ? `${short(damage)} % damage` : "",
          colour,
        });
      }
    }
    return clips.sort((a, b) => a.from_s - b.from_s);
  }

  private itemShape(item: Entity): Object3D {
    const owner = this.people.of(item.parent);
    const colour = owner?.colour ?? "#f2c94c";
    return group(
      solid(
        shapeOf(SHAPES, "item", ""),
        new MeshStandardMaterial({ color: colour, emissive: colour, emissiveIntensity: 0.4, flatShading: true }),
      ),
    );
  }
}
