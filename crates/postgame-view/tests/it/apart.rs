//! One recording is slow or brings a bug to light: the others do not notice.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use postgame_files::Input;
use postgame_view::Options;

use crate::client::{get, rows, sample, serve_with};

/// A gate that stays shut until it is opened.
#[derive(Default)]
struct Gate {
    is_open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn pass(&self) {
        let mut is_open = self.is_open.lock().unwrap();
        while !*is_open {
            is_open = self.opened.wait(is_open).unwrap();
        }
    }

    fn open(&self) {
        *self.is_open.lock().unwrap() = true;
        self.opened.notify_all();
    }
}

#[test]
fn a_slow_recording_does_not_stall_another_and_is_read_once() {
    let gate = Arc::new(Gate::default());
    let reads = Arc::new(AtomicUsize::new(0));
    let (shut, count) = (Arc::clone(&gate), Arc::clone(&reads));
    let options = Options {
        before_reading: Some(Arc::new(move |input: &Input| {
            if input.file_name() == "duel.slp" {
                count.fetch_add(1, Ordering::SeqCst);
                shut.pass();
            }
        })),
        ..Options::default()
    };
    let host = serve_with(vec![sample("duel.slp"), sample("bout.replay")], options);
    // More than there are threads for reading and for answers.
    let waiting: Vec<_> = (0..30)
        .map(|_| {
            let host = host.clone();
            thread::spawn(move || get(&host, "/api/recordings/0/outline"))
        })
        .collect();
    // The header for the list, and one of the thirty.
    while reads.load(Ordering::SeqCst) < 2 {
        thread::sleep(Duration::from_millis(5));
    }
    thread::sleep(Duration::from_millis(200));
    for path in ["outline", "overview", "revision", "glb"] {
        assert_eq!(get(&host, &format!("/api/recordings/1/{path}")).status, 200);
    }
    let list = get(&host, "/api/recordings").json();
    assert_eq!(list["read"], 1, "the slow one holds up the list");
    assert!(waiting.iter().all(|waiting| !waiting.is_finished()));
    gate.open();
    for answer in waiting {
        assert_eq!(answer.join().unwrap().status, 200);
    }
    assert_eq!(rows(&host).len(), 2);
    assert_eq!(
        reads.load(Ordering::SeqCst),
        2,
        "each waiting client read it"
    );
}

#[test]
fn a_panic_is_the_failure_of_one_recording() {
    let is_broken = Arc::new(AtomicBool::new(true));
    let broken = Arc::clone(&is_broken);
    let options = Options {
        before_reading: Some(Arc::new(move |input: &Input| {
            if input.file_name() == "duel.slp" && broken.load(Ordering::SeqCst) {
                panic!("asked for by a test");
            }
        })),
        ..Options::default()
    };
    let host = serve_with(vec![sample("duel.slp"), sample("bout.replay")], options);
    let rows = rows(&host);
    let error = rows[0]["error"].as_str().unwrap();
    assert!(error.contains("asked for by a test"), "{error}");
    assert_eq!(rows[1]["file"], "bout.replay");
    for _ in 0..10 {
        let answer = get(&host, "/api/recordings/0/outline");
        assert_eq!(answer.status, 500);
        assert!(answer.text().contains("please report"), "{}", answer.text());
        assert_eq!(get(&host, "/api/recordings/1/outline").status, 200);
    }
    // Nothing of it stays behind.
    is_broken.store(false, Ordering::SeqCst);
    assert_eq!(get(&host, "/api/recordings/0/outline").status, 200);
}
