//! What every request must satisfy, and what every answer says about itself.
//!
//! The server listens on loopback only, but any page in the same browser can send requests there. So the Host header
//! must name this server (a foreign name that resolves to 127.0.0.1 is refused), requests that another site's page
//! makes are refused, and the answers may be used by our own page only.

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

/// Nothing from elsewhere, no inline script, no inline style, no frame, no form.
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

/// Refuses what our own page would not ask for, and labels every answer.
pub async fn guard(State(port): State<u16>, request: Request, next: Next) -> Response {
    let mut response = match refusal(port, request.method(), request.headers()) {
        Some((status, message)) => (status, message).into_response(),
        None => next.run(request).await,
    };
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

fn refusal(port: u16, method: &Method, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
    if method != Method::GET && method != Method::HEAD {
        return Some((
            StatusCode::METHOD_NOT_ALLOWED,
            "this server only answers GET",
        ));
    }
    let mut hosts = headers.get_all(header::HOST).iter();
    let is_ours = match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().is_ok_and(|host| is_own_host(host, port)),
        _ => false,
    };
    if !is_ours {
        return Some((
            StatusCode::MISDIRECTED_REQUEST,
            "this server goes by 127.0.0.1 and localhost only",
        ));
    }
    let site = headers
        .get("sec-fetch-site")
        .and_then(|value| value.to_str().ok());
    // "none" is a person typing the address; anything else but our own page is somebody else's.
    if site.is_some_and(|site| site != "same-origin" && site != "none") {
        return Some((StatusCode::FORBIDDEN, "another site's page asked for this"));
    }
    None
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
