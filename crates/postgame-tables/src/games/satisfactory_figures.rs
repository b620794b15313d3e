//! A Satisfactory save's figures, to follow over the saves of a session, and who takes the power of a circuit.

use std::collections::BTreeMap;

use arrow::error::ArrowError;
use postgame::satisfactory::classes::full_name;
use postgame::satisfactory::figures;
use postgame::satisfactory::production::{Machine, balance};
use postgame::{Depth, Format, Recording};

use super::satisfactory::{GAME, play_time_s, short};
use super::satisfactory_factory::machines_of;
use crate::source::Source;
use crate::table::{TableOptions, table};

const SAVES: &[Format] = &[Format::Satisfactory];

table! {
    /// One row for every figure of a save: rates, power, progress, finds; over the saves of a session they tell how it went.
    pub Figures = "figures" of SAVES, at Depth::Full, by fill_figures in rows {
        /// The recording.
        recording_id: Name,
        /// The play time at which the game was saved.
        time_s: F64,
        /// The session's name.
        session: Name,
        /// When it was saved, as ISO 8601, UTC.
        saved_at: Text,
        /// What kind of figure: `made_per_min`, `used_per_min`, `power_mw`, `machines`, `progress`, `found`, `other`.
        kind: Name,
        /// What it is of, such as the name of an item.
        name: Name,
        /// The figure.
        value: F64,
    }
}

table! {
    /// One row for every kind of machine on every circuit: what it takes and makes, by rating and as recorded.
    pub CircuitMachines = "circuit_machines" of GAME, at Depth::Full, by fill_circuit_machines in users {
        /// The recording.
        recording_id: Name,
        /// The play time at which the game was saved; null for a blueprint.
        time_s: F64,
        /// The circuit's number in the game; null for machines on no circuit.
        circuit: I64,
        /// The class of the machines.
        class: Name,
        /// Their name in the game.
        name: Name,
        /// How many there are.
        machines: U32,
        /// How many of them run.
        running: U32,
        /// What those that run take, by rating, in megawatts.
        taken_mw: F64,
        /// What all take if all run, by rating, in megawatts.
        taken_if_all_run_mw: F64,
        /// What they take as the save has it, in megawatts.
        recorded_mw: F64,
        /// What those that run make, by rating, in megawatts.
        generated_mw: F64,
        /// What all make if all run, by rating, in megawatts.
        generated_if_all_run_mw: F64,
    }
}

fn fill_figures(
    source: &Source,
    _: &TableOptions,
    rows: &mut rows::Rows<'_>,
) -> Result<(), ArrowError> {
    let Recording::Satisfactory(save) = &source.recording else {
        return Ok(());
    };
    let time_s = play_time_s(source);
    let figures = figures(save);
    let counts = |counts: &BTreeMap<String, usize>| -> BTreeMap<String, f64> {
        let counts = counts.iter();
        counts
            .map(|(name, count)| (name.clone(), *count as f64))
            .collect()
    };
    let other = BTreeMap::from([
        ("buildings".to_owned(), figures.buildings as f64),
        (
            "sink points a minute".to_owned(),
            figures.sink_points_per_min,
        ),
    ]);
    for (kind, values) in [
        ("made_per_min", figures.made_per_min.clone()),
        ("used_per_min", figures.used_per_min.clone()),
        ("power_mw", figures.power_mw.clone()),
        ("machines", counts(&figures.machine_states)),
        ("progress", counts(&figures.progress)),
        ("found", counts(&figures.collectibles_found)),
        ("other", other),
    ] {
        for (name, value) in values {
            rows.push(rows::Row {
                recording_id: Some(&source.id),
                time_s,
                session: figures.session.as_deref(),
                saved_at: figures.moment.saved_at.as_deref(),
                kind: Some(kind),
                name: Some(&name),
                value: Some(value),
            })?;
        }
    }
    Ok(())
}

fn fill_circuit_machines(
    source: &Source,
    _: &TableOptions,
    rows: &mut users::Rows<'_>,
) -> Result<(), ArrowError> {
    let Some(factory) = machines_of(source) else {
        return Ok(());
    };
    let time_s = play_time_s(source);
    let mut kinds: BTreeMap<(Option<i64>, &str), Vec<&Machine>> = BTreeMap::new();
    for machine in &factory.machines {
        let key = (machine.circuit, machine.class.as_str());
        kinds.entry(key).or_default().push(machine);
    }
    for ((circuit, class), machines) in kinds {
        let balance = balance(machines, &factory);
        rows.push(users::Row {
            recording_id: Some(&source.id),
            time_s,
            circuit,
            class: Some(short(class)),
            name: Some(&full_name(class)),
            machines: u32::try_from(balance.machines).ok(),
            running: u32::try_from(balance.running).ok(),
            taken_mw: Some(balance.power.rated_mw),
            taken_if_all_run_mw: Some(balance.power.rated_all_mw),
            recorded_mw: Some(balance.power.recorded_mw),
            generated_mw: Some(balance.power.generated_mw),
            generated_if_all_run_mw: Some(balance.power.generated_all_mw),
        })?;
    }
    Ok(())
}
