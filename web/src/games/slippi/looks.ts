// How the figures of Melee's characters differ: simple proportions of our own, so that each is told at a glance.

export interface Look {
  /** The head's radius, and how wide the body is, in parts of a middling figure. */
  head: number;
  bulk: number;
  /** How long legs and arms are. */
  legs: number;
  arms: number;
  ears?: "pointed" | "round" | "long" | "none";
  tail?: "bushy" | "thin" | "bolt" | "thick";
  cape?: boolean;
  sword?: boolean;
  skirt?: boolean;
  hair?: "long" | "spikes" | "cap" | "crown";
  snout?: boolean;
  /** A ball with hands and feet. */
  isRound?: boolean;
  isFlat?: boolean;
}

const MAN: Look = { head: 1, bulk: 1, legs: 1, arms: 1 };

export const LOOKS: Record<string, Look> = {
  Bowser: { head: 1.25, bulk: 1.75, legs: 0.75, arms: 0.95, tail: "thick", snout: true, hair: "spikes" },
  "Captain Falcon": { head: 0.85, bulk: 1.1, legs: 1.15, arms: 1.1, hair: "cap" },
  "Donkey Kong": { head: 1.1, bulk: 1.75, legs: 0.7, arms: 1.5, snout: true },
  "Dr. Mario": { head: 1.3, bulk: 1.15, legs: 0.7, arms: 0.8, skirt: true },
  Falco: { head: 0.95, bulk: 0.85, legs: 1.15, arms: 0.95, tail: "thin", snout: true, hair: "spikes" },
  Fox: { head: 1, bulk: 0.85, legs: 1.05, arms: 0.95, ears: "pointed", tail: "bushy", snout: true },
  Ganondorf: { head: 0.85, bulk: 1.35, legs: 1.1, arms: 1.15, cape: true, hair: "spikes" },
  "Ice Climbers": { head: 1.45, bulk: 1.2, legs: 0.6, arms: 0.7, hair: "cap" },
  Jigglypuff: { head: 1, bulk: 1, legs: 0.4, arms: 0.4, isRound: true, ears: "pointed" },
  Kirby: { head: 1, bulk: 1, legs: 0.4, arms: 0.45, isRound: true },
  Link: { head: 0.95, bulk: 0.95, legs: 1, arms: 1, sword: true, hair: "cap", ears: "pointed" },
  Luigi: { head: 1.2, bulk: 0.95, legs: 0.95, arms: 0.9, hair: "cap" },
  Mario: { head: 1.3, bulk: 1.15, legs: 0.7, arms: 0.8, hair: "cap" },
  Marth: { head: 0.9, bulk: 0.85, legs: 1.15, arms: 1, sword: true, cape: true, hair: "crown" },
  Mewtwo: { head: 1.05, bulk: 0.85, legs: 1.05, arms: 1, tail: "thick", ears: "pointed" },
  "Mr. Game & Watch": { head: 1.15, bulk: 0.85, legs: 0.9, arms: 0.9, isFlat: true },
  Ness: { head: 1.5, bulk: 1.05, legs: 0.6, arms: 0.7, hair: "cap" },
  Peach: { head: 0.95, bulk: 0.85, legs: 1.05, arms: 0.95, skirt: true, hair: "crown" },
  Pichu: { head: 1.7, bulk: 1, legs: 0.5, arms: 0.5, ears: "long", tail: "bolt" },
  Pikachu: { head: 1.55, bulk: 1.25, legs: 0.5, arms: 0.55, ears: "long", tail: "bolt" },
  Roy: { head: 0.95, bulk: 0.9, legs: 1.05, arms: 1, sword: true, cape: true, hair: "spikes" },
  Samus: { head: 0.85, bulk: 1.25, legs: 1.1, arms: 1.05, hair: "cap" },
  Sheik: { head: 0.9, bulk: 0.8, legs: 1.15, arms: 1.05, hair: "long" },
  Yoshi: { head: 1.3, bulk: 1.05, legs: 0.8, arms: 0.7, tail: "thick", snout: true },
  "Young Link": { head: 1.3, bulk: 0.95, legs: 0.7, arms: 0.8, sword: true, hair: "cap", ears: "pointed" },
  Zelda: { head: 0.9, bulk: 0.8, legs: 1.1, arms: 1, skirt: true, hair: "long" },
};

export function lookOf(character: string): Look {
  return LOOKS[character === "Popo" || character === "Nana" ? "Ice Climbers" : character] ?? MAN;
}
