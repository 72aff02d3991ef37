"""The exponent of a decay: exact on noiseless curves, covered on noisy ones, and no conviction of what comes late."""

import math
from collections.abc import Callable

import numpy as np
import pytest
import torch

from harness.errors import ClaimError
from harness.evidence.bernoulli import sample_size
from harness.evidence.rates import USUAL, Curve, fit_late, fit_rate, local_slopes
from harness.kinds import rate
from harness.kinds.decay import Order
from harness.language.registry import Claim, claim, grid
from harness.report.explain import explain
from harness.report.html import fragment
from harness.run.api import check
from harness.run.replaying import replay
from harness.verdict import Status

N = np.geomspace(30, 3000, 9).round()


def _curve(exponent: float, c: float, g: float, log_power: float = 0.0, noise: float = 1e-6) -> Curve:
    mean = 2.5 * N**exponent * np.log(N) ** log_power * (1.0 + c * N**-g)
    return Curve(N, mean, noise * mean, log_power, g)


@pytest.mark.parametrize("exponent", [-2.0, -1.0, -0.5, 0.0, 0.7])
@pytest.mark.parametrize(("c", "g"), [(0.0, 0.5), (2.0, 0.5), (-2.0, 0.5), (1.5, 1.0)])
@pytest.mark.parametrize("log_power", [0.0, 1.0, -2.0])
def test_noiseless_curves_give_their_own_exponent(exponent: float, c: float, g: float, log_power: float) -> None:
    fit = fit_rate(_curve(exponent, c, g, log_power), 0.99)
    assert fit.exponent == pytest.approx(exponent, abs=1e-4)
    assert fit.low <= exponent <= fit.high
    assert fit.high - fit.low < 1e-2
    assert fit.leading == pytest.approx(2.5, rel=1e-2)
    assert fit.correction == pytest.approx(c, abs=0.05)


@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize("log_power", [0.0, -1.0])
def test_many_exponents_are_solved_as_one_by_one_by_the_reference_solver(log_power: float, *, inverse: bool) -> None:
    """Against numpy's least squares, where its coefficients are admissible; the sum is that of the curve fitted."""
    rng = np.random.default_rng(3)
    curve = Curve(
        N, N**-0.7 * (1.0 + 0.1 * rng.standard_normal(len(N))), 0.1 * N**-0.7, log_power, 0.5, inverse=inverse
    )
    exponents = np.linspace(-3.0, 1.0, 41)
    sums, coefficients = curve.solve_all(exponents)
    inside = 0
    for exponent, total, (leading, other) in zip(exponents, sums, coefficients, strict=True):
        plain = N**exponent * np.log(N) ** log_power
        weights = curve.mean**2 / curve.error if inverse else 1.0 / curve.error
        first = 1.0 / plain if inverse else plain
        design = np.stack([first, first * N**-0.5], axis=1) * weights[:, None]
        target = weights / curve.mean if inverse else weights * curve.mean
        free, *_ = np.linalg.lstsq(design, target, rcond=None)
        low, high = max(-curve.largest, -0.9 * N.min() ** 0.5), curve.largest
        admissible = free[0] > 0.0 and low * free[0] <= free[1] <= high * free[0]
        found = np.array([1.0 / leading, other]) if inverse else np.array([leading, other])
        assert low * found[0] * (1.0 + 1e-9) <= found[1] <= high * found[0] * (1.0 + 1e-9)
        if admissible:
            inside += 1
            np.testing.assert_allclose(found, free, rtol=1e-7)
        for column in (design @ (1.0, low), design @ (1.0, high)):  # an edge of the cone, at its best point
            edge = target - max(float(column @ target / (column @ column)), 0.0) * column
            assert ((target - design @ found) ** 2).sum() <= (edge**2).sum() * (1.0 + 1e-9)
        fitted = plain / (found[0] + found[1] * N**-0.5) if inverse else plain * (found[0] + found[1] * N**-0.5)
        assert total == pytest.approx(float((((curve.mean - fitted) / curve.error) ** 2).sum()), rel=1e-9)
        assert curve.solve(exponent)[0] == pytest.approx(total, rel=1e-9)
    assert 0 < inside < len(exponents)  # both cases occur


def test_a_forgotten_logarithm_moves_the_exponent() -> None:
    """n^-1 log n is not n^-1: the log power must enter the model."""
    mean = N**-1.0 * np.log(N)
    assert fit_rate(Curve(N, mean, 1e-6 * mean, 1.0, 0.5), 0.99).exponent == pytest.approx(-1.0, abs=1e-4)
    assert fit_rate(Curve(N, mean, 1e-6 * mean, 0.0, 0.5), 0.99).exponent > -0.95


def test_a_straight_line_would_miss_what_the_interval_covers() -> None:
    """The documented reason for the correction term: log-log regression errs by far more than its noise."""
    curve = _curve(-1.0, 3.0, 0.5)
    line = np.polyfit(np.log(curve.n), np.log(curve.mean), 1)[0]
    assert abs(line + 1.0) > 0.05
    assert abs(fit_rate(curve, 0.99).exponent + 1.0) < 1e-3


@pytest.mark.parametrize("c", [0.0, 2.0])
def test_the_interval_covers_the_exponent(c: float) -> None:
    """Null hypothesis: a 90 % interval misses in at most 10 % of noisy curves. A miss rate of 35 % would be seen."""
    trials, accepted = sample_size(1e-6, 1e-3, 0.1, 0.35)
    rng = np.random.default_rng(5)
    mean = N**-0.8 * (1.0 + c * N**-0.5)
    error = 0.02 * mean
    misses = 0
    for _ in range(trials):
        fit = fit_rate(Curve(N, mean + error * rng.standard_normal(len(N)), error, 0.0, 0.5), 0.9)
        misses += not fit.low <= -0.8 <= fit.high
    assert misses <= accepted


def test_more_confidence_gives_a_wider_interval() -> None:
    rng = np.random.default_rng(1)
    mean = N**-1.0
    curve = Curve(N, mean * (1.0 + 0.03 * rng.standard_normal(len(N))), 0.03 * mean, 0.0, 0.5)
    narrow, wide = fit_rate(curve, 0.9), fit_rate(curve, 0.9999)
    assert wide.low < narrow.low <= narrow.exponent <= narrow.high < wide.high


def test_a_curve_that_the_model_does_not_describe_says_so() -> None:
    mean = N**-1.0 * (1.0 + 0.3 * np.sin(3.0 * np.log(N)))
    fit = fit_rate(Curve(N, mean, 1e-3 * mean, 0.0, 0.5), 0.99)
    assert fit.misfit > 10.0
    assert fit.high - fit.low > 0.05  # and does not pretend to be certain


def test_local_slopes_are_those_of_the_segments() -> None:
    n = np.array([1.0, 10.0, 100.0])
    assert local_slopes(n, np.array([1.0, 0.1, 0.001])) == pytest.approx([-1.0, -2.0])
    assert all(math.isfinite(s) for s in local_slopes(n, np.zeros(3)))


AXES = {
    "short": [10, 18, 32, 56, 100, 180, 320, 560, 1000],
    "from 1": [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    "long": [10, 22, 46, 100, 215, 464, 1000, 2154, 4642, 10000],
    "four points": [10, 40, 160, 640],
}
SLOW_STARTS: dict[str, tuple[Callable[[float], float], float]] = {
    "1/(n + 200)": (lambda n: 1.0 / (n + 200.0), -1.0),
    "1/(sqrt n + 10)": (lambda n: 1.0 / (math.sqrt(n) + 10.0), -0.5),
    "1/(n + 50 sqrt n)": (lambda n: 1.0 / (n + 50.0 * math.sqrt(n)), -1.0),
}


def _rate(key: str, mean: Callable[[float], float], exponent: float, axis: list[int], **options: float) -> Claim:
    """A decay with draws of relative deviation `noise`, 0.3 unless told; without draws where there is none."""
    noise = options.pop("noise", 0.3)

    def decay(draw, *, n):
        """E decays."""
        return mean(n) * (1.0 + noise * draw.signs("s"))

    def exact(*, n):
        """A number decays."""
        return mean(n)

    body = decay if noise else exact
    return claim(f"rates/{key}-{body.__name__}", rate("n", exponent, **options), over=grid(n=axis))(body)


@pytest.mark.in_turn
@pytest.mark.parametrize("noise", [0.0, 0.3])
@pytest.mark.parametrize("axis", AXES.values(), ids=AXES.keys())
@pytest.mark.parametrize(("mean", "exponent"), SLOW_STARTS.values(), ids=SLOW_STARTS.keys())
def test_a_rate_that_is_reached_late_is_never_refuted(
    mean: Callable[[float], float], exponent: float, axis: list[int], noise: float
) -> None:
    """1/(n + 200) looks like n^-0.1 on every small n: a fit with one correction is sure of that, and wrong."""
    made = _rate("late", mean, exponent, axis, noise=noise)
    assert check(made, seed=0, effort="quick").status is not Status.REFUTED


@pytest.mark.nightly
@pytest.mark.parametrize("noise", [1e-3, 0.3])
@pytest.mark.parametrize("axis", AXES.values(), ids=AXES.keys())
@pytest.mark.parametrize(("mean", "exponent"), SLOW_STARTS.values(), ids=SLOW_STARTS.keys())
def test_such_a_rate_is_refuted_with_no_seed(
    mean: Callable[[float], float], exponent: float, axis: list[int], noise: float
) -> None:
    made = _rate("late", mean, exponent, axis, noise=noise)
    for seed in range(10):
        assert check(made, seed=seed, effort="quick").status is not Status.REFUTED, seed


@pytest.mark.in_turn
@pytest.mark.parametrize("noise", [0.0, 0.3])
@pytest.mark.parametrize("axis", [AXES["short"], AXES["long"]], ids=["short", "long"])
@pytest.mark.parametrize(
    ("mean", "claimed"),
    [
        (lambda n: n**-0.5, -0.75),
        (lambda n: n**-0.5, -1.0),
        (lambda n: n**-0.5 * (1.0 + n**-0.5), -0.75),
        (lambda n: n**-0.5 * (1.0 - 0.5 * n**-0.5), -0.75),
        (lambda _: 0.3, -0.25),
    ],
    ids=["n^-0.5 for n^-0.75", "n^-0.5 for n^-1", "corrected from above", "corrected from below", "constant"],
)
def test_a_rate_that_is_never_reached_is_refuted(
    mean: Callable[[float], float], claimed: float, axis: list[int], noise: float
) -> None:
    """The other side of the same rule: waiting for ever would refute nothing."""
    made = _rate("never", mean, claimed, axis, noise=noise)
    for seed in range(3 if noise else 1):
        assert check(made, seed=seed, effort="standard").status is Status.REFUTED, seed


@pytest.mark.parametrize("error", [1e-6, 1e-3, 0.01, 10.0])
def test_what_is_reached_late_stays_in_the_wide_interval_and_what_never_is_leaves_it(error: float) -> None:
    n = np.geomspace(10, 1000, 9)

    def lowest(mean: np.ndarray) -> float:
        return fit_late(Curve(n, mean, error * mean, 0.0, 0.5), 0.999).low

    assert lowest(1.0 / (n + 200.0)) <= -1.0 + 1e-4
    assert lowest(1.0 / (n + 2000.0)) <= -1.0 + 1e-4
    assert lowest(1.0 / (n + 50.0 * np.sqrt(n))) <= -1.0 + 1e-4
    assert (lowest(n**-0.5) > -0.95) == (error < 1.0)  # errors beyond all bounds exclude nothing
    assert (lowest(n**-0.5 * (1.0 + n**-0.5)) > -0.95) == (error < 1.0)


VANISHING: dict[str, Callable[[float], float]] = {
    "everywhere": lambda _: 0.0,
    "at the end": lambda n: n**-0.5 if n < 100 else 0.0,
    "at the start": lambda n: n**-0.5 if n > 50 else 0.0,
    "but at one point": lambda n: 1.0 if n == 100 else 0.0,
    "in the middle": lambda n: 0.0 if n in (56, 100) else 1.0 / n,
}


@pytest.mark.in_turn
@pytest.mark.parametrize("mean", VANISHING.values(), ids=VANISHING.keys())
def test_a_quantity_that_vanishes_gives_a_verdict_a_report_and_a_replay(mean: Callable[[float], float]) -> None:
    """The logarithm of zero: nothing about an exponent, no exception, and no accusation of what ends at zero."""
    made = _rate("vanishing", mean, -1.0, AXES["short"], noise=0.0)
    verdict = check(made, effort="quick")
    assert verdict.status is not Status.ERROR, verdict.reason
    assert explain(verdict)
    assert "<path" in fragment(verdict)
    assert replay(made, {}, {}, trials=20).sentence
    if mean(1000) == 0.0:
        assert verdict.status is not Status.REFUTED


@pytest.mark.in_turn
def test_too_few_points_that_say_anything_are_undecided_with_the_reason() -> None:
    verdict = check(_rate("few", VANISHING["but at one point"], -1.0, AXES["short"], noise=0.0), effort="quick")
    assert verdict.status is Status.UNDECIDED
    assert "at fewer than 4 values of n" in verdict.reason


@pytest.mark.in_turn
@pytest.mark.parametrize("log_power", [0.0, 1.0, -1.0])
@pytest.mark.parametrize("exponent", [0.0, -0.5])
def test_curves_of_value_one_and_curves_from_one_on_do_not_crash(exponent: float, log_power: float) -> None:
    """log 1 = 0 divides: at n = 1 a logarithmic factor says nothing, and a mean of 1 has no logarithm to fit."""
    for mean in (lambda _: 1.0, lambda n: 1.0 / n):
        for noise in (0.0, 0.3):
            made = _rate("one", mean, exponent, AXES["from 1"], log_power=log_power, noise=noise)
            verdict = check(made, effort="quick")
            assert verdict.status in (Status.HOLDS, Status.UNDECIDED, Status.REFUTED), verdict.reason
            assert "<path" in fragment(verdict)
            if exponent == 0.0 and log_power >= 0.0:
                assert verdict.status is not Status.REFUTED  # 1 <= 1 and 1 <= log n


def test_means_far_from_zero_keep_their_spread() -> None:
    """From sums of squares a spread of 1e-4 around 1e6 is lost, and with it the interval of a flat curve."""

    def far(draw, *, n):
        """A constant of 1e6, with noise."""
        return 1e6 + 1e-4 * draw.normal("z")

    made = claim("rates/far", rate("n", 0.0), over=grid(n=AXES["short"]))(far)
    verdict = check(made, effort="quick")
    error, counts = verdict.cells[0].details.error, verdict.cells[0].details.replicates
    for one, count in zip(error, counts, strict=True):
        assert one == pytest.approx(1e-4 / math.sqrt(count), rel=0.5)


SIZES = grid(n=[16, 64, 256, 1024, 4096])


def _coins(forall, draw, *, n):
    """The mean distance of the share of heads from p, at the worst p."""
    p = forall.interval("p", 0.0, 1.0)
    heads = draw.multinomial("x", n, torch.stack([p, 1.0 - p], -1))
    return (heads[:, 0] / n - p).abs()


def _fair(draw, *, n):
    """The same for fair coins."""
    return (draw.multinomial("x", n, torch.full((1, 2), 0.5, dtype=torch.float64))[:, 0] / n - 0.5).abs()


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("at", "exponent", "worst", "fair"),
    [
        ("most", -0.5, Status.HOLDS, Status.HOLDS),
        ("least", -0.5, Status.HOLDS, Status.HOLDS),
        ("exactly", -0.5, Status.HOLDS, Status.HOLDS),
        ("most", -1.0, Status.REFUTED, Status.REFUTED),
        ("exactly", -1.0, Status.REFUTED, Status.REFUTED),
        ("least", -1.0, Status.HOLDS, Status.HOLDS),
        ("most", 0.0, Status.HOLDS, Status.HOLDS),
        ("least", 0.0, Status.UNDECIDED, Status.REFUTED),
        ("exactly", 0.0, Status.UNDECIDED, Status.REFUTED),
    ],
)
def test_orders_from_above_from_below_and_both(at: Order, exponent: float, worst: Status, fair: Status) -> None:
    """A search proves that the mean is large somewhere, never that it is small everywhere."""
    for body, status in ((_coins, worst), (_fair, fair)):
        name = f"rates/{at}{10 * exponent:.0f}{body.__name__.strip('_')}"
        judged_claim = claim(name, rate("n", exponent, at=at), over=SIZES)(body)
        verdict = check(judged_claim)
        assert verdict.status is status, (body.__name__, verdict.reason)
        if status is Status.REFUTED:
            example = verdict.counterexample
            assert example is not None
            assert replay(judged_claim, example.params, example.counterexample.values, trials=5000).violated
        if worst is not fair and status is Status.UNDECIDED:
            assert "no input was found" in verdict.reason


@pytest.mark.in_turn
def test_the_worst_input_moves_with_n() -> None:
    """sup_p p (1 - p)^n is (n/(n + 1))^n / (n + 1), at p = 1/(n + 1): a rare law, another one at each n."""

    def unseen(forall, draw, *, n):
        """p where n draws have missed it."""
        p = forall.interval("p", 0.0, 1.0)
        return torch.where(draw.multinomial("x", n, torch.stack([p, 1.0 - p], -1))[:, 0] == 0, p, 0.0)

    found = check(claim("rates/unseen", rate("n", -1.0, at="exactly", margin=0.1), over=SIZES)(unseen))
    assert found.status is Status.HOLDS, found.reason
    details = found.cells[0].details
    for n, mean, error in zip(details.n, details.mean, details.error, strict=True):
        most = (n / (n + 1.0)) ** n / (n + 1.0)
        assert 0.85 * most < mean + 5.0 * error
        assert mean < most + 5.0 * error
    assert 0.2 < 4097.0 * details.inputs["n=4096: p"] < 3.0


def test_the_power_of_the_lower_order_term_is_chosen_from_the_data() -> None:
    """With a wrong one the interval misses the exponent; of several, the right one fits."""
    curve = _curve(-1.0, -0.9, 2.0, noise=1e-6)
    small = Curve(curve.n / 30.0 + 1.0, curve.mean, curve.error, 0.0, 0.5)
    mean = small.n**-1.0 * (1.0 - 0.9 * small.n**-2.0)
    exact = Curve(small.n, mean, 1e-6 * mean, 0.0, 0.25)
    assert abs(fit_rate(exact, 0.99).exponent + 1.0) > 1e-2
    chosen = fit_rate(exact, 0.99, USUAL)
    assert chosen.power == 2.0
    assert chosen.exponent == pytest.approx(-1.0, abs=1e-3)
    assert chosen.misfit < 1.0 < fit_rate(exact, 0.99).misfit


def test_what_is_refused() -> None:
    with pytest.raises(ClaimError, match="at='about' must be one of 'most', 'least', 'exactly'"):
        rate("n", -1.0, at="about")  # type: ignore[arg-type]
    with pytest.raises(ClaimError, match=r"draws nothing.*n \*\* -1.0, as an up_to_constant\(.n.\)"):

        @claim("rates/no-draw", rate("n", -1.0), over=SIZES)
        def no_draw(forall, *, n):
            """1/n."""
            return forall.interval("x", 0.0, 1.0) / n


def test_a_negative_mean_is_the_error_of_the_claim() -> None:
    @claim("rates/negative", rate("n", -1.0), over=grid(n=[4, 8, 16, 32]))
    def negative(draw, *, n):
        """-1/n."""
        return -1.0 / n + 0.0 * draw.normal("z")

    assert check(negative, effort="quick").reason.startswith("claim 'rates/negative' has the mean -0.25")


@pytest.mark.parametrize(
    ("grid_of", "step"),
    [
        ([100, 120, 140, 160, 180], lambda n: 1 / (n // 100)),
        ([40, 45, 50, 55, 60], lambda n: 2.0 ** -int(math.log2(n))),
    ],
)
def test_no_rate_is_refuted_within_two_octaves(grid_of: list[int], step: Callable[[int], float]) -> None:
    """Both are at most 2/n, up to a factor: of their steps so short a grid sees one or none."""

    @claim("rates/steps", rate("n", -1.0), over=grid(n=grid_of))
    def steps(*, n):
        """A step is of order 1/n."""
        return step(n)

    verdict = check(steps, effort="quick")
    assert verdict.status is Status.UNDECIDED
    assert "times its smallest n" in verdict.reason
