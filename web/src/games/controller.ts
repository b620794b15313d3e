// What a player's hands do: two sticks, buttons, the trigger.

import type { Column } from "../data/recording";
import { el } from "../dom";

const BUTTONS: [string, string][] = [["a", "A"], ["b", "B"], ["x", "X"], ["y", "Y"], ["z", "Z"], ["l", "L"], ["r", "R"], ["start", "S"]];

export class Controller {
  readonly element = el("span", { class: "pad", "aria-hidden": "true" });
  private readonly sticks: { dot: HTMLElement; x: Column; y: Column }[] = [];
  private readonly keys: { key: HTMLElement; pressed: Column }[] = [];

  constructor(column: (name: string) => Column, private readonly colour: string) {
    for (const name of ["joystick", "cstick"]) {
      const dot = el("i");
      this.sticks.push({ dot, x: column(`${name}_x`), y: column(`${name}_y`) });
      this.element.append(el("span", { class: `stick ${name}` }, dot));
    }
    for (const [button, name] of BUTTONS) {
      const key = el("span", { class: "key" }, name);
      this.keys.push({ key, pressed: column(`button_${button}`) });
      this.element.append(key);
    }
  }

  show(time_s: number): void {
    for (const { dot, x, y } of this.sticks) {
      dot.style.transform = `translate(${(x.number(time_s) ?? 0) * 8}px, ${-(y.number(time_s) ?? 0) * 8}px)`;
    }
    for (const { key, pressed } of this.keys) {
      const background = pressed.number(time_s) === 1 ? this.colour : "";
      if (key.style.backgroundColor !== background) key.style.backgroundColor = background;
    }
  }
}
