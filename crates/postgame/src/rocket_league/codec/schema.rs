//! The attributes of an actor, and the layout of each.
//!
//! A file lists each class's own attributes with their numbers. A class also inherits its parents' attributes, but the
//! file does not name the parents. They are found by class name (`data/rocket_league/classes.tsv`), and one rule of the
//! format verifies the result: a class's first number is one more than the last number of its parents. For an unknown
//! class the rule finds the parent.

use std::borrow::Cow;
use std::collections::HashMap;

use super::model::kinds::Kind;
use super::model::text::Text;
use super::model::versions::{Era, ProductKind};
use super::model::{Body, Header};
use crate::rocket_league::tables::{self, find};

/// The initial values of an actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpawnRule {
    /// Nothing.
    None,
    /// A location.
    Location,
    /// A location and a rotation.
    LocationAndRotation,
}

/// The attributes of a class, including those of its parents.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its name.
    pub name: Text,
    /// The class it derives from, an index into [`Schema::classes`].
    pub parent: Option<usize>,
    /// How the parent was found.
    pub parent_by: ParentBy,
    /// Its own first number in the file.
    pub first_id: u32,
    /// Number of its own attributes.
    pub own: usize,
    /// One more than the highest number of its parents; 0 for none.
    pub parent_end: u32,
    /// The layout of each attribute, by number.
    pub kinds: Vec<Kind>,
    /// The name of each attribute, by number; an index into the objects.
    pub objects: Vec<u32>,
    /// The initial values of its actors.
    pub spawn: SpawnRule,
    /// Upper limit of the numbers.
    pub(crate) limit: u32,
    /// Minimum number of bits of a number.
    pub(crate) id_bits: u32,
}

/// How a class's parent was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParentBy {
    /// In the table of classes.
    Name,
    /// By the numbers: the class is not in the table, or a new class was added between it and its parent.
    Numbers,
    /// Not found: no class fits.
    Nothing,
}

/// Not the number of any attribute.
const NO_OBJECT: u32 = u32::MAX;

/// Maximum actor id, and the length of the table of actors; real files have 1023 or 2047.
const MAX_ACTORS: u32 = 1 << 16;

/// Maximum number of attributes and of classes; real files stay below 200 and 100. Each class has its own table, so
/// both together decide the cost of a hostile file.
const MOST: u32 = 1 << 11;

/// Everything needed to read and write a network stream.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The layout of values.
    pub era: Era,
    /// The classes.
    pub classes: Vec<Class>,
    /// The class of an actor and its initial values, by its archetype.
    of_object: Vec<Option<(u16, SpawnRule)>>,
}

impl Schema {
    /// The schema of a file.
    pub fn new(header: &Header, body: &Body) -> Self {
        Self::with_classes_of(header, body, vec![true; body.objects.len()], kind_of)
    }

    /// The schema of a file that was read, with only the classes of its actors' archetypes. It has no layouts:
    /// determining them is most of the work, and callers already have the values.
    pub(crate) fn of_actors(header: &Header, body: &Body) -> Self {
        let mut is_made = vec![false; body.objects.len()];
        let spawns = body.network.blocks.iter().flat_map(|block| &block.spawns);
        for object in spawns.filter_map(|spawn| usize::try_from(spawn.object.id).ok()) {
            if let Some(is_made) = is_made.get_mut(object) {
                *is_made = true;
            }
        }
        Self::with_classes_of(header, body, is_made, |_| Kind::Unknown)
    }

    fn with_classes_of(
        header: &Header,
        body: &Body,
        mut is_wanted: Vec<bool>,
        kind_of: impl Fn(&str) -> Kind,
    ) -> Self {
        let era = era(header, &body.objects);
        let mut builder = Builder::new(body, kind_of);
        builder.link();
        let Builder {
            classes, by_name, ..
        } = builder;
        let mut schema = Self {
            era,
            classes,
            of_object: Vec::new(),
        };
        // Attributes are objects too, but never archetypes.
        let attributes = body.net_caches.iter().flat_map(|cache| &cache.properties);
        for property in attributes {
            if let Some(is_wanted) = is_wanted.get_mut(property.object as usize) {
                *is_wanted = false;
            }
        }
        let objects = body.objects.iter().zip(is_wanted);
        schema.of_object = objects
            .map(|(name, is_wanted)| match is_wanted {
                true => schema.class_of(name.as_str(), &by_name),
                false => None,
            })
            .collect();
        schema
    }

    /// The class of an actor with this archetype.
    pub fn class_of_object(&self, object: i32) -> Option<&Class> {
        let (class, _) = self.of_object(object)?;
        self.classes.get(usize::from(class))
    }

    #[inline]
    pub(crate) fn of_object(&self, object: i32) -> Option<(u16, SpawnRule)> {
        *self.of_object.get(usize::try_from(object).ok()?)?
    }

    fn class_of(&self, object: &str, by_name: &HashMap<&str, usize>) -> Option<(u16, SpawnRule)> {
        let is_class =
            |name: &str| by_name.contains_key(name) || find(tables::CLASSES, name).is_some();
        let name = class_name(object, &is_class)?;
        let mut name = &*name;
        let mut spawn = find(tables::SPAWNS, name);
        // The nearest class in the file; the others have no attributes of their own.
        let class = loop {
            if let Some(&class) = by_name.get(name) {
                break class;
            }
            name = find(tables::CLASSES, name)?;
            spawn = spawn.or_else(|| find(tables::SPAWNS, name));
        };
        let spawn = spawn.unwrap_or(self.classes.get(class)?.spawn);
        Some((u16::try_from(class).ok()?, spawn))
    }

    /// Sets the layout of an attribute, given as an index into the objects.
    pub(crate) fn set_kind(&mut self, object: u32, kind: Kind) {
        for class in &mut self.classes {
            let slots = class.objects.iter().zip(&mut class.kinds);
            for (_, slot) in slots.filter(|(own, _)| **own == object) {
                *slot = kind;
            }
        }
    }

    /// The names of all attributes with a number, for a message about an unreadable attribute.
    pub(crate) fn candidates<'a>(&self, id: u32, objects: &'a [Text]) -> Vec<&'a str> {
        let mut names: Vec<&str> = self
            .classes
            .iter()
            .filter_map(|class| objects.get(*class.objects.get(id as usize)? as usize))
            .map(Text::as_str)
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

fn era(header: &Header, objects: &[Text]) -> Era {
    let (versions, properties) = (header.versions, &header.properties);
    let is_lan = properties
        .text("MatchType")
        .is_some_and(|kind| kind.eq_ignore_ascii_case("Lan"));
    let channels = properties.int("MaxChannels").unwrap_or(1023);
    const PRODUCTS: [(&str, ProductKind); 6] = [
        ("UserColor_TA", ProductKind::UserColor),
        ("Painted_TA", ProductKind::Painted),
        ("SpecialEdition_TA", ProductKind::SpecialEdition),
        ("TeamEdition_TA", ProductKind::TeamEdition),
        ("TitleID_TA", ProductKind::TitleId),
        ("Certified_TA", ProductKind::Certified),
    ];
    let product_kinds = objects.iter().enumerate().filter_map(|(index, name)| {
        let name = name.as_str().strip_prefix("TAGame.ProductAttribute_")?;
        let known = PRODUCTS.iter().find(|product| product.0 == name);
        let kind = known.map_or(ProductKind::Unknown, |product| product.1);
        Some((i32::try_from(index).ok()?, kind))
    });
    // Two other readers disagree about LAN matches of these versions, and no known file settles it.
    let names_are_uncertain =
        is_lan && versions.at_least(868, 14, 0) && !versions.at_least(868, 20, 0);
    Era {
        versions,
        vector_limit: if versions.net() >= 7 { 22 } else { 20 },
        channels: u32::try_from(channels).unwrap_or(0).clamp(1, MAX_ACTORS),
        spawns_have_names: versions.at_least(868, 20, 0)
            || (versions.at_least(868, 14, 0) && !is_lan),
        names_are_uncertain,
        // 2.23; builds are compared as text.
        server_id_is_text: properties
            .text("BuildVersion")
            .is_some_and(|build| build >= "221120.42953.406184"),
        // A name can occur twice, but not without bound.
        product_kinds: product_kinds.take(64).collect(),
    }
}

/// The class of an actor, by its archetype: `Archetypes.Car.Car_Default` is a `TAGame.Car_TA`.
fn class_name<'a>(object: &'a str, is_class: &dyn Fn(&str) -> bool) -> Option<Cow<'a, str>> {
    let known = find(tables::ARCHETYPES, object).map(Cow::Borrowed);
    let is_itself = || is_class(object).then_some(Cow::Borrowed(object));
    // Names are case-insensitive in the game.
    let in_any_case = || {
        let mut table = tables::ARCHETYPES.iter();
        let found = table.find(|entry| entry.0.eq_ignore_ascii_case(object));
        found.map(|entry| Cow::Borrowed(entry.1))
    };
    let default = || {
        let (package, name) = object.split_once(".Default__")?;
        let name = format!("{package}.{name}");
        is_class(&name).then_some(Cow::Owned(name))
    };
    let in_packages = |name: &str| {
        let packages = ["TAGame", "Engine", "ProjectX"].into_iter();
        let mut names = packages.map(|package| format!("{package}.{name}"));
        names.find(|name| is_class(name)).map(Cow::Owned)
    };
    // `stadium_p.TheWorld:PersistentLevel.CrowdActor_TA_3`
    let in_level = || {
        let (_, name) = object.split_once("PersistentLevel.")?;
        let name = name.split(['.', ':']).next()?;
        in_packages(
            name.trim_end_matches(|letter: char| letter.is_ascii_digit())
                .trim_end_matches('_'),
        )
        .or_else(|| in_packages(name))
    };
    // `Archetypes.SpecialPickups.BM.SpecialPickup_Swapper_BM`
    let by_last_name = || {
        let name = object.rsplit(['.', ':']).next()?;
        let name = name.strip_suffix("_BM").unwrap_or(name);
        in_packages(&format!("{name}_TA"))
    };
    let by_pattern = || {
        let end = tables::ENDS.iter().find(|entry| object.ends_with(entry.0));
        let start = || {
            tables::STARTS
                .iter()
                .find(|entry| object.starts_with(entry.0))
        };
        end.or_else(start).map(|entry| Cow::Borrowed(entry.1))
    };
    known
        .or_else(is_itself)
        .or_else(default)
        .or_else(in_level)
        .or_else(in_any_case)
        .or_else(by_last_name)
        .or_else(by_pattern)
}

/// The layout of an attribute, by its name; a name that begins like a flag is a flag.
fn kind_of(name: &str) -> Kind {
    find(tables::ATTRIBUTES, name).unwrap_or_else(|| {
        let mut letters = name.rsplit(':').next().unwrap_or(name).bytes();
        let is_flag = letters.next() == Some(b'b')
            && letters
                .next()
                .is_some_and(|letter| letter.is_ascii_uppercase());
        if is_flag {
            Kind::Boolean
        } else {
            Kind::Unknown
        }
    })
}

struct Builder<'a> {
    classes: Vec<Class>,
    /// The attributes of each class alone: number, object, kind.
    own: Vec<Vec<(u32, u32, Kind)>>,
    by_name: HashMap<&'a str, usize>,
}

impl<'a> Builder<'a> {
    fn new(body: &'a Body, kind_of: impl Fn(&str) -> Kind) -> Self {
        let mut builder = Self {
            classes: Vec::with_capacity(body.net_caches.len()),
            own: Vec::with_capacity(body.net_caches.len()),
            by_name: HashMap::with_capacity(body.net_caches.len()),
        };
        for cache in &body.net_caches {
            let Some(name) = body.objects.get(cache.object as usize) else {
                continue;
            };
            let own = cache.properties.iter().filter_map(|property| {
                let name = body.objects.get(property.object as usize)?;
                (property.stream_id < MOST)
                    .then(|| (property.stream_id, property.object, kind_of(name.as_str())))
            });
            // A class can be listed twice.
            if let Some(list) = builder
                .by_name
                .get(name.as_str())
                .and_then(|&index| builder.own.get_mut(index))
            {
                list.extend(own);
                continue;
            }
            if builder.classes.len() >= MOST as usize {
                break;
            }
            builder.own.push(own.collect());
            builder.by_name.insert(name.as_str(), builder.classes.len());
            builder.classes.push(Class {
                name: name.clone(),
                parent: None,
                parent_by: ParentBy::Nothing,
                first_id: cache.first_id,
                own: cache.properties.len(),
                parent_end: 0,
                kinds: Vec::new(),
                objects: Vec::new(),
                spawn: SpawnRule::Location,
                limit: 0,
                id_bits: 0,
            });
        }
        builder
    }

    /// Finds every class's parent and adds its attributes. A parent's numbers are lower, so it comes first.
    fn link(&mut self) {
        let mut order: Vec<usize> = (0..self.classes.len()).collect();
        let key = |index: &usize| {
            let class = self.classes.get(*index);
            class.map(|class| (class.first_id, depth(class.name.as_str())))
        };
        order.sort_by_cached_key(key);
        let mut done: Vec<usize> = Vec::with_capacity(order.len());
        for index in order {
            let (parent, parent_by) = self.parent_of(index, &done);
            self.inherit(index, parent, parent_by);
            done.push(index);
        }
    }

    fn parent_of(&self, index: usize, done: &[usize]) -> (Option<usize>, ParentBy) {
        let Some(class) = self.classes.get(index) else {
            return (None, ParentBy::Nothing);
        };
        let name = class.name.as_str();
        let mut ancestor = find(tables::CLASSES, name);
        let is_known = ancestor.is_some();
        let by_name = loop {
            let Some(name) = ancestor else { break None };
            if let Some(&parent) = self.by_name.get(name) {
                break Some(parent).filter(|parent| done.contains(parent));
            }
            ancestor = find(tables::CLASSES, name);
        };
        let end_of = |parent: usize| self.classes.get(parent).map_or(0, |class| class.end());
        let has_numbers = self.own.get(index).is_some_and(|own| !own.is_empty());
        let fits = |parent: usize| end_of(parent) == class.first_id;
        if is_known && (!has_numbers || by_name.is_none_or(fits)) {
            return (by_name, ParentBy::Name);
        }
        // The rule about numbers; among the classes that fit, the one with the most similar name.
        let candidates = done.iter().copied().filter(|&parent| {
            fits(parent) && by_name.is_none_or(|ancestor| self.derives(parent, ancestor))
        });
        let similarity = |parent: &usize| {
            let other = self
                .classes
                .get(*parent)
                .map_or("", |class| class.name.as_str());
            let same = name.bytes().zip(other.bytes()).take_while(|(a, b)| a == b);
            (same.count(), std::cmp::Reverse(other.len()))
        };
        match candidates.max_by_key(similarity) {
            Some(parent) => (Some(parent), ParentBy::Numbers),
            None if by_name.is_some() => (by_name, ParentBy::Name),
            None => (
                self.by_name
                    .get("Engine.Actor")
                    .copied()
                    .filter(|parent| done.contains(parent)),
                ParentBy::Nothing,
            ),
        }
    }

    fn derives(&self, class: usize, ancestor: usize) -> bool {
        let parent = |&index: &usize| self.classes.get(index)?.parent;
        std::iter::successors(Some(class), parent)
            .take(self.classes.len())
            .any(|class| class == ancestor)
    }

    fn inherit(&mut self, index: usize, parent: Option<usize>, parent_by: ParentBy) {
        let above = parent.and_then(|parent| self.classes.get(parent));
        let name = self
            .classes
            .get(index)
            .map_or("", |class| class.name.as_str());
        let spawn = spawn_rule(name, above);
        let (mut kinds, mut objects) = above
            .map(|parent| (parent.kinds.clone(), parent.objects.clone()))
            .unwrap_or_default();
        let parent_end = kinds.len() as u32;
        for &(id, object, kind) in self.own.get(index).into_iter().flatten() {
            let id = id as usize;
            if id >= kinds.len() {
                kinds.resize(id + 1, Kind::Unknown);
                objects.resize(id + 1, NO_OBJECT);
            }
            if let (Some(kind_slot), Some(object_slot)) = (kinds.get_mut(id), objects.get_mut(id)) {
                *kind_slot = kind;
                *object_slot = object;
            }
        }
        let Some(class) = self.classes.get_mut(index) else {
            return;
        };
        // Without any attribute, three numbers are still possible, as other readers found.
        let limit = if kinds.is_empty() {
            3
        } else {
            kinds.len() as u32
        };
        *class = Class {
            parent,
            parent_by,
            parent_end,
            spawn,
            limit,
            id_bits: limit.ilog2(),
            kinds,
            objects,
            name: std::mem::take(&mut class.name),
            ..*class
        };
    }
}

/// The initial values of an actor: those of the nearest class with a rule, by name. An unknown class is treated like
/// its parent.
fn spawn_rule(name: &str, parent: Option<&Class>) -> SpawnRule {
    let inherited = parent.map_or(SpawnRule::None, |parent| parent.spawn);
    let mut name = name;
    loop {
        if let Some(spawn) = find(tables::SPAWNS, name) {
            return spawn;
        }
        match find(tables::CLASSES, name) {
            // The lookup for this class was already done.
            Some(above) if parent.is_some_and(|parent| parent.name.as_str() == above) => {
                return inherited;
            }
            Some(above) => name = above,
            None => return inherited,
        }
    }
}

/// Number of ancestors of a class, by the table.
fn depth(name: &str) -> usize {
    std::iter::successors(find(tables::CLASSES, name), |name| {
        find(tables::CLASSES, name)
    })
    .count()
}

impl Class {
    /// One more than its highest number.
    pub fn end(&self) -> u32 {
        self.kinds.len() as u32
    }

    /// The name of an attribute, an index into the objects.
    pub fn object_of(&self, stream_id: u16) -> Option<u32> {
        let object = *self.objects.get(usize::from(stream_id))?;
        (object != NO_OBJECT).then_some(object)
    }

    /// True if the numbers fit: the first is one more than the last of the parents. Also true if there are no own
    /// numbers.
    pub fn numbers_fit(&self) -> bool {
        self.own == 0 || self.parent.is_none() || self.first_id == self.parent_end
    }
}
