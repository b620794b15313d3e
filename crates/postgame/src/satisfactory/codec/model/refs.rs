//! Visits every reference in an object, to read, change or drop it.

use super::basic::Ref;
use super::items::{DynamicStruct, Item, Payload};
use super::object::{Contents, Fields, Object};
use super::property::Properties;
use super::structs::Struct;
use super::tail::{Chain, Drone, Lightweight, PowerLine, Tail, Train};
use super::value::{List, Map, Value};

/// The result of visiting a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Keeps it, changed or not.
    Yes,
    /// Drops it: it is removed from its list, or becomes a null reference.
    No,
}

/// Calls a function with references, except for the object's own name.
struct Visitor<'f>(&'f mut dyn FnMut(&mut Ref) -> Keep);

/// Calls `visit` with every reference in an object's data, including nested structures.
pub fn visit_refs(object: &mut Object, mut visit: impl FnMut(&mut Ref) -> Keep) {
    if let Some(data) = &mut object.data
        && let Contents::Known(fields) = &mut data.contents
    {
        Visitor(&mut visit).fields(fields);
    }
}

impl Visitor<'_> {
    fn keeps(&mut self, reference: &mut Ref) -> bool {
        reference.is_none() || (self.0)(reference) == Keep::Yes
    }

    fn one(&mut self, reference: &mut Ref) {
        if !self.keeps(reference) {
            *reference = Ref::default();
        }
    }

    fn fields(&mut self, fields: &mut Fields) {
        let Fields {
            owner,
            components,
            list_control: _,
            properties,
            has_id: _,
            id: _,
            tail,
            rest: _,
        } = fields;
        if let Some(owner) = owner {
            self.one(owner);
        }
        if let Some(components) = components {
            components.retain_mut(|component| self.keeps(component));
        }
        if let Some(properties) = properties {
            self.properties(properties);
        }
        if let Some(tail) = tail {
            self.tail(tail);
        }
    }

    fn properties(&mut self, properties: &mut Properties) {
        for property in &mut properties.0 {
            self.value(&mut property.value);
        }
    }

    /// True when the value stays in its list.
    fn value(&mut self, value: &mut Value) -> bool {
        match value {
            Value::Object(reference) => {
                let keeps = self.keeps(reference);
                if !keeps {
                    *reference = Ref::default();
                }
                return keeps;
            }
            Value::Struct(value) => match value {
                Struct::Properties(properties) => self.properties(properties),
                Struct::Item(item) => self.item(item),
                Struct::Track(place) => self.one(&mut place.track),
                Struct::Trace(trace) => {
                    for object in trace.objects_mut() {
                        self.one(object);
                    }
                }
                _ => {}
            },
            Value::List(list) => {
                let List {
                    tag: _,
                    removed,
                    items,
                } = &mut **list;
                removed.retain_mut(|item| self.value(item));
                items.retain_mut(|item| self.value(item));
            }
            Value::Map(map) => {
                let Map { removed, pairs } = &mut **map;
                removed.retain_mut(|item| self.value(item));
                pairs.retain_mut(|(key, value)| {
                    let keeps = self.value(key);
                    self.value(value);
                    keeps
                });
            }
            _ => {}
        }
        true
    }

    fn item(&mut self, item: &mut Item) {
        let Item {
            class,
            state,
            state_actor,
        } = item;
        self.one(class);
        if let Some(state) = state {
            self.dynamic(state);
        }
        if let Some(actor) = state_actor {
            self.one(actor);
        }
    }

    fn dynamic(&mut self, value: &mut DynamicStruct) {
        if let Some((script, payload)) = value.contents.as_deref_mut() {
            self.one(script);
            if let Payload::Properties(properties) = payload {
                self.properties(properties);
            }
        }
    }

    fn tail(&mut self, tail: &mut Tail) {
        match tail {
            Tail::Belt(items) => items.iter_mut().for_each(|item| self.item(&mut item.item)),
            Tail::Chain(chain) => self.chain(chain),
            Tail::Wire(wire) => {
                let PowerLine {
                    first,
                    second,
                    ends_cm: _,
                } = &mut **wire;
                self.one(first);
                self.one(second);
            }
            Tail::Circuits(circuits) => circuits.0.retain_mut(|(_, circuit)| self.keeps(circuit)),
            Tail::Lightweight(lightweight) => self.lightweight(lightweight),
            Tail::Players(players) => players.retain_mut(|player| self.keeps(player)),
            Tail::Train(train) => {
                let Train {
                    bodies: _,
                    coupled_front,
                    coupled_back,
                } = &mut **train;
                self.one(coupled_front);
                self.one(coupled_back);
            }
            Tail::Drone(drone) => {
                let Drone {
                    bodies: _,
                    is_active: _,
                    action,
                    queue,
                } = &mut **drone;
                for action in action.iter_mut().chain(queue.iter_mut().flatten()) {
                    self.properties(&mut action.properties);
                }
            }
            Tail::Panel(panel) => panel.modules.iter_mut().for_each(|module| self.one(module)),
            Tail::PlayerState(_) | Tail::Vehicle(_) | Tail::Component(_) => {}
        }
    }

    fn chain(&mut self, chain: &mut Chain) {
        self.one(&mut chain.first);
        self.one(&mut chain.last);
        for segment in &mut chain.segments {
            self.one(&mut segment.chain);
            self.one(&mut segment.belt);
        }
        chain
            .items
            .iter_mut()
            .for_each(|item| self.item(&mut item.item));
    }

    fn lightweight(&mut self, lightweight: &mut Lightweight) {
        for class in &mut lightweight.classes {
            self.one(&mut class.class);
            for instance in &mut class.instances {
                for reference in [
                    &mut instance.swatch,
                    &mut instance.material,
                    &mut instance.pattern,
                    &mut instance.skin,
                    &mut instance.paint_finish,
                    &mut instance.recipe,
                    &mut instance.blueprint,
                ] {
                    self.one(reference);
                }
                if let Some(data) = &mut instance.type_data {
                    self.dynamic(data);
                }
            }
        }
    }
}
