"""The stubs against the built module, and the tests themselves against the stubs; examples in docstrings."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import postgame
from postgame import _error, _native

HERE = Path(__file__).resolve().parent


def test_stubs_say_what_the_module_has() -> None:
    subprocess.run([sys.executable, "-m", "mypy.stubtest", "postgame"], check=True, cwd=HERE)


def test_users_of_the_stubs_pass_mypy() -> None:
    files = sorted(str(path) for path in HERE.glob("*.py"))
    subprocess.run([sys.executable, "-m", "mypy", "--config-file", "../pyproject.toml", *files], check=True, cwd=HERE)


@pytest.mark.parametrize("module", [postgame, _error, _native], ids=lambda module: module.__name__)
def test_examples_in_docstrings(module: object) -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    names = [module, *(getattr(module, name) for name in dir(module) if not name.startswith("_"))]
    seen: set[str] = set()
    for item in names:
        if not (item is module or getattr(item, "__module__", None) in ("postgame", "postgame._native", None)):
            continue
        for example in finder.find(item, getattr(item, "__name__", "?"), module=False, globs={"postgame": postgame}):
            if example.name not in seen and example.examples:
                seen.add(example.name)
                runner.run(example)
    assert seen and runner.summarize(verbose=False).failed == 0


def test_everything_public_is_explained() -> None:
    for name in postgame.__all__:
        item = getattr(postgame, name)
        if name == "__version__":
            continue
        assert item.__doc__, name
        if isinstance(item, type):
            for member, value in vars(item).items():
                if not member.startswith("_") and name != "Error":
                    assert value.__doc__, f"{name}.{member}"
