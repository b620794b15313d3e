//! The addresses and what they answer.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{StatusCode, Uri};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;
use serde_json::Value;

use crate::columns::{self, LONGEST_PIECE_S};
use crate::factory;
use crate::guard::guard;
use crate::library::{Library, Opened};
use crate::{page, rollbacks};

/// Packs of columns.
const BINARY: &str = "application/octet-stream";
/// A glTF file.
const GLTF: &str = "model/gltf-binary";

/// All addresses of the server on one port.
pub fn router(library: Arc<Library>, port: u16) -> Router {
    Router::new()
        .route("/api/recordings", get(list))
        .route("/api/recordings/{id}/revision", get(revision))
        .route("/api/recordings/{id}/outline", get(outline))
        .route("/api/recordings/{id}/overview", get(overview))
        .route("/api/recordings/{id}/piece", get(piece))
        .route("/api/recordings/{id}/moment", get(moment))
        .route("/api/recordings/{id}/lines", get(lines))
        .route("/api/recordings/{id}/fog", get(fog))
        .route("/api/recordings/{id}/rollbacks", get(rollbacks))
        .route("/api/recordings/{id}/details", get(details))
        .route("/api/recordings/{id}/glb", get(glb))
        .fallback(page_file)
        .with_state(library)
        .layer(middleware::from_fn_with_state(port, guard))
}

async fn page_file(uri: Uri) -> Response {
    match page::find(uri.path()) {
        Some((media_type, bytes)) => ([(CONTENT_TYPE, media_type)], bytes).into_response(),
        None => (StatusCode::NOT_FOUND, "there is nothing here").into_response(),
    }
}

#[derive(Deserialize)]
struct From {
    #[serde(default)]
    from: usize,
}

async fn list(State(library): State<Arc<Library>>, Query(From { from }): Query<From>) -> Response {
    json(&library.rows(from))
}

async fn revision(State(library): State<Arc<Library>>, Path(id): Path<usize>) -> Response {
    match library.revision(id) {
        Ok(revision) => json(&revision.into()),
        Err(message) => gone(message),
    }
}

async fn outline(State(library): State<Arc<Library>>, Path(id): Path<usize>) -> Response {
    pack(library, id, columns::outline).await
}

async fn overview(State(library): State<Arc<Library>>, Path(id): Path<usize>) -> Response {
    pack(library, id, |opened| columns::overview(&opened.timeline)).await
}

#[derive(Deserialize)]
struct Range {
    from_s: f64,
    to_s: f64,
}

async fn piece(
    State(library): State<Arc<Library>>,
    Path(id): Path<usize>,
    Query(Range { from_s, to_s }): Query<Range>,
) -> Response {
    let length_s = to_s - from_s;
    // Written so that what is no number is refused too.
    if !(from_s.is_finite() && length_s > 0.0 && length_s <= LONGEST_PIECE_S) {
        let message = format!("a piece is more than 0 and at most {LONGEST_PIECE_S} seconds long");
        return (StatusCode::BAD_REQUEST, message).into_response();
    }
    pack(library, id, move |opened| {
        columns::piece(&opened.timeline, from_s, to_s)
    })
    .await
}

#[derive(Deserialize)]
struct At {
    time_s: f64,
}

async fn moment(
    State(library): State<Arc<Library>>,
    Path(id): Path<usize>,
    Query(At { time_s }): Query<At>,
) -> Response {
    if !time_s.is_finite() {
        return (StatusCode::BAD_REQUEST, "a moment is a number of seconds").into_response();
    }
    with(library, id, move |opened| {
        json(&columns::moment(&opened.timeline, time_s))
    })
    .await
}

async fn lines(State(library): State<Arc<Library>>, Path(id): Path<usize>) -> Response {
    pack(library, id, |opened| factory::lines(&opened.recording)).await
}

async fn fog(State(library): State<Arc<Library>>, Path(id): Path<usize>) -> Response {
    pack(library, id, |opened| factory::fog(&opened.recording)).await
}

async fn rollbacks(State(library): State<Arc<Library>>, Path(id): Path<usize>) -> Response {
    pack(library, id, |opened| {
        rollbacks::rollbacks(&opened.recording)
    })
    .await
}

#[derive(Deserialize)]
struct Name {
    name: String,
}

async fn details(
    State(library): State<Arc<Library>>,
    Path(id): Path<usize>,
    Query(Name { name }): Query<Name>,
) -> Response {
    with(library, id, move |opened| {
        json(&factory::details(&opened.recording, &name).unwrap_or_default())
    })
    .await
}

async fn glb(State(library): State<Arc<Library>>, Path(id): Path<usize>) -> Response {
    with(library, id, |opened| {
        let glb = postgame::gltf::write(&opened.timeline, &postgame::gltf::Options::default());
        match glb {
            Ok(glb) => ([(CONTENT_TYPE, GLTF)], glb).into_response(),
            Err(error) => (StatusCode::UNPROCESSABLE_ENTITY, error.to_string()).into_response(),
        }
    })
    .await
}

/// Answers with a pack made of an open recording.
async fn pack(
    library: Arc<Library>,
    id: usize,
    make: impl FnOnce(&Opened) -> Vec<u8> + Send + 'static,
) -> Response {
    with(library, id, |opened| {
        ([(CONTENT_TYPE, BINARY)], make(opened)).into_response()
    })
    .await
}

/// Does something with an open recording, on a thread where it may take its time.
async fn with(
    library: Arc<Library>,
    id: usize,
    answer: impl FnOnce(&Opened) -> Response + Send + 'static,
) -> Response {
    let work = move || match library.open(id) {
        Ok(opened) => answer(&opened),
        Err(message) => gone(message),
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(response) => response,
        // The library does not panic; if it does, this one answer is lost and the server goes on.
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, "reading it failed").into_response(),
    }
}

fn gone(message: String) -> Response {
    (StatusCode::NOT_FOUND, message).into_response()
}

fn json(value: &Value) -> Response {
    ([(CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}
