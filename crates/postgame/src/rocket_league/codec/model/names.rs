//! A replay in JSON, with names beside ids for human readers.

use std::cell::RefCell;

use serde::{Serialize, Serializer};

use super::super::updates::Actors;
use super::json::Named;
use super::text::Text;
use super::{
    Body, Broken, ClassIndex, DebugString, Header, KeyFrame, NetCache, Replay, Stated, TickMark,
};
use crate::wire::json::Bytes;

/// Resolves the ids in a stream to names, at the current frame.
pub(super) struct Names<'a>(pub RefCell<Actors<'a>>);

impl Serialize for Replay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self {
            header,
            body,
            after,
        } = self;
        let actors = body.as_ref().map(|body| Actors::new(header, body));
        let names = actors.map(|actors| Names(RefCell::new(actors)));
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
