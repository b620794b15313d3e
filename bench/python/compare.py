"""Postgame against its peers in Python, side by side in one process, with ratios.

`cargo xtask compare python`. Rounds of the two alternate, and the best of each counts: the machines are noisy.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("POSTGAME_CORPUS", ROOT / "../shared/corpus"))
ROUNDS = 5

missed: list[str] = []


def best(work: Callable[[], Any], rounds: int) -> float:
    """The shortest time of some rounds, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def compare(what: str, peer: str, wanted: float, ours: Callable[[], Any], theirs: Callable[[], Any], rounds: int = ROUNDS) -> None:
    """Measures both in turn and prints the ratio."""
    ours(), theirs()
    pairs = [(best(ours, 1), best(theirs, 1)) for _ in range(rounds)]
    mine, other = (min(column) for column in zip(*pairs))
    ratio = other / mine
    print(f"  {what}: postgame {mine * 1e3:.1f} ms, {peer} {other * 1e3:.1f} ms, {ratio:.1f} times as fast", flush=True)
    if ratio < wanted:
        missed.append(f"{what}: {ratio:.1f} times as fast as {peer}, not {wanted:g}")


def files(folder: str, ending: str) -> list[Path]:
    """The recordings of a game, or the samples where there is no corpus."""
    found = sorted((CORPUS / folder).rglob(f"*{ending}"))
    return found or sorted((ROOT / "samples").glob(f"*{ending}"))


def readable(paths: list[Path], read: Callable[[Path], Any], most: int) -> list[Path]:
    """Those that the peer reads at all."""
    good = []
    for path in paths:
        try:
            read(path)
        except KeyboardInterrupt:
            raise
        except BaseException:  # Peers fail in many ways; panics in theirs are no Exception.
            continue
        good.append(path)
        if len(good) == most:
            break
    return good


def slippi() -> None:
    """Every character's frames as a DataFrame."""
    import pandas as pd
    import peppi_py
    import pyarrow as pa
    from slippi import Game

    import postgame

    def flat(prefix: str, value: Any, columns: dict[str, Any]) -> None:
        """The leaves of peppi's tree of dataclasses."""
        if value is None:
            return
        if isinstance(value, (pa.Array, pa.ChunkedArray)):
            columns[prefix] = value
            return
        for name in value.__slots__:
            flat(f"{prefix}_{name}", getattr(value, name), columns)

    def by_peppi(path: Path) -> pd.DataFrame:
        frames = peppi_py.read_slippi(str(path)).frames
        parts = []
        for number, port in enumerate(frames.ports):
            columns: dict[str, Any] = {"frame": frames.id}
            flat("pre", port.leader.pre, columns)
            flat("post", port.leader.post, columns)
            part = pa.table(columns).to_pandas()
            part["port"] = number
            parts.append(part)
        return pd.concat(parts, ignore_index=True)

    def by_postgame(path: Path) -> pd.DataFrame:
        return pa.table(postgame.read(path).table("frames")).to_pandas()

    def by_py_slippi(path: Path) -> pd.DataFrame:
        rows = []
        for frame in Game(str(path)).frames:
            for number, port in enumerate(frame.ports):
                if port is not None:
                    post = port.leader.post
                    rows.append((frame.index, number, post.position.x, post.position.y, post.state, post.damage, post.stocks))
        return pd.DataFrame(rows, columns=["frame", "port", "x", "y", "state", "damage", "stocks"])

    paths = files("slippi", ".slp")
    both = readable(paths, by_peppi, 12)
    compare(f"Slippi frames to pandas, {len(both)} replays", "peppi-py", 3, lambda: [by_postgame(path) for path in both], lambda: [by_peppi(path) for path in both])
    few = readable(both, by_py_slippi, 2)
    compare(f"Slippi frames to pandas, {len(few)} replays", "py-slippi", 100, lambda: [by_postgame(path) for path in few], lambda: [by_py_slippi(path) for path in few], rounds=2)


def rocket_league() -> None:
    """Ball and cars side by side at ten rows a second as one array, which is what subtr-actor gives by itself."""
    import subtr_actor

    import postgame

    def by_postgame(path: Path) -> Any:
        return postgame.read(path).features(fps=10)

    def by_subtr_actor(path: Path) -> Any:
        return subtr_actor.get_ndarray_with_info_from_replay_filepath(str(path), fps=10)

    paths = readable(files("rocket-league", ".replay"), by_subtr_actor, 12)
    compare(f"Rocket League to arrays, {len(paths)} replays", "subtr-actor-py", 5, lambda: [by_postgame(path) for path in paths], lambda: [by_subtr_actor(path) for path in paths])


def satisfactory() -> None:
    """Every object's class, path and place."""
    import satisfactory_save

    import postgame

    columns = ["class", "path", "x_cm", "y_cm", "z_cm"]

    def by_postgame(path: Path) -> Any:
        table = postgame.read(path).table("objects", columns=columns)
        return [table[column].to_numpy() for column in columns]

    def by_satisfactory_save(path: Path) -> Any:
        rows = []
        for item in satisfactory_save.SaveGame(str(path)).allSaveObjects():
            header = item.BaseHeader
            place = item.Header.Transform.Translation if item.isActor() else None
            rows.append((header.ClassName, header.Reference.PathName, place and (place.X, place.Y, place.Z)))
        return rows

    paths = readable(files("satisfactory", ".sav"), by_satisfactory_save, 12)
    compare(f"Satisfactory objects, {len(paths)} saves", "satisfactory-save", 5, lambda: [by_postgame(path) for path in paths], lambda: [by_satisfactory_save(path) for path in paths])


if __name__ == "__main__":
    for work in (slippi, rocket_league, satisfactory):
        print(work.__name__, flush=True)
        work()
    for claim in missed:
        print(f"MISSED {claim}", file=sys.stderr)
    sys.exit(1 if missed else 0)
