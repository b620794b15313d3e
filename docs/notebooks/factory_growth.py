# %% [markdown]
# # The growth of a factory
# What a factory consists of, save by save. Give the saves of one session, or nothing for the sample: there is only one
# save of it, so its past is made up by taking buildings away from it again, from the far end.

# %%
from __future__ import annotations

import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas as pd
import pyarrow as pa

import postgame


def buildings(save: postgame.Recording) -> pd.DataFrame:
    """The buildings of a save: class, path and place."""
    table = pa.table(save.table("objects", columns=["class", "path", "x_cm", "y_cm"])).to_pandas()
    # Foundations and walls have no object of their own, and thus no path: they are left out.
    return table[table.path.notna() & table["class"].astype(str).str.startswith("Build_")]


def past(save: postgame.Recording, steps: int = 6) -> list[postgame.Recording]:
    """Earlier states of a save, each with fewer of its buildings and less play time."""
    states = [save]
    paths = buildings(save).sort_values("x_cm").path.dropna().tolist()
    for step in range(steps - 1, 0, -1):
        edit = save.edit()
        for path in paths[len(paths) * step // steps :]:
            edit.remove(path)
        state = json.loads(edit.finish().to_json())
        header = state["recording"]["header"]
        header["play_duration_s"] = header["play_duration_s"] * step // steps
        states.append(postgame.from_json(json.dumps(state)))
    return states[::-1]


# %%
saves = [postgame.read(path) for path in sys.argv[1:]] or past(postgame.read("samples/factory.sav"))
saves.sort(key=lambda save: save.header["play_duration_s"])
growth = pd.DataFrame(
    {
        save.header["play_duration_s"] / 3600: buildings(save)["class"]
        .astype(str)
        .str.replace(r"^Build_|_C$", "", regex=True)
        .value_counts()
        for save in saves
    }
).T.fillna(0)
growth = growth[growth.max().sort_values(ascending=False).index[:8]]

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), width_ratios=[3, 2], layout="constrained")
left.stackplot(growth.index, growth.T.values, labels=growth.columns, colors=plt.get_cmap("tab10").colors)
handles, labels = left.get_legend_handles_labels()
left.legend(handles[::-1], labels[::-1], frameon=False, loc="upper left", fontsize=8)
left.set(title="Buildings", xlabel="time played (h)", ylabel="how many", xlim=(growth.index.min(), growth.index.max()))
last = buildings(saves[-1])
for number, name in enumerate(growth.columns):
    places = last[last["class"].astype(str) == f"Build_{name}_C"]
    right.scatter(places.x_cm / 100, places.y_cm / 100, s=14, marker="s", color=plt.get_cmap("tab10")(number))
right.set(title="The factory from above", xlabel="x (m)", ylabel="y (m)")
right.set_aspect("equal", adjustable="datalim")
for axis in (left, right):
    axis.spines[["top", "right"]].set_visible(False)
figure.savefig("docs/images/python-factory.png", dpi=110, metadata={"Software": None})
