// What stands over the scene: data only, so that the page can show it and a picture can hold it.

/** A controller's state: sticks from −1 to 1, what is pressed, the trigger from 0 to 1. */
export interface PadState {
  stick: [number, number];
  cstick: [number, number];
  pressed: ReadonlySet<string>;
  trigger: number;
}

/** One player, or one team. */
export interface Gauge {
  id: number;
  name: string;
  /** Under or behind the name: a character, a camera. */
  detail?: string;
  colour: string;
  /** The number that counts: boost, percent, health. */
  value: string;
  /** The same as a part of 1, for a bar. */
  part?: number | undefined;
  stocks?: number | undefined;
  pad?: PadState | undefined;
}

export interface HudState {
  /** At the top, or below the action. */
  place: "top" | "bottom";
  left: Gauge[];
  right: Gauge[];
  /** The score of both sides, between them. */
  score?: [string, string] | undefined;
  clock?: string | undefined;
  /** A line about the moment. It has room of its own, so that nothing jumps when it comes. */
  note?: string | undefined;
}
