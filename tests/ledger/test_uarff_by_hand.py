"""Counterexamples to steps and sentences of uarff with numbers that follow by hand, and the verdicts beside them."""

import pytest
import torch
from torch import Tensor

from harness.claims.uarff import lipschitz_risk, proof_steps, refined_risk
from harness.language.quantifiers import Forall


def given(**values: float | list[float]) -> Forall:
    """The quantifiers with these values, for one instance; a space of that name has spaces for underscores."""
    tensors = {name.replace("_", " "): torch.tensor([value], dtype=torch.float64) for name, value in values.items()}
    return Forall(lambda space: tensors[space.name])


def numbers(sides: tuple[Tensor, Tensor]) -> list[float]:
    return [float(side) for side in sides]


@pytest.mark.parametrize(
    ("n", "z", "sides"), [(1, 0.05, [2.05**2 / 2, 1.2]), (2, 0.05, [2.05**2 / 4, 0.6]), (3, 0.1, [2.1**2 / 4, 1.2])]
)
def test_the_star_hull_is_more_complex_than_the_ball(n: int, z: float, sides: list[float]) -> None:
    """(2 + z)^2 E (sum of signs)_+ / n against 24 z E |sum of signs| / n; at n = 3, z = .1 nothing is refuted."""
    found = numbers(refined_risk.star_hull_as_printed(given(z=[z] * n, y=[2.0] * n), n=n))
    assert found == pytest.approx(sides, rel=1e-12)


def test_equation_31_fails_where_b_2_holds_for_p_alone() -> None:
    """P(y = 1) = .9, two of five labels -1: 2.56 against 2.4; one of two labels: 2 (2 p - 1) 2 = 3.2 against 0."""
    values = given(p=0.9, g=-1.0, **{"labels_-1": 2.0})
    found = numbers(proof_steps.second_moment_by_the_assumption_on_p(values, part="both ends", n=5))
    assert found == pytest.approx([2.56, 2.4], rel=1e-12)
    values = given(p=0.9, g=-1.0, **{"labels_-1": 1.0})
    found = numbers(proof_steps.second_moment_by_the_assumption_on_p(values, part="last step", n=2))
    assert found == pytest.approx([3.2, 0.0], abs=1e-12)


def test_theorem_15_fails_down_to_lipschitz_constants_of_three() -> None:
    """The risk exceeds sqrt(2 lambda) iff L > sqrt(2 (1 - r) / (r mass)): at L = 3.7 and 3.2, not at 3.6 and 3.1."""
    common = {"regularisation": 1e-3, "mass": 0.99}
    for lipschitz, lower, leverage, delta, other in ((3.7, 3.6, 0.13, 1e-3, 0.9), (3.2, 3.1, 0.168, 1e-20, 0.97)):
        cell = {**common, "leverage": leverage, "delta": delta, "other": other}
        missed, level = lipschitz_risk.risk_as_printed(lipschitz=lipschitz, **cell)
        assert level == delta < missed < 10 * delta
        assert lipschitz_risk.risk_as_printed(lipschitz=lower, **cell)[0] == 0
