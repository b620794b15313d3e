// Slippi: the stage, characters as clear shapes that show what they do, percent, stocks and controllers.

import {
  BoxGeometry, BufferGeometry, CapsuleGeometry, ConeGeometry, ExtrudeGeometry, IcosahedronGeometry, LineBasicMaterial, LineLoop, Mesh,
  MeshStandardMaterial, type Object3D, Shape, SphereGeometry, Vector3,
} from "three";
import { playerColour } from "../colours";
import type { Column, Entity, Recording } from "../data/recording";
import { el, setText } from "../dom";
import { type Actor, group, label, still } from "../scene/actor";
import { GameScene, type Home, type MapPlane } from "../scene/game";
import { Controller } from "./controller";
import { STAGES, type StageShape } from "./stages";

const METRES = 0.1;
const FULL_SHIELD = 60;

interface Fighter {
  actor: Actor; body: Mesh; shield: Mesh; colour: string; action: Column; hurtbox: Column; shieldLeft: Column; percent: Column; stocks: Column; character: Column;
  shownPercent?: HTMLElement; shownStocks?: HTMLElement; shownAction?: HTMLElement; shownName?: HTMLElement; controller?: Controller;
}

export class SlippiScene extends GameScene {
  readonly home: Home = { position: [0, 3, 18], target: [0, 1.6, 0] };
  override readonly plane: MapPlane = { right: 0, up: 1, flipUp: false };
  private readonly fighters: Fighter[] = [];
  private readonly platforms: { mesh: Mesh; width: Column }[] = [];
  private readonly wind: Column | undefined;
  private readonly shape: Column | undefined;
  private readonly state = el("div", { class: "score", hidden: true });

  constructor(recording: Recording) {
    super(recording);
    const shape = STAGES[recording.outline.summary.map ?? ""];
    this.root.add(still(shape ? stage(shape) : plainGround()));
    for (const [index, player] of recording.ofKind("player").entries()) this.addFighter(player, index, true);
    for (const follower of recording.ofKind("follower")) {
      const leader = this.fighters.findIndex(({ actor }) => actor.entity.id === follower.parent);
      this.addFighter(follower, Math.max(0, leader), false);
    }
    for (const item of recording.ofKind("item")) this.add(item, itemShape(recording, item));
    for (const platform of recording.ofKind("platform")) this.addPlatform(platform);
    const [wind, state] = [recording.ofKind("wind")[0], recording.ofKind("stage-shape")[0]];
    this.wind = wind && recording.column(wind.id, "wind");
    this.shape = state && recording.column(state.id, "shape");
    this.hud.classList.add("low");
    this.hud.append(this.state);
    this.cameras.push({ id: "side", label: "All fighters", move: (camera) => { this.frame(camera.position); camera.rotation.set(0, 0, 0); } });
    for (const { actor } of this.fighters) {
      this.cameras.push({
        id: `follow-${actor.entity.id}`, label: `Follow ${actor.entity.name}`,
        move: (camera) => { camera.position.set(actor.object.position.x, actor.object.position.y + 1, 9); camera.rotation.set(0, 0, 0); },
      });
    }
  }

  private addPlatform(platform: Entity): void {
    const mesh = new Mesh(new BoxGeometry(1, 0.12, 1.8), new MeshStandardMaterial({ color: "#8fa3c4" }));
    mesh.position.y = -0.06;
    this.platforms.push({ mesh, width: this.recording.column(platform.id, "width_m") });
    this.add(platform, group(mesh));
  }

  private addFighter(entity: Entity, index: number, isPlayer: boolean): void {
    const colour = playerColour(index);
    const size = isPlayer ? 1 : 0.75;
    const body = new Mesh(new CapsuleGeometry(0.32 * size, 0.7 * size, 6, 16), new MeshStandardMaterial({ color: colour, transparent: true }));
    body.position.y = 0.67 * size;
    const nose = new Mesh(new ConeGeometry(0.2 * size, 0.5 * size, 12), new MeshStandardMaterial({ color: "#ffffff" }));
    // A character looks along its Z.
    nose.position.set(0, 0.85 * size, 0.42 * size);
    nose.rotation.x = Math.PI / 2;
    const shield = new Mesh(new SphereGeometry(0.95 * size, 24, 16), new MeshStandardMaterial({ color: colour, transparent: true, opacity: 0.4, depthWrite: false }));
    shield.position.y = 0.67 * size;
    const tag = label(entity.name, colour);
    tag.position.y = 1.75;
    const column = (name: string) => this.recording.column(entity.id, name);
    const fighter: Fighter = {
      actor: this.add(entity, group(body, nose, shield, tag)), body, shield, colour, action: column("action_state"), hurtbox: column("hurtbox"), character: column("character"),
      shieldLeft: column("shield"), percent: column("percent"), stocks: column("stocks"),
    };
    if (isPlayer) {
      fighter.shownPercent = el("b", { class: "percent" });
      fighter.shownStocks = el("span", { class: "stocks" });
      fighter.shownAction = el("span", { class: "action" });
      fighter.controller = new Controller(column, colour);
      const name = (fighter.shownName = el("span", { class: "name" }, entity.name));
      name.style.color = fighter.shownStocks.style.color = colour;
      this.hud.append(el("div", { class: "gauge fighter" }, name, fighter.shownPercent, fighter.shownStocks, fighter.shownAction, fighter.controller.element));
    }
    this.fighters.push(fighter);
  }

  override update(time_s: number): void {
    super.update(time_s);
    for (const { mesh, width } of this.platforms) mesh.scale.x = width.number(time_s) ?? 1;
    for (const fighter of this.fighters) this.pose(fighter, time_s);
    this.showState(time_s);
  }

  private pose(fighter: Fighter, time_s: number): void {
    const { body, shield, colour } = fighter;
    const action = fighter.action.text(time_s) ?? "";
    const isHurt = /^(Damage|DownBound|DownDamage|Capture|Thrown)/.test(action);
    const hurtbox = fighter.hurtbox.text(time_s);
    const isSafe = hurtbox === undefined ? /^(Rebirth|Escape)/.test(action) : hurtbox !== "vulnerable";
    const isAttack = /^(Attack|Special|Catch|Throw)/.test(action) || /^[A-Z_]+$/.test(action);
    const material = body.material as MeshStandardMaterial;
    material.opacity = isSafe ? 0.45 : 1;
    material.color.set(colour);
    material.emissive.set(isHurt ? "#c22525" : isAttack ? "#6b5a00" : "#000000");
    body.rotation.x = isHurt ? -0.6 : 0;
    body.scale.y = /Squat/.test(action) ? 0.65 : 1;
    const left = fighter.shieldLeft.number(time_s) ?? FULL_SHIELD;
    shield.visible = /^Guard/.test(action);
    shield.scale.setScalar(0.35 + 0.65 * Math.max(0, left / FULL_SHIELD));
    if (!fighter.shownPercent || !fighter.shownStocks || !fighter.shownAction) return;
    setText(fighter.shownPercent, `${Math.floor(fighter.percent.number(time_s) ?? 0)} %`);
    setText(fighter.shownStocks, "●".repeat(Math.max(0, Math.min(9, fighter.stocks.number(time_s) ?? 0))));
    setText(fighter.shownAction, isSafe ? `${action} (${hurtbox ?? "safe"})` : action);
    const character = fighter.character.text(time_s);
    if (fighter.shownName && character && !fighter.actor.entity.name.includes(character)) setText(fighter.shownName, `${fighter.actor.entity.name} (${character})`);
    fighter.controller?.show(time_s);
  }

  /** What the stage does now: wind, transformation. */
  private showState(time_s: number): void {
    const wind = this.wind?.text(time_s) ?? "none";
    const shape = this.shape?.text(time_s) ?? "normal";
    const text = wind !== "none" ? `Wind: ${wind}` : shape !== "normal" ? `Stadium: ${shape}` : "";
    this.state.hidden = text === "";
    setText(this.state, text);
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

function stage({ blast, edge, outline }: StageShape): Object3D {
  const scaled = (points: [number, number][]) => points.map(([x, y]) => new Vector3(x * METRES, y * METRES, 0));
  const ground = new ExtrudeGeometry(new Shape(scaled(outline).map(({ x, y }) => new Vector3(x, y, 0)) as never), { depth: 2.4, bevelEnabled: false });
  ground.translate(0, 0, -1.2);
  const stone = new MeshStandardMaterial({ color: "#515c72", roughness: 0.9 });
  const made = group(new Mesh(ground, stone));
  for (const sign of [-1, 1]) {
    const ledge = new Mesh(new SphereGeometry(0.14, 12, 8), new MeshStandardMaterial({ color: "#f2c94c" }));
    ledge.position.set(sign * edge * METRES, 0, 1.2);
    made.add(ledge);
  }
  const { left, right, top, bottom } = blast;
  const zone = new BufferGeometry().setFromPoints(scaled([[left, top], [right, top], [right, bottom], [left, bottom]]));
  made.add(new LineLoop(zone, new LineBasicMaterial({ color: "#d9534f" })));
  return made;
}

function plainGround(): Object3D {
  const ground = new Mesh(new BoxGeometry(20, 0.2, 2.4), new MeshStandardMaterial({ color: "#515c72" }));
  ground.position.y = -0.1;
  return group(ground);
}

function itemShape(recording: Recording, item: Entity): Object3D {
  const owner = recording.ofKind("player").findIndex(({ id }) => id === item.parent);
  const colour = owner < 0 ? "#f2c94c" : playerColour(owner);
  return group(new Mesh(new IcosahedronGeometry(0.22, 0), new MeshStandardMaterial({ color: colour, emissive: colour, emissiveIntensity: 0.4, flatShading: true })));
}
