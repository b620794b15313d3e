//! A part of a bucket in a store that speaks S3.

use std::error::Error as _;
use std::fs::File;
use std::future::Future;
use std::io::{self, Read as _, Seek as _};
use std::ops::Range;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use futures::{StreamExt as _, TryStreamExt as _};
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::{ObjectStore as _, ObjectStoreExt as _, RetryConfig, WriteMultipart};
use tokio::runtime::{Builder, Runtime};

use super::{Listed, SCHEME};

/// What is sent at a time.
const PIECE_BYTES: usize = 8 << 20;

/// How many pieces are on their way at a time: memory is bounded by it.
const PIECES: usize = 2;

/// How many small files are on their way at a time.
const READS: usize = 16;

/// A part of a bucket: everything below a prefix.
#[derive(Debug)]
pub struct Bucket {
    store: Arc<AmazonS3>,
    /// The bucket's own address, without a prefix.
    url: String,
    prefix: String,
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
        // A store that does not answer is given up within seconds, not minutes.
        let retry = RetryConfig {
            max_retries: 4,
            retry_timeout: Duration::from_secs(20),
            ..RetryConfig::default()
        };
        let builder = AmazonS3Builder::from_env()
            .with_bucket_name(bucket)
            .with_retry(retry);
        Ok(Self {
            store: Arc::new(builder.build().map_err(explain)?),
            url: format!("{SCHEME}{bucket}"),
            prefix: prefix.trim_matches('/').to_owned(),
            // One thread does: it only waits.
            runtime: Builder::new_multi_thread()
                .worker_threads(1)
                .enable_all()
                .build()?,
        })
    }

    /// The store itself and its address, for those who read it in their own way.
    pub fn store(&self) -> (Arc<AmazonS3>, &str) {
        (Arc::clone(&self.store), &self.url)
    }

    /// The name that the store knows a file by.
    ///
    /// # Errors
    /// When there can be no file of that name.
    pub fn place(&self, path: &str) -> io::Result<Path> {
        let both = [self.prefix.as_str(), path.trim_matches('/')];
        let parts: Vec<&str> = both.into_iter().filter(|part| !part.is_empty()).collect();
        Path::parse(parts.join("/")).map_err(io::Error::other)
    }

    /// Waits for the store; also where another runtime waits for us.
    fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = object_store::Result<T>> + Send + 'static,
    ) -> io::Result<T> {
        self.begin(work).recv().map_err(io::Error::other)?
    }

    /// Begins something, whose result can be waited for.
    fn begin<T: Send + 'static>(
        &self,
        work: impl Future<Output = object_store::Result<T>> + Send + 'static,
    ) -> mpsc::Receiver<io::Result<T>> {
        let (done, result) = mpsc::sync_channel(1);
        self.runtime.spawn(async move {
            // Nobody waits when the program ends.
            drop(done.send(work.await.map_err(explain)));
        });
        result
    }

    /// The files below a folder, in order of their names; a file itself, if that is one.
    ///
    /// # Errors
    /// What the store says.
    pub fn list(&self, folder: &str) -> io::Result<Vec<Listed>> {
        let place = self.place(folder)?;
        let listed = self.store.list(Some(&place));
        let mut objects = self.wait(listed.try_collect::<Vec<_>>())?;
        if objects.is_empty() && !place.as_ref().is_empty() {
            let store = Arc::clone(&self.store);
            match self.wait(async move { store.head(&place).await }) {
                Ok(object) => objects.push(object),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        let below = |path: &Path| {
            let path = path.as_ref().strip_prefix(&self.prefix)?;
            Some(path.trim_start_matches('/').to_owned())
        };
        let files = objects.into_iter().filter_map(|object| {
            Some(Listed {
                path: below(&object.location)?,
                bytes: object.size,
            })
        });
        let mut files: Vec<Listed> = files.collect();
        // As a folder on disk is gone through: what is in a folder stays together.
        files.sort_by(|one, other| one.path.split('/').cmp(other.path.split('/')));
        Ok(files)
    }

    /// The contents of a file.
    ///
    /// # Errors
    /// What the store says.
    pub fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.send_for(path).recv().map_err(io::Error::other)?
    }

    /// The contents of a file, when they are there.
    pub fn send_for(&self, path: &str) -> mpsc::Receiver<io::Result<Vec<u8>>> {
        let store = Arc::clone(&self.store);
        match self.place(path) {
            Ok(place) => {
                self.begin(async move { Ok(store.get(&place).await?.bytes().await?.into()) })
            }
            Err(error) => {
                let (failed, result) = mpsc::sync_channel(1);
                // It has room for one.
                drop(failed.send(Err(error)));
                result
            }
        }
    }

    /// The contents of several files, in order; some are on their way at a time.
    ///
    /// # Errors
    /// What the store says about the first that cannot be read.
    pub fn read_all(&self, paths: &[String]) -> io::Result<Vec<Vec<u8>>> {
        let places = paths.iter().map(|path| self.place(path));
        let places: Vec<Path> = places.collect::<io::Result<_>>()?;
        let store = Arc::clone(&self.store);
        let reads = futures::stream::iter(places).map(move |place| {
            let store = Arc::clone(&store);
            async move { store.get(&place).await?.bytes().await }
        });
        let read = reads.buffered(READS).map_ok(Vec::from);
        self.wait(read.try_collect())
    }

    /// A part of a file.
    ///
    /// # Errors
    /// What the store says.
    pub fn read_range(&self, path: &str, range: Range<u64>) -> io::Result<Vec<u8>> {
        let (store, place) = (Arc::clone(&self.store), self.place(path)?);
        let bytes = self.wait(async move { store.get_range(&place, range).await })?;
        Ok(bytes.into())
    }

    /// A file to collect in what is written. It has no name, so it vanishes with whoever writes it.
    ///
    /// # Errors
    /// What the file system says.
    pub fn scratch(&self) -> io::Result<File> {
        tempfile::tempfile()
    }

    /// Writes a file, from its beginning: it is there when all of it is.
    ///
    /// # Errors
    /// What the store or the file says.
    pub fn write(&self, path: &str, mut contents: File) -> io::Result<()> {
        contents.rewind()?;
        let (store, place) = (Arc::clone(&self.store), self.place(path)?);
        self.wait(send(store, place, contents))
    }

    /// Removes a file; one that is not there is fine.
    ///
    /// # Errors
    /// What the store says.
    pub fn remove(&self, path: &str) -> io::Result<()> {
        let (store, place) = (Arc::clone(&self.store), self.place(path)?);
        match self.wait(async move { store.delete(&place).await }) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

/// Sends a file, a large one in pieces.
async fn send(store: Arc<AmazonS3>, place: Path, mut file: File) -> object_store::Result<()> {
    let first = next_piece(&mut file)?;
    if first.len() < PIECE_BYTES {
        store.put(&place, first.into()).await?;
        return Ok(());
    }
    let upload = store.put_multipart(&place).await?;
    let mut writer = WriteMultipart::new_with_chunk_size(upload, PIECE_BYTES);
    match send_pieces(&mut writer, first, &mut file).await {
        Ok(()) => writer.finish().await.map(drop),
        Err(error) => {
            // The store would keep the pieces, and ask money for them. The first error is the one to tell.
            drop(writer.abort().await);
            Err(error)
        }
    }
}

async fn send_pieces(
    writer: &mut WriteMultipart,
    mut piece: Vec<u8>,
    file: &mut File,
) -> object_store::Result<()> {
    while !piece.is_empty() {
        writer.wait_for_capacity(PIECES).await?;
        writer.put(piece.into());
        piece = next_piece(file)?;
    }
    Ok(())
}

fn next_piece(file: &mut File) -> object_store::Result<Vec<u8>> {
    let mut piece = Vec::new();
    let read = file.take(PIECE_BYTES as u64).read_to_end(&mut piece);
    read.map_err(|error| object_store::Error::Generic {
        store: "local file",
        source: error.into(),
    })?;
    Ok(piece)
}

/// An error in one line that a person understands: what the store itself says, where it says something.
fn explain(error: object_store::Error) -> io::Error {
    use object_store::Error;

    let kind = match &error {
        Error::NotFound { .. } => io::ErrorKind::NotFound,
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
            io::ErrorKind::PermissionDenied
        }
        _ => io::ErrorKind::Other,
    };
    let text = error.to_string();
    let message = match (tag(&text, "Message"), kind) {
        (Some(message), _) => format!("the store says: {}", message.trim_end_matches('.')),
        (None, io::ErrorKind::NotFound) => "the store has no such bucket or file".to_owned(),
        (None, io::ErrorKind::PermissionDenied) => {
            "the store does not let us: look at AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
                .to_owned()
        }
        // The innermost reason: what is around it are the library's own words.
        _ => {
            let mut reason = error.source();
            while let Some(inner) = reason.and_then(|reason| reason.source()) {
                reason = Some(inner);
            }
            let reason = reason.map_or(text, ToString::to_string);
            format!("the store cannot be reached: {reason}")
        }
    };
    let line: Vec<&str> = message.split_whitespace().collect();
    io::Error::new(kind, line.join(" "))
}

/// What an answer in XML has in its first element of a name.
fn tag<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    let (inner, _) = rest.split_once(&format!("</{name}>"))?;
    Some(inner)
}
