//! Selects buildings by a small language: `category:production and not state:running`.
//!
//! ```text
//! expression  = all of      { "or" all of }
//! all of      = one         { ["and"] one }
//! one         = "not" one | "(" expression ")" | key ":" value
//! ```
//!
//! | key | selects |
//! |---|---|
//! | `class`, `name`, `recipe`, `mod` | what has the text in its class, its name in the game, its recipe or its mod; case does not matter |
//! | `category` | buildings of a category, such as `production` |
//! | `state` | machines that do this: `running`, `starved`, `blocked`, `unpowered`, … |
//! | `circuit`, `area` | machines on a circuit, or joined by belts and pipes, by number |
//! | `box` | what stands between two corners: `x1,y1,x2,y2` in metres |
//! | `near` | what stands around a place: `x,y,radius` in metres |
//! | `layer` | `actors` or `lightweight` |
//!
//! A value with spaces stands in quotes.

use std::collections::{BTreeSet, HashMap};

use super::classes::{Class, Classes, full_name, mod_of};
use super::flow;
use super::production::{Machine, factory};
use crate::error::{Error, Result};
use crate::satisfactory::codec::edit::Target;
use crate::satisfactory::codec::model::{Save, Tail};

/// Nested deeper than this, an expression is refused.
const MAX_DEPTH: usize = 32;
/// Centimetres in a metre.
const CM_PER_M: f64 = 100.0;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Query {
    /// One of these.
    Any(Vec<Query>),
    /// All of these.
    All(Vec<Query>),
    /// Not this.
    Not(Box<Query>),
    /// The class has this text, in lower case.
    Class(String),
    /// The name has this text, in lower case.
    Name(String),
    /// The recipe's name or class has this text, in lower case.
    Recipe(String),
    /// The mod's name has this text, in lower case.
    Mod(String),
    /// The category.
    Category(String),
    /// What the machine does.
    State(String),
    /// The number of the circuit.
    Circuit(i64),
    /// The number of the area.
    Area(usize),
    /// Between two corners, in metres.
    Box([f64; 4]),
    /// Around a place, in metres.
    Near([f64; 3]),
    /// Whether it has no object of its own.
    Lightweight(bool),
}

/// A building that can be selected.
#[derive(Clone, Debug, PartialEq)]
pub struct Building {
    /// What it is to an edit.
    pub target: Target,
    /// The path of its class.
    pub class: String,
    /// Where it is, in centimetres.
    pub position_cm: [f64; 3],
    /// The index of its machine, if it is one.
    pub machine: Option<usize>,
}

impl Query {
    /// Reads an expression.
    ///
    /// # Errors
    /// When it is not one; the message says why.
    pub fn read(text: &str) -> Result<Self> {
        let words = words(text)?;
        let mut parser = Parser { words: &words };
        let query = parser.any(0)?;
        match parser.words {
            [] => Ok(query),
            [word, ..] => Err(Error::invalid(format!("{word} is not expected there"))),
        }
    }
}

/// Splits an expression into words and parentheses; quotes keep spaces within a word.
fn words(text: &str) -> Result<Vec<String>> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for letter in text.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            '(' | ')' if !is_quoted => {
                words.push(letter.to_string());
                words.push(String::new());
            }
            letter if letter.is_whitespace() && !is_quoted => words.push(String::new()),
            letter => {
                if let Some(word) = words.last_mut() {
                    word.push(letter);
                }
            }
        }
    }
    if is_quoted {
        return Err(Error::invalid("a quote is not closed"));
    }
    words.retain(|word| !word.is_empty());
    Ok(words)
}

struct Parser<'w> {
    words: &'w [String],
}

impl Parser<'_> {
    fn peek(&self) -> Option<&str> {
        self.words.first().map(String::as_str)
    }

    /// Takes the next word if it is this one.
    fn takes(&mut self, wanted: &str) -> bool {
        match self.words {
            [word, rest @ ..] if word == wanted => {
                self.words = rest;
                true
            }
            _ => false,
        }
    }

    fn any(&mut self, depth: usize) -> Result<Query> {
        if depth > MAX_DEPTH {
            return Err(Error::invalid("too many parentheses"));
        }
        let mut choices = vec![self.all(depth)?];
        while self.takes("or") {
            choices.push(self.all(depth)?);
        }
        Ok(match choices.len() {
            1 => choices.remove(0),
            _ => Query::Any(choices),
        })
    }

    fn all(&mut self, depth: usize) -> Result<Query> {
        let mut parts = vec![self.one(depth)?];
        while self.takes("and") || !matches!(self.peek(), None | Some("or" | ")")) {
            parts.push(self.one(depth)?);
        }
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => Query::All(parts),
        })
    }

    fn one(&mut self, depth: usize) -> Result<Query> {
        if depth > MAX_DEPTH {
            return Err(Error::invalid("too many parentheses"));
        }
        if self.takes("not") {
            return Ok(Query::Not(Box::new(self.one(depth + 1)?)));
        }
        if self.takes("(") {
            let query = self.any(depth + 1)?;
            return match self.takes(")") {
                true => Ok(query),
                false => Err(Error::invalid("a parenthesis is not closed")),
            };
        }
        let [word, rest @ ..] = self.words else {
            return Err(Error::invalid("the selection ends too early"));
        };
        self.words = rest;
        let pair = word.split_once(':');
        let (key, value) = pair.ok_or_else(|| {
            Error::invalid(format!(
                "{word} is not of the form key:value, such as name:Smelter"
            ))
        })?;
        condition(key, value)
    }
}

fn numbers<const N: usize>(key: &str, value: &str) -> Result<[f64; N]> {
    let numbers: Vec<f64> = value
        .split(',')
        .filter_map(|part| part.trim().parse().ok())
        .filter(|number: &f64| number.is_finite())
        .collect();
    let wrong = |_| Error::invalid(format!("{key} needs {N} numbers in metres, not {value}"));
    numbers.try_into().map_err(wrong)
}

fn condition(key: &str, value: &str) -> Result<Query> {
    let text = value.to_lowercase();
    let not_a_number = || Error::invalid(format!("{key} needs a number, not {value}"));
    Ok(match key {
        "class" => Query::Class(text),
        "name" => Query::Name(text),
        "recipe" => Query::Recipe(text),
        "mod" => Query::Mod(text),
        "category" => Query::Category(text),
        "state" => Query::State(text),
        "circuit" => Query::Circuit(value.parse().map_err(|_| not_a_number())?),
        "area" => Query::Area(value.parse().map_err(|_| not_a_number())?),
        "box" => Query::Box(numbers(key, value)?),
        "near" => Query::Near(numbers(key, value)?),
        "layer" => match value {
            "actors" => Query::Lightweight(false),
            "lightweight" => Query::Lightweight(true),
            _ => return Err(Error::invalid("layer is actors or lightweight")),
        },
        _ => return Err(Error::invalid(format!("{key} is not a key of selections"))),
    })
}

/// What a query is held against.
struct Place<'a> {
    class: &'a Class,
    name: &'a str,
    is_lightweight: bool,
    position_cm: [f64; 3],
    machine: Option<(&'a Machine, usize)>,
}

impl Query {
    fn fits(&self, place: &Place<'_>) -> bool {
        let [x_m, y_m, _] = place.position_cm.map(|part| part / CM_PER_M);
        let machine = place.machine.map(|(machine, _)| machine);
        let recipe = || machine?.recipe.as_deref();
        match self {
            Self::Any(choices) => choices.iter().any(|query| query.fits(place)),
            Self::All(parts) => parts.iter().all(|query| query.fits(place)),
            Self::Not(query) => !query.fits(place),
            Self::Class(text) => place.class.short().to_lowercase().contains(text),
            Self::Name(text) => place.name.to_lowercase().contains(text),
            Self::Recipe(text) => recipe().is_some_and(|path| {
                path.to_lowercase().contains(text) || full_name(path).to_lowercase().contains(text)
            }),
            Self::Mod(text) => {
                mod_of(&place.class.path).is_some_and(|name| name.to_lowercase().contains(text))
            }
            Self::Category(text) => place.class.category == text,
            Self::State(text) => machine.is_some_and(|machine| machine.activity.name() == text),
            Self::Circuit(number) => machine.is_some_and(|one| one.circuit == Some(*number)),
            Self::Area(number) => place.machine.is_some_and(|(_, area)| area == *number),
            Self::Box([x1, y1, x2, y2]) => {
                (x1.min(*x2)..=x1.max(*x2)).contains(&x_m)
                    && (y1.min(*y2)..=y1.max(*y2)).contains(&y_m)
            }
            Self::Near([x, y, radius]) => (x_m - x).hypot(y_m - y) <= *radius,
            Self::Lightweight(is_wanted) => place.is_lightweight == *is_wanted,
        }
    }
}

/// The buildings of a save that a query selects, in the file's order.
pub fn select(save: &Save, query: &Query) -> Vec<Building> {
    let Some(body) = &save.body else {
        return Vec::new();
    };
    let factory = factory(save);
    let areas = flow::areas(&factory, &flow::graph(save));
    let machines: HashMap<&str, usize> = factory
        .machines
        .iter()
        .enumerate()
        .map(|(index, machine)| (machine.path.as_str(), index))
        .collect();
    let mut found = Vec::new();
    let mut classes = Classes::default();
    let mut names: HashMap<usize, String> = HashMap::new();
    let decoder = body.decoder();
    for level in body.all_levels() {
        let form = body.form(level);
        for entry in &level.objects {
            let Ok(header) = decoder.header(form, entry) else {
                continue;
            };
            let number = classes.number(&header.class);
            let is_list = classes
                .get(number)
                .is_some_and(|class| class.short() == "FGLightweightBuildableSubsystem");
            if is_list {
                if let Ok((object, _)) = decoder.object(form, entry)
                    && let Some(Tail::Lightweight(list)) = object.tail()
                {
                    for (class_index, of_class) in list.classes.iter().enumerate() {
                        let class = Class::new(&of_class.class.path.to_str());
                        let name = full_name(&class.path);
                        for (instance, building) in of_class.instances.iter().enumerate() {
                            let place = Place {
                                class: &class,
                                name: &name,
                                is_lightweight: true,
                                position_cm: building.position_cm,
                                machine: None,
                            };
                            if !building.is_tombstone() && query.fits(&place) {
                                found.push(Building {
                                    target: Target::Lightweight {
                                        class: class_index,
                                        instance,
                                    },
                                    class: class.path.clone(),
                                    position_cm: building.position_cm,
                                    machine: None,
                                });
                            }
                        }
                    }
                }
                continue;
            }
            let (Some(class), Some(placement)) = (classes.get(number), header.placement()) else {
                continue;
            };
            if !class.is_building() {
                continue;
            }
            let path = header.reference.path.to_string();
            let machine = machines.get(path.as_str()).copied();
            let name = names
                .entry(number)
                .or_insert_with(|| full_name(&class.path));
            let position_cm = placement.position_cm.map(f64::from);
            let place = Place {
                class,
                name,
                is_lightweight: false,
                position_cm,
                machine: machine.and_then(|index| {
                    let area = areas.get(index).copied();
                    Some((factory.machines.get(index)?, area?))
                }),
            };
            if query.fits(&place) {
                found.push(Building {
                    target: Target::Actor(path),
                    class: class.path.clone(),
                    position_cm,
                    machine,
                });
            }
        }
    }
    found
}

/// What edits need of selected buildings.
pub fn targets(buildings: &[Building]) -> BTreeSet<Target> {
    buildings
        .iter()
        .map(|building| building.target.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read() {
        let smelters = Query::Name("smelter".to_owned());
        let idle = Query::State("idle".to_owned());
        for (text, query) in [
            ("name:Smelter", smelters.clone()),
            ("(name:Smelter)", smelters.clone()),
            (
                "name:Smelter state:idle",
                Query::All(vec![smelters.clone(), idle.clone()]),
            ),
            (
                "name:Smelter and state:idle",
                Query::All(vec![smelters.clone(), idle.clone()]),
            ),
            (
                "not (state:idle or recipe:\"Iron Ingot\")",
                Query::Not(Box::new(Query::Any(vec![
                    idle,
                    Query::Recipe("iron ingot".to_owned()),
                ]))),
            ),
            ("near:-10,20.5,3", Query::Near([-10.0, 20.5, 3.0])),
            ("box:1,2,3,4", Query::Box([1.0, 2.0, 3.0, 4.0])),
        ] {
            assert_eq!(Query::read(text).unwrap(), query, "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        let deep = format!("{}name:x{}", "(".repeat(100), ")".repeat(100));
        let nots = format!("{}name:x", "not ".repeat(100));
        for text in [
            "",
            "Smelter",
            "name:a or",
            "(name:a",
            "name:a)",
            "size:3",
            "circuit:x",
            "box:1,2",
            "name:\"a",
            "near:1,2,inf",
            &deep,
            &nots,
        ] {
            assert!(Query::read(text).is_err(), "{text}");
        }
    }
}
