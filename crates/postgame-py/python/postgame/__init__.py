"""Postgame reads what games leave behind: replays and saves, every bit of them.

>>> import postgame
>>> recording = postgame.read("samples/duel.slp")
>>> recording.game
'Super Smash Bros. Melee'
>>> [event["time_s"] for event in recording.events("kill")]
[15.583333333333334]

Rocket League, Slippi (Super Smash Bros. Melee), Satisfactory and RUMBLE; ``docs/python.md`` is a tour.
"""

from ._error import Error
from ._native import (
    Column,
    Edit,
    Entity,
    Finding,
    Follow,
    Objects,
    Recording,
    Repair,
    RepairStep,
    Report,
    Scan,
    Table,
    Timeline,
    __version__,
    follow,
    from_json,
    read,
    repair,
    scan,
    sniff,
)

__all__ = [
    "Column",
    "Edit",
    "Entity",
    "Error",
    "Finding",
    "Follow",
    "Objects",
    "Recording",
    "Repair",
    "RepairStep",
    "Report",
    "Scan",
    "Table",
    "Timeline",
    "__version__",
    "follow",
    "from_json",
    "read",
    "repair",
    "scan",
    "sniff",
]
