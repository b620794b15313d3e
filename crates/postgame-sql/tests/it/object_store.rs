//! Queries over an object store.

use postgame_tables::dataset::ingest::Progress;
use postgame_tables::dataset::{IngestOptions, Store, ingest};

use crate::moto::Moto;
use crate::program::{command, text};
use crate::queries::root;

#[test]
fn a_data_set_and_recordings_in_a_bucket_are_asked_as_those_on_disk() {
    let Some(moto) = Moto::start(&root()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let set = folder.path().join("set");
    let samples = [root().join("samples")];
    let options = IngestOptions::default();
    ingest(
        &samples,
        &Store::local(&set),
        &options,
        &Progress::default(),
    )
    .unwrap();
    let upload = "import os, glob\n\
        s3.create_bucket(Bucket='games')\n\
        for name in glob.glob('**/*', recursive=True):\n    \
            if os.path.isfile(name): s3.upload_file(name, 'games', '{}/' + name)\n";
    moto.boto(&set, &upload.replace("{}", "my set"));
    let create = "s3.create_bucket(Bucket='games')\n";
    moto.boto(&samples[0], &upload.replace(create, "").replace("{}", "in"));
    let ask = |arguments: &[&str]| {
        let mut command = command(arguments);
        moto.reach(&mut command).output().unwrap()
    };
    for query in [
        "SELECT game, count(*) AS n, sum(file_bytes) AS bytes FROM recordings GROUP BY game ORDER BY game",
        "SELECT name, count(*) AS n, sum(x_uu) AS x FROM frames_cars GROUP BY name ORDER BY name",
    ] {
        let on_disk = text(&ask(&[query, "--dataset", set.to_str().unwrap(), "--csv"]));
        let in_bucket = text(&ask(&[query, "--dataset", "s3://games/my set", "--csv"]));
        assert_eq!(on_disk, in_bucket, "{query}");
        assert!(on_disk.lines().count() > 2, "{on_disk}");
    }
    let query = "SELECT count(*) AS n FROM recordings";
    let count = std::fs::read_dir(root().join("samples")).unwrap().count();
    let counted = text(&ask(&[query, "s3://games/in", "--csv"]));
    assert_eq!(counted, format!("n\n{count}\n"));
    for (address, message) in [
        ("s3://games/nothing", "no data set"),
        ("s3://nowhere/set", "bucket does not exist"),
    ] {
        let output = ask(&[query, "--dataset", address]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(
            said.contains(message) && said.lines().count() == 1,
            "{said}"
        );
    }
}
