"""What the tests share: the repository's top as the working folder, samples, and the corpus where there is one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = sorted(path for path in (ROOT / "samples").iterdir() if path.suffix != ".md")


def corpus() -> list[Path]:
    """Real recordings, which are no part of the repository."""
    folder = Path(os.environ.get("POSTGAME_CORPUS", ROOT / "../shared/corpus"))
    endings = {".replay", ".slp", ".sav", ".sbp", ".sbpcfg"}
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in endings)


@pytest.fixture(autouse=True)
def at_the_top(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Examples name samples as seen from the repository's top."""
    monkeypatch.chdir(ROOT)
    yield


@pytest.fixture(params=SAMPLES, ids=lambda path: path.name)
def sample(request: pytest.FixtureRequest) -> Path:
    """Every sample in turn."""
    path: Path = request.param
    return path
