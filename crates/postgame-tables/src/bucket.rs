//! Files in an object store: `s3://BUCKET/PREFIX`, with the usual environment variables (`AWS_ACCESS_KEY_ID`,
//! `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT_URL`, `AWS_ALLOW_HTTP`).

use std::fs::File;
use std::io::{self, Read as _};

use futures::TryStreamExt as _;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::{ObjectStore as _, ObjectStoreExt as _, WriteMultipart};
use tokio::runtime::{Builder, Runtime};

/// How an address of an object store begins.
pub const SCHEME: &str = "s3://";

/// What is sent at a time.
const PIECE_BYTES: usize = 8 << 20;

/// A part of a bucket: everything below a prefix.
#[derive(Debug)]
pub struct Bucket {
    store: AmazonS3,
    prefix: Path,
    runtime: Runtime,
}

impl Bucket {
    /// The part of a bucket that an address means.
    ///
    /// # Errors
    /// When the address names no bucket, or the environment does not say how to reach it.
    pub fn open(address: &str) -> io::Result<Self> {
        let rest = address.strip_prefix(SCHEME).unwrap_or(address);
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() {
            return Err(io::Error::other("there is no bucket in this address"));
        }
        let store = AmazonS3Builder::from_env().with_bucket_name(bucket);
        Ok(Self {
            store: store.build()?,
            prefix: Path::from(prefix),
            runtime: Builder::new_multi_thread().worker_threads(1).enable_all().build()?,
        })
    }

    fn place(&self, path: &str) -> Path {
        let mut place = self.prefix.clone();
        for part in path.split('/').filter(|part| !part.is_empty()) {
            place = place.join(part);
        }
        place
    }

    /// The files below a folder, in order of their names.
    ///
    /// # Errors
    /// What the store says.
    pub fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let place = self.place(folder);
        let list = self.store.list(Some(&place)).map_ok(|object| object.location);
        let all: Vec<Path> = self.runtime.block_on(list.try_collect())?;
        let relative = |path: &Path| {
            let parts = path.prefix_match(&self.prefix)?;
            let parts: Vec<String> = parts.map(|part| part.as_ref().to_owned()).collect();
            Some(parts.join("/"))
        };
        let mut names: Vec<String> = all.iter().filter_map(relative).collect();
        names.sort();
        Ok(names)
    }

    /// The contents of a file.
    ///
    /// # Errors
    /// What the store says.
    pub fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let place = self.place(path);
        let bytes = self.runtime.block_on(async {
            let object = self.store.get(&place).await?;
            object.bytes().await
        })?;
        Ok(bytes.into())
    }

    /// Writes a file, piece by piece: it is there when all of it is.
    ///
    /// # Errors
    /// What the store or the file says.
    pub fn write(&self, path: &str, file: &mut File) -> io::Result<()> {
        let place = self.place(path);
        let mut piece = Vec::new();
        file.take(PIECE_BYTES as u64).read_to_end(&mut piece)?;
        if piece.len() < PIECE_BYTES {
            self.runtime.block_on(self.store.put(&place, piece.into()))?;
            return Ok(());
        }
        let upload = self.runtime.block_on(self.store.put_multipart(&place))?;
        let mut writer = WriteMultipart::new_with_chunk_size(upload, PIECE_BYTES);
        while !piece.is_empty() {
            self.runtime.block_on(async {
                writer.write(&piece);
                // A few pieces at a time: memory is bounded.
                writer.wait_for_capacity(2).await
            })?;
            piece.clear();
            file.take(PIECE_BYTES as u64).read_to_end(&mut piece)?;
        }
        self.runtime.block_on(writer.finish())?;
        Ok(())
    }

    /// Removes a file.
    ///
    /// # Errors
    /// What the store says.
    pub fn remove(&self, path: &str) -> io::Result<()> {
        match self.runtime.block_on(self.store.delete(&self.place(path))) {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
