//! What the commands do, beyond their printed words.

use std::fs;

use crate::run::{command, root, run};

fn samples() -> Vec<String> {
    let mut samples: Vec<String> = fs::read_dir(root().join("samples"))
        .unwrap()
        .map(|entry| {
            format!(
                "samples/{}",
                entry.unwrap().file_name().into_string().unwrap()
            )
        })
        .collect();
    samples.sort();
    assert!(samples.len() >= 2);
    samples
}

#[test]
fn json_and_build_through_pipes_give_the_identical_file() {
    for sample in samples() {
        let json = run(&["json", &sample], b"");
        assert_eq!((json.code, json.stderr.as_str()), (0, ""), "{sample}");
        let built = run(&["build", "-"], &json.stdout);
        assert_eq!((built.code, built.stderr.as_str()), (0, ""), "{sample}");
        assert!(
            built.stdout == fs::read(root().join(&sample)).unwrap(),
            "{sample}"
        );
    }
}

#[test]
fn standard_input_and_output_files_work() {
    let folder = tempfile::tempdir().unwrap();
    let (json, copy) = (folder.path().join("a.json"), folder.path().join("b.replay"));
    let bytes = fs::read(root().join("samples/bout.replay")).unwrap();
    let run_to = |arguments: &[&str], input: &[u8]| {
        let run = run(arguments, input);
        assert_eq!(
            (run.code, run.stderr.as_str(), run.stdout.len()),
            (0, "", 0),
            "{arguments:?}"
        );
    };
    run_to(
        &["json", "-", "--pretty", "-o", json.to_str().unwrap()],
        &bytes,
    );
    run_to(
        &[
            "build",
            json.to_str().unwrap(),
            "-o",
            copy.to_str().unwrap(),
        ],
        b"",
    );
    assert!(fs::read(&copy).unwrap() == bytes);
    // Written aside and renamed: nothing else is left.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    let info = run(&["info", "-"], &bytes);
    assert_eq!(info.code, 0);
    assert!(info.text().contains("RUMBLE"));
}

#[test]
fn an_edited_json_gives_an_edited_file() {
    let json = run(&["json", "samples/bout.replay"], b"").text();
    let edited = json.replacen("\"scene\":\"Map0\"", "\"scene\":\"Map1\"", 1);
    assert_ne!(edited, json);
    let built = run(&["build", "-"], edited.as_bytes());
    assert_eq!(built.code, 0, "{}", built.stderr);
    let info = run(&["info", "--json", "-"], &built.stdout).text();
    assert!(info.contains("\"map\":\"Map1\""), "{info}");
    assert_eq!(run(&["check", "-"], &built.stdout).code, 0);
}

#[test]
fn findings_are_exit_code_one_and_repair_mends_them() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(root().join("samples/bout.replay")).unwrap();
    let (cut, mended) = (
        folder.path().join("cut.replay"),
        folder.path().join("mended.replay"),
    );
    fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    let (cut, mended) = (cut.to_str().unwrap(), mended.to_str().unwrap());
    let check = run(&["check", cut], b"");
    assert_eq!(check.code, 1);
    assert!(
        check.text().contains("lost [cut] frames["),
        "{}",
        check.text()
    );
    let json = run(&["check", cut, "--json"], b"").text();
    assert!(
        json.lines().count() >= 2 && json.lines().all(|line| line.contains("\"severity\":")),
        "{json}"
    );
    let repair = run(&["repair", cut, "-o", mended], b"");
    assert_eq!(repair.code, 1, "data was lost");
    assert!(
        repair.stderr.contains("frame count 1001 set to "),
        "{}",
        repair.stderr
    );
    assert_eq!(run(&["check", mended], b"").code, 0);
    let json = run(&["repair", cut, "-o", mended, "--json"], b"");
    let report: serde_json::Value = serde_json::from_str(&json.stderr).unwrap();
    assert_eq!(report["verdict"], "lost");
    assert!(
        report["steps"][0]["lost"]["frames"].as_u64() > Some(0),
        "{report}"
    );
    assert_eq!(
        run(&["repair", mended], b"").code,
        0,
        "nothing is left to repair"
    );
    let whole = run(&["repair", "samples/bout.replay"], b"");
    assert_eq!((whole.code, whole.stdout == bytes), (0, true));
    assert!(whole.stderr.contains("nothing to repair"));
}

#[test]
fn repair_calls_nothing_whole_that_it_cannot_prove() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(root().join("samples/duel.replay")).unwrap();
    let damaged = folder.path().join("damaged.replay");
    let repair = |bytes: &[u8]| {
        fs::write(&damaged, bytes).unwrap();
        run(&["repair", damaged.to_str().unwrap()], b"")
    };
    // One bit in a name: the header's checksum is wrong, and nothing tells which value is.
    let mut one_bit = bytes.clone();
    let name = bytes.windows(10).position(|part| part == b"PlayerName");
    one_bit[name.unwrap() + 40] ^= 1;
    let suspect = repair(&one_bit);
    assert_eq!(suspect.code, 1);
    assert!(suspect.stderr.contains("suspect: "), "{}", suspect.stderr);
    // The size of the header: with the right one its checksum matches.
    let mut size = bytes.clone();
    size[0] ^= 4;
    let proven = repair(&size);
    assert_eq!((proven.code, proven.stdout == bytes), (0, true));
    assert!(proven.stderr.contains("provably"), "{}", proven.stderr);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child = command()
        .args(["json", "samples/bout.replay"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
}

#[test]
fn completions_and_manual_pages_know_every_subcommand() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = run(&["completions", shell], b"");
        assert_eq!(script.code, 0);
        assert!(script.text().contains("repair"), "{shell}");
    }
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        run(&["man", "--output", folder.path().to_str().unwrap()], b"").code,
        0
    );
    for page in ["postgame.1", "postgame-info.1", "postgame-repair.1"] {
        let text = fs::read_to_string(folder.path().join(page)).unwrap();
        assert!(text.contains("Examples"), "{page} has no examples");
    }
    assert!(run(&["man"], b"").text().starts_with(".ie"));
}

#[test]
fn a_save_compares_with_another_and_nothing_else_does() {
    let save = "samples/factory.sav";
    let same = run(&["compare", save, save], b"");
    assert_eq!((same.code, same.stderr.as_str()), (0, ""));
    assert!(same.text().contains("Sample Factory"), "{}", same.text());
    let json = run(&["compare", save, save, "--json"], b"").text();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["is_same_session"], true);
    assert_eq!(json["built"], serde_json::json!({}));
    let replay = run(&["compare", save, "samples/bout.replay"], b"");
    assert_eq!(replay.code, 2);
    assert!(
        replay.stderr.contains("this is for Satisfactory saves"),
        "{}",
        replay.stderr
    );
}

#[test]
fn saves_of_a_session_make_one_story() {
    let save = "samples/factory.sav";
    let story = run(&["events", "--session", save, save], b"");
    assert_eq!((story.code, story.stderr.as_str()), (0, ""));
    let text = story.text();
    assert!(text.starts_with("Sample Factory (2 saves)"), "{text}");
    assert_eq!(text.matches("session-start").count(), 1, "{text}");
    assert_eq!(text.matches("saved").count(), 2, "{text}");
    let json = run(&["events", "--session", "--json", save], b"").text();
    assert!(
        json.lines()
            .all(|line| line.contains("\"file\":\"samples/factory.sav\""))
    );
}

#[test]
fn a_factory_is_told_from_ore_to_product() {
    let save = "samples/factory.sav";
    let text = run(&["flow", save, "iron plate"], b"");
    assert_eq!(text.code, 0, "{}", text.stderr);
    assert!(text.text().contains("Constructor"), "{}", text.text());
    let json = run(&["flow", save, "Desc_IronPlate_C", "--json"], b"").text();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["name"], "Iron Plate");
    assert_eq!(json["machines"][0]["class"], "Build_ConstructorMk1_C");
    let dot = run(&["flow", save, "Iron Plate", "--dot"], b"").text();
    assert!(dot.starts_with("digraph") && dot.ends_with("}\n"), "{dot}");
    let none = run(&["flow", save, "no such item"], b"");
    assert_eq!(none.code, 2);
    assert!(none.stderr.contains("no item is called"), "{}", none.stderr);
}

#[test]
fn what_is_near_is_listed_by_distance() {
    let save = "samples/factory.sav";
    let rows = run(
        &[
            "nearest", save, "--at", "0,0", "--of", "slug", "--count", "3", "--json",
        ],
        b"",
    );
    let distances: Vec<f64> = rows
        .text()
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|row| row["distance_m"].as_f64().unwrap())
        .collect();
    assert_eq!(distances.len(), 3);
    assert!(distances.is_sorted());
    assert_eq!(run(&["nearest", save, "--at", "here"], b"").code, 2);
}

#[test]
fn planners_get_their_object() {
    let plan = run(&["plan", "samples/factory.sav"], b"").text();
    let plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
    assert_eq!(plan["format"], "postgame-plan");
    // 24 constructors that run: 20 plates a minute each.
    assert_eq!(
        plan["production"]["Desc_IronPlate_C"]["made_per_min"],
        480.0
    );
}
