// Slippi: the stage, characters as clear shapes that show what they do, percent, stocks and controllers.

import { CapsuleGeometry, ConeGeometry, Mesh, MeshStandardMaterial, type Object3D, SphereGeometry, type Vector3 } from "three";
import { playerColour } from "../colours";
import type { Column, Entity, Recording } from "../data/recording";
import { el, setText } from "../dom";
import { BODIES, SHAPES } from "../facts/slippi";
import { shapeOf } from "../facts/shape";
import { icon } from "../icons";
import { type Actor, group, label } from "../scene/actor";
import { GameScene, type Home, type MapPlane } from "../scene/game";
import { solid } from "../scene/solids";
import { Controller } from "./melee/controller";
import { Rollbacks } from "./melee/rollbacks";
import { METRES, StageScene } from "./melee/stage";

/** A shield that nothing has touched, and the size of a middling character, which our shape has. */
const FULL_SHIELD = 60;
const MIDDLE_SIZE = 11;
const MOST_STOCKS = 9;

interface Fighter {
  actor: Actor; figure: Object3D; body: Mesh; shield: Mesh; colour: string; size: number;
  action: Column; hurtbox: Column; shieldLeft: Column; percent: Column; stocks: Column; character: Column; hitstun: Column;
  gauge?: { percent: HTMLElement; stocks: HTMLElement; action: HTMLElement; name: HTMLElement; controller: Controller };
}

export class SlippiScene extends GameScene {
  readonly home: Home = { position: [0, 2, 20], target: [0, 0.4, 0] };
  override readonly plane: MapPlane = { right: 0, up: 1, flipUp: false };
  readonly rollbacks: Rollbacks;
  private readonly fighters: Fighter[] = [];
  /** The fighters in the order of the recording's characters. */
  private readonly inOrder: Object3D[] = [];
  private readonly stage: StageScene;

  constructor(recording: Recording) {
    super(recording);
    this.stage = new StageScene(recording);
    this.rollbacks = new Rollbacks(recording, () => this.redraw());
    this.root.add(this.stage.object, this.rollbacks.object);
    for (const [index, player] of recording.ofKind("player").entries()) this.addFighter(player, index, 1);
    for (const follower of recording.ofKind("follower")) {
      const leader = this.fighters.findIndex(({ actor }) => actor.entity.id === follower.parent);
      this.addFighter(follower, Math.max(0, leader), 0.75);
    }
    this.inOrder.push(...[...this.fighters].sort((a, b) => a.actor.entity.id - b.actor.entity.id).map(({ actor }) => actor.object));
    for (const item of recording.ofKind("item")) this.add(item, itemShape(recording, item));
    for (const platform of recording.ofKind("platform")) this.add(platform, this.stage.platform(platform.id));
    this.hud.classList.add("low");
    this.hud.append(this.rollbacks.text, this.stage.state);
    this.tools.push(this.rollbacks.choice);
    this.cameras.push({ id: "side", label: "All fighters", move: (camera) => { this.frame(camera.position); camera.rotation.set(0, 0, 0); } });
    for (const { actor } of this.fighters) {
      this.cameras.push({
        id: `follow-${actor.entity.id}`, label: `Follow ${actor.entity.name}`,
        move: (camera) => { camera.position.set(actor.object.position.x, actor.object.position.y + 1, 9); camera.rotation.set(0, 0, 0); },
      });
    }
  }

  private addFighter(entity: Entity, index: number, size: number): void {
    const colour = playerColour(index);
    const body = new Mesh(new CapsuleGeometry(0.32, 0.7, 6, 16), new MeshStandardMaterial({ color: colour, transparent: true }));
    body.position.y = 0.67;
    const nose = new Mesh(new ConeGeometry(0.2, 0.5, 12), new MeshStandardMaterial({ color: "#ffffff" }));
    // A character looks along its Z.
    nose.position.set(0, 0.85, 0.42);
    nose.rotation.x = Math.PI / 2;
    const shield = new Mesh(new SphereGeometry(0.5, 24, 16), new MeshStandardMaterial({ color: colour, transparent: true, opacity: 0.4, depthWrite: false }));
    const tag = label(entity.name, colour);
    tag.position.y = 1.75;
    const figure = group(body, nose);
    const column = (name: string) => this.recording.column(entity.id, name);
    const fighter: Fighter = {
      actor: this.add(entity, group(figure, shield, tag)), figure, body, shield, colour, size, action: column("action_state"), hurtbox: column("hurtbox"),
      character: column("character"), shieldLeft: column("shield"), percent: column("percent"), stocks: column("stocks"), hitstun: column("hitstun_frames"),
    };
    if (size === 1) {
      const name = el("span", { class: "name" }, entity.name);
      const stocks = el("span", { class: "stocks" }, ...Array.from({ length: MOST_STOCKS }, () => icon("stock")));
      name.style.color = stocks.style.color = colour;
      const gauge = { name, stocks, percent: el("b", { class: "percent" }), action: el("span", { class: "action" }), controller: new Controller(column, colour) };
      this.hud.append(el("div", { class: "gauge fighter" }, name, gauge.percent, stocks, gauge.action, gauge.controller.element));
      fighter.gauge = gauge;
    }
    this.fighters.push(fighter);
  }

  override update(time_s: number): void {
    super.update(time_s);
    this.stage.show(time_s);
    for (const fighter of this.fighters) this.pose(fighter, time_s);
    this.rollbacks.show(time_s, this.inOrder);
  }

  private pose(fighter: Fighter, time_s: number): void {
    const { body, figure, shield, colour } = fighter;
    const action = fighter.action.text(time_s) ?? "";
    const hitstun = fighter.hitstun.number(time_s);
    // Old recordings do not tell hitstun; what the character does tells nearly as much.
    const isHurt = hitstun === undefined ? /^(Damage|DownBound|DownDamage|Capture|Thrown)/.test(action) : hitstun > 0;
    const hurtbox = fighter.hurtbox.text(time_s);
    const isSafe = hurtbox === undefined ? /^(Rebirth|Escape)/.test(action) : hurtbox !== "vulnerable";
    const isAttack = /^(Attack|Special|Catch|Throw)/.test(action);
    const material = body.material as MeshStandardMaterial;
    material.opacity = isSafe ? 0.45 : 1;
    material.color.set(colour);
    material.emissive.set(isHurt ? "#c22525" : isAttack ? "#6b5a00" : "#000000");
    const name = fighter.character.text(time_s) ?? "";
    const own = BODIES[name === "Popo" || name === "Nana" ? "Ice Climbers" : name];
    figure.scale.setScalar((fighter.size * (own?.size ?? MIDDLE_SIZE)) / MIDDLE_SIZE);
    body.rotation.x = isHurt ? -0.6 : 0;
    body.scale.y = /Squat/.test(action) ? 0.65 : 1;
    const left = Math.max(0, (fighter.shieldLeft.number(time_s) ?? FULL_SHIELD) / FULL_SHIELD);
    shield.visible = /^Guard/.test(action);
    shield.position.y = 0.67 * figure.scale.y;
    shield.scale.setScalar((own ? own.modelScale * own.shieldBase : 14) * METRES * (0.15 + 0.85 * left));
    if (fighter.gauge) this.tell(fighter, fighter.gauge, time_s, { action, name, hitstun, safety: isSafe ? (hurtbox ?? "safe") : "" });
  }

  private tell(
    { actor, percent, stocks }: Fighter, gauge: NonNullable<Fighter["gauge"]>, time_s: number,
    { action, name, hitstun, safety }: { action: string; name: string; hitstun: number | undefined; safety: string },
  ): void {
    setText(gauge.percent, `${Math.floor(percent.number(time_s) ?? 0)} %`);
    const count = Math.max(0, Math.min(MOST_STOCKS, stocks.number(time_s) ?? 0));
    gauge.stocks.setAttribute("data-count", String(count));
    for (const [index, stock] of [...gauge.stocks.children].entries()) stock.classList.toggle("gone", index >= count);
    const notes = [safety, hitstun !== undefined && hitstun > 0 ? `hitstun ${Math.ceil(hitstun)}` : ""].filter(Boolean).join(", ");
    setText(gauge.action, notes ? `${action} (${notes})` : action);
    if (name && !actor.entity.name.includes(name)) setText(gauge.name, `${actor.entity.name} (${name})`);
    gauge.controller.show(time_s);
  }

  /** Keeps everybody in the picture. */
  private frame(camera: Vector3): void {
    const there = this.fighters.filter(({ actor }) => actor.object.visible).map(({ actor }) => actor.object.position);
    if (there.length === 0) return;
    const xs = there.map(({ x }) => x);
    const ys = there.map(({ y }) => y);
    const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    camera.set((left + right) / 2, (low + high) / 2 + 1, Math.max(9, (right - left) * 0.8 + 6, (high - low) * 1.2 + 6));
  }
}

function itemShape(recording: Recording, item: Entity): Object3D {
  const owner = recording.ofKind("player").findIndex(({ id }) => id === item.parent);
  const colour = owner < 0 ? "#f2c94c" : playerColour(owner);
  return group(solid(shapeOf(SHAPES, "item", ""), new MeshStandardMaterial({ color: colour, emissive: colour, emissiveIntensity: 0.4, flatShading: true })));
}
