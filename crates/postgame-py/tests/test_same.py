"""On samples and corpus, the tables in Python are those of the Rust library: rows, sums and contents.

The other side is `crates/postgame-tables/examples/digest.rs`, which does the same in Rust, without this package.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from conftest import SAMPLES, corpus

import postgame

DIGEST = os.environ.get("POSTGAME_DIGEST")
#: Files of the corpus that are looked at: every so many of a kind. POSTGAME_ALL=1 takes all of them.
STEP = 1 if os.environ.get("POSTGAME_ALL") else 8


def files() -> list[Path]:
    good = [path for path in corpus() if path.parent.name != "bad"]
    return SAMPLES + good[::STEP]


def column(values: pa.ChunkedArray) -> tuple[bytes, float]:
    """A column's validity and contents as bytes, and its sum."""
    valid = values.is_valid().to_numpy().astype(np.uint8).tobytes()
    if pa.types.is_dictionary(values.type) or pa.types.is_string(values.type):
        texts = [b"" if text is None else text.encode() for text in values.to_pylist()]
        return valid + b"".join(struct.pack("<I", len(text)) + text for text in texts), 0.0
    numbers = values.cast(pa.float64(), safe=False) if not pa.types.is_boolean(values.type) else values.cast(pa.int8()).cast(pa.float64())
    array = pc.fill_null(numbers, 0.0).to_numpy()
    return valid + array.astype("<f8").tobytes(), float(array[np.isfinite(array)].sum())


def digests(path: Path) -> Iterator[dict[str, Any]]:
    recording = postgame.read(path)
    for name in recording.tables:
        table = pa.table(recording.table(name))
        hasher = hashlib.sha256()
        sums = {}
        for title in table.column_names:
            contents, sums[title] = column(table[title])
            hasher.update(contents)
        yield {"file": str(path), "table": name, "rows": table.num_rows, "sums": sums, "hash": hasher.hexdigest()}


@pytest.mark.skipif(DIGEST is None, reason="POSTGAME_DIGEST names no program: run `cargo xtask test`")
@pytest.mark.parametrize("path", files(), ids=lambda path: path.name)
def test_tables_are_those_of_the_rust_library(path: Path) -> None:
    run = subprocess.run([str(DIGEST), str(path)], check=True, capture_output=True, text=True)
    expected = [json.loads(line) for line in run.stdout.splitlines()]
    found = list(digests(path))
    assert [(one["table"], one["rows"], one["hash"]) for one in found] == [
        (one["table"], one["rows"], one["hash"]) for one in expected
    ]
    for one, other in zip(found, expected):
        assert one["sums"] == pytest.approx(other["sums"], rel=1e-6, abs=1e-3)
