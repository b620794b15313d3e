# %% [markdown]
# # The boost economy of a team
# Where boost comes from, how much is stolen and how much is wasted. Give a folder of Rocket League replays, or nothing
# for the sample.

# %%
from __future__ import annotations

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pyarrow as pa

import postgame

paths = sys.argv[1:] or ["samples/duel.replay"]
COLOURS = {0: "#2b6cb0", 1: "#dd6b20"}
TEAMS = {0: "blue", 1: "orange"}

# %% One table of all cars in all replays, twenty rows a second; only what is needed is decoded.
columns = ["recording_id", "time_s", "team", "boost_percent", "boosting"]
cars = pa.table(postgame.scan(paths, table="frames_cars", columns=columns, fps=20)).to_pandas()
cars["second"] = cars.time_s.round().astype(int)
mean = cars.groupby(["team", "second"]).boost_percent.mean()

# %% The totals are statistics already: the same definitions as ballchasing.com's.
kinds = ["collected", "stolen", "overfill"]
totals = {team: dict.fromkeys(kinds, 0.0) for team in TEAMS}
for path in paths:
    for number, team in enumerate(postgame.read(path).stats()["teams"]):
        for kind in kinds:
            totals[number][kind] += team["boost"][f"amount_{kind}"]

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), width_ratios=[2, 1], layout="constrained")
for team, name in TEAMS.items():
    if team in mean.index.levels[0]:
        left.plot(mean[team].index, mean[team].values, color=COLOURS[team], label=name)
left.set(title="Boost in the tank, mean of the team", xlabel="time (s)", ylabel="boost (%)", ylim=(0, 102))
left.legend(frameon=False)
places = np.arange(len(kinds))
for team, name in TEAMS.items():
    right.bar(places + (team - 0.5) * 0.38, list(totals[team].values()), 0.36, color=COLOURS[team], label=name)
right.set(title="Boost taken from pads", ylabel="boost (% of a tank)")
right.set_xticks(places, ["collected", "of it stolen", "wasted by a\nfull tank"])
for axis in (left, right):
    axis.spines[["top", "right"]].set_visible(False)
figure.savefig("docs/images/python-boost.png", dpi=110, metadata={"Software": None})
