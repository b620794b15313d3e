"""Tables: every library reads every table; columns, matrices, scans of folders."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from test_threads import interrupted

import postgame


def plain(value: Any) -> Any:
    """NaN and null are both absent to pandas."""
    return None if isinstance(value, float) and value != value else value


def test_every_library_reads_every_table(sample: Path) -> None:
    recording = postgame.read(sample)
    assert recording.tables
    for name in recording.tables:
        table = recording.table(name)
        arrow = pa.table(table)
        assert (arrow.num_rows, arrow.column_names) == (len(table), table.columns)
        arrow.validate(full=True)
        polars = pl.DataFrame(table)
        assert polars.shape == (len(table), table.num_columns)
        pandas = pd.DataFrame.from_arrow(table) if hasattr(pd.DataFrame, "from_arrow") else arrow.to_pandas()
        assert pandas.shape == (len(table), table.num_columns)
        rows = table  # A name that is no word of SQL.
        counted = duckdb.sql("select count(*) from rows").fetchall()
        assert counted == [(len(table),)]
        for column in table.columns:
            nulls = table[column].null_count
            assert arrow[column].null_count == polars[column].null_count() == nulls
        if len(table):
            first = arrow.slice(0, 1).to_pylist()[0]
            found = duckdb.sql("select * from rows limit 1").fetchall()[0]
            assert [plain(value) for value in found] == [plain(value) for value in first.values()]


def test_columns_as_arrays(sample: Path) -> None:
    recording = postgame.read(sample)
    for name in recording.tables:
        table = recording.table(name)
        arrow = pa.table(table)
        for column in table.columns:
            array = table[column].to_numpy()
            assert len(array) == len(table)
            expected = arrow[column].to_pylist()
            got = [plain(value) for value in array.tolist()]
            assert got == [plain(value) for value in expected], (name, column)


def test_numbers_are_not_copied() -> None:
    table = postgame.read("samples/duel.slp").table("frames")
    one, other = table["frame"].to_numpy(), table["frame"].to_numpy()
    assert one.ctypes.data == other.ctypes.data == pa.table(table)["frame"].chunk(0).buffers()[1].address
    assert not one.flags.writeable
    del table
    assert one.tolist() == other.tolist()


def test_a_matrix_for_machine_learning() -> None:
    table = postgame.read("samples/duel.replay").table("frames_ball")
    names = ["time_s", "x_uu", "y_uu", "z_uu"]
    matrix = table.to_numpy(names)
    assert matrix.shape == (len(table), 4) and matrix.dtype == np.float32
    for place, name in enumerate(names):
        np.testing.assert_array_equal(matrix[:, place], table[name].to_numpy().astype(np.float32))
    assert table.to_numpy().shape[0] == len(table)
    with pytest.raises(ValueError):
        table.to_numpy(["nothing"])


def test_features_of_rocket_league() -> None:
    recording = postgame.read("samples/duel.replay")
    names, matrix = recording.features()
    assert matrix.shape == (recording.summary["frames"], len(names)) and matrix.dtype == np.float32
    ball = recording.table("frames_ball")
    x = matrix[:, names.index("Ball - position x")]
    np.testing.assert_array_equal(x[~np.isnan(x)], ball["x_uu"].to_numpy())
    assert len(recording.features(fps=10)[1]) < len(matrix)
    with pytest.raises(postgame.Error):
        postgame.read("samples/bout.replay").features()


def test_only_some_columns_and_another_rate() -> None:
    recording = postgame.read("samples/duel.replay")
    whole = recording.table("frames_ball")
    part = recording.table("frames_ball", columns=["z_uu", "time_s"])
    assert part.columns == ["z_uu", "time_s"]
    assert pa.table(part)["z_uu"] == pa.table(whole)["z_uu"]
    slow = recording.table("frames_ball", fps=10)
    assert np.allclose(np.diff(slow["time_s"].to_numpy()), 0.1)
    for wrong in [{"name": "nothing"}, {"name": "frames"}, {"name": "frames_ball", "columns": ["nothing"]}]:
        with pytest.raises(KeyError):
            recording.table(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        recording.table("frames_ball", fps=0)
    with pytest.raises(KeyError):
        whole["nothing"]


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_a_scan_is_the_recordings_one_after_the_other(threads: int) -> None:
    files = ["samples/duel.slp", "samples/duel.replay", "samples/bout.replay", "samples/factory.sav"]
    scanned = pa.table(postgame.scan(files, table="events", threads=threads, batch_rows=7))
    single = pa.concat_tables(pa.table(postgame.read(file).table("events")) for file in files)
    assert scanned.to_pylist() == single.to_pylist()


def test_scans_of_folders_go_on_after_bad_files(tmp_path: Path) -> None:
    shutil.copy("samples/duel.slp", tmp_path / "a.slp")
    (tmp_path / "b.slp").write_bytes(b"no replay")
    (tmp_path / "c.replay").write_bytes(b"")
    shutil.copy("samples/bout.replay", tmp_path / "d.replay")
    seen: list[tuple[int, int]] = []
    scan = postgame.scan(tmp_path, table="recordings", progress=lambda files, size: seen.append((files, size)))
    games = [game for piece in scan for game in piece["game"].to_numpy()]
    assert len(games) == 2
    assert [Path(name).name for name, _ in scan.failures] == ["b.slp", "c.replay"]
    assert seen[-1][0] == 4 and seen == sorted(seen)
    with pytest.raises(postgame.Error) as caught:
        list(postgame.scan(tmp_path, table="recordings", strict=True))
    assert caught.value.file == str(tmp_path / "b.slp")


def test_scans_are_read_by_the_other_libraries_too() -> None:
    def scan() -> postgame.Scan:
        return postgame.scan("samples", table="recordings")

    rows = pa.table(scan()).num_rows
    assert rows == len(list(Path("samples").iterdir()))
    assert pl.DataFrame(scan()).height == rows
    stream = scan()
    assert duckdb.sql("select count(*) from stream").fetchall() == [(rows,)]
    assert stream.columns == scan().read_all().columns
    with pytest.raises(KeyError):
        postgame.scan("samples", table="nothing")


def test_an_exception_of_the_callback_ends_the_scan() -> None:
    def progress(files: int, size: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        list(postgame.scan("samples", table="recordings", progress=progress))


@pytest.mark.parametrize("use", ["list(scan)", "pyarrow.table(scan)", "scan.read_all()"])
def test_ctrl_c_ends_a_scan(use: str) -> None:
    code = (
        "import postgame, pyarrow\n"
        "scan = postgame.scan(['samples/duel.replay'] * 100_000, table='updates')\n"
        f"print('ready', flush=True)\n{use}"
    )
    assert interrupted(code) < 5


def test_ending_in_the_middle_of_a_scan_is_no_crash() -> None:
    code = (
        "import postgame\n"
        "scan = postgame.scan(['samples/duel.slp'] * 1000, table='frames')\n"
        "next(scan), next(scan)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
