"""Postgame against its peers in Python, side by side in one process, with ratios.

`cargo xtask compare python`. Rounds of the two alternate, and the best of each counts, because machines are noisy.
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


def best(paths: list[Path], work: Callable[[Path], Any], times: dict[Path, float]) -> None:
    """Processes all files once and keeps the shortest time of each, in seconds."""
    for path in paths:
        start = time.perf_counter()
        result = work(path)
        times[path] = min(times.get(path, float("inf")), time.perf_counter() - start)
        del result


def compare(what: str, peer: str, wanted: float | None, paths: list[Path], ours: Callable[[Path], Any], theirs: Callable[[Path], Any], rounds: int = ROUNDS) -> None:
    """Measures both in turn and prints the ratio."""
    mine: dict[Path, float] = {}
    other: dict[Path, float] = {}
    for _ in range(rounds):
        best(paths, ours, mine)
        best(paths, theirs, other)
    ours_ms, theirs_ms = sum(mine.values()) * 1e3, sum(other.values()) * 1e3
    ratio = theirs_ms / ours_ms
    print(f"  {what}: postgame {ours_ms:.1f} ms, {peer} {theirs_ms:.1f} ms, {ratio:.1f} times as fast", flush=True)
    if wanted is not None and ratio < wanted:
        missed.append(f"{what}: {ratio:.1f} times as fast as {peer}, not {wanted:g}")


def files(folder: str, ending: str) -> list[Path]:
    """The recordings of a game, or the samples if there is no corpus."""
    found = sorted((CORPUS / folder).rglob(f"*{ending}"))
    return found or sorted((ROOT / "samples").glob(f"*{ending}"))


def readable(paths: list[Path], read: Callable[[Path], Any]) -> list[Path]:
    """The files that the peer can read."""
    good = []
    for path in paths:
        try:
            read(path)
        except KeyboardInterrupt:
            raise
        except BaseException:  # Peers fail in many ways; panics in theirs are no Exception.
            continue
        good.append(path)
    return good


def slippi() -> None:
    """Every character's frames as a DataFrame."""
    import pandas as pd
    import peppi_py
    import polars as pl
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
        if isinstance(value, tuple):
            for number, part in enumerate(value):
                flat(f"{prefix}_{number}", part, columns)
            return
        for name in value.__slots__:
            flat(f"{prefix}_{name}", getattr(value, name), columns)

    def by_peppi(path: Path) -> pa.Table:
        frames = peppi_py.read_slippi(str(path)).frames
        parts = []
        for number, port in enumerate(frames.ports):
            columns: dict[str, Any] = {"frame": frames.id, "port": pa.repeat(pa.scalar(number, pa.uint8()), len(frames.id))}
            flat("pre", port.leader.pre, columns)
            flat("post", port.leader.post, columns)
            parts.append(pa.table(columns))
        return pa.concat_tables(parts, promote_options="default")

    def by_postgame(path: Path) -> Any:
        return postgame.read(path).table("frames")

    def by_py_slippi(path: Path) -> pd.DataFrame:
        rows = []
        for frame in Game(str(path)).frames:
            for number, port in enumerate(frame.ports):
                if port is not None:
                    post = port.leader.post
                    rows.append((frame.index, number, post.position.x, post.position.y, post.state, post.damage, post.stocks))
        return pd.DataFrame(rows, columns=["frame", "port", "x", "y", "state", "damage", "stocks"])

    few_columns = ["frame", "port", "post_x_uu", "post_y_uu", "post_action_state", "post_percent", "post_stocks"]

    def few_by_postgame(path: Path) -> pd.DataFrame:
        return pa.table(postgame.read(path).table("frames", columns=few_columns)).to_pandas()

    paths = files("slippi", ".slp")
    both = readable(paths, by_peppi)
    compare(f"Slippi frames to Polars, {len(both)} replays", "peppi-py", 3, both, lambda path: pl.DataFrame(by_postgame(path)), lambda path: pl.DataFrame(by_peppi(path)))
    compare(f"Slippi frames to pandas, {len(both)} replays", "peppi-py", None, both, lambda path: pa.table(by_postgame(path)).to_pandas(), lambda path: by_peppi(path).to_pandas())
    # It takes a second for a long one: some are enough.
    some = readable(sorted(both, key=lambda path: path.stat().st_size)[:: max(1, len(both) // 12)], by_py_slippi)
    compare(f"Slippi frames to pandas, {len(some)} replays", "py-slippi", 100, some, few_by_postgame, by_py_slippi, rounds=2)


def rocket_league() -> None:
    """Ball and cars side by side at ten rows a second as one array, the native output of subtr-actor."""
    import subtr_actor

    import postgame

    def by_postgame(path: Path) -> Any:
        return postgame.read(path).features(fps=10)

    def by_subtr_actor(path: Path) -> Any:
        return subtr_actor.get_ndarray_with_info_from_replay_filepath(str(path), fps=10)

    paths = readable(files("rocket-league", ".replay"), by_subtr_actor)
    compare(f"Rocket League to arrays, {len(paths)} replays", "subtr-actor-py", 5, paths, by_postgame, by_subtr_actor)


def satisfactory() -> None:
    """Every object's class, path and position."""
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

    paths = readable(files("satisfactory", ".sav"), by_satisfactory_save)
    compare(f"Satisfactory objects, {len(paths)} saves", "satisfactory-save", 5, paths, by_postgame, by_satisfactory_save)


if __name__ == "__main__":
    wanted = sys.argv[1:]
    for work in (slippi, rocket_league, satisfactory):
        if wanted and work.__name__ not in wanted:
            continue
        print(work.__name__, flush=True)
        work()
    for claim in missed:
        print(f"MISSED {claim}", file=sys.stderr)
    sys.exit(1 if missed else 0)
