"""Truncated, empty, foreign and hostile input: an exception or a partial recording, never a crash."""

from __future__ import annotations

import pickle
import random
from pathlib import Path

import pytest

import postgame


def use(recording: postgame.Recording) -> None:
    """Everything one can ask of a recording."""
    recording.header, recording.summary, recording.players, recording.version
    recording.check(), recording.events(), recording.stats(), recording.probe(), recording.to_json()
    for entity in recording.timeline.entities[:5]:
        for column in entity.columns:
            entity.track(column), entity.sample(column, [0.0, 1.0])
    try:
        recording.to_bytes()
    except postgame.Error:
        pass


def attempt(data: bytes) -> None:
    try:
        recording = postgame.read(data)
    except postgame.Error:
        return
    use(recording)


def test_every_kind_of_cut(sample: Path) -> None:
    data = sample.read_bytes()
    for part in range(40):
        attempt(data[: len(data) * part // 40])


def test_flipped_bits(sample: Path) -> None:
    data = sample.read_bytes()
    rng = random.Random(9)
    for _ in range(40):
        broken = bytearray(data)
        for _ in range(rng.randint(1, 8)):
            broken[rng.randrange(len(broken))] ^= 1 << rng.randrange(8)
        attempt(bytes(broken))


@pytest.mark.parametrize("data", [b"", b"\0", b"hello\n", b"\x89PNG\r\n\x1a\n", b"PK\x03\x04" + bytes(100), bytes(1 << 20)])
def test_what_is_no_recording_is_an_error(data: bytes) -> None:
    with pytest.raises(postgame.Error):
        postgame.read(data)
    assert postgame.sniff(data) is None


def test_a_cut_file_is_partial_unless_strict() -> None:
    data = Path("samples/bout.replay").read_bytes()
    cut = data[: len(data) // 2]
    recording = postgame.read(cut)
    finding = next(one for one in recording.report if one.severity == "lost")
    assert recording.report.worst == "lost" and not recording.report.is_clean
    with pytest.raises(postgame.Error) as caught:
        postgame.read(cut, strict=True)
    error = caught.value
    assert (error.format, error.path, error.offset) == ("rumble", finding.path, finding.offset)
    assert error.offset is not None and error.space == finding.space
    assert isinstance(error, ValueError)


def test_errors_say_where_and_can_be_pickled(tmp_path: Path) -> None:
    path = tmp_path / "cut.replay"
    path.write_bytes(b"RGZP")
    with pytest.raises(postgame.Error) as caught:
        postgame.read(path)
    error = caught.value
    assert (error.file, error.format, error.path) == (str(path), "rumble", "container.inflated_size")
    assert (error.offset, error.space, error.bit) == (4, "file", None)
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.offset) == (str(error), 4)


def test_inflated_size_is_bounded() -> None:
    with pytest.raises(postgame.Error):
        postgame.read("samples/bout.replay", max_memory=10, strict=True)


def test_repair_mends(sample: Path) -> None:
    data = sample.read_bytes()
    try:
        mended, report = postgame.repair(data[: len(data) * 9 // 10])
    except postgame.Error:
        return
    assert report.verdict == "lost" and not report.is_proven
    assert any(step.lost for step in report.steps)
    # The lost data stays lost, but the file is valid again.
    assert mended.check().worst != "lost"
    assert postgame.read(mended.to_bytes()).to_bytes() == mended.to_bytes()
