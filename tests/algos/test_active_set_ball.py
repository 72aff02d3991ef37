"""Large vectors take a few passes over a shrinking active set: the solution is the general one, and certified."""

import math

import pytest
import torch
import torch.utils.flop_counter

from algos.divergence_ball import exact
from algos.divergence_ball.exact import chi_square_ball_maximum, f_divergence

SIZE = 20_000
RADII = [1e-8, 1e-2, 1.0, 100.0, 1e4]


def normal(seed: int = 0) -> torch.Tensor:
    return torch.randn(SIZE, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


VALUES = {
    "normal": normal,
    "squares": lambda: 5_000 * normal().square(),
    "heavy tails": lambda: normal() / normal(1),
    "few values": lambda: 3 * normal() // 1,
    "shifted": lambda: 1e6 + 1e-3 * normal(),
    "huge": lambda: 1e299 * normal(),
    "tiny": lambda: 1e-300 * normal(),
    "geometric": lambda: 0.5 ** torch.arange(SIZE, dtype=torch.float64).clamp(max=400),
    "one outlier": lambda: torch.cat([normal(), torch.tensor([1e9], dtype=torch.float64)]),
}
GENERAL = {
    "ties at the top": lambda: normal().clamp(max=0.0),
    "constant": lambda: torch.ones(SIZE, dtype=torch.float64),
    "underflow": lambda: torch.cat(
        [torch.zeros(SIZE // 2), 1e-200 * normal()[: SIZE // 2].abs(), -torch.ones(1)]
    ).double(),
}


def general(values: torch.Tensor, rho: float, monkeypatch: pytest.MonkeyPatch) -> exact.DivergenceBallSolution:
    with monkeypatch.context() as patch:
        patch.setattr(exact, "large_and_plain", lambda *_: False)
        return chi_square_ball_maximum(values, rho)


@pytest.mark.parametrize("name", [*VALUES, *GENERAL])
@pytest.mark.parametrize("rho", RADII)
def test_the_solution_is_the_general_one_with_a_certificate(name, rho, monkeypatch):
    values = (VALUES | GENERAL)[name]()
    spread = float(values.max() - values.min()) or 1.0
    ours, theirs = chi_square_ball_maximum(values, rho), general(values, rho, monkeypatch)
    largest = float(theirs.weights.max())
    torch.testing.assert_close(ours.weights, theirs.weights, rtol=1e-9, atol=1e-12 * largest)
    torch.testing.assert_close(ours.value, theirs.value, rtol=1e-13, atol=1e-13 * spread)
    assert abs(float(ours.gap)) <= 1e-14 * spread
    assert float(ours.weights.sum()) == pytest.approx(1.0, abs=1e-13)
    assert float(ours.weights.min()) >= 0.0
    assert float(f_divergence(ours.weights)) <= rho * (1 + 1e-12) + 1e-14
    below = float((ours.weights * (values - values.max())).sum())
    assert below == pytest.approx(float(ours.value - values.max()), abs=1e-12 * spread + 1e-15 * float(values.max()))


@pytest.mark.parametrize("name", VALUES)
def test_the_threshold_ends_the_weights(name):
    values = VALUES[name]()
    found = chi_square_ball_maximum(values, 1.0)
    spread = float(values.max() - values.min())
    assert (found.weights[values < found.threshold - 1e-12 * spread] == 0).all()
    assert (found.weights[values > found.threshold + 1e-12 * spread] > 0).all()


def test_where_the_general_rules_are_needed_they_are_taken(monkeypatch):
    """Gradients, a base measure, other dtypes, batches and modes of torch."""

    def refuse(*_: object) -> None:
        raise AssertionError("the passes in cache were taken")

    monkeypatch.setattr(exact, "active_set_ball", refuse)
    values = normal()
    chi_square_ball_maximum(values.clone().requires_grad_(), 1.0)
    chi_square_ball_maximum(values, 1.0, base=torch.full_like(values, 1 / SIZE))
    chi_square_ball_maximum(values.float(), 1.0)
    chi_square_ball_maximum(values.unsqueeze(0), 1.0)
    chi_square_ball_maximum(values, 0.0)
    with torch.utils.flop_counter.FlopCounterMode(display=False):
        chi_square_ball_maximum(values, 1.0)
    with pytest.raises(AssertionError, match="passes in cache"):
        chi_square_ball_maximum(values, 1.0)


def test_values_that_are_not_finite_are_refused():
    values = normal().repeat(4)  # more than are read in one call
    values[7] = math.nan
    with pytest.raises(ValueError, match="a result is nan"):
        chi_square_ball_maximum(values, 1.0)
