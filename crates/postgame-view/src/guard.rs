//! Checks every request, and adds security headers to every response.
//!
//! The server listens only on loopback, but any page in the same browser and every user of the same machine can send
//! requests there. So the path must start with the token, the Host header must name this server (a foreign name that
//! resolves to 127.0.0.1 is refused), requests from other sites' pages are refused, and only our own page may use the
//! responses.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Redirect, Response};

use crate::token::Token;

/// Only our own resources, no inline script, no inline style, no frame, no form.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
];

/// The values that requests are checked against.
#[derive(Debug)]
pub struct Guard {
    /// The server's port.
    pub port: u16,
    /// The secret in its URL.
    pub token: Token,
}

/// Refuses requests that our own page would not make, and adds headers to every response.
pub async fn guard(State(checks): State<Arc<Guard>>, mut request: Request, next: Next) -> Response {
    let mut response = match checks.path_behind_token(&request) {
        // The page's URLs are relative to its folder.
        Ok(path) if path.is_empty() => {
            Redirect::temporary(&format!("{}/", checks.token.as_str())).into_response()
        }
        Ok(path) => match path.parse() {
            Ok(uri) => {
                *request.uri_mut() = uri;
                next.run(request).await
            }
            Err(_) => (StatusCode::BAD_REQUEST, "this is not an address").into_response(),
        },
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The reason for refusing a request.
type Refusal = (StatusCode, &'static str);

impl Guard {
    /// Path and query without the token, if the request is allowed.
    fn path_behind_token(&self, request: &Request) -> Result<String, Refusal> {
        self.check_host(request.headers())?;
        check_site(request.headers())?;
        let forbidden = (
            StatusCode::FORBIDDEN,
            "open the whole address that `postgame view` has printed",
        );
        let uri = request.uri();
        let path = self.token.strip(uri.path()).ok_or(forbidden)?;
        if request.method() != Method::GET && request.method() != Method::HEAD {
            return Err((
                StatusCode::METHOD_NOT_ALLOWED,
                "this server only answers GET",
            ));
        }
        Ok(match uri.query() {
            Some(query) => format!("{path}?{query}"),
            None => path.to_owned(),
        })
    }

    fn check_host(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let is_ours = match (hosts.next(), hosts.next()) {
            (Some(host), None) => host.to_str().is_ok_and(|host| is_own_host(host, self.port)),
            _ => false,
        };
        if is_ours {
            return Ok(());
        }
        Err((
            StatusCode::MISDIRECTED_REQUEST,
            "this server goes by 127.0.0.1 and localhost only",
        ))
    }
}

/// Refuses requests from other sites' pages. Following a link to our page is fine, because it needs the token.
fn check_site(headers: &HeaderMap) -> Result<(), Refusal> {
    let says = |name: &str, expected: &[&str]| {
        let value = headers.get(name).and_then(|value| value.to_str().ok());
        value.is_some_and(|value| expected.contains(&value))
    };
    // "none" means that a person typed the URL.
    let is_own =
        !headers.contains_key("sec-fetch-site") || says("sec-fetch-site", &["same-origin", "none"]);
    let is_link = says("sec-fetch-mode", &["navigate"]) && says("sec-fetch-dest", &["document"]);
    if is_own || is_link {
        return Ok(());
    }
    Err((StatusCode::FORBIDDEN, "another site's page asked for this"))
}

fn is_own_host(host: &str, port: u16) -> bool {
    host.rsplit_once(':').is_some_and(|(name, number)| {
        number == port.to_string()
            && (name == "127.0.0.1" || name.eq_ignore_ascii_case("localhost"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_own_names_are_answered() {
        for host in ["127.0.0.1:8000", "localhost:8000", "LOCALHOST:8000"] {
            assert!(is_own_host(host, 8000), "{host}");
        }
        for host in [
            "",
            "127.0.0.1",
            "localhost",
            "127.0.0.1:80",
            "evil.example:8000",
            "127.0.0.1.evil.example:8000",
            "localhost:8000:8000",
            "localhost:08000",
            "user@127.0.0.1:8000",
        ] {
            assert!(!is_own_host(host, 8000), "{host}");
        }
    }
}
