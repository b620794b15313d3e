//! The names of Rocket League's groups of features. Those of subtr-actor have its names and its columns.

/// A group: its name, how many columns it has, and what they are. Names that begin with `Player` are of each player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name.
    pub name: &'static str,
    /// How many columns it has, of each player if it is of players.
    pub width: usize,
    /// What the columns are.
    pub meaning: &'static str,
}

const fn named(name: &'static str, width: usize, meaning: &'static str) -> Named {
    Named {
        name,
        width,
        meaning,
    }
}

/// All groups. Those that end in `:` need what comes after: an event's kind, or a number of seconds.
pub const GROUPS: &[Named] = &[
    named("CurrentTime", 1, "seconds of the recording"),
    named("FrameTime", 1, "seconds since the row before"),
    named("SecondsRemaining", 1, "the game's clock"),
    named(
        "BallHasBeenHit",
        1,
        "0 before a kick-off's first touch, else 1",
    ),
    named("BallRigidBody", 12, "place, Euler angles (XYZ), velocities"),
    named(
        "BallRigidBodyNoVelocities",
        7,
        "place, quaternion called rotation",
    ),
    named("BallRigidBodyQuaternions", 7, "place, quaternion"),
    named(
        "BallRigidBodyQuaternionVelocities",
        13,
        "place, quaternion, velocities",
    ),
    named(
        "BallRigidBodyBasis",
        15,
        "place, forward and up, velocities",
    ),
    named("PlayerTeam", 1, "0 blue, 1 orange"),
    named(
        "PlayerRigidBody",
        12,
        "place, Euler angles (XYZ), velocities",
    ),
    named(
        "PlayerRigidBodyNoVelocities",
        7,
        "place, quaternion called rotation",
    ),
    named("PlayerRigidBodyQuaternions", 7, "place, quaternion"),
    named(
        "PlayerRigidBodyQuaternionVelocities",
        13,
        "place, quaternion, velocities",
    ),
    named(
        "PlayerRigidBodyBasis",
        15,
        "place, forward and up, velocities",
    ),
    named("PlayerRelativeBallPosition", 3, "from the car to the ball"),
    named(
        "PlayerRelativeBallVelocity",
        3,
        "the ball's velocity less the car's",
    ),
    named(
        "PlayerLocalRelativeBallPosition",
        3,
        "the same in the car's frame",
    ),
    named(
        "PlayerLocalRelativeBallVelocity",
        3,
        "the same in the car's frame",
    ),
    named("PlayerBallDistance", 1, "from car to ball"),
    named("PlayerBoost", 1, "boost from 0 to 255"),
    named("PlayerBoostPercent", 1, "boost from 0 to 100"),
    named(
        "PlayerJump",
        3,
        "whether a dodge, a jump, a double jump is active: 0 or 1",
    ),
    named(
        "PlayerAnyJump",
        1,
        "the sum of 1 for a dodge, 2 for a jump, 4 for a double jump",
    ),
    named(
        "PlayerDodgeRefreshed",
        1,
        "how many dodges were refreshed since the row before",
    ),
    named(
        "PlayerDemolishedBy",
        1,
        "for a second, who demolished the car; else -1",
    ),
    named("PlayerInputs", 5, "throttle, steer, handbrake, boost, jump"),
    named(
        "PlayerEvent:",
        1,
        "1 where an event of this kind happened since the row before",
    ),
    named(
        "LabelNextGoal:",
        2,
        "whether blue and orange score within these seconds",
    ),
    named(
        "LabelNextTouch",
        3,
        "who touches the ball next, the team, in how many seconds",
    ),
    named("LabelWinner", 1, "the winner: 0 blue, 1 orange"),
];

/// The groups of a matrix if none are chosen.
pub const DEFAULT: &[&str] = &[
    "CurrentTime",
    "SecondsRemaining",
    "BallRigidBodyQuaternionVelocities",
    "PlayerTeam",
    "PlayerRigidBodyQuaternionVelocities",
    "PlayerBoostPercent",
    "PlayerInputs",
];

/// A chosen group.
#[derive(Clone, Debug, PartialEq)]
pub enum Group {
    /// Columns of the game or the ball.
    Global(&'static str),
    /// Columns of each player.
    Player(&'static str),
    /// Events of a kind, of each player: the name as given, the kind of the timeline.
    Event(String, String),
    /// Whether a team scores within a number of seconds.
    NextGoal(f64),
    /// The next touch.
    NextTouch,
    /// The winner.
    Winner,
}

/// Events that subtr-actor calls otherwise; of others, `_` stands for `-`.
const EVENTS: &[(&str, &str)] = &[
    ("center", "centre"),
    ("dodge_reset", "dodge-refresh"),
    ("flip_reset_dodge", "flip-reset"),
    ("powerslide", "power-slide"),
    ("ball_carry", "carry"),
    ("boost_respawn", "respawn-boost"),
    ("rotation", "first-man"),
];

impl Group {
    /// The group with a name, such as `PlayerBoost`, `PlayerEvent:touch` or `LabelNextGoal:10`.
    ///
    /// # Errors
    /// When there is none: a sentence with all names.
    pub fn new(name: &str) -> Result<Self, String> {
        if let Some(event) = name
            .strip_prefix("PlayerEvent:")
            .filter(|kind| !kind.is_empty())
        {
            let known = EVENTS.iter().find(|known| known.0 == event);
            let kind = known.map_or_else(|| event.replace('_', "-"), |known| known.1.to_owned());
            return Ok(Self::Event(event.to_owned(), kind));
        }
        if let Some(seconds) = name.strip_prefix("LabelNextGoal:") {
            let seconds = seconds
                .parse()
                .ok()
                .filter(|seconds: &f64| seconds.is_finite() && *seconds > 0.0);
            return seconds.map(Self::NextGoal).ok_or_else(|| {
                "LabelNextGoal: needs a number of seconds, as in LabelNextGoal:10".to_owned()
            });
        }
        let known = GROUPS
            .iter()
            .find(|known| known.name == name && !name.ends_with(':'));
        match known.map(|known| known.name) {
            Some("LabelNextTouch") => Ok(Self::NextTouch),
            Some("LabelWinner") => Ok(Self::Winner),
            Some(name) if name.starts_with("Player") => Ok(Self::Player(name)),
            Some(name) => Ok(Self::Global(name)),
            None => {
                let names: Vec<&str> = GROUPS.iter().map(|group| group.name).collect();
                let names = names.join(", ");
                Err(format!(
                    "there is no group of features called {name}; there are {names}"
                ))
            }
        }
    }

    /// Whether each player has its columns.
    pub(super) fn is_of_players(&self) -> bool {
        matches!(self, Self::Player(_) | Self::Event(..))
    }

    /// How many columns it has with so many players.
    pub(super) fn width(&self, players: usize) -> usize {
        let name = match self {
            Self::Global(name) | Self::Player(name) => name,
            Self::Event(..) => "PlayerEvent:",
            Self::NextGoal(_) => "LabelNextGoal:",
            Self::NextTouch => "LabelNextTouch",
            Self::Winner => "LabelWinner",
        };
        let group = GROUPS.iter().find(|group| group.name == name);
        let width = group.map_or(1, |group| group.width);
        if self.is_of_players() {
            width * players
        } else {
            width
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_groups() {
        assert_eq!(Group::new("PlayerBoost"), Ok(Group::Player("PlayerBoost")));
        assert_eq!(
            Group::new("PlayerEvent:double_tap"),
            Ok(Group::Event("double_tap".into(), "double-tap".into()))
        );
        assert_eq!(Group::new("LabelNextGoal:10"), Ok(Group::NextGoal(10.0)));
        for name in [
            "Boost",
            "PlayerEvent:",
            "LabelNextGoal:soon",
            "LabelNextGoal:-1",
        ] {
            assert!(Group::new(name).is_err(), "{name}");
        }
        assert!(DEFAULT.iter().all(|name| Group::new(name).is_ok()));
    }
}
