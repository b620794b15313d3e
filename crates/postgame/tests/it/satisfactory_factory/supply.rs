//! Generators with what they burn, the users of circuits, and figures to follow over a session.

use postgame::satisfactory::production::supply::{generators, users};
use postgame::satisfactory::production::{balance, factory};
use postgame::satisfactory::{compare, figures};

use super::{real, saves};

/// Fuel, water and waste of generators by the notes, section 1: MW · 60 s / energy of the fuel; 10 litres of water a
/// megajoule for coal, 1.6 for nuclear power; 50 pieces of waste for a uranium rod.
#[test]
fn generators_burn_what_their_power_needs() {
    let mut seen = 0;
    for (name, save) in saves() {
        let factory = factory(&save);
        for ((class, fuel), some) in generators(&factory) {
            let clocks: f64 = factory
                .machines
                .iter()
                .filter(|machine| machine.is_running && machine.fuel.is_some())
                .filter(|machine| {
                    let own = machine
                        .fuel
                        .as_deref()
                        .map(postgame::satisfactory::classes::full_name);
                    own.as_deref() == Some(&fuel)
                        && postgame::satisfactory::classes::full_name(&machine.class) == class
                })
                .map(|machine| machine.clock)
                .sum();
            // Coal has 300 MJ, and its generator makes 75 MW; a uranium rod has 750 GJ, and its plant 2,500 MW.
            let expected: &[(&str, f64)] = match (class.as_str(), fuel.as_str()) {
                ("Coal-Powered Generator", "Coal") => {
                    &[("Desc_Coal_C", 75.0 * 60.0 / 300.0), ("Desc_Water_C", 45.0)]
                }
                ("Nuclear Power Plant", "Uranium Fuel Rod") => {
                    &[("Desc_NuclearFuelRod_C", 0.2), ("Desc_Water_C", 240.0)]
                }
                _ => continue,
            };
            for (item, each) in expected {
                let used = some.used_per_min.get(item).copied().unwrap_or(0.0);
                assert!(
                    (used - each * clocks).abs() < 1e-6 * clocks.max(1.0),
                    "{name}: {class} uses {used} of {item}, not {each} each"
                );
            }
            if let Some(waste) = some.waste_per_min.get("Desc_NuclearWaste_C") {
                assert!(
                    (waste - 10.0 * clocks).abs() < 1e-6 * clocks.max(1.0),
                    "{name}"
                );
            }
            seen += some.running;
        }
    }
    println!("{seen} generators");
    assert!(!super::has_known_saves() || seen > 10, "{seen}");
}

#[test]
fn users_of_all_circuits_are_all_users() {
    for (name, save) in saves() {
        let factory = factory(&save);
        let sum =
            |users: Vec<(String, f64)>| users.iter().map(|(_, taken_mw)| taken_mw).sum::<f64>();
        let circuits: f64 = factory
            .circuits()
            .map(|(_, machines)| sum(users(machines, &factory)))
            .sum();
        let on_none = factory
            .machines
            .iter()
            .filter(|machine| machine.circuit.is_none());
        let all = balance(&factory.machines, &factory).power.rated_mw;
        let apart = circuits + sum(users(on_none, &factory)) - all;
        assert!(
            apart.abs() < 1e-6 * all.max(1.0),
            "{name}: {apart} of {all}"
        );
        assert!(users(&factory.machines, &factory).is_sorted_by(|one, other| one.1 >= other.1));
    }
}

/// What changes between two saves is the difference of their figures.
#[test]
fn comparisons_are_differences_of_figures() {
    let (Some(before), Some(after)) = (real("Dunarr-019.sav"), real("Dunarr-027.sav")) else {
        return;
    };
    let comparison = compare(&before, &after);
    let (before, after) = (figures(&before), figures(&after));
    assert!(before.moment.play_time_s < after.moment.play_time_s);
    for (name, change) in &comparison.made_per_min {
        assert_eq!(
            change.before,
            before.made_per_min.get(name).copied().unwrap_or(0.0)
        );
        assert_eq!(
            change.after,
            after.made_per_min.get(name).copied().unwrap_or(0.0)
        );
    }
    for (name, value) in &after.progress {
        let is_told = comparison.progress.contains_key(name);
        assert_eq!(is_told, before.progress.get(name) != Some(value), "{name}");
    }
    assert!(!after.collectibles_found.is_empty() && !after.power_mw.is_empty());
}
