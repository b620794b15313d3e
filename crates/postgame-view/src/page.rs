//! The page, built into the program.

/// Every file of the page: its request path and its bytes.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The page itself.
const INDEX: &str = "/index.html";

/// True if the page existed at build time.
pub fn is_built() -> bool {
    find(INDEX).is_some()
}

/// A file of the page and its media type. The request is compared with a list; it never becomes a file system path.
pub fn find(path: &str) -> Option<(&'static str, &'static [u8])> {
    let path = if path == "/" { INDEX } else { path };
    let (name, bytes) = FILES.iter().find(|(name, _)| *name == path)?;
    let media_type = match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    Some((media_type, bytes))
}
