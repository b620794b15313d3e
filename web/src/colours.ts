// Colours that mean the same everywhere: in the scene, in charts, on the timeline.

const PLAYERS = ["#4f9dff", "#ff8a3d", "#3ecf8e", "#e25fd0", "#f2c94c", "#8f7bff", "#ff5c5c", "#35c7d4"];

/** The colour of the nth player. */
export function playerColour(index: number): string {
  return PLAYERS[((index % PLAYERS.length) + PLAYERS.length) % PLAYERS.length] ?? "#888888";
}

/** Blue and orange teams, as the game has them. */
export function teamColour(team: number | undefined): string {
  return team === undefined ? "#9aa4b2" : playerColour(team);
}

/** A colour that is always the same for the same word. */
export function wordColour(word: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index++) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  const turn = ((hash >>> 0) * 0.618033988749895) % 1;
  // With commas: three.js reads no other form.
  return `hsl(${Math.round(turn * 360)}, 62%, 56%)`;
}
