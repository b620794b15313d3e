//! What the server refuses.

use crate::client::{get, get_as_it_is, sample, send, serve};

#[test]
fn a_foreign_host_is_refused() {
    let host = serve(vec![sample("bout.replay")]);
    let name = &host.name;
    let port = name.rsplit(':').next().unwrap();
    let ask = |name: &str| {
        let path = host.path("/api/recordings");
        let request = format!("GET {path} HTTP/1.1\r\n{name}Connection: close\r\n\r\n");
        send(&host, &request).status
    };
    assert_eq!(ask(&format!("Host: {name}\r\n")), 200);
    assert_eq!(ask(&format!("Host: localhost:{port}\r\n")), 200);
    for name in [
        format!("Host: evil.example:{port}\r\n"),
        format!("Host: evil.example\r\nHost: {name}\r\n"),
        "Host: 127.0.0.1\r\n".to_owned(),
        format!("Host: 127.0.0.1.evil.example:{port}\r\n"),
    ] {
        let status = ask(&name);
        assert!(status == 421 || status == 400, "{name:?} gave {status}");
    }
    // Another site's page in the same browser.
    assert_eq!(
        ask(&format!("Host: {name}\r\nSec-Fetch-Site: cross-site\r\n")),
        403
    );
    assert_eq!(
        ask(&format!("Host: {name}\r\nSec-Fetch-Site: same-origin\r\n")),
        200
    );
    // A link on another page, or the file that opens the browser: it knows the token.
    let link = "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n";
    assert_eq!(
        ask(&format!(
            "Host: {name}\r\nSec-Fetch-Site: cross-site\r\n{link}"
        )),
        200
    );
    let frame = "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n";
    assert_eq!(
        ask(&format!(
            "Host: {name}\r\nSec-Fetch-Site: cross-site\r\n{frame}"
        )),
        403
    );
}

#[test]
fn without_the_token_everything_is_refused() {
    let host = serve(vec![sample("bout.replay")]);
    assert_eq!(get(&host, "/api/recordings").status, 200);
    let mut wrong = host.clone();
    wrong
        .token
        .replace_range(31.., if host.token.ends_with('0') { "1" } else { "0" });
    for path in [
        "/",
        "/index.html",
        "/app.js",
        "/nothing",
        "/health",
        "/favicon.ico",
        "/api/recordings",
        "/api/recordings/0/outline",
        "/api/recordings/0/revision",
    ] {
        for answer in [get_as_it_is(&host, path), get(&wrong, path)] {
            assert_eq!(answer.status, 403, "{path}");
            assert!(!answer.text().contains("bout"), "{}", answer.text());
            assert!(!answer.text().contains(&host.token));
        }
    }
    for method in ["POST", "OPTIONS"] {
        let name = &host.name;
        let request = format!("{method} / HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n");
        assert_eq!(send(&host, &request).status, 403, "{method}");
    }
    // Without the slash the page's relative addresses would be wrong.
    let answer = get(&host, "");
    assert_eq!(answer.status, 307);
    let location = format!("location: {}/", host.token);
    assert!(answer.headers.to_lowercase().contains(&location));
}

#[test]
fn paths_are_no_way_into_the_file_system() {
    let host = serve(vec![sample("bout.replay")]);
    for path in [
        "/../../../../etc/passwd",
        "/..%2f..%2f..%2fetc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/api/recordings/../../etc/passwd",
        "/api/recordings/..%2f..%2fetc%2fpasswd/outline",
        "/api/recordings/samples%2fbout.replay/outline",
        "/api/recordings/1/outline",
        "/api/recordings/-1/outline",
        "/api/recordings/18446744073709551615/outline",
        "/api/recordings/99999999999999999999999/outline",
        "/api/recordings/0/nothing",
        "/Cargo.toml",
    ] {
        let answer = get(&host, path);
        assert!(
            (400..500).contains(&answer.status),
            "{path}: {}",
            answer.status
        );
        assert!(!answer.text().contains("root:"), "{path}");
    }
}

#[test]
fn ranges_without_measure_are_refused() {
    let host = serve(vec![sample("bout.replay")]);
    for range in [
        "from_s=0&to_s=1e300",
        "from_s=-1e300&to_s=1e300",
        "from_s=0&to_s=61",
        "from_s=5&to_s=5",
        "from_s=9&to_s=3",
        "from_s=NaN&to_s=3",
        "from_s=0&to_s=inf",
        "from_s=-inf&to_s=inf",
        "from_s=0",
        "from_s=a&to_s=b",
        "",
    ] {
        let answer = get(&host, &format!("/api/recordings/0/piece?{range}"));
        assert_eq!(answer.status, 400, "{range}: {}", answer.text());
    }
    assert_eq!(
        get(&host, "/api/recordings/0/moment?time_s=nan").status,
        400
    );
    let far = get(&host, "/api/recordings/0/piece?from_s=1e9&to_s=1000000010");
    assert_eq!(far.status, 200);
    assert!(far.body.len() < 100_000);
}

#[test]
fn only_reading_is_answered_and_every_answer_is_labelled() {
    let host = serve(vec![sample("bout.replay")]);
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
        let (name, path) = (&host.name, host.path("/api/recordings"));
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {name}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        assert_eq!(send(&host, &request).status, 405, "{method}");
    }
    for path in [
        "/",
        "/api/recordings",
        "/nothing",
        "/api/recordings/7/outline",
    ] {
        let headers = get(&host, path).headers.to_lowercase();
        for wanted in [
            "content-security-policy: default-src 'none'; script-src 'self'",
            "x-content-type-options: nosniff",
            "cross-origin-resource-policy: same-origin",
            "referrer-policy: no-referrer",
        ] {
            assert!(headers.contains(wanted), "{path}: no {wanted} in {headers}");
        }
        assert!(!headers.contains("access-control-allow-origin"));
    }
}
