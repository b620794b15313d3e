"""Changing Satisfactory saves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import postgame

SAVE = "samples/factory.sav"


def paths(recording: postgame.Recording, class_name: str | None = None) -> list[str]:
    return [item["header"]["reference"]["path"] for item in recording.objects(class_name)]


def position(recording: postgame.Recording, path: str) -> list[float]:
    found: list[float] = recording.object(path)["header"]["kind"]["actor"]["position_cm"]
    return found


def properties(item: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = item.get("data", {}).get("contents", {}).get("known", {}).get("properties") or []
    return found


def test_objects_are_all_there() -> None:
    save = postgame.read(SAVE)
    everything = paths(save)
    assert len(everything) == len(set(everything)) > 10
    constructors = paths(save, "Build_ConstructorMk1_C")
    assert constructors and set(constructors) < set(everything)
    assert save.object(constructors[0])["header"]["reference"]["path"] == constructors[0]
    with pytest.raises(postgame.Error):
        save.object("nothing")
    with pytest.raises(postgame.Error):
        postgame.read("samples/duel.slp").objects()


def test_nothing_changed_is_the_same_file() -> None:
    save = postgame.read(SAVE)
    assert save.edit().finish().to_bytes() == Path(SAVE).read_bytes()


def test_moving_removing_renaming(tmp_path: Path) -> None:
    save = postgame.read(SAVE)
    moved, removed, *_ = paths(save, "Build_ConstructorMk1_C") + paths(save, "Build_SmelterMk1_C")
    edit = save.edit()
    edit.move(moved, (1.0, 2.0, 3.0))
    assert edit.remove(removed) >= 1
    edit.rename_session("Neu")
    edit.write(tmp_path / "new.sav")
    new = postgame.read(tmp_path / "new.sav", strict=True)
    assert new.check().is_clean, str(new.check())
    assert position(new, moved) == [1.0, 2.0, 3.0] != position(save, moved)
    assert removed not in paths(new)
    assert new.header["session_name"] == "Neu"
    # What it was made from is as it was.
    assert save.to_bytes() == Path(SAVE).read_bytes()


def test_properties_keep_their_types() -> None:
    save = postgame.read(SAVE)
    edit = save.edit()
    found: dict[str, tuple[str, str, object]] = {}
    for item in save.objects():
        for one in properties(item):
            ((tag, value),) = one["value"].items()
            found.setdefault(tag, (item["header"]["reference"]["path"], one["name"], value))
    assert {"float", "int", "list", "object", "str"} <= set(found), set(found)
    path, name, _ = found["float"]
    edit.set_property(path, name, 0.5)
    assert {"float": 0.5} in [one["value"] for one in properties(edit.object(path)) if one["name"] == name]
    # What is given back as it is shown changes nothing.
    again = save.edit()
    for path, name, value in found.values():
        again.set_property(path, name, value)
    assert again.finish().to_bytes() == save.to_bytes()
    with pytest.raises(postgame.Error):
        edit.set_property(path, name, "not a number, nor a structure")
    with pytest.raises(postgame.Error):
        edit.set_property(path, "mNoSuchProperty", 1)
    with pytest.raises(postgame.Error):
        postgame.read("samples/duel.slp").edit()


def test_an_object_can_be_taken_from_one_save_and_put_into_another() -> None:
    save = postgame.read(SAVE)
    path = paths(save, "Build_ConstructorMk1_C")[0]
    item = save.object(path)
    edit = save.edit()
    with pytest.raises(postgame.Error):
        edit.add(item)
    edit.rename(path, path + "9")
    assert path + "9" in paths(edit.finish()) and path not in paths(edit.finish())
