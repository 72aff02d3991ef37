"""Curves of lkrf along D on data sets: the columns of adult, and rows that can fail."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from harness import Row
from harness.claims.lkrf import curves_on_data, sphere_figures
from harness.data import Table
from harness.data.adult import INDICATORS, adult_indicators
from harness.errors import UsageError
from harness.verdict import Status
from tests.helpers import bare_check


def test_the_binary_columns_of_adult_are_quintiles_signs_and_categories_without_missing():
    """Forty rows, each attribute in its first category: "?" where it has one, which leaves no column."""
    numbers = np.zeros((40, 6))
    numbers[:, 0], numbers[20:, 3] = np.arange(40.0), 7.0
    categories = np.zeros((40, 102))
    categories[:, [0, 9, 25, 32, 47, 53, 58, 60]] = 1.0
    found = adult_indicators(Table(np.hstack([numbers, categories]), np.ones(40), 0)).points
    assert found.shape == (40, INDICATORS)
    assert found[:, :5].sum(0).tolist() == [8.0] * 5
    assert found[:, :24].sum(1).tolist() == [6.0] * 40
    assert found[:, 15:17].sum(0).tolist() == [20.0, 20.0]  # gain: none, some
    assert found[:, 24:].sum(1).tolist() == [5.0] * 40  # eight attributes, three of them missing
    with pytest.raises(UsageError, match="give what `adult` has read"):
        adult_indicators(Table(numbers, np.ones(40), 0))


@pytest.mark.parametrize(("gain", "status"), [(6.0, Status.HOLDS), (-6.0, Status.REFUTED)])
def test_the_curves_on_data_judge_the_gain_and_the_time(gain, status, monkeypatch):
    """A run with known errors, whose time is the number of features: OK gains 6 % of the points, or loses them."""
    clock = {"seconds": 0.0}

    def errors(chosen: torch.Tensor, scales: torch.Tensor) -> tuple[float, float]:
        clock["seconds"] += len(chosen)
        return 1.0, 20.0 - gain * (len(chosen) == 5)

    def learned() -> tuple[torch.Tensor, torch.Tensor]:
        clock["seconds"] += 50.0
        return torch.arange(5), torch.full((5,), 0.2, dtype=torch.float64)

    run = curves_on_data.Run(10_000, learned, torch.arange, errors)
    monkeypatch.setattr(curves_on_data, "required", lambda *_: None)
    monkeypatch.setattr(curves_on_data, "run_on", lambda *_: run)
    monkeypatch.setattr(curves_on_data, "time", SimpleNamespace(process_time=lambda: clock["seconds"]))
    claim = curves_on_data.learned_features_along_their_number
    assert bare_check(dataclasses.replace(claim, cells=({"name": "adult"},))).status is status


def test_degradation_compares_the_rises_of_both_errors():
    rows = [
        Row(f"{name} error", value, 0.01, at={"d": d})
        for name, values in (("OK", (0.1, 0.15, 0.2)), ("GK", (0.1, 0.3, 0.25)))
        for d, value in zip((2, 6, 9), values, strict=True)
    ]
    found = [(row.at["d"], row.ours, row.printed) for row in sphere_figures.degradation_rows(rows)]
    assert found == [(6, pytest.approx(0.1), 0.0), (9, pytest.approx(-0.05), 0.0)]
