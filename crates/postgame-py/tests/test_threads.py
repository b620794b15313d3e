"""Many threads at once, and Ctrl-C."""

from __future__ import annotations

import hashlib
import resource
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from conftest import SAMPLES

import postgame


def digest(path: Path) -> str:
    recording = postgame.read(path)
    parts = [recording.to_json(), repr(recording.stats()), repr(recording.events()), repr(recording.summary)]
    for entity in recording.timeline.entities:
        for column in entity.columns:
            parts.extend(values.tobytes().hex() for values in entity.track(column) if values.dtype != object)
    return hashlib.sha256("".join(parts).encode()).hexdigest()


def test_eight_threads_give_what_one_gives() -> None:
    alone = [digest(path) for path in SAMPLES]
    with ThreadPoolExecutor(8) as pool:
        rounds = list(pool.map(digest, SAMPLES * 4))
    assert rounds == alone * 4


def test_eight_threads_share_one_recording() -> None:
    recording = postgame.read("samples/duel.slp")
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: repr((recording.stats(), recording.events())), range(8)))
    assert len(set(results)) == 1


# A background job of a shell ignores SIGINT, and its children inherit that: Python then has no KeyboardInterrupt.
AS_IN_A_TERMINAL = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"

# Address space of an interrupted program, in bytes: one that ignored the interrupt would go on reading for ever.
MAX_MEMORY = 4 << 30


def limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


def interrupted(code: str) -> float:
    """Runs a program, interrupts it once it says so, and returns how long it took to end."""
    process = subprocess.Popen(
        [sys.executable, "-c", AS_IN_A_TERMINAL + code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=limit_memory,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.2)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        assert "KeyboardInterrupt" in errors, errors
        return time.monotonic() - start
    finally:
        process.kill()


def test_ctrl_c_ends_following(tmp_path: Path) -> None:
    path = tmp_path / "silent.slp"
    path.write_bytes(Path("samples/duel.slp").read_bytes()[:1000])
    code = f"import postgame\nfollow = postgame.follow({str(path)!r})\nprint('ready', flush=True)\nlist(follow)"
    assert interrupted(code) < 5
