//! What ten machines of three saves make and use a minute, computed by hand from the game's own figures.

use postgame::satisfactory::production::{factory, rates};

use super::saves;

/// The save, the machine, what it makes and what it uses a minute: pieces or cubic metres.
type Case = (
    &'static str,
    &'static str,
    &'static [(&'static str, f64)],
    &'static [(&'static str, f64)],
);

const CASES: &[Case] = &[
    // Water extractor: 2 m³ a second, clock 1: 2 · 60 = 120.
    (
        "Release-032.sav",
        "Build_WaterPump_C_2147189740",
        &[("Desc_Water_C", 120.0)],
        &[],
    ),
    // Miner Mk.2, normal node: one piece in 0.5 s, clock 1: 60 / 0.5 · 1 = 120.
    (
        "Release-032.sav",
        "Build_MinerMk2_C_2147051251",
        &[("Desc_SAM_C", 120.0)],
        &[],
    ),
    // Converter, Ficsite ingot of iron: 4 reanimated SAM and 24 iron ingots to 1 in 6 s, clock 1, two somersloops in two
    // slots (boost 2): 10 cycles a minute: 1 · 2 · 10 = 20 made; 4 · 10 = 40 and 24 · 10 = 240 used.
    (
        "Release-032.sav",
        "Build_Converter_C_2147449448",
        &[("Desc_FicsiteIngot_C", 20.0)],
        &[("Desc_SAMIngot_C", 40.0), ("Desc_IronIngot_C", 240.0)],
    ),
    // Foundry, steel: 3 iron ore and 3 coal to 3 in 4 s, clock 8/9: 15 · 8/9 = 13.333 cycles: 40 of each.
    (
        "The-Spice-of-Life---Manual-Save.sav",
        "Build_FoundryMk1_C_2144826686",
        &[("Desc_SteelIngot_C", 40.0)],
        &[("Desc_OreIron_C", 40.0), ("Desc_Coal_C", 40.0)],
    ),
    // Blender, instant scrap: 15 bauxite, 10 coal, 5 m³ acid and 6 m³ water to 30 scrap and 5 m³ water in 6 s, clock 2:
    // 20 cycles: 600 and 100 made; 300, 200, 100 and 120 used.
    (
        "The-Spice-of-Life---Manual-Save.sav",
        "Build_Blender_C_2144957925",
        &[("Desc_AluminumScrap_C", 600.0), ("Desc_Water_C", 100.0)],
        &[
            ("Desc_OreBauxite_C", 300.0),
            ("Desc_Coal_C", 200.0),
            ("Desc_SulfuricAcid_C", 100.0),
            ("Desc_Water_C", 120.0),
        ],
    ),
    // Well extractor, pure satellite, pressurizer at clock 5/6: 60 · 2 · 5/6 = 100.
    (
        "The-Spice-of-Life---Manual-Save.sav",
        "Build_FrackingExtractor_C_2146034427",
        &[("Desc_NitrogenGas_C", 100.0)],
        &[],
    ),
    // Oil extractor, impure node, clock 2.5: 2 m³ a second: 120 · 0.5 · 2.5 = 150.
    (
        "The-Spice-of-Life---Manual-Save.sav",
        "Build_OilPump_C_2146000641",
        &[("Desc_LiquidOil_C", 150.0)],
        &[],
    ),
    // Constructor, concrete: 3 limestone to 1 in 4 s, clock 1: 15 cycles: 15 made, 45 used.
    (
        "erp-Beta_Game_autosave_2.sav",
        "Build_ConstructorMk1_C_2147345564",
        &[("Desc_Cement_C", 15.0)],
        &[("Desc_Stone_C", 45.0)],
    ),
    // Miner Mk.1, impure node: one piece a second, clock 1: 60 · 0.5 = 30.
    (
        "erp-Beta_Game_autosave_2.sav",
        "Build_MinerMk1_C_2147289174",
        &[("Desc_Stone_C", 30.0)],
        &[],
    ),
    // Coal generator, coal: 75 MW · 60 s / 300 MJ = 15 coal; 75 · 10 · 60 / 1000 = 45 m³ water.
    (
        "erp-Beta_Game_autosave_2.sav",
        "Build_GeneratorCoal_C_2147245429",
        &[],
        &[("Desc_Coal_C", 15.0), ("Desc_Water_C", 45.0)],
    ),
];

#[test]
fn ten_machines_by_hand() {
    let saves = saves();
    for (name, machine, made, used) in CASES {
        let Some((_, save)) = saves.iter().find(|(save, _)| save == name) else {
            continue;
        };
        let factory = factory(save);
        let found = factory
            .machines
            .iter()
            .find(|candidate| candidate.path.ends_with(machine));
        let rates = rates::rates(found.unwrap(), &factory).unwrap();
        for (ours, expected) in [(&rates.made, made), (&rates.used, used)] {
            assert_eq!(ours.len(), expected.len(), "{machine}: {ours:?}");
            for ((item, per_min), (wanted, by_hand)) in ours.iter().zip(*expected) {
                assert_eq!(item, wanted, "{machine}");
                // Clocks are stored in single precision.
                assert!(
                    (per_min - by_hand).abs() < by_hand * 1e-6,
                    "{machine}: {item} {per_min}, not {by_hand}"
                );
            }
        }
    }
}
