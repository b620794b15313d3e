# %% [markdown]
# # A character's neutral game
# Neutral is the phase in which no character is being hit: positions of the characters, openings, and their results.
# Give a folder of Slippi replays, or nothing for the sample.

# %%
from __future__ import annotations

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pyarrow as pa

import postgame

paths = sys.argv[1:] or ["samples/duel.slp"]
COLOURS = ["#c53030", "#2b6cb0", "#b7791f", "#2f855a"]

# %% Frames of all replays, and the conversions: what a player makes of an opening.
columns = ["recording_id", "frame", "port", "is_follower", "post_x_uu", "post_y_uu", "post_percent"]
frames = pa.table(postgame.scan(paths, table="frames", columns=columns)).to_pandas()
frames = frames[(frames.frame >= 0) & ~frames.is_follower.astype(bool)]
conversions = pa.table(postgame.scan(paths, table="conversions")).to_pandas()
characters = pa.table(postgame.scan(paths, table="stats")).to_pandas()

# %% A frame is neutral while no conversion is under way.
neutral = frames.copy()
for row in conversions.itertuples():
    last = row.end_frame if row.end_frame == row.end_frame else float("inf")
    inside = neutral.frame.between(row.start_frame, last) & (neutral.recording_id == row.recording_id)
    neutral = neutral[~inside]
share = len(neutral) / max(len(frames), 1)

# %%
names = {}
for row in conversions.itertuples():
    names[row.port], names[row.victim_port] = str(row.character), str(row.victim_character)
figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
for port, rows in neutral.groupby("port"):
    name = names.get(port, f"P{port + 1}")
    left.scatter(rows.post_x_uu, rows.post_y_uu, s=4, alpha=0.35, color=COLOURS[port % 4], label=name)
left.set(title=f"Where they are in neutral ({share:.0%} of the time)", xlabel="x (game units)", ylabel="y (game units)")
left.legend(frameon=False, markerscale=3)
first = frames.recording_id.iloc[0]
for port, rows in frames[frames.recording_id == first].groupby("port"):
    middle.plot(rows.frame / 60, rows.post_percent, color=COLOURS[port % 4], label=names.get(port))
for row in conversions[conversions.recording_id == first].itertuples():
    end = row.end_frame if row.end_frame == row.end_frame else frames.frame.max()
    middle.axvspan(row.start_frame / 60, end / 60, color=COLOURS[row.port % 4], alpha=0.15, lw=0)
middle.set(title="Percent; shaded: being converted on", xlabel="time (s)", ylabel="percent")
counts = conversions.groupby(["opening", "port"], observed=True).size().unstack(fill_value=0)
counts.columns = [names.get(port, port) for port in counts.columns]
counts.plot.bar(ax=right, color=COLOURS, rot=0, legend=False)
right.set(title="Openings", xlabel="", ylabel="how often")
right.yaxis.get_major_locator().set_params(integer=True)
for axis in (left, middle, right):
    axis.spines[["top", "right"]].set_visible(False)
figure.savefig("docs/images/python-neutral.png", dpi=110, metadata={"Software": None})
