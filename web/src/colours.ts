// Colours that mean the same everywhere: in the scene, in charts, on the timeline.
//
// They mark things and never carry text: words stay in the theme's own colours, which have the contrast.

/** For whoever has neither a team nor a port. After Okabe and Ito, whose colours the colour-blind can tell apart. */
const MANY = ["#56b4e9", "#e69f00", "#2fb98a", "#cc79a7", "#f0e442", "#5b8def", "#d55e00", "#9aa4b2"];
/** Two teams, a shade for each player. */
const TEAMS = [
  ["#3f8efc", "#7ab8ff", "#2b62d9", "#43c6e8"],
  ["#ff8a34", "#ffbd59", "#e5602b", "#f7d154"],
];
/** Melee's four ports. */
const PORTS = ["#f0525b", "#4b94ff", "#f4c63d", "#35c48a"];
/** Melee's teams in doubles: red, blue, green, a shade for each player. */
const MELEE_TEAMS = [
  ["#f0525b", "#ff9a8c"],
  ["#4b94ff", "#8fd0ff"],
  ["#35c48a", "#a5e06c"],
];
/** Two opponents in the ring. */
const OPPONENTS = ["#38b6ff", "#ff9140"];
/** For what belongs to none. */
export const NEUTRAL = "#9aa4b2";

function pick(list: readonly string[], index: number): string {
  return list[((index % list.length) + list.length) % list.length] ?? NEUTRAL;
}

/** The colour of the nth of many. */
export function manyColour(index: number): string {
  return pick(MANY, index);
}

/** Blue and orange, as the game has them. */
export function teamColour(team: number | undefined, nth = 0): string {
  const own = team === undefined ? undefined : TEAMS[team];
  return own ? pick(own, nth) : NEUTRAL;
}

export function portColour(port: number): string {
  return pick(PORTS, port);
}

export function meleeTeamColour(team: number, nth: number): string {
  return pick(MELEE_TEAMS[team] ?? PORTS, nth);
}

export function opponentColour(index: number): string {
  return index < OPPONENTS.length ? pick(OPPONENTS, index) : manyColour(index);
}

/** A colour that is always the same for the same word. */
export function wordColour(word: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index++) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  const turn = ((hash >>> 0) * 0.618033988749895) % 1;
  // With commas: three.js reads no other form.
  return `hsl(${Math.round(turn * 360)}, 62%, 56%)`;
}
