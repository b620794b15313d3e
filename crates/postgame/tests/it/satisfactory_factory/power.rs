//! Power as the save records it against the ratings of the catalogue.

use postgame::satisfactory::production::{factory, power};

use super::{has_known_saves, saves};

/// By how much a recorded figure may differ from the rated one.
const TOLERANCE: f64 = 1e-3;

#[test]
fn running_machines_take_what_they_are_rated_for() {
    let (mut all, mut off_clock, mut boosted) = (0, 0, 0);
    for (name, save) in saves() {
        let factory = factory(&save);
        for machine in &factory.machines {
            let Some(recorded_mw) = machine.recorded_mw else {
                continue;
            };
            // What waits takes 0.1 MW, what is paused or has no power may take nothing.
            if recorded_mw == 0.0 || (recorded_mw - power::IDLE_MW).abs() < 1e-6 {
                continue;
            }
            let Some(demand) = power::demand(machine, &factory) else {
                continue;
            };
            assert!(
                recorded_mw >= demand.min_mw * (1.0 - TOLERANCE)
                    && recorded_mw <= demand.max_mw * (1.0 + TOLERANCE),
                "{name}: {} takes {recorded_mw} MW, not {demand:?}",
                machine.path
            );
            all += 1;
            off_clock += usize::from(machine.clock != 1.0);
            boosted += usize::from(machine.boost != 1.0);
        }
    }
    // All of them: none is left out, whatever update the save is of.
    println!("{all} machines, {off_clock} off clock, {boosted} boosted");
    assert!(
        !has_known_saves() || all >= 800 && off_clock >= 100 && boosted >= 1,
        "{all}"
    );
}

#[test]
fn generators_make_what_they_are_rated_for() {
    let mut all = 0;
    for (name, save) in saves() {
        let factory = factory(&save);
        for machine in &factory.machines {
            let (Some(rated_mw), Some(recorded_mw)) = (
                power::generation_mw(machine, &factory),
                machine.recorded_production_mw,
            ) else {
                continue;
            };
            if recorded_mw == 0.0 {
                continue;
            }
            // A geyser swings between half and one and a half times its mean.
            let swing = if machine.short_class() == "Build_GeneratorGeoThermal_C" {
                0.5
            } else {
                0.0
            };
            assert!(
                (recorded_mw - rated_mw).abs() <= rated_mw * (swing + TOLERANCE),
                "{name}: {} makes {recorded_mw} MW, not {rated_mw}",
                machine.path
            );
            all += 1;
        }
    }
    println!("{all} generators");
    assert!(!has_known_saves() || all >= 100, "{all}");
}
