"""docs/python.md runs as it stands, and the notebooks draw their pictures."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.py"))


def snippets(page: str) -> list[str]:
    """The Python on a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_the_readme_runs() -> None:
    (snippet,) = snippets("README.md")
    exec(compile(snippet, "README.md", "exec"), {})


def test_the_tour_runs() -> None:
    tour = snippets("docs/python.md")
    assert len(tour) == 10
    (ROOT / "out").mkdir(exist_ok=True)
    shared: dict[str, object] = {}
    for snippet in tour:
        exec(compile(snippet, "docs/python.md", "exec"), shared)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_draw_their_pictures(notebook: Path, tmp_path: Path) -> None:
    # In a copy: the pictures of the repository are renewed only by whoever wants that (POSTGAME_PICTURES=1).
    folder = ROOT
    if not os.environ.get("POSTGAME_PICTURES"):
        folder = tmp_path
        shutil.copytree(ROOT / "samples", folder / "samples")
        (folder / "docs/images").mkdir(parents=True)
    subprocess.run([sys.executable, str(notebook)], check=True, cwd=folder)
    (name,) = re.findall(r"docs/images/[\w-]+\.png", notebook.read_text())
    picture = (folder / name).read_bytes()
    assert picture.startswith(b"\x89PNG") and len(picture) > 10_000
    assert (ROOT / name).is_file(), "draw it with POSTGAME_PICTURES=1"
