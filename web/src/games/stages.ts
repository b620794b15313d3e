// Melee's tournament stages in the game's units (a decimetre each): outlines, blast zones, ledges. Platforms come with the recording.
// Source: libmelee (Magus420's measurements) and slippilab, which agree but for the top of Yoshi's Story.

export interface StageShape {
  blast: { left: number; right: number; top: number; bottom: number };
  /** Where the ground ends on the right; the left mirrors it. */
  edge: number;
  outline: [number, number][];
}

/** The right half of an outline, mirrored to the left. */
function mirrored(right: [number, number][]): [number, number][] {
  return [...right, ...right.map(([x, y]): [number, number] => [-x, y]).reverse()];
}

const blast = (left: number, right: number, top: number, bottom: number) => ({ left, right, top, bottom });

export const STAGES: Record<string, StageShape> = {
  "Battlefield": {
    blast: blast(-224, 224, 200, -108.8), edge: 68.4,
    outline: mirrored([[68.4, 0], [65, -6], [36, -19], [39, -21], [33, -25], [30, -29], [29, -35], [10, -40], [10, -30]]),
  },
  "Final Destination": {
    blast: blast(-246, 246, 188, -140), edge: 85.57,
    outline: mirrored([[85.6, 0], [85.6, -10], [65, -20], [65, -30], [60, -47], [50, -55], [45, -56]]),
  },
  "Dream Land N64": {
    blast: blast(-255, 255, 250, -123), edge: 77.27,
    outline: mirrored([[77.25, 0], [76.5, -11], [65.75, -36]]),
  },
  "Fountain of Dreams": {
    blast: blast(-198.75, 198.75, 202.5, -146.25), edge: 63.35,
    outline: mirrored([[51, 0], [53.5, 0.62], [63.33, 0.62], [63.35, -4.5], [59.33, -15], [56.9, -19.5], [55, -27], [52, -32], [48, -38], [41, -42], [19, -49.5], [13, -54.5], [10, -62], [8.8, -72], [8.8, -150]]),
  },
  "Pokémon Stadium": {
    blast: blast(-230, 230, 180, -111), edge: 87.75,
    outline: mirrored([[87.75, 0], [87.75, -4], [73.75, -15], [73.75, -17.75], [60, -17.75], [60, -38], [15, -60], [15, -112]]),
  },
  "Yoshi's Story": {
    blast: blast(-175.7, 173.6, 168, -91), edge: 56,
    outline: mirrored([[39, 0], [56, -3.5], [56, -7], [55, -8], [54, -11], [53, -12], [53, -27], [54, -28], [54, -30], [53, -31], [53, -46], [54, -47], [54, -91]]),
  },
};
