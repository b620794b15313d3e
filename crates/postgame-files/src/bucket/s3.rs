//! A part of a bucket in an S3-compatible store.

use std::error::Error as _;
use std::fs::File;
use std::future::Future;
use std::io::{self, Read as _, Seek as _};
use std::ops::Range;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use futures::{StreamExt as _, TryStreamExt as _};
use object_store::aws::AmazonS3Builder;
use object_store::path::Path;
use object_store::{
    ObjectStore, ObjectStoreExt as _, PutMode, RetryConfig, UpdateVersion, WriteMultipart,
};
use tokio::runtime::{Builder, Runtime};

use super::{Listed, SCHEME};

/// Number of bytes per upload request.
const PIECE_BYTES: usize = 8 << 20;

/// Number of pieces uploaded at the same time; this bounds memory.
const PIECES: usize = 2;

/// Number of small files fetched at the same time.
const READS: usize = 16;

/// A version of a file, which a conditional write replaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version(UpdateVersion);

/// A part of a bucket: everything below a prefix.
#[derive(Debug)]
pub struct Bucket {
    store: Arc<dyn ObjectStore>,
    /// The bucket's own address, without a prefix.
    url: String,
    prefix: String,
    runtime: Runtime,
}

impl Bucket {
    /// The part of a bucket that an address refers to.
    ///
    /// # Errors
    /// When the address has no bucket, or the environment does not say how to reach it.
    pub fn open(address: &str) -> io::Result<Self> {
        let rest = address.strip_prefix(SCHEME).unwrap_or(address);
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() {
            return Err(io::Error::other("there is no bucket in this address"));
        }
        // Gives up on an unresponsive store within seconds, not minutes.
        let retry = RetryConfig {
            max_retries: 4,
            retry_timeout: Duration::from_secs(20),
            ..RetryConfig::default()
        };
        let builder = AmazonS3Builder::from_env()
            .with_bucket_name(bucket)
            .with_retry(retry);
        let store = Arc::new(builder.build().map_err(explain)?);
        Self::over(store, format!("{SCHEME}{bucket}"), prefix)
    }

    /// A part of any store, at an address.
    ///
    /// # Errors
    /// When the operating system refuses a thread.
    pub fn over(store: Arc<dyn ObjectStore>, url: String, prefix: &str) -> io::Result<Self> {
        Ok(Self {
            store,
            url,
            prefix: prefix.trim_matches('/').to_owned(),
            // One thread is enough: it only waits.
            runtime: Builder::new_multi_thread()
                .worker_threads(1)
                .enable_all()
                .build()?,
        })
    }

    /// The store and its address, for callers that read it directly.
    pub fn store(&self) -> (Arc<dyn ObjectStore>, &str) {
        (Arc::clone(&self.store), &self.url)
    }

    /// The store's name of a file.
    ///
    /// # Errors
    /// When no file can have that name.
    pub fn place(&self, path: &str) -> io::Result<Path> {
        let both = [self.prefix.as_str(), path.trim_matches('/')];
        let parts: Vec<&str> = both.into_iter().filter(|part| !part.is_empty()).collect();
        Path::parse(parts.join("/")).map_err(io::Error::other)
    }

    /// Waits for the store; also works inside another runtime.
    fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = object_store::Result<T>> + Send + 'static,
    ) -> io::Result<T> {
        self.begin(work).recv().map_err(io::Error::other)?
    }

    /// Starts an operation, whose result can be awaited.
    fn begin<T: Send + 'static>(
        &self,
        work: impl Future<Output = object_store::Result<T>> + Send + 'static,
    ) -> mpsc::Receiver<io::Result<T>> {
        let (done, result) = mpsc::sync_channel(1);
        self.runtime.spawn(async move {
            // When the program ends, there is no receiver.
            drop(done.send(work.await.map_err(explain)));
        });
        result
    }

    /// The files below a folder, in order of their names; or the file itself, if it is one.
    ///
    /// # Errors
    /// When the store fails.
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
        // In the order of a walk on disk: the contents of a folder stay together.
        files.sort_by(|one, other| one.path.split('/').cmp(other.path.split('/')));
        Ok(files)
    }

    /// The contents of a file.
    ///
    /// # Errors
    /// When the store fails.
    pub fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.send_for(path).recv().map_err(io::Error::other)?
    }

    /// The contents of a file, if it exists.
    pub fn send_for(&self, path: &str) -> mpsc::Receiver<io::Result<Vec<u8>>> {
        let store = Arc::clone(&self.store);
        match self.place(path) {
            Ok(place) => {
                self.begin(async move { Ok(store.get(&place).await?.bytes().await?.into()) })
            }
            Err(error) => {
                let (failed, result) = mpsc::sync_channel(1);
                // The channel has capacity for one message.
                drop(failed.send(Err(error)));
                result
            }
        }
    }

    /// The contents of several files, in order; some are fetched at the same time.
    ///
    /// # Errors
    /// When a file cannot be read; the first such error.
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
    /// When the store fails.
    pub fn read_range(&self, path: &str, range: Range<u64>) -> io::Result<Vec<u8>> {
        let (store, place) = (Arc::clone(&self.store), self.place(path)?);
        let bytes = self.wait(async move { store.get_range(&place, range).await })?;
        Ok(bytes.into())
    }

    /// The names directly below the prefix: files, and folders.
    ///
    /// # Errors
    /// When the store fails.
    pub fn top(&self) -> io::Result<Vec<String>> {
        let (store, place) = (Arc::clone(&self.store), self.place("")?);
        let listed = self.wait(async move { store.list_with_delimiter(Some(&place)).await })?;
        let files = listed.objects.iter().map(|object| &object.location);
        let places = files.chain(&listed.common_prefixes);
        let names = places.filter_map(|place| place.filename().map(str::to_owned));
        Ok(names.collect())
    }

    /// The contents and the version of a small file; `None` if it does not exist.
    ///
    /// # Errors
    /// When the store fails.
    pub fn get(&self, path: &str) -> io::Result<Option<(Vec<u8>, Version)>> {
        let (store, place) = (Arc::clone(&self.store), self.place(path)?);
        self.wait(async move {
            let got = match store.get(&place).await {
                Ok(got) => got,
                Err(object_store::Error::NotFound { .. }) => return Ok(None),
                Err(error) => return Err(error),
            };
            let version = UpdateVersion {
                e_tag: got.meta.e_tag.clone(),
                version: got.meta.version.clone(),
            };
            Ok(Some((got.bytes().await?.into(), Version(version))))
        })
    }

    /// Writes a small file.
    ///
    /// # Errors
    /// When the store fails.
    pub fn put(&self, path: &str, contents: &[u8]) -> io::Result<()> {
        let written = self.put_if(path, contents, PutMode::Overwrite)?;
        written
            .map(drop)
            .ok_or_else(|| io::Error::other("the store refuses to overwrite"))
    }

    /// Writes a small file that must not exist yet; `None` if it does.
    ///
    /// # Errors
    /// When the store fails.
    pub fn put_new(&self, path: &str, contents: &[u8]) -> io::Result<Option<Version>> {
        self.put_if(path, contents, PutMode::Create)
    }

    /// Replaces a version of a small file; `None` if the version differs or the file is gone.
    ///
    /// # Errors
    /// When the store fails.
    pub fn put_over(
        &self,
        path: &str,
        contents: &[u8],
        version: &Version,
    ) -> io::Result<Option<Version>> {
        self.put_if(path, contents, PutMode::Update(version.0.clone()))
    }

    fn put_if(&self, path: &str, contents: &[u8], mode: PutMode) -> io::Result<Option<Version>> {
        use object_store::Error;

        let (store, place) = (Arc::clone(&self.store), self.place(path)?);
        let contents = contents.to_vec();
        let is_update = matches!(mode, PutMode::Update(_));
        self.wait(async move {
            match store.put_opts(&place, contents.into(), mode.into()).await {
                Ok(written) => Ok(Some(Version(written.into()))),
                Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(None),
                Err(Error::NotFound { .. }) if is_update => Ok(None),
                Err(error) => Err(error),
            }
        })
    }

    /// Creates a temporary file for data to be sent. It has no name, so it vanishes with its process.
    ///
    /// # Errors
    /// When the file system fails.
    pub fn scratch(&self) -> io::Result<File> {
        tempfile::tempfile()
    }

    /// Uploads a file from its beginning; it appears once it is complete.
    ///
    /// # Errors
    /// When the store or the file fails.
    pub fn write(&self, path: &str, mut contents: File) -> io::Result<()> {
        contents.rewind()?;
        let (store, place) = (Arc::clone(&self.store), self.place(path)?);
        self.wait(send(store, place, contents))
    }

    /// Removes a file; a missing file is fine.
    ///
    /// # Errors
    /// When the store fails.
    pub fn remove(&self, path: &str) -> io::Result<()> {
        let (store, place) = (Arc::clone(&self.store), self.place(path)?);
        match self.wait(async move { store.delete(&place).await }) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

/// Uploads a file; a large one in pieces.
async fn send(
    store: Arc<dyn ObjectStore>,
    place: Path,
    mut file: File,
) -> object_store::Result<()> {
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
            // Otherwise the store would keep the pieces, and charge for them. The first error is the one to report.
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

/// An error in one readable line: the store's own message, if there is one.
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
        _ if matches!(error, Error::NotImplemented { .. } | Error::NotSupported { .. }) => {
            "the store cannot do this; a data set needs conditional writes (If-Match, If-None-Match)"
                .to_owned()
        }
        (Some(message), _) => format!("the store says: {}", message.trim_end_matches('.')),
        (None, io::ErrorKind::NotFound) => "the store has no such bucket or file".to_owned(),
        (None, io::ErrorKind::PermissionDenied) => {
            "the store does not let us: look at AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
                .to_owned()
        }
        // The innermost cause; the outer ones are the library's own words.
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

/// The contents of the first XML element with this name in a response.
fn tag<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    let (inner, _) = rest.split_once(&format!("</{name}>"))?;
    Some(inner)
}
