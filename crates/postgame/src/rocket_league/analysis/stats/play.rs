//! Possession, touches, kick-offs, passes, rotation.

use super::data::Data;
use super::inputs;
use super::percent;
use crate::stats::Group;
use crate::timeline::{Event, Timeline};

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

/// What a player did with the ball.
pub(super) fn player(data: &Data<'_>, timeline: &Timeline, index: usize) -> Group {
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
    let received = data
        .events("pass")
        .iter()
        .filter(|pass| pass.whom == Some(player.id));
    let group = Group::new("play")
        .count("touches", own("touch"))
        .amount(
            "touch_share_percent",
            percent(own("touch") as f64, data.events("touch").len() as f64),
        )
        .count("kickoff_first_touches", kickoffs.len())
        .count("kickoff_first_touches_won", won)
        .count("passes", own("pass"))
        .count("passes_received", received.count())
        .count("jumps", own("jump"))
        .count("double_jumps", own("double-jump"))
        .count("dodges", own("dodge"))
        .count("flip_resets", own("dodge-refresh"))
        .count(
            "ball_camera_toggles",
            own("ball-camera") + own("car-camera"),
        )
        .amount("time_first_to_ball_s", first)
        .amount("time_second_to_ball_s", second)
        .amount("time_third_to_ball_s", third)
        .count("turns_as_first", ranks.turns_as_first)
        .amount(
            "ball_camera_percent",
            inputs::ball_camera_percent(timeline, player).unwrap_or(f64::NAN),
        )
        .amount(
            "keyboard_percent",
            inputs::keyboard_percent(player).unwrap_or(f64::NAN),
        );
    let group = modes.fold(group, |group, (name, kind)| group.count(name, own(kind)));
    let hits = data
        .events("damage")
        .iter()
        .filter(|hit| hit.who == Some(player.id));
    damage(data, hits.copied().collect(), group)
}

/// The damage that hits of the floor did, and its share of what they could have done.
fn damage(data: &Data<'_>, hits: Vec<&Event>, group: Group) -> Group {
    if data.events("damage").is_empty() {
        return group;
    }
    let sum = |name: &str| -> usize {
        let numbers = hits
            .iter()
            .filter_map(|hit| hit.detail(name)?.parse::<usize>().ok());
        numbers.sum()
    };
    let (tiles, reach) = (sum("tiles"), sum("reach"));
    group
        .count("tile_damage", tiles)
        .amount("damage_efficiency", tiles as f64 / reach as f64)
}

/// What a team did with the ball.
pub(super) fn team(data: &Data<'_>, team: u8) -> Group {
    let colour = if team == 0 { "blue" } else { "orange" };
    let of_team = |event: &&Event| event.detail("team") == Some(colour);
    let kickoffs = || data.events("kick-off").iter();
    let group = Group::new("play")
        .count(
            "touches",
            data.events("touch").iter().copied().filter(of_team).count(),
        )
        .count(
            "passes",
            data.events("pass").iter().copied().filter(of_team).count(),
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
        );
    let is_own = |hit: &&&Event| {
        let player = data
            .players
            .iter()
            .find(|player| hit.who == Some(player.id));
        player.is_some_and(|player| player.team == Some(team))
    };
    damage(
        data,
        data.events("damage")
            .iter()
            .filter(is_own)
            .copied()
            .collect(),
        group,
    )
}
