//! Hits that players of Slippi replays took.

use arrow::error::ArrowError;
use postgame::slippi::hits::Launch;
use postgame::slippi::{coords, names, states};
use postgame::{Depth, Format, Recording};

use crate::source::Source;
use crate::table::{TableOptions, table};

table! {
    /// One row for every hit taken, each blow of a throw included. Since 2.0.
    pub Hits = "hits" of &[Format::Slippi], at Depth::Full, by fill_hits in hits {
        /// The recording.
        recording_id: Name,
        /// The hit's number in the recording, from 0.
        number: U32,
        /// When.
        time_s: F64,
        /// Its first frame.
        frame: I32,
        /// The first frame after hitlag; null if another hit or the end of the recording came first.
        launch_frame: I32,
        /// The victim's port.
        victim_port: U8,
        /// The victim's character.
        victim_character: Name,
        /// The attacker's port; null if the file does not tell.
        port: U8,
        /// The attacker's character.
        character: Name,
        /// Which attack, as the game counts them.
        attack: U8,
        /// Which attack.
        attack_name: Name,
        /// Whether it is part of a throw.
        is_throw: Flag,
        /// The victim's action state before.
        state_before: U16,
        /// The victim's action state before.
        state_before_name: Name,
        /// Whether the victim stood on the ground before.
        was_grounded: Flag,
        /// Whether the victim crouched before.
        was_crouching: Flag,
        /// Whether the victim pressed a trigger just before, in the air, which reduces knockback.
        has_v_cancelled: Flag,
        /// Where the victim was before, in the game's units.
        x_uu: F32,
        /// Where the victim was before, upwards.
        y_uu: F32,
        /// The victim's percent before.
        percent_before: F32,
        /// What the percent rose by.
        damage_percent: F32,
        /// Frames of hitlag; null for hits without.
        hitlag_frames: U32,
        /// Inputs that shift the victim during hitlag.
        sdi_inputs: U32,
        /// The stick that shifts the victim as hitlag ends, from -1 to 1; null if both sticks rest.
        asdi_x: F32,
        /// The stick that shifts the victim as hitlag ends, upwards.
        asdi_y: F32,
        /// The stick that turns the launch, from -1 to 1.
        di_x: F32,
        /// The stick that turns the launch, upwards.
        di_y: F32,
        /// Knockback, as the game counts it. Since 3.5, as all that follows; null if the victim stays on the ground.
        knockback: F32,
        /// The angle of the launch without influence: 0 is to the right, 90 is up.
        angle_before_deg: F32,
        /// The angle of the launch after influence.
        angle_after_deg: F32,
        /// How much of the possible 18 degrees was used, from 0 to 1.
        di_share: F32,
        /// The speed predicted for the first frame after hitlag.
        predicted_vx_uu_frame: F32,
        /// The speed predicted for the first frame after hitlag, upwards.
        predicted_vy_uu_frame: F32,
        /// The speed on record for the first frame after hitlag.
        recorded_vx_uu_frame: F32,
        /// The speed on record for the first frame after hitlag, upwards.
        recorded_vy_uu_frame: F32,
        /// Whether the victim lost the stock without landing or catching a ledge first.
        did_kill: Flag,
        /// Whether the launch would have killed without influence. Null for stages whose limits are unknown.
        kills_without_di: Flag,
        /// Whether it would have killed with the best influence.
        kills_with_best_di: Flag,
        /// Whether it would have killed with at least one influence.
        kills_with_any_di: Flag,
    }
}

fn fill_hits(
    source: &Source,
    _: &TableOptions,
    rows: &mut hits::Rows<'_>,
) -> Result<(), ArrowError> {
    let (Recording::Slippi(replay), Some(analysis)) = (&source.recording, source.analysis()) else {
        return Ok(());
    };
    let character = |port: u8| {
        let number = replay.starting_character(port)?;
        names::character(number).map(|character| character.name)
    };
    let internal = |port: u8| {
        let number = replay.starting_character(port)?;
        names::character(number).map(|character| character.internal)
    };
    for (number, hit) in analysis.hits.iter().enumerate() {
        let launch = hit.launch.as_ref();
        let value = |value: fn(&Launch) -> f32| launch.map(value);
        let outcomes = launch.and_then(|launch| launch.outcomes);
        let attack_name = hit.attack.map(states::attack_name);
        rows.push(hits::Row {
            recording_id: Some(&source.id),
            number: u32::try_from(number).ok(),
            time_s: Some(coords::time_s(hit.frame)),
            frame: Some(hit.frame),
            launch_frame: hit.launch_frame,
            victim_port: Some(hit.victim),
            victim_character: character(hit.victim),
            port: hit.attacker,
            character: hit.attacker.and_then(character),
            attack: hit.attack,
            attack_name: attack_name.as_deref(),
            is_throw: Some(hit.is_throw),
            state_before: Some(hit.state_before),
            state_before_name: internal(hit.victim)
                .and_then(|character| names::action_state(character, hit.state_before)),
            was_grounded: hit.was_grounded,
            was_crouching: Some(hit.was_crouching),
            has_v_cancelled: Some(hit.has_v_cancelled),
            x_uu: Some(hit.position_uu[0]),
            y_uu: Some(hit.position_uu[1]),
            percent_before: Some(hit.percent_before),
            damage_percent: Some(hit.damage_percent),
            hitlag_frames: hit.hitlag_frames,
            sdi_inputs: hit.sdi_inputs,
            asdi_x: hit.asdi.map(|[x, _]| x),
            asdi_y: hit.asdi.map(|[_, y]| y),
            di_x: hit.di_stick.map(|[x, _]| x),
            di_y: hit.di_stick.map(|[_, y]| y),
            knockback: value(|launch| launch.knockback),
            angle_before_deg: value(|launch| launch.angle_before_deg),
            angle_after_deg: value(|launch| launch.angle_after_deg),
            di_share: value(|launch| launch.di_share),
            predicted_vx_uu_frame: value(|launch| launch.predicted_uu[0]),
            predicted_vy_uu_frame: value(|launch| launch.predicted_uu[1]),
            recorded_vx_uu_frame: value(|launch| launch.recorded_uu[0]),
            recorded_vy_uu_frame: value(|launch| launch.recorded_uu[1]),
            did_kill: Some(hit.did_kill),
            kills_without_di: outcomes.map(|outcomes| outcomes.without_di),
            kills_with_best_di: outcomes.map(|outcomes| outcomes.with_best_di),
            kills_with_any_di: outcomes.map(|outcomes| outcomes.with_any_di),
        })?;
    }
    Ok(())
}
