"""Reads the files of readers.rs with pyarrow, DuckDB, Polars and Python's own csv, and compares counts and sums."""

import csv
import json
import math
import sys
from pathlib import Path

import duckdb
import polars
import pyarrow
import pyarrow.feather
import pyarrow.parquet

csv.field_size_limit(1 << 30)
folder = Path(sys.argv[1])
expected = json.loads((folder / "expected.json").read_text())


def unarmed(text):
    """A text as a CSV cell has it: what a spreadsheet would run as a formula gets an apostrophe, numbers do not."""
    try:
        float(text)
        return text
    except ValueError:
        return "'" + text if text[:1] in ("=", "+", "-", "@", "\t", "\r", "\n") else text


def close(one, other):
    # A sum depends on the order of its parts, and on whether they are added up in single precision.
    return math.isclose(one, other, rel_tol=1e-3, abs_tol=1e-3)


def check(where, table, rows, known, total):
    """`known` and `total` give, by a column's name, how many values are there and their sum."""
    facts = expected[table]
    assert rows == facts["rows"], (where, table, rows, facts["rows"])
    for name, column in facts["columns"].items():
        assert known(name) == column["known"], (where, table, name, known(name), column)
        if column["kind"] == "number" and column["known"]:
            # What is not a number adds up to nothing that could be compared.
            if math.isfinite(column["total"]):
                assert close(total(name), column["total"]), (where, table, name, total(name), column)


def arrow(where, table, data):
    import pyarrow.compute as compute

    def total(name):
        return compute.sum(data[name].cast(pyarrow.float64())).as_py()

    def known(name):
        return len(data) - data[name].null_count

    check(where, table, len(data), known, total)


def plain(value):
    return {"true": 1.0, "false": 0.0}.get(value) if value in ("true", "false") else float(value)


for table in expected:
    parquet, feather, text, lines = (
        str(folder / f"{table}.{extension}") for extension in ("parquet", "arrow", "csv", "ndjson")
    )
    arrow("pyarrow parquet", table, pyarrow.parquet.read_table(parquet))
    arrow("pyarrow arrow", table, pyarrow.feather.read_table(feather))

    for where, frame in (
        ("polars parquet", polars.read_parquet(parquet)),
        ("polars arrow", polars.read_ipc(feather)),
    ):
        check(
            where,
            table,
            frame.height,
            lambda name: frame.height - frame[name].null_count(),
            lambda name: frame[name].cast(polars.Float64).sum(),
        )

    def ask(what):
        return duckdb.sql(f"SELECT {what} FROM '{parquet}'").fetchall()[0][0]

    def total(name):
        return ask(f'sum(CAST("{name}" AS DOUBLE))')

    check("duckdb", table, ask("count(*)"), lambda name: ask(f'count("{name}")'), total)

    with open(text, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    # Empty text and nothing look the same in CSV, so only numbers are counted there.
    facts = expected[table]
    assert len(rows) == facts["rows"], ("csv", table)
    for name, column in facts["columns"].items():
        if column["kind"] == "number":
            values = [plain(row[name]) for row in rows if row[name] != ""]
            assert len(values) == column["known"], ("csv", table, name)
            if math.isfinite(column["total"]):
                assert close(math.fsum(values), column["total"]), ("csv", table, name)

    # Text round-trips too, compared value by value with what Arrow has.
    if rows:
        data = pyarrow.feather.read_table(feather)
        for name, column in facts["columns"].items():
            if column["kind"] == "text":
                own = [unarmed(value or "") for value in data[name].to_pylist()]
                assert [row[name] for row in rows] == own, ("csv", table, name)

    with open(lines, encoding="utf-8") as file:
        assert sum(1 for line in file if json.loads(line) is not None) == facts["rows"], table
