"""Sampling, as NumPy arrays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import postgame


def test_samples_at_recorded_times_are_the_recorded_values(sample: Path) -> None:
    for entity in postgame.read(sample).timeline.entities:
        for column in entity.columns:
            times, values = entity.track(column)
            # Of equal times the last one counts.
            last = np.append(times[1:] != times[:-1], True) if len(times) else np.zeros(0, bool)
            present = np.array([any(start <= time < end for start, end in entity.presence) for time in times], bool)
            sampled = entity.sample(column, times)
            assert sampled.shape == values.shape
            keep = last & present
            if values.dtype == object:
                assert sampled[keep].tolist() == values[keep].tolist()
            else:
                # Rotations are made unit quaternions again on the way.
                np.testing.assert_allclose(sampled[keep], values[keep], rtol=1e-6, atol=1e-6)


def test_shapes_and_absence() -> None:
    timeline = postgame.read("samples/duel.replay").timeline
    ball = timeline["Ball"]
    times = timeline.times_at(30.0)
    assert times.dtype == np.float64 and np.allclose(np.diff(times), 1 / 30)
    position = ball.sample("position", times)
    assert position.shape == (len(times), 3) and position.dtype == np.float32
    assert ball.sample("rotation", times).shape == (len(times), 4)
    assert np.isnan(ball.sample("position", timeline.start_s - 1000.0)).all()
    # In any order, and one at a time, the same.
    shuffled = np.random.default_rng(1).permutation(len(times))
    np.testing.assert_array_equal(ball.sample("position", times[shuffled]), position[shuffled])
    np.testing.assert_array_equal(ball.sample("position", float(times[7])), position[7])
    position[0] = 0  # Arrays are the caller's own.
    assert "Ball" in timeline and "nobody" not in timeline and len(timeline) == len(timeline.entities)
    with pytest.raises(KeyError):
        timeline["nobody"]
    with pytest.raises(KeyError, match="position"):
        ball.sample("nothing", [0.0])
    for rate in [0.0, -1.0, float("nan"), 1e300]:
        with pytest.raises(ValueError):
            timeline.times_at(rate)


def test_numpy_is_not_imported_before_it_is_needed() -> None:
    code = (
        "import sys, postgame; r = postgame.read('samples/duel.slp'); r.stats(), r.events(), r.timeline.entities;"
        "assert not {'numpy', 'pyarrow', 'pandas'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
