"""Bodies that have no enclosure, decisions that no precision takes, inputs that are not on their sets."""

import numpy as np
import pytest
import torch
from flint import arb

from harness import always, claim, grid, rate
from harness.certify.certificate import certify, placed
from harness.certify.precision import balls, lift
from harness.language.registry import Claim
from harness.language.spaces import Ball, PositiveSemidefinite, Simplex
from tests.harness.certificate.certified import Values, certificate
from tests.harness.certificate.truths import sine_of_pi


def refused(made: Claim, values: Values, gap: float = 1.0) -> str:
    proof = certificate(made, values, gap)
    assert proof.digits == 0
    assert not proof.verdict
    return str(proof.reason)


def test_plain_numbers_on_both_sides_are_not_certified() -> None:
    @claim("paper/plain", always())
    def plain():
        """2 <= 1."""
        return 2.0, 1.0

    assert "float64" in refused(plain, {})


def test_bodies_without_enclosure_say_why() -> None:
    @claim("paper/numpy", always())
    def by_numpy(forall):
        """sin(x) <= 0, by numpy."""
        return torch.as_tensor(np.sin(forall.interval("x", 0.0, 1.0).numpy())), 0.0

    @claim("paper/quantile", always())
    def quantile(forall):
        """A quantile is at most 0."""
        return forall.interval("x", 0.0, 1.0, 3).quantile(0.3, dim=-1), 0.0

    @claim("paper/infinite", always())
    def infinite(forall):
        """1/x <= 0, at 0."""
        return 1.0 / forall.interval("x", 0.0, 1.0), 0.0

    @claim("paper/in-place", always())
    def in_place(forall):
        """x + 1 <= 0, in place."""
        x = forall.interval("x", 0.0, 1.0).clone()
        x += 1.0
        return x, 0.0

    assert "numpy" in refused(by_numpy, {"x": 0.5})
    assert "quantile" in refused(quantile, {"x": [0.1, 0.2, 0.3]})
    assert "add_" in refused(in_place, {"x": 0.5})
    assert "enclosed" in refused(infinite, {"x": 0.0})


def test_a_decision_that_no_precision_takes_leaves_it_to_float64() -> None:
    @claim("paper/branch", always(rtol=0.0))
    def branch(forall):
        """Where x/3 + x/3 = 2x/3, 0 <= -1."""
        x = forall.interval("x", 0.0, 1.0)
        return torch.where(x / 3.0 + x / 3.0 == 2.0 * x / 3.0, x, -1.0), -1.0

    assert "decide" in refused(branch, {"x": 0.7})


def test_a_decision_that_more_bits_take_is_taken() -> None:
    @claim("paper/late-branch", always(rtol=0.0))
    def late(forall):
        """Where (1 + x) - 1 > 0, x <= 0."""
        x = forall.interval("x", 0.0, 1e-90)
        return torch.where((1.0 + x) - 1.0 > 0.0, x, -1.0), 0.0

    assert certificate(late, {"x": 1e-100}, gap=1e-100).verdict == "confirmed"


def test_a_check_on_the_edge_of_plain_numbers_leaves_it_open() -> None:
    @claim("paper/edge", always(rtol=0.0))
    def edge(forall):
        """2 x <= x, guarded by a check that holds for one rounding of 0.1 only."""
        x = forall.interval("x", 0.0, 1.0)
        if 0.1 + 0.2 != 0.30000000000000004:
            raise ValueError("rounded differently")
        return 2.0 * x, x

    assert certificate(edge, {"x": 0.5}).verdict == "open"


def test_a_side_of_several_entries_is_refused() -> None:
    @claim("paper/wide", always())
    def wide(forall):
        """x <= 0 for three numbers; float64 would reject the shape too."""
        return forall.interval("x", 0.0, 1.0, 3), 0.0

    assert "shape" in refused(wide, {"x": [0.1, 0.2, 0.3]})


def test_what_few_bits_enclose_stays_when_more_are_too_much_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balls, "WORK", 15)
    proof = certificate(sine_of_pi, {"n": 1.0})
    assert proof.verdict == "open"
    assert 40 <= proof.digits <= 60
    monkeypatch.setattr(balls, "WORK", 1)
    assert "time" in refused(sine_of_pi, {"n": 1.0})


def test_only_deterministic_claims_are_certified() -> None:
    @claim("paper/rate", rate("n", -1.0), over=grid(n=[1, 2, 4, 8]))
    def slow(draw, *, n):
        """1/n."""
        return 1.0 / n

    with pytest.raises(TypeError, match="rate"):
        certify(slow, {"n": 1}, (), {}, gap=1.0)


def test_inputs_are_placed_on_their_sets() -> None:
    rng = np.random.default_rng(0)
    for seed in range(3):
        law = placed(Simplex("p", (5,)), lift(Simplex("p", (5,)).sample(np.random.default_rng(seed), 1)))
        assert law.sum().contains(1)
        assert law.sum().rad() < 1e-55
        for radius in (1.0, 0.3):
            direction = rng.standard_normal((1, 4))
            direction *= radius / np.linalg.norm(direction)
            on = placed(Ball("x", (4,), radius, surface=True), lift(direction))
            assert (on * on).sum().sqrt().contains(arb(radius))
            assert abs((on - lift(direction)).max()) < 1e-15
            within = Ball("x", (4,), radius, surface=False)
            assert not (placed(within, lift(direction * (1.0 + 1e-15))) ** 2).sum().sqrt() > arb(radius)
            inside = lift(0.5 * direction)
            assert all((a - b).is_zero() for a, b in zip(placed(within, inside)[0], inside[0], strict=True))
        space = PositiveSemidefinite("K", (4, 4), 2.0)
        matrix = placed(space, lift(space.sample(np.random.default_rng(seed), 1)))[0]
        assert matrix.trace().contains(2)
        assert (matrix == matrix.T).all() or all(a.overlaps(b) for a, b in zip(matrix.flat, matrix.T.flat, strict=True))
        negative = lift([[[1.0, 1.0 + 1e-15], [1.0 + 1e-15, 1.0]]])  # an eigenvalue of -1e-15
        (raised,) = placed(PositiveSemidefinite("K", (2, 2), None), negative)
        assert not raised[0, 0] * raised[1, 1] - raised[0, 1] ** 2 < 0
