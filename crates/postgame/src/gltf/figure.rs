//! Draws a body between the recorded parts of a person: head, hands, ground, and feet if they are recorded.
//!
//! Shoulders and hips follow from the head, elbows and knees from two bones of fixed length (inverse kinematics).
//! Recorded parts stay where they are; the rest is an illustration, not data.

use super::vectors::{UP, Vector, add, along, cross, dot, length, scale, subtract, turn, unit};
use crate::timeline::{Entity, EntityId, Sample, Timeline};

/// Height in metres, used if the recording does not state one: about that of an adult. Same as
/// `data/rumble/figure.tsv`.
const HEIGHT_M: f32 = 1.75;

/// Plausible heights, in metres; a file's other values are ignored.
const HEIGHTS_M: std::ops::RangeInclusive<f32> = 0.8..=2.6;

/// Lengths as fractions of the body's height. Source: Drillis and Contini's body segments (1966), as given in textbooks
/// of biomechanics; the forearm reaches to the palm, which holds the controller.
mod part {
    pub const EYES_TO_SHOULDERS: f32 = 0.118;
    pub const SHOULDERS_TO_HIPS: f32 = 0.288;
    pub const HALF_SHOULDERS: f32 = 0.115;
    pub const HALF_HIPS: f32 = 0.06;
    pub const UPPER_ARM: f32 = 0.186;
    pub const FOREARM: f32 = 0.19;
    pub const THIGH: f32 = 0.245;
    pub const SHANK: f32 = 0.246;
    pub const ANKLE: f32 = 0.039;
    /// Distance from the eyes back to the spine.
    pub const EYES_TO_SPINE: f32 = 0.05;
    /// Length of a fist.
    pub const FIST: f32 = 0.06;
    /// Width of the visor, and its distance from the centre of the head.
    pub const VISOR: f32 = 0.075;
    pub const EYES_TO_VISOR: f32 = 0.05;
    /// Distance of the feet in front of and behind the hips: a fighter's stance.
    pub const STANCE: f32 = 0.09;
}

/// A piece of a body: its name, its width and depth as fractions of the height, and whether it is dark instead of the
/// player's colour.
struct Piece {
    name: &'static str,
    width: f32,
    depth: f32,
    is_dark: bool,
}

/// The pieces, in the order of [`Posture::bones`].
const PIECES: [Piece; PIECE_COUNT] = [
    piece("torso", 0.2, 0.12),
    piece("hips", 0.17, 0.115),
    piece("neck", 0.06, 0.06),
    piece("left upper arm", 0.055, 0.055),
    piece("left forearm", 0.045, 0.045),
    piece("right upper arm", 0.055, 0.055),
    piece("right forearm", 0.045, 0.045),
    piece("left thigh", 0.085, 0.085),
    piece("left shank", 0.06, 0.06),
    piece("right thigh", 0.085, 0.085),
    piece("right shank", 0.06, 0.06),
    piece("left shoe", 0.05, 0.04),
    piece("right shoe", 0.05, 0.04),
    piece("left fist", 0.062, 0.066),
    piece("right fist", 0.062, 0.066),
    // Shows which way a head faces.
    Piece {
        is_dark: true,
        ..piece("visor", 0.042, 0.03)
    },
];

const PIECE_COUNT: usize = 16;

const fn piece(name: &'static str, width: f32, depth: f32) -> Piece {
    Piece {
        name,
        width,
        depth,
        is_dark: false,
    }
}

/// A bone at one time: from one joint to another.
type Bone = (Vector, Vector);

/// A person of a timeline.
pub(super) struct Figure<'a> {
    /// The player it belongs to.
    pub id: EntityId,
    player: &'a Entity,
    head: &'a Entity,
    hands: [&'a Entity; 2],
    rig: Option<&'a Entity>,
    feet: [Option<&'a Entity>; 2],
    height_m: f32,
}

/// One piece of a body over time.
pub(super) struct Limb {
    /// The player's name and the name of the piece.
    pub name: String,
    /// Its size: width, length and depth, in metres.
    pub size_m: [f32; 3],
    /// True if it is dark instead of the player's colour.
    pub is_dark: bool,
    /// Its start, at each of the figure's times.
    pub positions: Vec<Vector>,
    /// Its rotation: Y points to its end.
    pub rotations: Vec<[f32; 4]>,
    /// Its scale: 0 while the person is absent; longer or shorter than 1 if an arm has to reach.
    pub scales: Vec<Vector>,
}

/// All persons of a timeline: players with a head and two hands.
pub(super) fn figures(timeline: &Timeline) -> Vec<Figure<'_>> {
    let players = timeline.entities.iter().enumerate();
    players
        .filter(|(_, entity)| entity.kind == "player")
        .filter_map(|(index, player)| Figure::new(timeline, EntityId(index), player))
        .collect()
}

impl<'a> Figure<'a> {
    fn new(timeline: &'a Timeline, id: EntityId, player: &'a Entity) -> Option<Self> {
        // The parts of a player directly follow it.
        let parts = timeline.entities.iter().skip(id.0 + 1);
        let own = || parts.clone().take_while(|part| part.parent == Some(id));
        let find = |kind: &str| own().find(|part| part.kind == kind && super::has_position(part));
        let mut tracks = player.tracks.iter().flat_map(|track| &track.columns);
        let stated = tracks.find(|column| column.name == "length");
        let stated = match stated.and_then(|column| column.values.get(0)) {
            Some(Sample::Scalar(height)) if HEIGHTS_M.contains(&height) => height,
            _ => HEIGHT_M,
        };
        Some(Self {
            id,
            player,
            head: find("head")?,
            hands: [find("left_hand")?, find("right_hand")?],
            rig: find("rig"),
            feet: [find("left_foot"), find("right_foot")],
            height_m: stated,
        })
    }

    /// The times at which any part of the person moves, in the timeline's seconds, ascending and within the timeline.
    pub(super) fn times_s(&self, timeline: &Timeline) -> Vec<f64> {
        let parts = [Some(self.player), Some(self.head), self.rig]
            .into_iter()
            .chain(self.hands.map(Some))
            .chain(self.feet);
        let mut times_s: Vec<f64> = parts
            .flatten()
            .flat_map(|part| &part.tracks)
            .filter(|track| {
                let name = track.columns.first().map(|column| column.name);
                matches!(name, Some("position" | "rotation" | "active"))
            })
            .flat_map(|track| track.times_s.iter().copied())
            .chain([timeline.start_s])
            .filter(|time_s| (timeline.start_s..=timeline.end_s).contains(time_s))
            .collect();
        times_s.sort_by(f64::total_cmp);
        times_s.dedup();
        times_s
    }

    /// The position of the head.
    pub(super) fn head(&self, time_s: f64) -> Option<Vector> {
        let is_there = self.player.flag("active", time_s) != Some(false);
        self.head.position(time_s).filter(|_| is_there)
    }

    /// The height of the ground.
    pub(super) fn ground(&self, time_s: f64) -> Option<f32> {
        if let Some(rig) = self.rig {
            return rig.position(time_s).map(|rig| rig[1]);
        }
        let feet = self.feet.iter().flatten();
        let feet = feet.filter_map(|foot| foot.position(time_s));
        feet.map(|foot| foot[1] - part::ANKLE * self.height_m)
            .reduce(f32::min)
    }

    /// The pieces of the body at these times.
    pub(super) fn limbs(&self, times_s: &[f64]) -> Vec<Limb> {
        let lengths = usual_lengths(self.height_m);
        let mut limbs: Vec<Limb> = PIECES
            .iter()
            .zip(lengths)
            .map(|(piece, length_m)| Limb {
                name: format!("{} {}", self.player.name, piece.name),
                size_m: [
                    piece.width * self.height_m,
                    length_m,
                    piece.depth * self.height_m,
                ],
                is_dark: piece.is_dark,
                positions: Vec::with_capacity(times_s.len()),
                rotations: Vec::with_capacity(times_s.len()),
                scales: Vec::with_capacity(times_s.len()),
            })
            .collect();
        for &time_s in times_s {
            let posture = self.posture(time_s);
            for (index, limb) in limbs.iter_mut().enumerate() {
                limb.add(posture.as_ref(), index);
            }
        }
        limbs
    }

    fn posture(&self, time_s: f64) -> Option<Posture> {
        let head = self.head(time_s)?;
        let turned = self.head.rotation(time_s).unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let hands = [
            self.hands[0].position(time_s)?,
            self.hands[1].position(time_s)?,
        ];
        let feet = self.feet.map(|foot| foot?.position(time_s));
        let ground = self
            .ground(time_s)
            .unwrap_or(head[1] - 0.936 * self.height_m);
        let all = [head, hands[0], hands[1]];
        let is_number = all.as_flattened().iter().all(|part| part.is_finite());
        is_number.then(|| Posture::new(self.height_m, head, turned, hands, feet, ground))
    }
}

impl Limb {
    fn add(&mut self, posture: Option<&Posture>, index: usize) {
        let bone = posture.and_then(|posture| Some((posture.bones.get(index)?, posture.ahead)));
        let Some(((from, to), ahead)) = bone else {
            // Absent: keeps its last position, with scale 0.
            self.positions
                .push(self.positions.last().copied().unwrap_or_default());
            let turned = self.rotations.last().copied();
            self.rotations.push(turned.unwrap_or([0.0, 0.0, 0.0, 1.0]));
            self.scales.push([0.0; 3]);
            return;
        };
        let way = subtract(*to, *from);
        let stretch = length(way) / self.size_m[1].max(1e-3);
        self.positions.push(*from);
        self.rotations.push(along(way, ahead));
        // Lengths that differ from the usual ones only by rounding are set to the usual ones.
        let stretch = if (stretch - 1.0).abs() < 0.01 {
            1.0
        } else {
            stretch
        };
        self.scales.push([1.0, stretch, 1.0]);
    }
}

/// The length of each piece if nothing has to reach.
fn usual_lengths(height_m: f32) -> [f32; PIECE_COUNT] {
    [
        part::SHOULDERS_TO_HIPS * 0.72,
        part::HALF_HIPS * 0.9,
        part::EYES_TO_SHOULDERS * 0.8,
        part::UPPER_ARM,
        part::FOREARM,
        part::UPPER_ARM,
        part::FOREARM,
        part::THIGH,
        part::SHANK,
        part::THIGH,
        part::SHANK,
        0.1,
        0.1,
        part::FIST,
        part::FIST,
        part::VISOR,
    ]
    .map(|length| length * height_m)
}

/// All bones at one time.
struct Posture {
    bones: [Bone; PIECE_COUNT],
    /// The direction the body faces, along the ground.
    ahead: Vector,
}

impl Posture {
    fn new(
        height_m: f32,
        head: Vector,
        turned: [f32; 4],
        hands: [Vector; 2],
        feet: [Option<Vector>; 2],
        ground: f32,
    ) -> Self {
        let of = |part: f32| part * height_m;
        let ahead = facing(turned);
        let left = cross(UP, ahead);
        let shoulders = add(
            add(head, scale(UP, -of(part::EYES_TO_SHOULDERS))),
            scale(ahead, -of(part::EYES_TO_SPINE)),
        );
        // The spine leans forward a little when the head is low, as in a crouch.
        let stands = ((head[1] - ground) / of(0.936)).clamp(0.4, 1.0);
        let lean = (1.0 - stands) * 0.8;
        let down = unit(add(scale(UP, -1.0), scale(ahead, -lean))).unwrap_or([0.0, -1.0, 0.0]);
        let hips = add(shoulders, scale(down, of(part::SHOULDERS_TO_HIPS)));
        let lowest = ground + of(0.25);
        let hips = [hips[0], hips[1].max(lowest.min(shoulders[1])), hips[2]];
        let at = |from: Vector, to: Vector, part: f32| add(from, scale(subtract(to, from), part));

        let mut bones = [(hips, shoulders); PIECE_COUNT];
        bones[0] = (at(hips, shoulders, 0.2), at(hips, shoulders, 0.92));
        let half_hips = scale(left, of(part::HALF_HIPS * 0.45));
        bones[1] = (subtract(hips, half_hips), add(hips, half_hips));
        bones[2] = (shoulders, at(shoulders, head, 0.8));
        for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
            let outwards = scale(left, sign);
            let shoulder = add(shoulders, scale(outwards, of(part::HALF_SHOULDERS)));
            let elbow_hint = add(
                add(scale(UP, -1.0), scale(outwards, 0.6)),
                scale(ahead, -0.4),
            );
            let arm = [of(part::UPPER_ARM), of(part::FOREARM)];
            let elbow = joint(shoulder, hands[side], arm, elbow_hint);
            bones[3 + 2 * side] = (shoulder, elbow);
            bones[4 + 2 * side] = (elbow, hands[side]);

            let hip = add(hips, scale(outwards, of(part::HALF_HIPS)));
            let stance = add(
                scale(ahead, sign * of(part::STANCE)),
                scale(outwards, of(0.03)),
            );
            let planted = add([hip[0], ground + of(part::ANKLE), hip[2]], stance);
            let leg = [of(part::THIGH), of(part::SHANK)];
            // Legs do not stretch: if the hips are higher than the legs are long, the feet are in the air.
            let ankle = within_reach(hip, feet[side].unwrap_or(planted), leg[0] + leg[1]);
            let knee_hint = add(ahead, scale(outwards, 0.25));
            let knee = joint(hip, ankle, leg, knee_hint);
            bones[7 + 2 * side] = (hip, knee);
            bones[8 + 2 * side] = (knee, ankle);
            let toes = add(scale(ahead, of(0.1)), scale(UP, -of(0.012)));
            bones[11 + side] = (ankle, add(ankle, toes));

            let grip = unit(subtract(hands[side], elbow)).unwrap_or(ahead);
            let half_fist = scale(grip, of(part::FIST / 2.0));
            bones[13 + side] = (
                subtract(hands[side], half_fist),
                add(hands[side], half_fist),
            );
        }
        let eyes = add(
            head,
            scale(turn(turned, [0.0, 0.0, 1.0]), of(part::EYES_TO_VISOR)),
        );
        let half_visor = scale(turn(turned, [1.0, 0.0, 0.0]), of(part::VISOR / 2.0));
        bones[15] = (subtract(eyes, half_visor), add(eyes, half_visor));
        Self { bones, ahead }
    }
}

/// The direction a head faces, along the ground.
fn facing(turned: [f32; 4]) -> Vector {
    let flat = |direction: Vector| unit([direction[0], 0.0, direction[2]]);
    let ahead = turn(turned, [0.0, 0.0, 1.0]);
    // A head that looks straight down faces the direction of its top.
    let top = turn(turned, UP);
    let is_level = ahead[1].abs() < 0.95;
    let by_top = if ahead[1] > 0.0 {
        scale(top, -1.0)
    } else {
        top
    };
    let chosen = if is_level { flat(ahead) } else { flat(by_top) };
    chosen.unwrap_or([0.0, 0.0, 1.0])
}

/// A point, moved to within a limb's length of another.
fn within_reach(from: Vector, to: Vector, reach_m: f32) -> Vector {
    let way = subtract(to, from);
    let far = length(way);
    if far <= reach_m {
        return to;
    }
    add(from, scale(way, reach_m / far))
}

/// The joint between two bones that connect two points, on the side of a hint: the intersection of two circles. Bones
/// that are too short are stretched by the same factor.
fn joint(from: Vector, to: Vector, [upper, lower]: [f32; 2], hint: Vector) -> Vector {
    let way = subtract(to, from);
    let far = length(way);
    let Some(direction) = unit(way) else {
        return add(from, scale(unit(hint).unwrap_or(UP), upper));
    };
    if far >= upper + lower {
        return add(from, scale(way, upper / (upper + lower)));
    }
    // Closer than the bones allow: as close as they allow.
    let far = far.max((upper - lower).abs() + 1e-4);
    let along_m = (far * far + upper * upper - lower * lower) / (2.0 * far);
    let aside_m = (upper * upper - along_m * along_m).max(0.0).sqrt();
    let aside = subtract(hint, scale(direction, dot(hint, direction)));
    let aside = unit(aside)
        .or_else(|| unit(cross(direction, UP)))
        .unwrap_or([1.0, 0.0, 0.0]);
    add(add(from, scale(direction, along_m)), scale(aside, aside_m))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bones_keep_their_lengths_and_bend_to_the_hint() {
        let (from, bones) = ([0.0, 1.4, 0.0], [0.32, 0.33]);
        for to in [[0.1, 1.2, 0.4], [0.0, 1.4, 0.6], [0.3, 0.9, 0.1]] {
            let elbow = joint(from, to, bones, [0.0, -1.0, 0.0]);
            assert!(
                (length(subtract(elbow, from)) - 0.32).abs() < 1e-4,
                "{to:?}"
            );
            assert!((length(subtract(elbow, to)) - 0.33).abs() < 1e-4, "{to:?}");
            let middle = scale(add(from, to), 0.5);
            assert!(elbow[1] <= middle[1] + 1e-3, "{to:?}: the elbow hangs down");
        }
        // Too far away: a straight arm, both bones stretched by the same factor.
        let elbow = joint(from, [0.0, 1.4, 1.3], bones, [0.0, -1.0, 0.0]);
        assert!(length(subtract(elbow, [0.0, 1.4, 0.64])) < 1e-4);
    }

    #[test]
    fn a_standing_person_has_feet_on_the_ground_and_knees_ahead() {
        let level = [0.0, 0.0, 0.0, 1.0];
        let hands = [[0.25, 1.1, 0.35], [-0.25, 1.1, 0.35]];
        let head = [0.0, 1.6, 0.0];
        let posture = Posture::new(1.75, head, level, hands, [None, None], 0.0);
        // Faces along Z; left is X.
        for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
            let (shoulder, elbow) = posture.bones[3 + 2 * side];
            let (_, hand) = posture.bones[4 + 2 * side];
            assert!(shoulder[0] * sign > 0.15 && elbow[1] < shoulder[1]);
            assert_eq!(hand, hands[side], "what is recorded stays where it is");
            let (hip, knee) = posture.bones[7 + 2 * side];
            let (_, ankle) = posture.bones[8 + 2 * side];
            assert!(ankle[1] < 0.15 && knee[1] < hip[1] && knee[1] > ankle[1]);
            let middle = scale(add(hip, ankle), 0.5);
            assert!(knee[2] >= middle[2] - 1e-3, "knees do not bend backwards");
        }
    }

    #[test]
    fn who_looks_down_still_faces_ahead() {
        let half = std::f32::consts::FRAC_PI_4;
        // Rotated about X by a right angle: Z points down.
        let down = [half.sin(), 0.0, 0.0, half.cos()];
        assert!(length(subtract(facing(down), [0.0, 0.0, 1.0])) < 1e-4);
    }
}
