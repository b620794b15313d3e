//! The routes and their responses.

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
use crate::guard::{Guard, guard};
use crate::library::{Failure, Library, Opened};
use crate::{page, rollbacks, world};

/// Packs of columns.
const BINARY: &str = "application/octet-stream";
/// A glTF file.
const GLTF: &str = "model/gltf-binary";

/// All routes of the server, behind the guard.
pub fn router(library: Arc<Library>, checks: Guard) -> Router {
    let answers = Router::new()
        .route("/api/recordings", get(list))
        .route("/api/recordings/{id}/revision", get(revision))
        .route("/api/recordings/{id}/outline", get(outline))
        .route("/api/recordings/{id}/overview", get(overview))
        .route("/api/recordings/{id}/piece", get(piece))
        .route("/api/recordings/{id}/moment", get(moment))
        .route("/api/recordings/{id}/lines", get(lines))
        .route("/api/recordings/{id}/fog", get(fog))
        .route("/api/recordings/{id}/world", get(world))
        .route("/api/recordings/{id}/holdings", get(holdings))
        .route("/api/recordings/{id}/rollbacks", get(rollbacks))
        .route("/api/recordings/{id}/details", get(details))
        .route("/api/recordings/{id}/glb", get(glb))
        .fallback(page_file)
        .with_state(library);
    // The guard strips the token from the path before the router above sees it.
    Router::new()
        .fallback_service(answers)
        .layer(middleware::from_fn_with_state(Arc::new(checks), guard))
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
    match library.revision(id).await {
        Ok(revision) => json(&revision.into()),
        Err(failure) => failed(failure),
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
    // Written so that NaN is refused too.
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

async fn world(State(library): State<Arc<Library>>, Path(id): Path<usize>) -> Response {
    pack(library, id, |opened| world::world(&opened.recording)).await
}

async fn holdings(State(library): State<Arc<Library>>, Path(id): Path<usize>) -> Response {
    with(library, id, |opened| {
        json(&world::holdings(&opened.recording))
    })
    .await
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

/// A part of the recording; without it the whole.
#[derive(Deserialize)]
struct Part {
    from_s: Option<f64>,
    to_s: Option<f64>,
}

async fn glb(
    State(library): State<Arc<Library>>,
    Path(id): Path<usize>,
    Query(Part { from_s, to_s }): Query<Part>,
) -> Response {
    let is_time = |time_s: Option<f64>| time_s.is_none_or(f64::is_finite);
    if !(is_time(from_s) && is_time(to_s)) {
        return (StatusCode::BAD_REQUEST, "a moment is a number of seconds").into_response();
    }
    with(library, id, move |opened| {
        let options = postgame::gltf::Options {
            from_s,
            to_s,
            ..postgame::gltf::Options::default()
        };
        let glb = postgame::gltf::write(&opened.timeline, &options);
        match glb {
            Ok(glb) => ([(CONTENT_TYPE, GLTF)], glb).into_response(),
            Err(error) => (StatusCode::UNPROCESSABLE_ENTITY, error.to_string()).into_response(),
        }
    })
    .await
}

/// Responds with a pack built from an open recording.
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

/// Runs a function on an open recording, on a thread that may block.
async fn with(
    library: Arc<Library>,
    id: usize,
    answer: impl FnOnce(&Opened) -> Response + Send + 'static,
) -> Response {
    let opened = match library.open(id).await {
        Ok(opened) => opened,
        Err(failure) => return failed(failure),
    };
    let made = library.answer(move || answer(&opened)).await;
    made.unwrap_or_else(failed)
}

/// The response is lost, but the server keeps running.
fn failed(failure: Failure) -> Response {
    match failure {
        Failure::Unreadable(message) => (StatusCode::NOT_FOUND, message),
        Failure::Bug(message) => (StatusCode::INTERNAL_SERVER_ERROR, message),
    }
    .into_response()
}

fn json(value: &Value) -> Response {
    ([(CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}
