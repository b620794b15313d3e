// What a player's hands do: two sticks, buttons, the trigger.

import type { Column } from "../data/recording";
import { el } from "../dom";

const BUTTONS: [number, string][] = [[0x100, "A"], [0x200, "B"], [0x400, "X"], [0x800, "Y"], [0x10, "Z"], [0x40, "L"], [0x20, "R"], [0x1000, "S"]];

export class Controller {
  readonly element = el("span", { class: "pad", "aria-hidden": "true" });
  private readonly sticks: { dot: HTMLElement; x: Column; y: Column }[] = [];
  private readonly keys: { key: HTMLElement; bit: number }[] = [];
  private readonly buttons: Column;

  constructor(column: (name: string) => Column, private readonly colour: string) {
    this.buttons = column("buttons");
    for (const name of ["joystick", "cstick"]) {
      const dot = el("i");
      this.sticks.push({ dot, x: column(`${name}_x`), y: column(`${name}_y`) });
      this.element.append(el("span", { class: `stick ${name}` }, dot));
    }
    for (const [bit, name] of BUTTONS) {
      const key = el("span", { class: "key" }, name);
      this.keys.push({ key, bit });
      this.element.append(key);
    }
  }

  show(time_s: number): void {
    for (const { dot, x, y } of this.sticks) {
      dot.style.transform = `translate(${(x.number(time_s) ?? 0) * 8}px, ${-(y.number(time_s) ?? 0) * 8}px)`;
    }
    const pressed = this.buttons.number(time_s) ?? 0;
    for (const { key, bit } of this.keys) {
      const background = (pressed & bit) !== 0 ? this.colour : "";
      if (key.style.backgroundColor !== background) key.style.backgroundColor = background;
    }
  }
}
