//! Reads the game's `Docs.json`: a list of native classes, each with its classes, whose values are all text.
//!
//! What a class is follows from the fields that it has. Amounts of fluids are in litres there, and energy per litre.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Amount, Building, Form, GameData, Item, Recipe, Schematic};
use crate::error::{Error, Result};

/// Litres in a cubic metre.
const LITRES_PER_M3: f64 = 1000.0;

/// A class's fields.
type Fields = Map<String, Value>;

/// Reads the file.
pub(super) fn read(bytes: &[u8]) -> Result<GameData> {
    let text = text(bytes)?;
    let json: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| Error::invalid(format!("the game data is not JSON: {error}")))?;
    let natives = json
        .as_array()
        .ok_or_else(|| Error::invalid("the game data is not a list of classes"))?;
    let mut data = GameData::default();
    let classes = || {
        let lists = natives.iter().filter_map(|native| {
            let name = native.get("NativeClass")?.as_str()?;
            Some((name, native.get("Classes")?.as_array()?))
        });
        lists.flat_map(|(native, classes)| {
            let classes = classes.iter().filter_map(Value::as_object);
            classes.filter_map(move |fields| {
                let class = fields.get("ClassName")?.as_str()?;
                Some((native, class, fields))
            })
        })
    };
    // Recipes need to know which items are fluids.
    for (_, class, fields) in classes() {
        if fields.contains_key("mStackSize") {
            data.items.insert(class.to_owned(), item(class, fields));
        }
    }
    for (native, class, fields) in classes() {
        if fields.contains_key("mIngredients") && fields.contains_key("mProduct") {
            let recipe = recipe(class, fields, &data.items);
            data.recipes.insert(class.to_owned(), recipe);
        } else if fields.contains_key("mTechTier") {
            let schematic = schematic(class, fields, &data.items);
            data.schematics.insert(class.to_owned(), schematic);
        } else if class.starts_with("Build_") || fields.contains_key("mPowerConsumption") {
            let building = building(native, class, fields);
            data.buildings.insert(class.to_owned(), building);
        }
    }
    if data.is_empty() {
        return Err(Error::invalid(
            "the game data has no items, recipes or buildings",
        ));
    }
    Ok(data)
}

/// The text of a file, by its byte order mark.
fn text(bytes: &[u8]) -> Result<String> {
    let wide = |units: &[u8], of: fn([u8; 2]) -> u16| {
        let (units, _) = units.as_chunks::<2>();
        let units = units.iter().map(|unit| of(*unit));
        char::decode_utf16(units)
            .collect::<std::result::Result<String, _>>()
            .map_err(|_| Error::invalid("the game data is not UTF-16"))
    };
    match bytes {
        [0xff, 0xfe, units @ ..] => wide(units, u16::from_le_bytes),
        [0xfe, 0xff, units @ ..] => wide(units, u16::from_be_bytes),
        _ => String::from_utf8(bytes.to_vec())
            .map_err(|_| Error::invalid("the game data is neither UTF-16 nor UTF-8")),
    }
}

/// Text that lives as long as the program, like that of the built-in catalogue.
fn kept(text: &str) -> &'static str {
    text.to_owned().leak()
}

fn words<'f>(fields: &'f Fields, name: &str) -> Option<&'f str> {
    fields.get(name)?.as_str().filter(|text| !text.is_empty())
}

fn number(fields: &Fields, name: &str) -> Option<f64> {
    let value: f64 = words(fields, name)?.trim().parse().ok()?;
    value.is_finite().then_some(value)
}

/// The name shown; a class without one keeps the built-in name, or goes by its class.
fn name(class: &str, fields: &Fields, builtin: Option<&'static str>) -> &'static str {
    match (words(fields, "mDisplayName"), builtin) {
        (Some(name), _) => kept(name),
        (None, Some(name)) => name,
        (None, None) => kept(class),
    }
}

fn item(class: &str, fields: &Fields) -> Item {
    let builtin = super::builtin_item(class);
    let form = match words(fields, "mForm") {
        Some("RF_SOLID") => Form::Solid,
        Some("RF_LIQUID") => Form::Liquid,
        Some("RF_GAS") => Form::Gas,
        _ => builtin.map_or(Form::None, |item| item.form),
    };
    let is_fluid = matches!(form, Form::Liquid | Form::Gas);
    let stack_size = match words(fields, "mStackSize") {
        Some("SS_ONE") => Some(1.0),
        Some("SS_SMALL") => Some(50.0),
        Some("SS_MEDIUM") => Some(100.0),
        Some("SS_BIG") => Some(200.0),
        Some("SS_HUGE") => Some(500.0),
        Some("SS_FLUID") => Some(50_000.0),
        _ => None,
    };
    let energy = number(fields, "mEnergyValue");
    let energy = energy.map(|energy| {
        if is_fluid {
            energy * LITRES_PER_M3
        } else {
            energy
        }
    });
    Item {
        class: builtin.map_or_else(|| kept(class), |item| item.class),
        name: name(class, fields, builtin.map(|item| item.name)),
        kind: builtin.map_or("part", |item| item.kind),
        form,
        stack_size: stack_size.or(builtin.and_then(|item| item.stack_size)),
        sink_points: number(fields, "mResourceSinkPoints")
            .or(builtin.and_then(|item| item.sink_points)),
        energy_mj: energy.unwrap_or(0.0),
    }
}

/// The last part of a class's path: `Desc_X_C` of `BlueprintGeneratedClass'"/Game/Y/Desc_X.Desc_X_C"'`.
fn last_part(path: &str) -> &str {
    let path = path.trim_matches(|letter: char| "\"'() \\".contains(letter));
    path.rsplit(['.', '/']).next().unwrap_or(path)
}

/// `((ItemClass=…Desc_X_C'",Amount=3),(…))`.
fn amounts(text: &str, items: &BTreeMap<String, Item>) -> &'static [Amount] {
    let parts = text.split("ItemClass=").skip(1);
    let amounts: Vec<Amount> = parts
        .filter_map(|part| {
            let (path, rest) = part.split_once(",Amount=")?;
            let digits = rest.split([')', ',']).next()?;
            let amount: f64 = digits.trim().parse().ok()?;
            let class = last_part(path);
            let known = items.get(class).or(super::builtin_item(class));
            let unit = match known {
                Some(item) if item.is_fluid() => LITRES_PER_M3,
                _ => 1.0,
            };
            let class = known.map_or_else(|| kept(class), |item| item.class);
            amount.is_finite().then_some((class, amount / unit))
        })
        .collect();
    amounts.leak()
}

fn recipe(class: &str, fields: &Fields, items: &BTreeMap<String, Item>) -> Recipe {
    let builtin = super::builtin_recipe(class);
    let places = words(fields, "mProducedIn").unwrap_or_default();
    let places = places.split(',').map(last_part);
    let places: Vec<&str> = places.filter(|place| !place.is_empty()).collect();
    let is_made = places.iter().any(|place| place.starts_with("Build_"));
    let kind = builtin.map_or(if is_made { "part" } else { "manual" }, |known| known.kind);
    let places: Vec<&'static str> = places.into_iter().map(kept).collect();
    let list = |name| amounts(words(fields, name).unwrap_or_default(), items);
    Recipe {
        class: builtin.map_or_else(|| kept(class), |known| known.class),
        name: name(class, fields, builtin.map(|known| known.name)),
        kind,
        is_alternate: builtin.is_some_and(|known| known.is_alternate),
        duration_s: number(fields, "mManufactoringDuration")
            .filter(|duration_s| *duration_s > 0.0)
            .or(builtin.and_then(|known| known.duration_s)),
        ingredients: list("mIngredients"),
        products: list("mProduct"),
        produced_in: places.leak(),
        variable_mw: builtin.and_then(|known| known.variable_mw),
        unlocked_by: builtin.map_or(&[], |known| known.unlocked_by),
    }
}

fn schematic(class: &str, fields: &Fields, items: &BTreeMap<String, Item>) -> Schematic {
    let builtin = super::builtin_schematic(class);
    let tier = number(fields, "mTechTier").map(|tier| tier as u8);
    Schematic {
        class: builtin.map_or_else(|| kept(class), |known| known.class),
        name: name(class, fields, builtin.map(|known| known.name)),
        kind: builtin.map_or("Custom", |known| known.kind),
        tier: tier.or(builtin.and_then(|known| known.tier)),
        cost: amounts(words(fields, "mCost").unwrap_or_default(), items),
        unlocks: builtin.map_or(&[], |known| known.unlocks),
        dependencies: builtin.map_or(&[], |known| known.dependencies),
    }
}

fn building(native: &str, class: &str, fields: &Fields) -> Building {
    let builtin = super::builtin_building(class);
    let none = Building {
        class: "",
        name: "",
        category: "",
        native: "",
        descriptor: "",
        power_mw: None,
        power_exponent: None,
        generates_mw: None,
        extraction_per_min: None,
        belt_items_per_min: None,
        pipe_m3_per_min: None,
        somersloop_slots: 0,
        build_cost: &[],
        fuels: &[],
    };
    let known = *builtin.unwrap_or(&none);
    let positive = |name| number(fields, name).filter(|value| *value > 0.0);
    Building {
        class: builtin.map_or_else(|| kept(class), |known| known.class),
        name: name(class, fields, builtin.map(|known| known.name)),
        category: if builtin.is_none() && fields.contains_key("mManufacturingSpeed") {
            "manufacturer"
        } else {
            known.category
        },
        native: builtin.map_or_else(|| kept(last_part(native)), |known| known.native),
        power_mw: positive("mPowerConsumption").or(known.power_mw),
        power_exponent: positive("mPowerConsumptionExponent").or(known.power_exponent),
        generates_mw: positive("mPowerProduction").or(known.generates_mw),
        ..known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCS: &str = r#"[
      {"NativeClass": "/Script/CoreUObject.Class'/Script/FactoryGame.FGItemDescriptor'", "Classes": [
        {"ClassName": "Desc_IronPlate_C", "mDisplayName": "Eisenplatte", "mStackSize": "SS_BIG", "mForm": "RF_SOLID",
         "mEnergyValue": "0.000000", "mResourceSinkPoints": "7"},
        {"ClassName": "Desc_Goo_C", "mDisplayName": "Goo", "mStackSize": "SS_FLUID", "mForm": "RF_LIQUID",
         "mEnergyValue": "0.5", "mResourceSinkPoints": "0"}]},
      {"NativeClass": "/Script/CoreUObject.Class'/Script/FactoryGame.FGRecipe'", "Classes": [
        {"ClassName": "Recipe_Goo_C", "mDisplayName": "Schleim",
         "mIngredients": "((ItemClass=\"/Script/Engine.BlueprintGeneratedClass'/Game/X/Desc_IronPlate.Desc_IronPlate_C'\",Amount=3))",
         "mProduct": "((ItemClass=BlueprintGeneratedClass'\"/Mod/Desc_Goo.Desc_Goo_C\"',Amount=2500))",
         "mManufactoringDuration": "4.000000",
         "mProducedIn": "(\"/Game/Y/Build_Blender.Build_Blender_C\")"}]},
      {"NativeClass": "/Script/CoreUObject.Class'/Script/FactoryGame.FGBuildableManufacturer'", "Classes": [
        {"ClassName": "Build_SmelterMk1_C", "mDisplayName": "Schmelzer", "mPowerConsumption": "5.000000",
         "mPowerConsumptionExponent": "1.500000", "mManufacturingSpeed": "1.0"}]}
    ]"#;

    fn wide(text: &str) -> Vec<u8> {
        let mut bytes = vec![0xff, 0xfe];
        bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
        bytes
    }

    #[test]
    fn the_games_file_is_read_in_utf_16_and_utf_8() {
        let data = read(&wide(DOCS)).unwrap();
        assert_eq!(data, read(DOCS.as_bytes()).unwrap());
        let plate = &data.items["Desc_IronPlate_C"];
        assert_eq!((plate.name, plate.stack_size), ("Eisenplatte", Some(200.0)));
        assert_eq!(plate.sink_points, Some(7.0));
        // Half a megajoule a litre.
        assert_eq!(data.items["Desc_Goo_C"].energy_mj, 500.0);
        let recipe = &data.recipes["Recipe_Goo_C"];
        assert_eq!(recipe.ingredients, [("Desc_IronPlate_C", 3.0)]);
        assert_eq!(recipe.products, [("Desc_Goo_C", 2.5)]);
        assert_eq!(recipe.produced_in, ["Build_Blender_C"]);
        assert_eq!((recipe.kind, recipe.duration_s), ("part", Some(4.0)));
        let smelter = &data.buildings["Build_SmelterMk1_C"];
        assert_eq!((smelter.name, smelter.power_mw), ("Schmelzer", Some(5.0)));
        assert_eq!(smelter.power_exponent, Some(1.5));
        assert_eq!(smelter.category, "manufacturer");
    }

    #[test]
    fn other_files_are_refused() {
        assert!(read(b"[]").is_err());
        assert!(read(b"{}").is_err());
        assert!(read(b"no JSON").is_err());
        assert!(read(&[0xff, 0xfe, 0x00, 0xd8]).is_err());
    }
}
