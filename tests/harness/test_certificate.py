"""Counterexamples in balls: the same body, exact numbers, and no certificate for what rounding alone does."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest
import torch
from flint import arb

from harness import always, check, claim, grid, identity, rate
from harness.certify.certificate import Certificate, certify, placed
from harness.certify.precision import BITS, balls, lift, working_bits
from harness.language.evaluation import anatomy, evaluate
from harness.language.quantifiers import Draw
from harness.language.registry import Claim
from harness.language.spaces import Ball, PositiveSemidefinite, Simplex
from harness.run.loading import ledger
from harness.search.objective import gap_of
from harness.verdict import Status

Values = Mapping[str, Any]


@pytest.fixture(autouse=True)
def many_bits() -> Iterator[None]:
    with working_bits(BITS[0]):
        yield


def tensors(values: Values) -> dict[str, torch.Tensor]:
    return {name: torch.as_tensor(value, dtype=torch.float64)[None] for name, value in values.items()}


def float64_gap(made: Claim, values: Values) -> float:
    """The violation that float64 sees."""
    return float(gap_of(evaluate(made, {}, tensors(values), Draw(1, ()), 1), made.kind)[0])


def certificate(made: Claim, values: Values, gap: float | None = None) -> Certificate:
    seen = float64_gap(made, values) if gap is None else gap
    return certify(made, {}, anatomy(made, {}).spaces, tensors(values), gap=seen)


# --- falsehoods ------------------------------------------------------------------------------------------------------


@claim("paper/sum-of-squares", always())
def wrong_sum(forall):
    """x^2 + y^2 <= 1.99 on the square."""
    x = forall.interval("x", 0.0, 1.0, 2)
    return (x**2).sum(-1), 1.99


@claim("paper/wrong-identity", identity())
def wrong_identity(forall):
    """sin(2x) = sin(x) cos(x)."""
    x = forall.interval("x", 0.0, 1.0)
    return torch.sin(2.0 * x), torch.sin(x) * torch.cos(x)


@claim("paper/small-violation", always(rtol=0.0))
def small_violation(forall):
    """1 - x <= (1 + 0.9999999 x^2) exp(-x): false by a few parts in 10^13."""
    x = forall.interval("x", -1e-3, 1e-3)
    return x + 0.4999999 * x**2, torch.expm1(x)


@claim("paper/entropy", always())
def wrong_entropy(forall):
    """The entropy of three outcomes is at most 1."""
    return torch.special.entr(forall.simplex("p", 3)).sum(-1), torch.ones(1)


@claim("paper/spectrum", always())
def wrong_spectrum(forall):
    """The largest eigenvalue is at most 0.9 of the trace."""
    k = forall.psd("K", 3, trace=1.0)
    return torch.linalg.eigvalsh(k)[..., -1], 0.9 * k.diagonal(dim1=-2, dim2=-1).sum(-1)


@claim("paper/longest", always())
def wrong_length(forall):
    """|x|_1 <= 1.7 |x|_2 on the sphere."""
    x = forall.sphere("x", 3, radius=2.5)
    return x.norm(1, dim=-1), 1.7 * x.norm(dim=-1)


@claim("paper/underflow", always(rtol=0.0))
def wrong_where_floats_end(forall):
    """x <= x/2 for x >= 0."""
    x = forall.interval("x", 0.0, 1e-300)
    return x, 0.5 * x


@pytest.mark.parametrize(
    ("made", "values"),
    [
        (wrong_sum, {"x": [1.0, 1.0]}),
        (wrong_sum, {"x": [0.9999, 0.9999]}),
        (wrong_identity, {"x": 0.5}),
        (wrong_identity, {"x": 1e-9}),
        (small_violation, {"x": -1e-3}),
        (wrong_entropy, {"p": [1 / 3, 1 / 3, 1 / 3]}),
        (wrong_entropy, {"p": [0.4, 0.3, 0.3]}),
        (wrong_spectrum, {"K": np.diag([1.0, 0.0, 0.0])}),
        (wrong_spectrum, {"K": np.full((3, 3), 1.0 / 3.0)}),
        (wrong_length, {"x": [2.5 / math.sqrt(3.0)] * 3}),
        (wrong_where_floats_end, {"x": 40 * 5e-324}),
    ],
)
def test_a_plain_falsehood_is_confirmed(made: Claim, values: Values) -> None:
    gap = float64_gap(made, values)
    proof = certificate(made, values)
    assert proof.verdict == "confirmed"
    assert proof.digits >= 40
    assert 0.0 < proof.excess <= gap * (1.0 + 1e-6)
    lhs, rhs = float(proof.lhs), float(proof.rhs)
    assert (abs(lhs - rhs) if made is wrong_identity else lhs - rhs) == pytest.approx(gap, rel=1e-3)


def test_a_violation_must_agree_with_what_float64_saw() -> None:
    for gap in (1e-2, 0.012):
        assert certificate(wrong_sum, {"x": [1.0, 1.0]}, gap).verdict == "confirmed"
    for gap in (1e-3, 1.0, 0.0, -1.0):
        assert certificate(wrong_sum, {"x": [1.0, 1.0]}, gap).verdict == "contradicted"
    for gap in (math.nan, math.inf):
        assert certificate(wrong_sum, {"x": [1.0, 1.0]}, gap).verdict == "open"


@claim("paper/deep", always(rtol=0.0))
def wrong_in_the_hundredth_digit(forall):
    """(1 + x) - 1 <= x/2 for tiny x: float64 loses x."""
    x = forall.interval("x", 0.0, 1e-90)
    return (1.0 + x) - 1.0, 0.5 * x


def test_more_bits_are_tried_while_the_sign_is_open() -> None:
    proof = certificate(wrong_in_the_hundredth_digit, {"x": 1e-100}, gap=5e-101)
    assert proof.verdict == "confirmed"
    assert proof.digits > 200


# --- truths that rounding seems to break -----------------------------------------------------------------------------


@claim("paper/hoeffding", always(rtol=0.0))
def hoeffding(forall):
    """log(1 - p + p e^s) - p s <= s^2/8."""
    p, s = forall.interval("p", 0.0, 1.0), forall.interval("s", -1.0, 1.0)
    return torch.log(1.0 - p + p * torch.exp(s)) - p * s, s**2 / 8.0


@claim("paper/sine", always(rtol=0.0))
def sine_of_pi(forall):
    """sin(pi n) <= 0 for whole n."""
    n = forall.integers("n", 0, 4)
    return torch.sin(math.pi * n), 0.0


def _turned(n):
    return torch.sin(math.pi * n)


@claim("paper/sine-elsewhere", always(rtol=0.0))
def sine_of_pi_in_a_function(forall):
    """sin(pi n) <= 0 for whole n, by a function whose source nobody rewrites."""
    return _turned(forall.integers("n", 0, 4)), 0.0


@claim("paper/sine-beyond-pi", always(rtol=0.0))
def sine_beyond_pi(forall):
    """sin(x) <= 0 on [pi, 2 pi]."""
    return torch.sin(forall.interval("x", math.pi, 2.0 * math.pi)), 0.0


@claim("paper/decimals", always(rtol=0.0))
def three_tenths(forall):
    """3 (0.1 n) <= 0.3 n."""
    n = forall.integers("n", 0, 9)
    return 3.0 * (0.1 * n), 0.3 * n


@claim("paper/decimal-end", always(rtol=0.0))
def decimal_end(forall):
    """100 x^2 <= 1 on [0, 0.1]."""
    x = forall.interval("x", 0.0, 0.1)
    return 100.0 * x * x, 1.0


@claim("paper/plain-root", always(rtol=0.0))
def plain_tensor(forall):
    """n ((sqrt 2)^2 - 2) <= 0, the root a plain tensor."""
    n = forall.integers("n", 0, 9)
    return n * (torch.tensor([2.0]).sqrt() ** 2 - 2.0), 0.0


@claim("paper/tenths", always(rtol=0.0))
def tenths(forall):
    """Ten tenths are at most 1."""
    return forall.choice("x", [[0.1] * 10, [0.0] * 10]).sum(-1), 1.0


@claim("paper/seven-tenths", always())
def seven_tenths(forall):
    """x <= 0.7 on [0, 0.7], the bound a tensor."""
    return forall.interval("x", 0.0, 0.7), torch.tensor(0.7)


@claim("paper/simplex", always(rtol=0.0))
def simplex_sum(forall):
    """A probability vector sums to at most 1."""
    return forall.simplex("p", 3).sum(-1) - 1.0, 0.0


@claim("paper/sphere", always(rtol=0.0))
def sphere_norm(forall):
    """A unit vector has a norm of at most 1."""
    return forall.sphere("x", 3).norm(dim=-1) - 1.0, 0.0


@claim("paper/ball", always(rtol=0.0))
def ball_norm(forall):
    """A vector of a ball has a norm of at most its radius."""
    return forall.ball("x", 3, radius=0.3).norm(dim=-1), 0.3


@claim("paper/decimal-radius", always(rtol=0.0))
def decimal_radius(forall):
    """100 |x|^2 <= 1 on the sphere of radius 0.1."""
    return 100.0 * forall.sphere("x", 3, radius=0.1).square().sum(-1), 1.0


@claim("paper/decimal-trace", always(rtol=0.0))
def decimal_trace(forall):
    """10 tr K <= 1 for a trace of 0.1."""
    return 10.0 * forall.psd("K", 2, trace=0.1).diagonal(dim1=-2, dim2=-1).sum(-1), 1.0


@claim("paper/determinant", always(rtol=0.0))
def determinant(forall):
    """A semi-definite matrix has no negative determinant."""
    return -torch.linalg.det(forall.psd("K", 3, trace=1.0)), 0.0


@claim("paper/telescope", identity(rtol=0.0))
def telescope(forall):
    """(x + y) - y = x."""
    x, y = forall.interval("x", 0.0, 1.0), forall.interval("y", 0.0, 1e6)
    return (x + y) - y, x


TRUTHS: list[tuple[Claim, Values, float | None]] = [
    (hoeffding, {"p": 1.0, "s": -1e-154}, None),
    (hoeffding, {"p": 0.5, "s": -1e-9}, 1e-17),
    (sine_of_pi, {"n": 1.0}, None),
    (sine_of_pi_in_a_function, {"n": 1.0}, None),
    (sine_beyond_pi, {"x": math.pi}, None),
    (sine_beyond_pi, {"x": math.nextafter(math.pi, 0.0)}, 5.7e-16),
    (three_tenths, {"n": 1.0}, None),
    (three_tenths, {"n": 3.0}, 1e-16),
    (three_tenths, {"n": 1.0}, 2.8e-17),
    (decimal_end, {"x": 0.1}, None),
    (decimal_end, {"x": 0.1}, 1.1e-16),
    (plain_tensor, {"n": 1.0}, None),
    (decimal_radius, {"x": [0.1, 0.0, 0.0]}, 1.1e-16),
    (decimal_trace, {"K": np.diag([0.1, 0.0])}, 5.5e-17),
    (tenths, {"x": [0.1] * 10}, 5.5e-17),
    (seven_tenths, {"x": 0.7}, 1.2e-8),
    (simplex_sum, {"p": [0.1, 0.7, 0.2]}, 2.8e-17),
    (simplex_sum, {"p": [1 / 3, 1 / 3, math.nextafter(1 / 3, 1.0)]}, 5.6e-17),
    (sphere_norm, {"x": [0.6, 0.8, 1e-9]}, None),
    (sphere_norm, {"x": [math.sqrt(1 / 3), math.sqrt(1 / 3), math.sqrt(1 / 3)]}, 2.2e-16),
    (ball_norm, {"x": [0.3, 1e-10, 0.0]}, 1.7e-20),
    (determinant, {"K": np.full((3, 3), 1 / 3)}, 1e-18),
    (determinant, {"K": np.asarray([[0.5, 0.5, 0.0], [0.5, 0.5 - 2e-17, 0.0], [0.0, 0.0, 0.0]])}, 1e-18),
    (telescope, {"x": 0.1, "y": 1e5}, None),
]


@pytest.mark.parametrize(("made", "values", "gap"), TRUTHS)
def test_what_rounding_alone_breaks_is_not_confirmed(made: Claim, values: Values, gap: float | None) -> None:
    proof = certificate(made, values, gap)
    assert proof.digits > 0, proof
    assert proof.verdict in ("open", "contradicted")


def test_a_violation_that_vanishes_in_balls_is_contradicted() -> None:
    assert float64_gap(telescope, {"x": 0.1, "y": 1e5}) > 1e-12
    assert certificate(telescope, {"x": 0.1, "y": 1e5}).verdict == "contradicted"
    assert certificate(hoeffding, {"p": 1.0, "s": -1e-154}).verdict == "contradicted"


def test_the_rounding_of_plain_numbers_leaves_it_open() -> None:
    for made in (sine_of_pi, sine_of_pi_in_a_function, plain_tensor):
        proof = certificate(made, {"n": 1.0})
        assert proof.verdict == "open"
        assert proof.excess > 1e-16  # the rounding of pi: proved, and meaningless
    assert certificate(sine_beyond_pi, {"x": math.pi}).verdict == "open"


# --- what cannot be certified ----------------------------------------------------------------------------------------


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


# --- inputs on their sets --------------------------------------------------------------------------------------------


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


# --- verdicts --------------------------------------------------------------------------------------------------------


def test_a_refutation_carries_its_certificate() -> None:
    verdict = check(wrong_sum, effort="quick")
    assert verdict.status is Status.REFUTED
    found = verdict.counterexample
    assert found is not None
    assert found.counterexample is not None
    proof = found.counterexample.certificate
    assert proof.verdict == "confirmed"
    assert proof.digits >= 50
    assert float(proof.lhs) == pytest.approx(found.counterexample.lhs, rel=1e-15)
    assert 0.0 < proof.excess <= found.counterexample.excess + 1e-15


@claim("paper/cancellation", identity())
def rounds_away(forall):
    """((1 + x) - 1) / x = 1: true, and off by all digits in float64 when x is tiny."""
    x = forall.interval("x", 1e-17, 1e-16)
    return ((1.0 + x) - 1.0) / x, x / x


@pytest.mark.parametrize("made", [rounds_away, hoeffding, sine_of_pi, simplex_sum, determinant])
def test_a_violation_that_is_rounding_accuses_nobody(made: Claim) -> None:
    assert check(made, effort="quick").status is not Status.REFUTED


def test_alignment_identity_of_the_ledger_holds_in_balls() -> None:
    made = next(c for c in ledger() if c.id == "nsrf/eq-4")
    params = {"n": 2, "frequencies": 1}
    rng = torch.Generator().manual_seed(0)
    values = {
        "points": 0.5 * torch.rand(1, 2, 2, generator=rng, dtype=torch.float64),
        "labels": torch.tensor([[1.0, -1.0]], dtype=torch.float64),
        "weights": torch.rand(1, 2, generator=rng, dtype=torch.float64),
        "omega": torch.rand(1, 1, 2, generator=rng, dtype=torch.float64),
        "measure": torch.ones(1, 1, dtype=torch.float64),
    }
    proof = certify(made, params, anatomy(made, params).spaces, values, gap=1e-15)
    assert proof.digits > 40, proof
    assert proof.excess < 1e-45
    assert proof.verdict == "contradicted"
