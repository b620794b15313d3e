"""Following a replay while it is being recorded."""

from __future__ import annotations

import socket
import threading
import time
from pathlib import Path

import pytest

import postgame

REPLAY = "samples/duel.slp"


def test_a_growing_file_gives_the_same_events(tmp_path: Path) -> None:
    data = Path(REPLAY).read_bytes()
    path = tmp_path / "live.slp"
    path.write_bytes(data[:100])

    def record() -> None:
        with path.open("ab") as file:
            for start in range(100, len(data), 50_000):
                time.sleep(0.01)
                file.write(data[start : start + 50_000])
                file.flush()

    writer = threading.Thread(target=record)
    writer.start()
    live = list(postgame.follow(path, timeout=60))
    writer.join()
    assert live == list(postgame.follow(REPLAY))
    assert live[0]["event"] == "payloads" and live[-1]["event"] == "elements"


def test_silence_times_out_and_what_came_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "cut.slp"
    path.write_bytes(Path(REPLAY).read_bytes()[:200_000])
    follow = postgame.follow(path, timeout=0.2)
    with pytest.raises(TimeoutError):
        for _ in follow:
            pass
    recording = follow.finish()
    assert recording is not None and recording.game == "Super Smash Bros. Melee"
    with pytest.raises(FileNotFoundError):
        postgame.follow(tmp_path / "missing.slp")
    with pytest.raises(ValueError):
        postgame.follow(path, timeout=-1.0)


def test_a_relay_gives_the_same_events(tmp_path: Path) -> None:
    data = Path(REPLAY).read_bytes()
    events = data[15 : 15 + int.from_bytes(data[11:15], "big")]
    with socket.create_server(("127.0.0.1", 0)) as server:

        def relay() -> None:
            connection, _ = server.accept()
            with connection:
                for start in range(0, len(events), 10_000):
                    connection.sendall(events[start : start + 10_000])
                # What the client sends first; then until it goes away.
                while connection.recv(1024):
                    pass

        thread = threading.Thread(target=relay)
        thread.start()
        follow = postgame.follow(
            f"relay://127.0.0.1:{server.getsockname()[1]}", timeout=60, save=tmp_path
        )
        live = list(follow)
        # The metadata is our own.
        assert live[:-1] == list(postgame.follow(REPLAY))[:-1]
        assert follow.saved is not None
        assert follow.saved.read_bytes()[15 : 15 + len(events)] == events
        recording = follow.finish()
        assert recording is not None and recording.game == "Super Smash Bros. Melee"
        del follow
        thread.join(timeout=60)
        assert not thread.is_alive()
    with pytest.raises(ValueError):
        postgame.follow("dolphin://127.0.0.1:0")
