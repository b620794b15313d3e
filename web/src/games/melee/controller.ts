// What a player's hands do: two sticks, the cross, buttons, the trigger.

import type { Column } from "../../data/recording";
import { el } from "../../dom";

const BUTTONS: [string, string][] = [["a", "A"], ["b", "B"], ["x", "X"], ["y", "Y"], ["z", "Z"], ["l", "L"], ["r", "R"], ["start", "S"]];
const CROSS = ["up", "down", "left", "right"];
/** How far a stick's knob moves, in pixels. */
const REACH_PX = 8;

export class Controller {
  readonly element = el("span", { class: "pad", "aria-hidden": "true" });
  private readonly sticks: { knob: HTMLElement; x: Column; y: Column }[] = [];
  private readonly keys: { key: HTMLElement; pressed: Column }[] = [];
  private readonly fill = el("i");
  private readonly trigger: Column;

  constructor(column: (name: string) => Column, private readonly colour: string) {
    for (const name of ["joystick", "cstick"]) {
      const knob = el("i");
      this.sticks.push({ knob, x: column(`${name}_x`), y: column(`${name}_y`) });
      this.element.append(el("span", { class: `stick ${name}` }, knob));
    }
    const cross = el("span", { class: "cross" });
    for (const direction of CROSS) {
      const key = el("i", { class: direction });
      this.keys.push({ key, pressed: column(`button_dpad_${direction}`) });
      cross.append(key);
    }
    this.element.append(cross);
    for (const [button, name] of BUTTONS) {
      const key = el("span", { class: `key ${button}` }, name);
      this.keys.push({ key, pressed: column(`button_${button}`) });
      this.element.append(key);
    }
    this.trigger = column("trigger");
    this.element.append(el("span", { class: "trigger" }, this.fill));
  }

  show(time_s: number): void {
    for (const { knob, x, y } of this.sticks) {
      knob.style.transform = `translate(${(x.number(time_s) ?? 0) * REACH_PX}px, ${-(y.number(time_s) ?? 0) * REACH_PX}px)`;
    }
    for (const { key, pressed } of this.keys) {
      const background = pressed.number(time_s) === 1 ? this.colour : "";
      if (key.style.backgroundColor !== background) key.style.backgroundColor = background;
    }
    this.fill.style.height = `${Math.min(1, this.trigger.number(time_s) ?? 0) * 100}%`;
  }
}
