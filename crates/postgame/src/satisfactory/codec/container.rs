//! Complete files: format detection, reading and writing from end to end.

use std::sync::Arc;

use super::compression::buffer::Buffer;
use super::compression::chunks::{Chunks, TAG};
use super::compression::sparse::Sparse;
use super::model::body::Body;
use super::model::header::{BlueprintConfig, BlueprintHeader, Header, NEWEST_HEADER, NEWEST_SAVE};
use super::model::{Blueprint, Save};
use crate::error::{Context as _, Error, Result};
use crate::limits::Budget;
use crate::recording::{Depth, ReadOptions};
use crate::report::{Report, Severity};
use crate::satisfactory::codec::decode::scope::Scope;
use crate::wire::bytes::{ByteReader, ByteWriter};
use crate::wire::json::Bytes;
use crate::wire::record::Wire as _;

/// How far the chunks after a newer version's header are searched.
const MAX_HEADER_REST: usize = 1 << 16;

fn has_tag(rest: &[u8]) -> bool {
    rest.starts_with(&TAG.to_le_bytes())
}

/// True when the bytes start with the header of a save. The rest may be damaged.
pub fn sniff(bytes: &[u8]) -> bool {
    let mut reader = ByteReader::new(bytes);
    let Ok(header) = Header::read(&mut reader, &Scope::default()) else {
        return false;
    };
    let is_plausible = (3..100).contains(&header.header_version)
        && (1..1000).contains(&header.save_version)
        && header.build >= 0
        && header
            .map_name
            .to_str()
            .chars()
            .all(|letter| !letter.is_control());
    is_plausible
        && (has_tag(reader.rest())
            || header.header_version > NEWEST_HEADER
            // Damaged or cut off directly after the header: then the header alone must be plausible.
            || (header.saved_at_ticks.is_some_and(is_this_age) && !header.map_name.is_empty()))
}

/// Years 2015 to 2100.
fn is_this_age(ticks: i64) -> bool {
    const DAY: i64 = 864_000_000_000;
    (735_598 * DAY..766_644 * DAY).contains(&ticks)
}

/// True when the bytes are a blueprint.
pub fn sniff_blueprint(bytes: &[u8]) -> bool {
    let mut reader = ByteReader::new(bytes);
    BlueprintHeader::read(&mut reader, &Scope::default()).is_ok_and(|header| {
        (1..10).contains(&header.header_version)
            && (1..1000).contains(&header.save_version)
            && header
                .dimensions
                .iter()
                .all(|size| (0..=1000).contains(size))
            && (has_tag(reader.rest()) || !header.recipes.is_empty())
    })
}

/// True when the bytes are a blueprint's configuration: it has no marker, but must be readable to its end.
pub fn sniff_config(bytes: &[u8]) -> bool {
    let mut reader = ByteReader::new(bytes);
    BlueprintConfig::read(&mut reader).is_ok_and(|config| {
        (0..100).contains(&config.version)
            && (config.rest.is_empty() || config.version > 6 || config.version == 1)
            && config
                .color
                .iter()
                .all(|part| (-1.0..=100.0).contains(part))
            && !config
                .description
                .to_str()
                .chars()
                .any(|letter| letter.is_control() && !letter.is_whitespace())
    })
}

/// Reads a save: the header, and an index of everything in the body. Objects are decoded on demand.
///
/// With [`Depth::Index`], the data of the objects is not inflated, as far as it fills whole chunks. It is inflated when
/// the first object of a level is requested. Damage in it is only found then, or by [`check`](super::check): requesting
/// objects of that level is an error, while a full read would have kept the readable part. Headers and offsets of all
/// objects, and the objects of other levels, are available all the same. Saves before version 29, and those with
/// anything odd outside the data, are read completely.
///
/// # Errors
/// When not even the header can be read, or reading takes more memory than is allowed.
pub fn read(bytes: &[u8], options: &ReadOptions, report: &mut Report) -> Result<Save> {
    let mut reader = ByteReader::new(bytes);
    let header = Header::read(&mut reader, &Scope::default()).field("header")?;
    let mut save = Save {
        header,
        header_rest: Bytes::default(),
        keeps_hash: false,
        chunks: Chunks::default(),
        body: None,
    };
    let (header_version, save_version) = (save.header.header_version, save.header.save_version);
    if header_version > NEWEST_HEADER && !has_tag(reader.rest()) {
        let window = reader
            .rest()
            .get(..MAX_HEADER_REST)
            .unwrap_or(reader.rest());
        if let Some(length) = window.windows(4).position(has_tag) {
            save.header_rest = reader.bytes(length)?.into();
        }
    }
    if header_version > NEWEST_HEADER || save_version > NEWEST_SAVE {
        let message = format!(
            "header version {header_version}, save version {save_version}: newer than known"
        );
        report.add(Severity::Note, "newer", "header", None, message);
    }
    if options.depth == Depth::Header {
        return Ok(save);
    }
    let (base, stream) = (reader.position() as u64, reader.rest());
    let budget = Arc::new(options.limits.budget(bytes.len()));
    let chunks = Chunks::find(stream, base, &budget, report).field("chunks")?;
    if options.depth == Depth::Index
        && chunks.are_all_chunks()
        && let Some((chunks, body)) = read_index(&chunks, (stream, base), save_version, &budget)
    {
        save.chunks = chunks;
        save.body = Some(body);
        return budget.settle(save, report);
    }
    let (chunks, inflated) = chunks.inflate(stream, base, report);
    save.chunks = chunks;
    save.body = Some(Body::read(
        inflated,
        save_version,
        Arc::clone(&budget),
        report,
    ));
    budget.settle(save, report)
}

/// A body in which only the parts needed for the index are inflated; `None` if all of it must be.
fn read_index(
    chunks: &Chunks,
    (stream, base): (&[u8], u64),
    save_version: i32,
    budget: &Arc<Budget>,
) -> Option<(Chunks, Body)> {
    // One after the other: on two threads they would wait for each other's memory, and take a fifth longer.
    let (body, skipped) = Body::read_index(Sparse::new(chunks, stream), save_version, budget)?;
    let chunks = chunks.keeping(Buffer::from(stream));
    let body = body.with_skipped(skipped, &chunks, base);
    Some((chunks, body))
}

/// Writes a save: the same bytes it was read from if nothing was changed.
///
/// # Errors
/// When the format cannot represent the model, or only the header was read.
pub fn write(save: &Save) -> Result<Vec<u8>> {
    let Save {
        header,
        header_rest,
        keeps_hash,
        chunks,
        body,
    } = save;
    let Some(body) = body else {
        return Err(Error::unwritable("only the header was read"));
    };
    let body = body.write().field("body")?;
    let mut header = header.clone();
    let (mut wants_hash, mut lacks_hash) = (false, false);
    if let Some(hash) = &mut header.data_hash
        && hash.is_valid.is_set()
        && !keeps_hash
    {
        wants_hash = true;
        lacks_hash = hash.md5.is_none();
        hash.md5.get_or_insert_default();
    }
    // The header comes first, but its digest is only known once everything after it is written.
    let mut writer = ByteWriter::with_capacity(chunks.stream().len().max(body.len() / 6) + 1024);
    let write_header = |header: &Header| {
        let mut writer = ByteWriter::new();
        header
            .write(&mut writer, &Scope::default())
            .field("header")?;
        writer.bytes(&header_rest.0);
        Ok::<_, Error>(writer.into_bytes())
    };
    let first = write_header(&header)?;
    writer.bytes(&first);
    let digest = chunks.write_to(&body, wants_hash, &mut writer)?;
    let stream = writer.as_bytes().get(first.len()..).unwrap_or_default();
    let digest = digest.or_else(|| lacks_hash.then(|| crate::satisfactory::codec::md5(stream)));
    if let (Some(digest), Some(hash)) = (digest, &mut header.data_hash) {
        hash.md5 = Some(digest);
        let right = write_header(&header)?;
        writer.patch(0, &right);
    }
    Ok(writer.into_bytes())
}

/// Reads a blueprint.
///
/// # Errors
/// When not even the header can be read, or reading takes more memory than is allowed.
pub fn read_blueprint(
    bytes: &[u8],
    options: &ReadOptions,
    report: &mut Report,
) -> Result<Blueprint> {
    let mut reader = ByteReader::new(bytes);
    let header = BlueprintHeader::read(&mut reader, &Scope::default()).field("header")?;
    if header.save_version > NEWEST_SAVE {
        let message = format!("save version {}: newer than known", header.save_version);
        report.add(Severity::Note, "newer", "header", None, message);
    }
    let mut blueprint = Blueprint {
        header,
        chunks: Chunks::default(),
        body: None,
    };
    if options.depth == Depth::Header {
        return Ok(blueprint);
    }
    let base = reader.position() as u64;
    let budget = Arc::new(options.limits.budget(bytes.len()));
    let (chunks, inflated) = Chunks::read(reader.rest(), base, &budget, report).field("chunks")?;
    blueprint.chunks = chunks;
    let unreal = blueprint
        .header
        .versions
        .as_ref()
        .map(|versions| versions.unreal5);
    blueprint.body = Some(Body::read_blueprint(
        inflated,
        blueprint.header.save_version,
        unreal,
        Arc::clone(&budget),
        report,
    ));
    budget.settle(blueprint, report)
}

/// Writes a blueprint: the same bytes it was read from if nothing was changed.
///
/// # Errors
/// When the format cannot represent the model, or only the header was read.
pub fn write_blueprint(blueprint: &Blueprint) -> Result<Vec<u8>> {
    let Blueprint {
        header,
        chunks,
        body,
    } = blueprint;
    let Some(body) = body else {
        return Err(Error::unwritable("only the header was read"));
    };
    let stream = chunks.write(&body.write().field("body")?)?;
    let mut writer = ByteWriter::with_capacity(stream.len() + 1024);
    header
        .write(&mut writer, &Scope::default())
        .field("header")?;
    writer.bytes(&stream);
    Ok(writer.into_bytes())
}

/// Reads a blueprint's configuration file.
///
/// # Errors
/// When it ends early.
pub fn read_config(bytes: &[u8], _: &ReadOptions, report: &mut Report) -> Result<BlueprintConfig> {
    let config = BlueprintConfig::read(&mut ByteReader::new(bytes)).field("config")?;
    if config.version > 6 {
        let message = format!("version {}: newer than known", config.version);
        report.add(Severity::Note, "newer", "config", None, message);
    }
    Ok(config)
}

/// Writes a blueprint's configuration file.
///
/// # Errors
/// Never for a model that was read.
pub fn write_config(config: &BlueprintConfig) -> Result<Vec<u8>> {
    config.write()
}
