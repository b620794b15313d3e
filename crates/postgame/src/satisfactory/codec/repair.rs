//! Making a damaged save or blueprint whole again, as far as that needs no invention.

use super::chunks::Chunks;
use super::model::header::BlueprintConfig;
use super::model::level::{Entry, Level, Oddities, Stated};
use super::model::{Blueprint, Body, Save};
use crate::wire::json::Bytes;

/// Makes sizes, counts and the digest agree with what is there. Says what it did.
pub fn repair(save: &mut Save) -> Vec<String> {
    let Save {
        header,
        header_rest: _,
        keeps_hash,
        chunks,
        body,
    } = save;
    let Some(body) = body else { return Vec::new() };
    let mut done = repair_body(body, chunks);
    let stated = header.data_hash.as_ref().and_then(|hash| hash.md5);
    let is_wrong = stated.is_some_and(|stated| {
        !chunks.stream().is_empty() && crate::satisfactory::codec::md5(chunks.stream()) != stated
    });
    if is_wrong || *keeps_hash {
        *keeps_hash = false;
        if let Some(hash) = &mut header.data_hash {
            // While the chunks are as they were the digest is taken over: it must be the right one.
            hash.md5 = Some(crate::satisfactory::codec::md5(chunks.stream()));
        }
        done.push("digest of the data recomputed".to_owned());
    }
    done
}

/// Makes sizes and counts agree with what is there. Says what it did.
pub fn repair_blueprint(blueprint: &mut Blueprint) -> Vec<String> {
    let Blueprint {
        header: _,
        chunks,
        body,
    } = blueprint;
    body.as_mut()
        .map(|body| repair_body(body, chunks))
        .unwrap_or_default()
}

/// Drops what is left after the last field. Says what it did.
pub fn repair_config(config: &mut BlueprintConfig) -> Vec<String> {
    let rest = std::mem::take(&mut config.rest);
    if rest.is_empty() || config.version > 6 {
        config.rest = rest;
        return Vec::new();
    }
    vec![format!("dropped {} bytes at the end", rest.0.len())]
}

fn repair_body(body: &mut Body, chunks: &mut Chunks) -> Vec<String> {
    let mut done = Vec::new();
    for level in body.all_levels_mut() {
        repair_level(level, &mut done);
    }
    let oddities = &mut body.oddities;
    if let Some(size) = oddities.stated_size.take() {
        done.push(format!("body size {size} recomputed"));
    }
    if std::mem::take(&mut oddities.lacks_size) {
        done.push("body size added".to_owned());
    }
    if !oddities.level_count.is_right() {
        oddities.level_count = Stated::Right;
        done.push(format!("level count set to {}", body.levels.len()));
    }
    let oddities = &mut body.oddities;
    if !oddities.trailing.is_empty() {
        done.push(format!(
            "dropped {} bytes that could not be read",
            oddities.trailing.0.len()
        ));
        oddities.trailing = Bytes::default();
    }
    if body.persistent.is_none() {
        body.persistent = Some(Level::default());
        done.push("added an empty persistent level".to_owned());
    }
    if !done.is_empty() {
        body.complete();
    }
    if !chunks.all_whole() {
        // What is damaged is compressed anew, from what could be saved of it.
        *chunks = Chunks::new(chunks.names_compressor);
        done.push("compressed the data anew".to_owned());
    }
    done
}

fn repair_level(level: &mut Level, done: &mut Vec<String>) {
    let without_data = level
        .objects
        .iter()
        .filter(|entry| !entry.has_data())
        .count();
    if without_data > 0 {
        level.objects.retain(Entry::has_data);
        done.push(format!("dropped {without_data} objects that had no data"));
    }
    if level.oddities != Oddities::default() {
        let Oddities {
            contents_rest,
            data_rest,
            ..
        } = std::mem::take(&mut level.oddities);
        let name = level
            .name
            .as_ref()
            .map_or_else(|| "the persistent level".to_owned(), ToString::to_string);
        let bytes = contents_rest.0.len() + data_rest.0.len();
        done.push(format!(
            "sizes and counts of {name} recomputed, {bytes} bytes dropped"
        ));
    }
}
