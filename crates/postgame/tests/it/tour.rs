//! The snippets of docs/rust.md, compiled and run. The last test holds the page to what is here.

use std::error::Error;

use postgame::slippi::live::{LiveEvent, LiveReader};
use postgame::stats::Number;
use postgame::{Format, ReadOptions, Recording, Severity};

type Result = std::result::Result<(), Box<dyn Error>>;

#[test]
#[rustfmt::skip]
fn read() -> Result {
    let bytes = std::fs::read("../../samples/duel.slp")?;
    let (recording, report) = postgame::read(&bytes, &ReadOptions::default())?;
    assert!(report.is_clean());
    assert_eq!(recording.format(), Format::Slippi);
    assert_eq!(recording.summary().players[0].name, "Ada");
    assert_eq!(recording.write()?, bytes);               // lossless
    Ok(())
}

#[test]
#[rustfmt::skip]
fn variants() -> Result {
    let bytes = std::fs::read("../../samples/duel.slp")?;
    let (recording, _) = postgame::read(&bytes, &ReadOptions::default())?;
    if let Recording::Slippi(replay) = &recording {
        assert_eq!(replay.start.info.stage, 31);
    }
    Ok(())
}

#[test]
#[rustfmt::skip]
fn headers() -> Result {
    for entry in std::fs::read_dir("../../samples")? {
        let file = std::fs::File::open(entry?.path())?;
        match postgame::read_header(file, &Default::default()) {
            Ok((recording, _)) => println!("{} {:?}", recording.format(), recording.summary().date),
            Err(error) => println!("{error}"),
        }
    }
    Ok(())
}

#[test]
#[rustfmt::skip]
fn events() -> Result {
    let bytes = std::fs::read("../../samples/duel.slp")?;
    let (recording, _) = postgame::read(&bytes, &ReadOptions::default())?;
    let analysis = recording.analysis();
    for event in analysis.timeline().events_of_kind("kill") {
        println!("{:.1} s: {:?}", event.time_s, event.detail("move"));
    }
    Ok(())
}

#[test]
#[rustfmt::skip]
fn statistics() -> Result {
    let bytes = std::fs::read("../../samples/duel.replay")?;
    let (recording, _) = postgame::read(&bytes, &ReadOptions::default())?;
    let analysis = recording.analysis();
    let stats = analysis.stats().ok_or("no statistics")?;
    assert_eq!(stats.players[0].get("core", "goals"), Some(&Number::Count(1)));
    Ok(())
}

#[test]
#[rustfmt::skip]
fn motion() -> Result {
    let bytes = std::fs::read("../../samples/duel.replay")?;
    let (recording, _) = postgame::read(&bytes, &ReadOptions::default())?;
    let analysis = recording.analysis();
    let ball = analysis.timeline().of_kind("ball").next().ok_or("no ball")?;
    let recorded: Vec<(f64, [f32; 3])> = ball.positions().collect();
    let (time_s, position_m) = recorded[0];
    assert_eq!(ball.position(time_s), Some(position_m)); // and between the recorded times, interpolated
    Ok(())
}

#[test]
#[rustfmt::skip]
fn updates() -> Result {
    let bytes = std::fs::read("../../samples/duel.replay")?;
    let (recording, _) = postgame::read(&bytes, &ReadOptions::default())?;
    let Recording::RocketLeague(replay) = &recording else { return Ok(()) };
    let steering = replay.updates().filter(|update| update.attribute == Some("TAGame.Vehicle_TA:ReplicatedSteer"));
    for update in steering.take(3) {
        println!("frame {}, actor {}: {:?}", update.frame, update.actor, update.value);
    }
    Ok(())
}

#[test]
#[rustfmt::skip]
fn port() -> Result {
    let bytes = std::fs::read("../../samples/duel.slp")?;
    let (recording, _) = postgame::read(&bytes, &ReadOptions::default())?;
    let Recording::Slippi(replay) = &recording else { return Ok(()) };
    let posts = replay.port(2)?.frames().filter_map(|frame| frame.post).collect::<Vec<_>>();
    let most_percent = posts.iter().map(|post| post.percent).fold(0.0, f32::max);
    assert_eq!(most_percent, 42.0);
    Ok(())
}

#[test]
#[rustfmt::skip]
fn broken() -> Result {
    let whole = std::fs::read("../../samples/bout.replay")?;
    let (mut recording, report) = postgame::read(&whole[..whole.len() / 2], &ReadOptions::default())?;
    assert_eq!(report.worst(), Some(Severity::Lost));
    let repair = recording.repair(&ReadOptions::default())?;
    for step in &repair.steps {
        println!("{step}");
    }
    let mended = recording.write()?;                     // a valid file, without invented data
    assert_eq!(postgame::read(&mended, &ReadOptions::default())?.1.worst(), None);
    Ok(())
}

#[test]
#[rustfmt::skip]
fn change() -> Result {
    let bytes = std::fs::read("../../samples/factory.sav")?;
    let (mut recording, _) = postgame::read(&bytes, &ReadOptions::default())?;
    if let Recording::Satisfactory(save) = &mut recording {
        save.rename_session("Second Factory")?;
        let body = save.body.as_mut().ok_or("only the header was read")?;
        let container = body.of_class("Build_StorageContainerMk1_C").next().ok_or("no container")?;
        body.set(container, "mStorageInventory.mInventoryStacks[0].NumItems", 42)?;
    }
    let changed = recording.write()?;
    let (_, report) = postgame::read(&changed, &ReadOptions::default())?;
    assert!(report.is_clean());
    Ok(())
}

#[test]
#[rustfmt::skip]
fn live() -> Result {
    let bytes = std::fs::read("../../samples/duel.slp")?;
    let mut reader = LiveReader::new();
    for piece in bytes.chunks(1000) {
        for event in reader.feed(piece) {
            if let LiveEvent::Finalised { frame: 0 } = event {
                println!("the clock runs");
            }
        }
    }
    assert!(reader.is_done());
    Ok(())
}

/// Every snippet of the page is the body of a test above.
#[test]
fn the_page_shows_what_is_tested() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rust.md");
    let page = std::fs::read_to_string(page).unwrap();
    let here: String = include_str!("tour.rs")
        .lines()
        .map(|line| line.strip_prefix("    ").unwrap_or(line))
        .flat_map(|line| [line, "\n"])
        .collect();
    let here = here.replace("\"../../samples", "\"samples");
    let mut count = 0;
    for snippet in page.split("```rust\n").skip(1) {
        let snippet = snippet.split("```").next().unwrap();
        assert!(
            here.contains(&format!("{{\n{snippet}Ok(())\n}}\n")),
            "not tested:\n{snippet}"
        );
        count += 1;
    }
    assert_eq!(count, here.matches("#[rustfmt::skip]\n").count());
}
