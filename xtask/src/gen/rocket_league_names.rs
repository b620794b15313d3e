//! Rocket League's names for people: maps, playlists, seasons, bodies and hitboxes.

use std::fmt::Write as _;

use super::table::Table;
use crate::tools::Result;

const TYPES: &str = r"
/// A map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Map {
    /// The file's name of it, in lower case.
    pub code: &'static str,
    /// The name players know.
    pub name: &'static str,
    /// It has the shape of the standard soccar field.
    pub is_standard: bool,
}

/// A playlist.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playlist {
    /// Its number in a replay.
    pub id: i32,
    /// A name for programs, such as `ranked-doubles`; that of ballchasing.com where it has one.
    pub slug: &'static str,
    /// A name for people.
    pub name: &'static str,
    /// `ranked`, `casual`, `private`, `offline`, `lan`, `tournament` or `training`.
    pub kind: &'static str,
    /// The game mode, if the playlist has only one.
    pub mode: Option<&'static str>,
}

/// A competitive season.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Season {
    /// Its number in its era.
    pub number: u8,
    /// `legacy` or `free2play`.
    pub era: &'static str,
    /// The day it starts, in UTC.
    pub from: &'static str,
}

/// The box a family of cars collides with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hitbox {
    /// The family's name.
    pub family: &'static str,
    /// Length, width and height.
    pub size_uu: [f32; 3],
    /// The box's middle relative to the car's origin: forward, right, up.
    pub middle_uu: [f32; 3],
}

/// A car's body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CarBody {
    /// Its product id.
    pub id: u32,
    /// Its name, if a source has it.
    pub name: Option<&'static str>,
    /// Index of its family into [`HITBOXES`].
    pub hitbox: usize,
}
";

/// The types and tables.
pub fn names(out: &mut String) -> Result<()> {
    out.push_str(TYPES);
    let write =
        |out: &mut String, line: String| writeln!(out, "{line}").map_err(|error| error.to_string());
    let optional = |text: &str| match text {
        "" => "None".to_owned(),
        text => format!("Some({text:?})"),
    };
    out.push_str("\n/// Maps, sorted by code.\n#[rustfmt::skip]\npub const MAPS: &[Map] = &[\n");
    let maps = Table::read("data/rocket_league/maps.tsv")?;
    let mut rows = maps.rows(["code", "name", "shape"])?;
    rows.sort_by_key(|row| row[0]);
    for [code, name, shape] in rows {
        let is_standard = shape == "standard";
        write(
            out,
            format!("    Map {{ code: {code:?}, name: {name:?}, is_standard: {is_standard} }},"),
        )?;
    }
    out.push_str("];\n\n/// Playlists, sorted by number.\n#[rustfmt::skip]\npub const PLAYLISTS: &[Playlist] = &[\n");
    let playlists = Table::read("data/rocket_league/playlists.tsv")?;
    for [id, slug, name, kind, mode] in playlists.rows(["id", "slug", "name", "kind", "mode"])? {
        let mode = optional(mode);
        write(
            out,
            format!(
                "    Playlist {{ id: {id}, slug: {slug:?}, name: {name:?}, kind: {kind:?}, mode: {mode} }},"
            ),
        )?;
    }
    out.push_str(
        "];\n\n/// Seasons, in order.\n#[rustfmt::skip]\npub const SEASONS: &[Season] = &[\n",
    );
    let seasons = Table::read("data/rocket_league/seasons.tsv")?;
    for [number, era, from] in seasons.rows(["number", "era", "from"])? {
        write(
            out,
            format!("    Season {{ number: {number}, era: {era:?}, from: {from:?} }},"),
        )?;
    }
    out.push_str("];\n\n/// Hitboxes; the first is the one most bodies have.\n#[rustfmt::skip]\npub const HITBOXES: &[Hitbox] = &[\n");
    let boxes = Table::read("data/rocket_league/hitboxes.tsv")?;
    let columns = [
        "family",
        "length_uu",
        "width_uu",
        "height_uu",
        "forward_uu",
        "up_uu",
    ];
    let boxes = boxes.rows(columns)?;
    for [family, length, width, height, forward, up] in &boxes {
        let decimal = |text: &str| {
            text.parse::<f32>()
                .map_err(|error| format!("{text}: {error}"))
        };
        let size = [decimal(length)?, decimal(width)?, decimal(height)?];
        let middle = [decimal(forward)?, 0.0, decimal(up)?];
        write(
            out,
            format!(
                "    Hitbox {{ family: {family:?}, size_uu: {size:?}, middle_uu: {middle:?} }},"
            ),
        )?;
    }
    out.push_str("];\n\n/// Bodies, sorted by product id.\n#[rustfmt::skip]\npub const CAR_BODIES: &[CarBody] = &[\n");
    let bodies = Table::read("data/rocket_league/bodies.tsv")?;
    for [id, name, hitbox] in bodies.rows(["id", "name", "hitbox"])? {
        let index = boxes.iter().position(|row| row[0] == hitbox);
        let index = index.ok_or_else(|| format!("bodies.tsv: {hitbox} is not a hitbox"))?;
        let name = optional(name);
        write(
            out,
            format!("    CarBody {{ id: {id}, name: {name}, hitbox: {index} }},"),
        )?;
    }
    out.push_str("];\n");
    Ok(())
}
