//! Writing chunks: those with unchanged contents as they were stored, the others compressed again.

use std::sync::Arc;

use md5::{Digest as _, Md5};

use super::chunks::{CHUNK_BYTES, Chunks, Piece};
use super::header::ChunkHeader;
use super::zlib::{deflate_in_order, inflate};
use crate::error::Result;
use crate::satisfactory::codec::model::basic::Id16;
use crate::wire::bytes::ByteWriter;

/// A part of a stream to write: an unchanged piece, or a chunk to compress.
enum Step<'a> {
    Keep(&'a [u8]),
    Make(&'a [u8]),
}

/// Adds everything written from an offset on to a digest, if one is wanted.
fn update(digest: &mut Option<Md5>, writer: &ByteWriter, from: usize) {
    if let Some(digest) = digest {
        digest.update(writer.as_bytes().get(from..).unwrap_or_default());
    }
}

impl Chunks {
    /// The stream for a body: chunks with unchanged contents are reused, the others are compressed again.
    pub(in crate::satisfactory) fn write(&self, body: &[u8]) -> Result<Vec<u8>> {
        let mut writer = ByteWriter::new();
        self.write_to(body, false, &mut writer)?;
        Ok(writer.into_bytes())
    }

    /// Appends the stream for a body. Returns its digest if that is wanted and the stream has changed.
    pub(in crate::satisfactory) fn write_to(
        &self,
        body: &[u8],
        wants_digest: bool,
        writer: &mut ByteWriter,
    ) -> Result<Option<Id16>> {
        let steps = self.steps(body);
        let (mut make, mut kept_bytes) = (Vec::new(), 0);
        for step in &steps {
            match step {
                Step::Make(chunk) => make.push(*chunk),
                Step::Keep(bytes) => kept_bytes += bytes.len(),
            }
        }
        let is_as_it_was = make.is_empty() && kept_bytes == self.stream.len();
        let start = writer.position();
        let mut digest = (wants_digest && !is_as_it_was).then(Md5::default);
        let mut steps = steps.into_iter().peekable();
        let mut add_kept = |writer: &mut ByteWriter, digest: &mut Option<Md5>| {
            let from = writer.position();
            while let Some(Step::Keep(bytes)) = steps.next_if(|step| matches!(step, Step::Keep(_)))
            {
                writer.bytes(bytes);
            }
            update(digest, writer, from);
            steps.next()
        };
        // Finished chunks are appended and hashed while the rest is still being compressed.
        deflate_in_order(&make, |compressed| {
            if let Some(Step::Make(chunk)) = add_kept(writer, &mut digest) {
                let from = writer.position();
                let form = self.names_compressor;
                ChunkHeader::write(writer, form, compressed.len(), chunk.len());
                writer.bytes(&compressed);
                update(&mut digest, writer, from);
            }
        })?;
        add_kept(writer, &mut digest);
        let is_another = writer.as_bytes().get(start..) != Some(self.stream());
        Ok(digest
            .filter(|_| is_another)
            .map(|digest| Id16(digest.finalize().into())))
    }

    /// The parts of the stream for a body.
    fn steps<'a>(&'a self, body: &'a [u8]) -> Vec<Step<'a>> {
        let kept = self.unchanged(body);
        let mut steps = Vec::new();
        let mut pieces = self.pieces.iter().zip(kept).peekable();
        let mut at = 0;
        loop {
            // A piece that starts before this offset can no longer be used.
            while pieces
                .next_if(|(piece, _)| piece.offset < at as u64)
                .is_some()
            {}
            if let Some((piece, true)) = pieces.next_if(|(piece, _)| piece.offset == at as u64) {
                steps.push(Step::Keep(piece.bytes(&self.stream)));
                at += (piece.inflated as usize).min(body.len() - at);
                continue;
            }
            let rest = body.get(at..).unwrap_or_default();
            if rest.is_empty() {
                return steps;
            }
            let chunk = rest.get(..CHUNK_BYTES).unwrap_or(rest);
            steps.push(Step::Make(chunk));
            at += chunk.len();
        }
    }

    /// For each piece, whether the body has the same contents at its offset.
    fn unchanged(&self, body: &[u8]) -> Vec<bool> {
        let holds =
            |inflater: &mut libdeflater::Decompressor, buffer: &mut Vec<u8>, piece: &Piece| {
                let start = usize::try_from(piece.offset).unwrap_or(usize::MAX);
                let there = body.get(start..).unwrap_or_default();
                buffer.clear();
                buffer.resize(piece.inflated as usize, 0);
                let mut length = buffer.len();
                if piece.header > 0 {
                    let is_last = piece.start + u64::from(piece.length) == self.stream.len() as u64;
                    if let Err(written) = inflate(inflater, piece.compressed(&self.stream), buffer)
                        && is_last
                        && there.len() == written
                    {
                        length = written;
                    }
                }
                there.get(..length) == buffer.get(..length)
            };
        #[cfg(feature = "parallel")]
        {
            use rayon::prelude::*;
            self.pieces
                .par_iter()
                .map_init(
                    || (libdeflater::Decompressor::new(), Vec::new()),
                    |(inflater, buffer), piece| holds(inflater, buffer, piece),
                )
                .collect()
        }
        #[cfg(not(feature = "parallel"))]
        {
            let (mut inflater, mut buffer) = (libdeflater::Decompressor::new(), Vec::new());
            self.pieces
                .iter()
                .map(|piece| holds(&mut inflater, &mut buffer, piece))
                .collect()
        }
    }

    /// Only the pieces that compressing `body` again would not reproduce.
    pub(in crate::satisfactory) fn for_json(&self, body: &[u8]) -> Result<Self> {
        let mut odd = Self {
            names_compressor: self.names_compressor,
            ..Self::default()
        };
        let mut stream = Vec::new();
        let contents: Vec<&[u8]> = self
            .pieces
            .iter()
            .map(|piece| {
                let rest = body.get(piece.offset as usize..).unwrap_or_default();
                rest.get(..(piece.inflated as usize).min(rest.len()))
                    .unwrap_or_default()
            })
            .collect();
        let mut made = Vec::with_capacity(contents.len());
        deflate_in_order(&contents, |compressed| made.push(compressed))?;
        for ((piece, contents), compressed) in self.pieces.iter().zip(contents).zip(made) {
            let mut writer = ByteWriter::new();
            ChunkHeader::write(
                &mut writer,
                self.names_compressor,
                compressed.len(),
                contents.len(),
            );
            writer.bytes(&compressed);
            let is_last = piece.offset as usize + contents.len() == body.len();
            let is_usual = (contents.len() == CHUNK_BYTES || is_last)
                && piece.offset.is_multiple_of(CHUNK_BYTES as u64)
                && writer.as_bytes() == piece.bytes(&self.stream);
            if !is_usual {
                let start = stream.len() as u64;
                stream.extend_from_slice(piece.bytes(&self.stream));
                odd.pieces.push(Piece {
                    start,
                    ..piece.clone()
                });
            }
        }
        odd.stream = Arc::new(stream.into());
        Ok(odd)
    }
}
