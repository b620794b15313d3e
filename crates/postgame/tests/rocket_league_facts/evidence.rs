//! What the files themselves prove about touches.

use postgame::timeline::Sample;

use crate::load::{self, Case};

/// A touch lies this near to the game's word for it.
const NEAR_S: f64 = 0.15;

#[test]
fn the_game_says_who_touched_the_ball() {
    let Some(facts) = load::facts() else { return };
    let mut paths: Vec<String> = facts.into_iter().map(|fact| fact.path).collect();
    paths.sort();
    paths.dedup();
    let (mut marks, mut met) = (0, 0);
    let (mut deeds, mut with_touch) = (0, 0);
    for path in &paths {
        let case = Case::read(path);
        let touches: Vec<_> = case.events("touch").collect();
        let ball = case
            .timeline
            .entities
            .iter()
            .find(|entity| entity.kind == "ball");
        let track = ball.and_then(|ball| {
            ball.tracks
                .iter()
                .find(|track| track.columns[0].name == "hit_team")
        });
        let mut before = None;
        for (index, &time_s) in track
            .map(|track| track.times_s.as_slice())
            .unwrap_or_default()
            .iter()
            .enumerate()
        {
            let Some(Sample::Scalar(team)) =
                track.and_then(|track| track.columns[0].values.get(index))
            else {
                continue;
            };
            // A keyframe repeats the last one.
            if before.replace(team) == Some(team) || before == Some(255.0) {
                continue;
            }
            let colour = if team == 0.0 { "blue" } else { "orange" };
            marks += 1;
            let is_met = touches.iter().any(|touch| {
                touch.detail("team") == Some(colour) && (touch.time_s - time_s).abs() <= NEAR_S
            });
            met += usize::from(is_met);
            if !is_met {
                println!("no touch of {colour} at {time_s:.2} in {path}");
            }
        }
        for event in case
            .timeline
            .events
            .iter()
            .filter(|event| matches!(&*event.kind, "goal" | "shot" | "save" | "assist"))
        {
            let Some(who) = event.who else { continue };
            deeds += 1;
            let found = touches.iter().any(|touch| {
                touch.who == Some(who)
                    && touch.time_s <= event.time_s + 1.0
                    && touch.time_s >= event.time_s - 15.0
            });
            with_touch += usize::from(found);
            if !found {
                println!(
                    "no touch before {} at {:.2} in {path}",
                    event.kind, event.time_s
                );
            }
        }
    }
    println!(
        "{met} of {marks} marks have a touch; {with_touch} of {deeds} deeds have a touch of their player"
    );
    assert!(met * 100 >= marks * 98);
    assert!(with_touch * 100 >= deeds * 99);
}
