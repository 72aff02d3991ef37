"""Tables for all parameters: verdicts, the numbers behind them, and that every cell can fail."""

import math
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from bounds.random_features.spectra import Spectrum, spectral_effective_dimension, spectral_fixed_point_bound
from harness.claims.uarff import prior_rows, table_parameters
from harness.claims.uarff.table_growth import GrowthRow, Parameters
from harness.claims.uarff.table_parameters import LIPSCHITZ, REFINED, WORST
from harness.language.registry import Claim, registered
from tests.helpers import expected_verdict, is_refuted

CLAIMS = [*registered(table_parameters.__name__), *registered(prior_rows.__name__)]
TABLES = [
    (table, sampling, rows)
    for table in ("worst", "refined", "lipschitz")
    for sampling, rows in {"worst": WORST, "refined": REFINED, "lipschitz": LIPSCHITZ}[table].items()
]


def at(log_n: float, *, t: float = 1.5, delta: float = 0.5, rank: float = 1.0) -> Parameters:
    values = log_n, t, 0.5, rank, 0.0, delta, 0.0
    return Parameters(*(torch.tensor([value], dtype=torch.float64) for value in values))


@pytest.mark.in_turn
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.key)
def test_every_verdict_is_the_expected_one(claim: Claim) -> None:
    assert expected_verdict(claim, family=100).as_expected


def less(power: object, by: float) -> object:
    return (lambda t: power(t) - by) if callable(power) else power - by


def sufficient(row: GrowthRow, sampling: str, analysis: str) -> bool:
    """Whether the theorem's own growth is the printed one, and not smaller: then less of it must fail."""
    conservative = {
        ("worst", "leverage"): "polynomial",  # n^(1/2t) is printed, n^(1/4t) is enough
        ("refined", "plain"): "geometric",  # n is printed, n log log n / log n is enough
    }
    return conservative.get((analysis, sampling)) != row.spectrum


@pytest.mark.parametrize(("table", "sampling", "rows"), TABLES, ids=lambda part: part if isinstance(part, str) else "")
def test_a_cell_that_is_too_small_fails(table: str, sampling: str, rows: list[GrowthRow]) -> None:
    """Of each row an eighth less of the power of n, one logarithm less where there is one, and a faster rate."""
    loss = "lipschitz" if table == "lipschitz" else "squared"
    analysis = "refined" if table == "refined" else "worst case"
    for row in rows:
        large = at(1e4)
        assert row.feature_ratio(large, sampling) <= 1
        assert row.risk_ratio(large, loss, analysis) <= 1 + 1e-9
        faster = replace(row, rate=(less(row.rate[0], 0.125), row.rate[1]))
        assert faster.risk_ratio(large, loss, analysis) > 1, row
        if sufficient(row, sampling, table):
            for position in range(3):
                if position and not row.features[position]:
                    continue
                cell = list(row.features)
                cell[position] = less(cell[position], 1.0 if position else 0.125)
                assert replace(row, features=tuple(cell)).feature_ratio(large, sampling) > 1, (row, position)


@pytest.mark.parametrize("spectrum", ["finite rank", "geometric", "polynomial", "harmonic"])
@pytest.mark.parametrize("n", [1e3, 1e9])
def test_dimensions_are_above_the_exact_ones(spectrum: Spectrum, n: float) -> None:
    row = GrowthRow(spectrum, (0.5, 0), (0.0, 0, 0), (0.0, 0))
    exact = spectral_effective_dimension(spectrum, n, n**-0.5, decay=3.0, common_ratio=0.5, rank=4)
    bound = row.dimension(at(math.log(n), rank=4.0))[0].exp()
    assert exact <= float(bound) * (1 + 1e-12)
    assert float(bound) < 2 * exact or spectrum == "harmonic"


def test_the_fixed_point_at_the_best_cut_is_that_of_the_bound() -> None:
    """At h = n^(1/(a+1)), a = 2, n = 1e6: the term and its constant against the minimum over h."""
    row = GrowthRow("polynomial", (2 / 3, 0), (0.0, 0, 0), (-2 / 3, 0), 1.0)
    found = float(row._complexity(at(math.log(1e6), t=2.0), "best").exp()) * 3.0
    assert spectral_fixed_point_bound("polynomial", 1e6, decay=2.0) <= 2 * found
    assert found == pytest.approx(100 / 1e6 + math.sqrt(1 / 100 / 1e6), rel=1e-9)


def shorter(value: Tensor) -> Tensor:
    return value.clamp_min(1e-300) ** 1.2


def fewer(rows: list[GrowthRow]) -> list[GrowthRow]:
    return [replace(row, features=(less(row.features[0], 0.05), *row.features[1:])) for row in rows]


def by_sampling(rows: dict[str, list[GrowthRow]]) -> dict[str, list[GrowthRow]]:
    return {sampling: fewer(each) for sampling, each in rows.items()}


def faster(row: GrowthRow) -> GrowthRow:
    """A rate better by n^(1/8)."""
    return replace(row, rate=(less(row.rate[0], 0.125), row.rate[1]))


SPOILT = [
    (table_parameters.worst_case, table_parameters, "WORST", by_sampling(WORST)),
    (table_parameters.refined, table_parameters, "REFINED", by_sampling(REFINED)),
    (table_parameters.lipschitz_worst_case, table_parameters, "LIPSCHITZ", by_sampling(LIPSCHITZ)),
    (table_parameters.features_of_a_prediction, table_parameters, "_POOL",
     [(name, replace(row, regularisation=(0.6, 0))) for name, row in table_parameters._POOL]),
    (table_parameters.risk_at_the_rates_of_caponnetto_and_de_vito, table_parameters, "_SOURCE",
     [replace(row, regularisation=(0.5, 0)) for row in table_parameters._SOURCE]),
    (table_parameters.square_root_of_n_features_are_possible, table_parameters, "_ROOT", fewer(table_parameters._ROOT)),
    (prior_rows.rows_of_prior_work, prior_rows, "positive", shorter),
    (prior_rows.rows_of_prior_work, prior_rows, "_SUN", fewer(prior_rows._SUN)),
    (prior_rows.rows_of_prior_work, prior_rows, "_RAHIMI_RECHT", fewer(prior_rows._RAHIMI_RECHT)),
    *[(prior_rows.rows_of_prior_work, prior_rows, name, [*rows[:k], faster(rows[k]), *rows[k + 1:]])
      for name, rows in (("_WORST", prior_rows._WORST), ("_FAST", prior_rows._FAST)) for k in range(len(rows))],
    *[(prior_rows.rows_of_prior_work, prior_rows, "_FAST", [*prior_rows._FAST[:k], smaller, *prior_rows._FAST[k + 1:]])
      for k in range(1, 3) for smaller in [replace(prior_rows._FAST[k], regularisation=(1.1, 1.0))]],
]  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize(("claim", "module", "name", "wrong"), SPOILT, ids=lambda part: getattr(part, "key", ""))
def test_a_spoilt_subject_is_refuted(claim, module, name, wrong, monkeypatch) -> None:
    monkeypatch.setattr(module, name, wrong)
    assert is_refuted(claim, family=100)
