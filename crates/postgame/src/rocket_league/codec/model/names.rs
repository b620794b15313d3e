//! A replay in JSON, with names beside ids for human readers.

use std::cell::RefCell;

use serde::{Serialize, Serializer};

use super::super::schema::{Class, Schema};
use super::json::Named;
use super::network::Spawn;
use super::text::Text;
use super::values::Reference;
use super::{
    Body, Broken, ClassIndex, DebugString, Header, KeyFrame, NetCache, Replay, Stated, TickMark,
};
use crate::wire::json::Bytes;

/// Resolves the ids in a stream to names.
pub(super) struct Names<'a> {
    schema: Schema,
    objects: &'a [Text],
    /// The archetype of each actor, at the current frame.
    actors: RefCell<Vec<i32>>,
}

impl<'a> Names<'a> {
    fn new(header: &Header, body: &'a Body) -> Self {
        let schema = Schema::new(header, body);
        Self {
            actors: RefCell::new(vec![-1; schema.era.channels as usize]),
            schema,
            objects: &body.objects,
        }
    }

    /// Records that an actor appears.
    pub fn appear(&self, actor: u32, spawn: &Spawn) {
        if let Some(slot) = self.actors.borrow_mut().get_mut(actor as usize) {
            *slot = spawn.object.id;
        }
    }

    /// Called at a gap: the meaning of ids after missing frames is unknown.
    pub fn forget(&self) {
        self.actors.borrow_mut().fill(-1);
    }

    /// The class of an actor.
    pub fn class(&self, actor: u32) -> Option<&Class> {
        let object = *self.actors.borrow().get(actor as usize)?;
        self.schema.class_of_object(object)
    }

    /// The name of an attribute of a class.
    pub fn attribute(&self, class: &Class, stream_id: u16) -> Option<&'a str> {
        let object = class.object_of(stream_id)?;
        self.objects.get(object as usize).map(Text::as_str)
    }

    /// The name of an object.
    pub fn object(&self, object: Reference) -> Option<&'a str> {
        self.objects.get(object.object()?).map(Text::as_str)
    }
}

impl Serialize for Replay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self {
            header,
            body,
            after,
        } = self;
        let names = body.as_ref().map(|body| Names::new(header, body));
        ReplayJson {
            header,
            body: body.as_ref().zip(names.as_ref()).map(BodyJson::new),
            after,
        }
        .serialize(serializer)
    }
}

#[derive(Serialize)]
#[serde(rename = "Replay")]
struct ReplayJson<'a> {
    header: &'a Header,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<BodyJson<'a>>,
    #[serde(skip_serializing_if = "Bytes::is_empty")]
    after: &'a Bytes,
}

#[derive(Serialize)]
#[serde(rename = "Body")]
struct BodyJson<'a> {
    #[serde(skip_serializing_if = "Stated::is_empty")]
    stated: Stated,
    levels: &'a [Text],
    keyframes: &'a [KeyFrame],
    network: Named<'a, &'a super::network::Network>,
    debug_strings: &'a [DebugString],
    tick_marks: &'a [TickMark],
    packages: &'a [Text],
    objects: &'a [Text],
    names: &'a [Text],
    classes: &'a [ClassIndex],
    net_caches: &'a [NetCache],
    #[serde(skip_serializing_if = "Option::is_none")]
    camera_track: Option<&'a Text>,
    #[serde(skip_serializing_if = "Bytes::is_empty")]
    trailing: &'a Bytes,
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<&'a Broken>,
}

impl<'a> BodyJson<'a> {
    fn new((body, all): (&'a Body, &'a Names<'a>)) -> Self {
        let Body {
            stated,
            levels,
            keyframes,
            network,
            debug_strings,
            tick_marks,
            packages,
            objects,
            names,
            classes,
            net_caches,
            camera_track,
            trailing,
            broken,
        } = body;
        Self {
            stated: *stated,
            levels,
            keyframes,
            network: Named(network, all),
            debug_strings,
            tick_marks,
            packages,
            objects,
            names,
            classes,
            net_caches,
            camera_track: camera_track.as_ref(),
            trailing,
            broken: broken.as_ref(),
        }
    }
}
