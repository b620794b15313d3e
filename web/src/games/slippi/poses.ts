// What a body does in each class of action: angles of its joints. Positive swings forward.

/** Degrees: upper and lower part of a limb. */
type Limb = [upper: number, lower: number];

export interface Pose {
  /** The trunk leans forward; the whole body turns. */
  lean: number;
  turn: number;
  head: number;
  /** Near and far, as seen from the camera. */
  arms: [Limb, Limb];
  legs: [Limb, Limb];
  /** How far the hips sink, in parts of a leg. */
  sink: number;
}

const pose = (lean: number, near: Limb, far: Limb, leg: Limb, other: Limb, more: Partial<Pose> = {}): Pose => ({
  lean,
  turn: 0,
  head: 0,
  arms: [near, far],
  legs: [leg, other],
  sink: 0,
  ...more,
});

const STAND = pose(8, [25, 60], [-10, 70], [18, -22], [-16, -14], { sink: 0.08 });
const POSES: Record<string, Pose> = {
  stand: STAND,
  crouch: pose(32, [30, 70], [10, 80], [75, -120], [40, -110], { sink: 0.5, head: -20 }),
  jumpsquat: pose(24, [-30, 30], [-40, 30], [55, -95], [25, -85], { sink: 0.35 }),
  rise: pose(4, [120, 30], [60, 40], [45, -70], [-20, -40]),
  fall: pose(-4, [80, 30], [-60, 40], [25, -40], [-22, -30]),
  helpless: pose(-14, [150, 20], [140, 20], [12, -20], [-14, -14]),
  land: pose(28, [-25, 40], [35, 50], [60, -95], [20, -80], { sink: 0.38 }),
  jab: pose(14, [90, 5], [20, 100], [28, -25], [-30, -10]),
  dashAttack: pose(48, [95, 5], [70, 20], [60, -50], [-50, -10], { sink: 0.12 }),
  forward: pose(-18, [-20, 60], [40, 70], [95, -4], [-14, -16]),
  up: pose(-6, [175, 5], [150, 10], [10, -15], [-14, -14]),
  down: pose(34, [45, 20], [-30, 40], [86, -10], [20, -110], { sink: 0.5 }),
  smash: pose(36, [105, 0], [95, 0], [55, -35], [-48, -6], { sink: 0.18 }),
  smashUp: pose(-16, [178, 0], [172, 0], [24, -20], [-26, -14]),
  smashDown: pose(18, [70, 0], [-70, 0], [80, -10], [-80, 10], { sink: 0.4 }),
  airNeutral: pose(0, [95, 0], [-95, 0], [80, -8], [-60, -60]),
  airForward: pose(30, [100, 0], [80, 15], [50, -60], [-30, -60]),
  airBack: pose(42, [30, 40], [40, 50], [-92, 4], [40, -90]),
  airUp: pose(-34, [40, 40], [-40, 40], [125, -4], [10, -60], { turn: -18 }),
  airDown: pose(16, [130, 20], [120, 20], [6, 0], [-4, 0]),
  special: pose(6, [92, 0], [70, 40], [26, -24], [-26, -14], { sink: 0.06 }),
  grab: pose(26, [88, 4], [84, 8], [34, -28], [-30, -10]),
  hold: pose(12, [70, 40], [66, 44], [22, -24], [-20, -14]),
  throw: pose(-10, [130, 10], [110, 20], [30, -20], [-30, -10]),
  shield: pose(26, [60, 105], [46, 110], [44, -70], [8, -64], { sink: 0.25 }),
  roll: pose(100, [60, 110], [60, 110], [110, -130], [100, -130], { sink: 0.5 }),
  dodge: pose(-24, [-30, 80], [-20, 90], [20, -40], [-18, -30]),
  airDodge: pose(-10, [-50, 40], [-60, 40], [30, -60], [10, -50], { turn: -12 }),
  hurt: pose(-38, [60, 20], [30, 30], [30, -20], [10, -50], { head: -24 }),
  launched: pose(-70, [70, 15], [40, 20], [55, -30], [25, -45], { turn: -38, head: -20 }),
  tumble: pose(-30, [100, 20], [-60, 40], [60, -60], [-20, -70]),
  down_: pose(-86, [120, 20], [60, 20], [6, -8], [-4, -6], { sink: 0.86 }),
  ledge: pose(-6, [178, 0], [172, 0], [14, -26], [-8, -20]),
  grabbed: pose(-16, [20, 10], [-10, 10], [14, -10], [-8, -12]),
  taunt: pose(-6, [120, 60], [-30, 70], [14, -12], [-14, -10]),
  dizzy: pose(22, [10, 10], [0, 14], [20, -30], [-12, -30], { sink: 0.12, head: 20 }),
};

/** Which pose an action takes; the first pattern that fits counts. Names of states as the game's tables have them. */
const CLASSES: [RegExp, string][] = [
  [/^Dead|^Sleep$/, "launched"],
  [/^Rebirth|^Entry/, "stand"],
  [/^(Wait|Turn|Ottotto|Item|LightGet|HeavyGet)/, "stand"],
  [/^(Squat|CrouchR?)/, "crouch"],
  [/^(Knee|JumpSquat)/, "jumpsquat"],
  [/^Jump/, "rise"],
  [/^FallSpecial/, "helpless"],
  [/^(LandingAir|Landing)/, "land"],
  [/^(Fall|DamageFall)Aerial|^Fall/, "fall"],
  [/^DamageFall/, "tumble"],
  [/^Attack(1|100|Jab)/, "jab"],
  [/^AttackDash/, "dashAttack"],
  [/^AttackS3/, "forward"],
  [/^AttackHi3/, "up"],
  [/^AttackLw3/, "down"],
  [/^AttackS4/, "smash"],
  [/^AttackHi4/, "smashUp"],
  [/^AttackLw4/, "smashDown"],
  [/^AttackAirN/, "airNeutral"],
  [/^AttackAirF/, "airForward"],
  [/^AttackAirB/, "airBack"],
  [/^AttackAirHi/, "airUp"],
  [/^AttackAirLw/, "airDown"],
  [/^CatchWait|^CatchAttack/, "hold"],
  [/^Catch/, "grab"],
  [/^Throw/, "throw"],
  [/^(Capture|Thrown)/, "grabbed"],
  [/^Guard/, "shield"],
  [/^EscapeAir/, "airDodge"],
  [/^EscapeN|^Escape$/, "dodge"],
  [/^(Escape|PassiveStandF|PassiveStandB|DownFo|DownBa)/, "roll"],
  [/^DamageFly/, "launched"],
  [/^(Damage|Down(Bound|Damage)D?$)/, "hurt"],
  [/^(Down|LieDown)/, "down_"],
  [/^Passive/, "land"],
  [/^(Cliff)(Catch|Wait)/, "ledge"],
  [/^Cliff/, "rise"],
  [/^(Furafura|ShieldBreak|Dizzy)/, "dizzy"],
  [/^Appeal/, "taunt"],
];
const CYCLES: [RegExp, frames: number, reach: number][] = [
  [/^Walk/, 30, 26],
  [/^(Run|Dash)/, 18, 58],
];
/** Attacks draw back first, in frames, and reach out then. */
const DRAW_BACK_FRAMES = 4;

const isAttack = (action: string) => /^(Attack|Special|Catch$|CatchDash|Throw)/.test(action);

/** Angles at an age of an action. What the tables have no class for is a special move, or the air. */
export function poseOf(action: string, age_frames: number, isAirborne: boolean): Pose {
  for (const [pattern, frames, reach] of CYCLES) if (pattern.test(action)) return stride(age_frames / frames, reach);
  const known = CLASSES.find(([pattern]) => pattern.test(action))?.[1];
  const wanted = POSES[known ?? (action === "" ? (isAirborne ? "fall" : "stand") : "special")] ?? STAND;
  if (/^(JumpAerial|DamageFall|AttackAirN)/.test(action))
    return { ...wanted, turn: wanted.turn + age_frames * (action.startsWith("DamageFall") ? -9 : 14) };
  if (/^Escape(F|B)|PassiveStand/.test(action)) return { ...wanted, turn: age_frames * 14 };
  if (isAttack(action) && age_frames < DRAW_BACK_FRAMES)
    return mix(STAND, wanted, -0.35 + (age_frames / DRAW_BACK_FRAMES) * 0.6);
  return wanted;
}

function stride(phase: number, reach: number): Pose {
  const swing = Math.sin(phase * 2 * Math.PI) * reach;
  const bend = (forward: number) => -18 - Math.max(0, -forward) * 1.1;
  return pose(reach > 40 ? 26 : 10, [-swing, 60], [swing, 60], [swing, bend(swing)], [-swing, bend(-swing)], {
    sink: 0.06,
  });
}

/** Between two poses; below 0 and above 1 beyond them. */
export function mix(a: Pose, b: Pose, part: number): Pose {
  const one = (x: number, y: number) => x + (y - x) * part;
  const limb = (x: Limb, y: Limb): Limb => [one(x[0], y[0]), one(x[1], y[1])];
  return {
    lean: one(a.lean, b.lean),
    turn: one(a.turn, b.turn),
    head: one(a.head, b.head),
    sink: one(a.sink, b.sink),
    arms: [limb(a.arms[0], b.arms[0]), limb(a.arms[1], b.arms[1])],
    legs: [limb(a.legs[0], b.legs[0]), limb(a.legs[1], b.legs[1])],
  };
}
