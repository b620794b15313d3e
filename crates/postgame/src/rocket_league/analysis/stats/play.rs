//! Possession, touches, kick-offs, passes, rotation.

use super::data::Data;
use super::percent;
use crate::stats::Group;
use crate::timeline::{Event, Timeline};

/// A mate's touch this long after one's own is a pass.
const PASS_S: f64 = 3.5;

/// And the ball has gone this far, in metres.
const PASS_M: f32 = 5.0;

/// The recording as a whole.
pub(super) fn recording(data: &Data<'_>, timeline: &Timeline) -> Group {
    Group::new("recording")
        .amount("duration_s", timeline.duration_s())
        .amount("played_s", data.played_s())
        .count(
            "players",
            data.players
                .iter()
                .filter(|player| player.team.is_some())
                .count(),
        )
        .count("kickoffs", data.events("kick-off").len())
        .count("goals", data.events("goal").len())
        .count("touches", data.events("touch").len())
        .count("overtime", data.events("overtime").len())
        .count("forfeit", data.events("forfeit").len())
}

/// How often each kind of event happens.
pub(super) fn events(data: &Data<'_>) -> Group {
    let counts = data.event_counts();
    counts.fold(Group::new("events"), |group, (kind, count)| {
        group.count(kind.to_owned(), count)
    })
}

/// How long a team has the ball, and how long the ball is on its side.
pub(super) fn ball(data: &Data<'_>, team: u8) -> Group {
    let (mut had_s, mut side_s) = (0.0, 0.0);
    for &(from_s, to_s) in &data.rounds {
        // From a touch to the other team's next; what ends with the round is nobody's.
        let mut since: Option<(f64, u8)> = None;
        for &(time_s, hit) in data
            .hits
            .iter()
            .filter(|hit| hit.0 >= from_s && hit.0 <= to_s)
        {
            match since {
                Some((_, owner)) if owner == hit => {}
                Some((since_s, owner)) => {
                    had_s += if owner == team { time_s - since_s } else { 0.0 };
                    since = Some((time_s, hit));
                }
                None => since = Some((time_s, hit)),
            }
        }
        let first = data.ball.times_s.partition_point(|&time_s| time_s < from_s);
        // After a match that ends without a goal the ball rolls on.
        let to_s = if data.ends_by_time && Some(&(from_s, to_s)) == data.rounds.last() {
            f64::INFINITY
        } else {
            to_s
        };
        let end = data.ball.times_s.partition_point(|&time_s| time_s <= to_s);
        let mut before_s = None;
        let places = data.ball.positions_uu.get(first..end.max(first));
        let times_s = data.ball.times_s.iter().skip(first);
        for (&time_s, &[_, y, _]) in times_s.zip(places.unwrap_or_default()) {
            let is_own = if team == 0 { y < 0.0 } else { y > 0.0 };
            if let (true, Some(before_s)) = (is_own, before_s) {
                side_s += time_s - before_s;
            }
            before_s = Some(time_s);
        }
    }
    Group::new("ball")
        .amount("possession_time_s", had_s)
        .amount("time_in_side_s", side_s)
}

/// Pairs of a touch and the next one that are a pass: another player of the same team, and the ball has moved.
fn passes<'a>(data: &Data<'a>) -> impl Iterator<Item = (&'a Event, &'a Event)> {
    let touches = data.events("touch");
    let pairs = touches.iter().copied().zip(touches.iter().copied().skip(1));
    pairs.filter(|(from, to)| {
        let moved_m = from.position.zip(to.position).map_or(0.0, |(from, to)| {
            let squares = from
                .iter()
                .zip(to)
                .map(|(from, to)| (from - to) * (from - to));
            squares.sum::<f32>().sqrt()
        });
        from.who != to.who
            && from.who.is_some()
            && from.detail("team") == to.detail("team")
            && to.time_s - from.time_s <= PASS_S
            && moved_m >= PASS_M
    })
}

/// What a player did with the ball.
pub(super) fn player(data: &Data<'_>, index: usize) -> Group {
    let Some(player) = data.players.get(index) else {
        return Group::new("play");
    };
    let own = |kind: &str| {
        data.events(kind)
            .iter()
            .filter(|event| event.who == Some(player.id))
            .count()
    };
    let kickoffs: Vec<&Event> = data
        .events("kick-off")
        .iter()
        .copied()
        .filter(|event| event.who == Some(player.id))
        .collect();
    let colour = if player.team == Some(0) {
        "blue"
    } else {
        "orange"
    };
    let won = kickoffs
        .iter()
        .filter(|event| event.detail("won_by") == Some(colour))
        .count();
    // Those of modes that few recordings are of.
    let modes = [
        ("items_used", "item-used"),
        ("tiles_damaged", "tile-damaged"),
        ("tiles_opened", "tile-opened"),
    ];
    let modes = modes
        .into_iter()
        .filter(|(_, kind)| !data.events(kind).is_empty());
    let ranks = data.ranks.get(index).cloned().unwrap_or_default();
    let [first, second, third] = ranks.order_s;
    let group = Group::new("play")
        .count("touches", own("touch"))
        .amount(
            "touch_share_percent",
            percent(own("touch") as f64, data.events("touch").len() as f64),
        )
        .count("kickoff_first_touches", kickoffs.len())
        .count("kickoff_first_touches_won", won)
        .count(
            "passes",
            passes(data)
                .filter(|(from, _)| from.who == Some(player.id))
                .count(),
        )
        .count(
            "passes_received",
            passes(data)
                .filter(|(_, to)| to.who == Some(player.id))
                .count(),
        )
        .count("jumps", own("jump"))
        .count("double_jumps", own("double-jump"))
        .count("dodges", own("dodge"))
        .count("flip_resets", own("flip-reset"))
        .count(
            "ball_camera_toggles",
            own("ball-camera") + own("car-camera"),
        )
        .amount("time_first_to_ball_s", first)
        .amount("time_second_to_ball_s", second)
        .amount("time_third_to_ball_s", third)
        .count("turns_as_first", ranks.turns_as_first);
    modes.fold(group, |group, (name, kind)| group.count(name, own(kind)))
}

/// What a team did with the ball.
pub(super) fn team(data: &Data<'_>, team: u8) -> Group {
    let colour = if team == 0 { "blue" } else { "orange" };
    let of_team = |event: &&Event| event.detail("team") == Some(colour);
    let kickoffs = || data.events("kick-off").iter();
    Group::new("play")
        .count(
            "touches",
            data.events("touch").iter().copied().filter(of_team).count(),
        )
        .count(
            "passes",
            passes(data).filter(|(from, _)| of_team(from)).count(),
        )
        .count(
            "kickoff_first_touches",
            kickoffs()
                .filter(|event| event.detail("first_team") == Some(colour))
                .count(),
        )
        .count(
            "kickoffs_won",
            kickoffs()
                .filter(|event| event.detail("won_by") == Some(colour))
                .count(),
        )
        .count(
            "kickoffs_neutral",
            kickoffs()
                .filter(|event| event.detail("won_by") == Some("neutral"))
                .count(),
        )
}
