"""Reading from paths, bytes and files; writing; JSON."""

from __future__ import annotations

import io
import json
import lzma
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

import postgame


def test_all_ways_in_give_the_same(sample: Path) -> None:
    data = sample.read_bytes()
    with sample.open("rb") as file:
        sources: list[Any] = [sample, str(sample), data, bytearray(data), memoryview(data), io.BytesIO(data), file]
        for source in sources:
            assert postgame.read(source).to_bytes() == data


def test_json_loses_nothing(sample: Path) -> None:
    text = postgame.read(sample).to_json()
    assert json.loads(text)["format"]
    assert postgame.from_json(text).to_bytes() == sample.read_bytes()


def test_samples_are_clean(sample: Path) -> None:
    recording = postgame.read(sample, strict=True)
    report = recording.check()
    assert report.is_clean and not list(report), str(report)
    assert postgame.sniff(sample) == recording.format
    assert isinstance(recording.header, dict) and recording.version
    assert recording.players == recording.summary["players"]


def test_writing_replaces_the_whole_file(tmp_path: Path, sample: Path) -> None:
    target = tmp_path / "copy"
    target.write_bytes(b"old")
    postgame.read(sample).write(target)
    assert target.read_bytes() == sample.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["copy"]
    with pytest.raises(FileNotFoundError):
        postgame.read(sample).write(tmp_path / "nowhere" / "copy")


def test_headers_are_enough_for_lists(sample: Path) -> None:
    header = postgame.read(sample, header_only=True)
    whole = postgame.read(sample)
    assert header.version == whole.version
    # A save's players are in its body.
    if whole.format != "satisfactory":
        assert [player["name"] for player in header.players] == [player["name"] for player in whole.players]


def test_errors_of_the_file_system_are_oserrors(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        postgame.read(tmp_path / "missing.slp")
    assert missing.value.filename == str(tmp_path / "missing.slp")
    with pytest.raises(IsADirectoryError):
        postgame.read(tmp_path)
    with pytest.raises(TypeError):
        postgame.read(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        postgame.read(io.StringIO("text"))  # type: ignore[arg-type]


def test_events_and_stats_of_a_duel() -> None:
    # The sample's script (xtask/src/samples/slippi.rs): Ada's Fox hits Ben's Marth once, who falls and then quits.
    recording = postgame.read("samples/duel.slp")
    kills = recording.events("kill")
    assert [(kill["who"], kill["whom"]) for kill in kills] == [("Ada (Fox)", "Ben (Marth)")]
    assert recording.events() == sorted(recording.events(), key=lambda event: event["time_s"])
    stats = recording.stats()
    assert stats is not None and [player["name"] for player in stats["players"]] == ["Ada (Fox)", "Ben (Marth)"]
    assert all(probe["verdict"] != "fail" for probe in recording.probe())


def test_one_way_to_files(tmp_path: Path) -> None:
    names = ["bout.replay", "duel.slp"]
    contents = {name: (Path("samples") / name).read_bytes() for name in names}
    archive = tmp_path / "season.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for name in names:
            packed.writestr(f"finals/{name}", contents[name])
    with tarfile.open(tmp_path / "season.tar.xz", "w:xz") as tar:
        for name in names:
            tar.add(Path("samples") / name, f"finals/{name}")
    (tmp_path / "game.slp.xz").write_bytes(lzma.compress(contents["duel.slp"]))
    for path in [archive / "finals/duel.slp", tmp_path / "season.tar.xz/finals/*.slp", tmp_path / "game*.xz"]:
        for header_only in [False, True]:
            assert postgame.read(path, header_only=header_only).format == "slippi"
        assert postgame.read(path).to_bytes() == contents["duel.slp"]
    with pytest.raises(postgame.Error, match="several recordings"):
        postgame.read(archive)
    with pytest.raises(postgame.Error, match="no such recording in the archive"):
        postgame.read(archive / "nothing.slp")
    for path in [archive, tmp_path / "season.tar.xz", archive / "finals"]:
        scan = postgame.scan(path, table="recordings", columns=["game"])
        assert sum(len(piece) for piece in scan) == len(names)
        assert scan.failures == []
