//! Repairs a damaged save or blueprint without inventing data.
//!
//! Each chunk has a checksum, and newer saves have a digest of all chunks. A repair is proven if the chunks still match
//! the stated digest or, without a digest, if every chunk matches its checksum. The file's header has neither.

use super::compression::chunks::Chunks;
use super::md5;
use super::model::body::BodyOddities;
use super::model::header::BlueprintConfig;
use super::model::level::{Level, Oddities, Stated};
use super::model::{Blueprint, Body, Save};
use crate::repair::{Loss, Repair};

/// Corrects sizes, counts, chunks and the digest. Objects whose data is lost keep their headers.
pub fn repair(save: &mut Save, done: &mut Repair) {
    let Save {
        header,
        header_rest: _,
        keeps_hash,
        chunks,
        body,
    } = save;
    let Some(body) = body else { return };
    let stated = header.data_hash.as_ref().and_then(|hash| hash.md5);
    let is_wrong = stated.is_some_and(|stated| {
        *keeps_hash || (!chunks.stream().is_empty() && md5(chunks.stream()) != stated)
    });
    repair_body(body, chunks, is_wrong, done);
    if !is_wrong {
        return;
    }
    *keeps_hash = false;
    let written = body.write().and_then(|body| chunks.write(&body));
    let digest = written.ok().map(|stream| md5(&stream));
    if digest == stated {
        done.proven("the data has its digest again");
        return;
    }
    if let Some(hash) = &mut header.data_hash {
        // While the chunks are unchanged, the digest is kept, so it must be the right one.
        hash.md5 = digest;
    }
    done.suspect(
        "digest of the data recomputed",
        "the digest did not match, so any object may be wrong, or another program wrote the file",
    );
}

/// Corrects sizes, counts and chunks. Objects whose data is lost keep their headers.
pub fn repair_blueprint(blueprint: &mut Blueprint, done: &mut Repair) {
    let Blueprint {
        header: _,
        chunks,
        body,
    } = blueprint;
    if let Some(body) = body {
        repair_body(body, chunks, false, done);
    }
}

/// Drops the bytes after the last field.
pub fn repair_config(config: &mut BlueprintConfig, done: &mut Repair) {
    /// A newer version has unknown fields, which are kept.
    const NEWEST_VERSION: i32 = 6;
    if !config.rest.is_empty() && config.version <= NEWEST_VERSION {
        let bytes = std::mem::take(&mut config.rest).0.len();
        done.lost("dropped the bytes after the last field", Loss::bytes(bytes));
    }
}

/// True when the body has no objects.
pub(crate) fn is_empty(save: &Save) -> bool {
    has_no_objects(save.body.as_ref())
}

/// The same for a blueprint.
pub(crate) fn is_empty_blueprint(blueprint: &Blueprint) -> bool {
    has_no_objects(blueprint.body.as_ref())
}

fn has_no_objects(body: Option<&Body>) -> bool {
    body.is_none_or(|body| body.all_levels().all(|level| level.objects.is_empty()))
}

fn repair_body(body: &mut Body, chunks: &mut Chunks, is_digest_wrong: bool, done: &mut Repair) {
    let first_step = done.steps.len();
    let damage = chunks.damage();
    if damage.is_empty() {
        let mended = chunks.mend_headers(is_digest_wrong);
        if mended > 0 {
            done.proven(format!("headers of {mended} chunks mended"));
        }
    } else {
        let bytes: usize = damage.iter().map(std::ops::Range::len).sum();
        let action = format!(
            "compressed the data anew, without {} damaged chunks",
            damage.len()
        );
        if bytes > 0 {
            done.lost(action, Loss::bytes(bytes));
        } else {
            done.suspect(
                action,
                "chunks do not have their checksum, so their objects may be wrong",
            );
        }
        // Compressed again, from the data that could be saved.
        *chunks = Chunks::new(chunks.usual_form());
    }
    drop_nameless_levels(body, done);
    let blanked = body.blank_unreadable(&damage);
    if blanked.without_header > 0 {
        done.lost(
            "dropped objects whose header is damaged",
            Loss::objects(blanked.without_header),
        );
    }
    if blanked.without_data > 0 {
        done.lost(
            "kept only header and place of objects whose data cannot be read",
            Loss::objects(blanked.without_data),
        );
    }
    for level in body.all_levels_mut() {
        repair_level(level, done);
    }
    repair_parts(body, done);
    if done.steps.len() > first_step {
        body.complete();
    }
}

/// Every level has a name; zeros in place of lost data are read as levels without one.
fn drop_nameless_levels(body: &mut Body, done: &mut Repair) {
    let is_nameless = |level: &Level| level.name.as_ref().is_none_or(|name| name.is_empty());
    let dropped: Vec<Level> = body
        .levels
        .extract_if(.., |level| is_nameless(level))
        .collect();
    if !dropped.is_empty() {
        let objects = dropped.iter().map(|level| level.objects.len()).sum();
        done.lost(
            format!("dropped {} levels without a name", dropped.len()),
            Loss::objects(objects),
        );
    }
}

fn repair_parts(body: &mut Body, done: &mut Repair) {
    const SUSPECT: &str = "the number contradicted the data, either of which may be damaged";
    let BodyOddities {
        lacks_size,
        stated_size,
        level_count,
        trailing,
    } = std::mem::take(&mut body.oddities);
    if let Some(size) = stated_size {
        done.suspect(format!("body size {size} recomputed"), SUSPECT);
    }
    if lacks_size {
        done.lost("body size added to an empty body", Loss::default());
    }
    if !level_count.is_right() {
        let action = format!("level count set to {}", body.levels.len());
        match level_count {
            Stated::Other(_) => done.suspect(action, SUSPECT),
            _ => done.lost(action, Loss::default()),
        }
    }
    if !trailing.is_empty() {
        done.lost(
            "dropped the end of the body, which could not be read",
            Loss::bytes(trailing.0.len()),
        );
    }
    if body.persistent.is_none() {
        body.persistent = Some(Level::default());
        done.lost("added an empty persistent level", Loss::default());
    }
}

fn repair_level(level: &mut Level, done: &mut Repair) {
    if level.oddities == Oddities::default() {
        return;
    }
    let Oddities {
        contents_rest,
        data_rest,
        lacks_data,
        ..
    } = std::mem::take(&mut level.oddities);
    let name = level
        .name
        .as_ref()
        .map_or_else(|| "the persistent level".to_owned(), ToString::to_string);
    let bytes = contents_rest.0.len() + data_rest.0.len();
    let action = format!("sizes and counts of {name} recomputed");
    if bytes > 0 || lacks_data {
        done.lost(action, Loss::bytes(bytes));
    } else {
        done.suspect(
            action,
            "they contradicted the data, either of which may be damaged",
        );
    }
}
