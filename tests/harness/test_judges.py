"""Every kind of statement with a true and tight claim, and with a false one, under many seeds.

No true claim may be refuted, and every false one must be. The true ones are tight on purpose (equality is attained, or
the violation probability is exactly delta): slack would hide a judge that accuses too easily.
"""

import math
import shlex
from collections.abc import Callable

import pytest
import torch
from click.testing import CliRunner

from harness import Row
from harness.certify.certificate import Certificate
from harness.cli import main
from harness.errors import skip
from harness.judges import deterministic
from harness.judges.findings import NOTHING_SEEN, Shrink, Shrunk
from harness.kinds import always, expectation, high_probability, identity, rate, reproduction, untestable
from harness.language.registry import Claim, claim, grid
from harness.run.api import check
from harness.run.loading import ledger
from harness.run.replaying import replay
from harness.settings import Settings
from harness.verdict import Status, Verdict, combine

SEEDS = range(20)


@claim("true/cauchy-schwarz", always())
def cauchy_schwarz(forall):
    """<x, y> <= |x| |y|, with equality on a ray."""
    x, y = forall.interval("x", -3.0, 3.0, 4), forall.interval("y", -3.0, 3.0, 4)
    return (x * y).sum(-1), x.norm(dim=-1) * y.norm(dim=-1)


@claim("true/max-entropy", always())
def entropy(forall):
    """Entropy <= log k, with equality at the uniform law."""
    p = forall.simplex("p", 5)
    return torch.special.entr(p).sum(-1), math.log(5)


@claim("true/sign-sum", always())
def sign_sum(forall):
    """(sum s)^2 <= n^2, with equality at equal signs; integers only."""
    return forall.signs("s", 9).sum(-1) ** 2, 81.0


@claim("true/no-variables", always())
def closed_form():
    """1/3 <= 1/3."""
    return 1.0 / 3.0, 2.0 / 6.0


@claim("true/polarisation", identity())
def polarisation(forall):
    """4 <x, y> = |x + y|^2 - |x - y|^2, through cancellation."""
    x, y = forall.interval("x", -100.0, 100.0, 3), forall.ball("y", 3)
    return 4.0 * (x * y).sum(-1), (x + y).square().sum(-1) - (x - y).square().sum(-1)


@claim("true/trace-of-square", identity(), over=grid(n=[1, 2, 5]))
def trace_of_square(forall, *, n):
    """tr K^2 = sum of squared entries, for symmetric K."""
    k = forall.psd("K", n)
    return (k @ k).diagonal(dim1=-2, dim2=-1).sum(-1), k.square().sum((-2, -1))


@claim("true/exact-tie", high_probability("delta"), over=grid(delta=[0.05, 0.3]))
def exact_delta(draw, *, delta):
    """P(u < delta) = delta exactly: the tightest true statement there is."""
    return (draw.uniform("u") < delta).double(), 0.5


@claim("true/worst-bias", high_probability("delta"), over=grid(delta=[0.1]))
def worst_bias(forall, draw, *, delta):
    """P(x = 1) = p <= delta for p in [0, delta]: exact at the end of the interval."""
    return draw.bernoulli("x", forall.interval("p", 0.0, delta)), 0.5


@claim("true/discrete-tie", high_probability("delta"), over=grid(n=[10], delta=[0.01]))
def discrete_tie(draw, *, n, delta):
    """mean <= max over n signs: equal sides in a positive share of the draws, through rounding."""
    x = draw.signs("x", n)
    tenths = (x * 0.1).sum(-1)
    return tenths, (x.sum(-1)) * 0.1


@claim("true/hoeffding", high_probability("delta"), over=grid(n=[30], delta=[0.05]))
def hoeffding(forall, draw, *, n, delta):
    """|mean - p| <= sqrt(log(2/delta) / (2 n))."""
    p = forall.interval("p", 0.0, 1.0)
    return (draw.bernoulli("x", p, n).mean(-1) - p).abs(), math.sqrt(math.log(2 / delta) / (2 * n))


@claim("true/fair-coin", expectation((-1.0, 1.0), margin=0.05))
def fair_coin(draw):
    """E s <= 0 for a fair sign: equality."""
    return draw.signs("s"), 0.0


@claim("true/jensen", expectation((-1.0, 1.0), margin=0.05))
def jensen(forall, draw):
    """E x^2 <= p for x in {0, 1}: equality for every p."""
    p = forall.interval("p", 0.0, 1.0)
    return draw.bernoulli("x", p).square(), p


@claim("true/centred-normal", expectation(margin=0.1))
def centred_normal(draw):
    """E z <= 0, no range."""
    return draw.normal("z"), 0.0


@claim("true/rare-loss", expectation((-9999.0, math.inf)))
def rare_loss(draw):
    """E x <= 0 for 1, and -9999 once in ten thousand: most samples never see the loss."""
    return torch.where(draw.uniform("u") < 1e-4, -9999.0, 1.0), 0.0


@claim("true/rare-loss-without-range", expectation())
def rare_loss_without_range(draw):
    """The same without a range: 0.99^100 of all samples of a hundred are sure that E x = 1."""
    return torch.where(draw.uniform("u") < 1e-4, -9999.0, 1.0), 0.0


@claim("true/heavy-tail", expectation((-math.exp(0.5), math.inf)))
def heavy_tail(draw):
    """E exp(z) <= exp(1/2): equality, unbounded above."""
    return draw.normal("z").exp(), math.exp(0.5)


@claim("true/rounding-of-one-sign", expectation((-1e-16, 1e-16), margin=1e-17))
def rounding_of_one_sign(draw):
    """E (0.1 + 0.2) <= E 0.3: 6e-17 without variance must not look like certainty, at a range of its own size."""
    zero = 0.0 * draw.normal("z")
    return zero + (0.1 + 0.2), zero + 0.3


@claim("true/mean-of-squares", rate("n", -1.0), over=grid(n=[10, 30, 100, 300, 1000]))
def variance_of_a_mean(draw, *, n):
    """E mean^2 = 1/n."""
    return draw.normal("z", n).mean(-1).square()


@claim("true/lower-order", rate("n", -1.0, margin=0.1), over=grid(n=[10, 30, 100, 300, 1000]))
def lower_order_term(draw, *, n):
    """E = (1 + 2 n^-1/2) / n: the correction term is not a slower rate."""
    return (1.0 + 2.0 * n**-0.5) / n * (1.0 + 0.3 * draw.signs("s"))


@claim("true/table", reproduction(tolerance=0.01))
def table():
    """Two rows of a table."""
    return [Row("pi", math.pi, printed=3.14), Row("e", math.e, 1e-6, 2.718), Row("ours alone", 1.0, 0.1)]


@claim("true/table-at-most", reproduction(sided="at most"))
def table_at_most(draw):
    """A mean at most one half and a bit, with its standard error."""
    u = draw.uniform("u", 1000).mean(-1)
    return [Row("mean", u.mean(), u.std() / draw.reps**0.5, 0.6)]


TRUE = [
    cauchy_schwarz,
    entropy,
    sign_sum,
    closed_form,
    polarisation,
    trace_of_square,
    exact_delta,
    worst_bias,
    discrete_tie,
    hoeffding,
    fair_coin,
    jensen,
    centred_normal,
    rare_loss,
    rare_loss_without_range,
    heavy_tail,
    rounding_of_one_sign,
    variance_of_a_mean,
    lower_order_term,
    table,
    table_at_most,
]


@claim("false/cauchy-schwarz", always())
def too_small_constant(forall):
    """<x, y> <= 0.999 |x| |y|: false on rays only, a set of measure zero."""
    x, y = forall.interval("x", -3.0, 3.0, 4), forall.interval("y", -3.0, 3.0, 4)
    return (x * y).sum(-1), 0.999 * x.norm(dim=-1) * y.norm(dim=-1)


@claim("false/entropy", always())
def entropy_too_small(forall):
    """Entropy <= 0.9999 log k: false near the uniform law only."""
    p = forall.simplex("p", 5)
    return torch.special.entr(p).sum(-1), 0.9999 * math.log(5)


@claim("false/one-cell", always(), over=grid(n=[1, 2, 3]))
def false_in_one_cell(forall, *, n):
    """sum x <= 2 for x in [0, 1]^n: false for n = 3 only."""
    return forall.interval("x", 0.0, 1.0, n).sum(-1), 2.0 + 1e-6


@claim("false/no-variables", always())
def false_closed_form():
    """1 <= 0.999."""
    return 1.0, 0.999


@claim("false/identity", identity())
def classes_as_sets(forall):
    """sum k = 3 max k: false unless all are equal."""
    k = forall.integers("k", 1, 4, 3)
    return k.sum(-1), 3.0 * k.amax(-1)


@claim("false/tail", high_probability("delta"), over=grid(delta=[0.05]))
def twice_delta(draw, *, delta):
    """P(u < 2 delta) <= delta."""
    return (draw.uniform("u") < 2.0 * delta).double(), 0.5


@claim("false/hoeffding", high_probability("delta"), over=grid(n=[10, 100], delta=[0.05]))
def hoeffding_eight(forall, draw, *, n, delta):
    """|mean - p| <= sqrt(log(2/delta) / (8 n)): half the width."""
    p = forall.interval("p", 0.0, 1.0)
    return (draw.bernoulli("x", p, n).mean(-1) - p).abs(), math.sqrt(math.log(2 / delta) / (8 * n))


@claim("false/narrow-bias", high_probability("delta"), over=grid(delta=[0.05]))
def narrow_bias(forall, draw, *, delta):
    """P(x = 1) <= delta for all p, false for 0.48 < p < 0.52 only."""
    p = forall.interval("p", 0.0, 1.0)
    return draw.bernoulli("x", torch.where((p - 0.5).abs() < 0.02, 0.5, 0.0)), 0.5


@claim("false/mean", expectation((-1.0, 1.0)))
def biased_coin(draw):
    """E s <= 0 for a sign of mean 0.1."""
    return 2.0 * draw.bernoulli("x", 0.55) - 1.0, 0.0


@claim("false/mean-from-below", expectation((-0.7, math.inf)))
def absolute_normal(draw):
    """E |z| <= 0.7, for sqrt(2/pi): bounded from below alone."""
    return draw.normal("z").abs(), 0.7


@claim("false/mean-at-one-law", expectation((-1.0, 1.0)))
def mean_at_one_law(forall, draw):
    """E x <= 1/2 for all biases."""
    return draw.bernoulli("x", forall.interval("p", 0.0, 1.0)), 0.5


@claim("false/rate", rate("n", -1.0), over=grid(n=[10, 18, 32, 56, 100, 180, 320, 560, 1000]))
def slower_rate(draw, *, n):
    """E |mean| = O(1/n): it is n^-1/2."""
    return draw.normal("z", n).mean(-1).abs()


@claim("false/table", reproduction(tolerance=0.01))
def false_table():
    """pi = 3.2."""
    return [Row("e", math.e, printed=2.718), Row("pi", math.pi, 0.001, 3.2)]


@claim("false/table-at-least", reproduction(sided="at least"))
def false_at_least(draw):
    """A mean of at least 0.6."""
    u = draw.uniform("u", 1000).mean(-1)
    return [Row("mean", u.mean(), u.std() / draw.reps**0.5, 0.6)]


FALSE = [
    too_small_constant,
    entropy_too_small,
    false_in_one_cell,
    false_closed_form,
    classes_as_sets,
    twice_delta,
    hoeffding_eight,
    narrow_bias,
    biased_coin,
    absolute_normal,
    mean_at_one_law,
    slower_rate,
    false_table,
    false_at_least,
]


@pytest.mark.parametrize("made", TRUE, ids=lambda c: c.id)
def test_no_true_claim_is_refuted_under_any_seed(made: Claim) -> None:
    verdicts = [check(made, seed=seed, effort="quick") for seed in SEEDS]
    assert all(v.status.favourable or v.status is Status.UNDECIDED for v in verdicts)


@pytest.mark.parametrize("made", FALSE, ids=lambda c: c.id)
def test_every_false_claim_is_refuted_under_every_seed_with_a_replay_that_shows_it(made: Claim) -> None:
    for seed in SEEDS:
        verdict = check(made, seed=seed, effort="quick")
        assert verdict.status is Status.REFUTED, f"seed {seed}"
        _assert_counterexample_replays(verdict)


def _assert_counterexample_replays(verdict: Verdict) -> None:
    cell = verdict.counterexample
    assert cell is not None
    assert cell.replay is not None
    words = shlex.split(cell.replay)
    assert words[:2] == ["tightrope", "replay"]
    assert cell.counterexample is not None
    trials = int(words[words.index("--trials") + 1]) if "--trials" in words else 100_000
    again = replay(verdict.claim, cell.params, cell.counterexample.values, trials=trials, seed=12345)
    assert again.violated, again.sentence


# Which of the true claims a quick run certifies; the others are equalities that no finite sample certifies.
CERTIFIED = [cauchy_schwarz, entropy, sign_sum, closed_form, polarisation, trace_of_square, discrete_tie, hoeffding]
CERTIFIED += [fair_coin, jensen, lower_order_term, table, table_at_most, rounding_of_one_sign]


@pytest.mark.parametrize("made", CERTIFIED, ids=lambda c: c.id)
def test_true_claims_hold(made: Claim) -> None:
    assert check(made).status.favourable


@pytest.mark.parametrize("made", [exact_delta, worst_bias], ids=lambda c: c.id)
def test_a_probability_of_exactly_delta_stays_undecided_and_says_why(made: Claim) -> None:
    verdict = check(made, effort="quick")
    assert verdict.status is Status.UNDECIDED
    assert "too close to delta" in verdict.reason


def test_closest_approach_and_looseness_of_a_tight_inequality() -> None:
    verdict = check(sign_sum, effort="quick")
    assert verdict.cells[0].worst_ratio == pytest.approx(1.0)
    assert verdict.looseness == pytest.approx(1.0)
    assert verdict.detectable_factor == pytest.approx(1.0)


def test_detectable_factor_is_honest() -> None:
    """What the rows say they would have refuted, they do refute: the claim with that factor on the right, same seed."""
    verdict = check(hoeffding, seed=3)
    factor = verdict.detectable_factor
    assert factor is not None
    assert 0.3 < factor < 1.0

    @claim("derived/hoeffding", high_probability("delta"), over=grid(n=[30], delta=[0.05]))
    def shrunk(forall, draw, *, n, delta):
        """The same with a smaller right side."""
        lhs, rhs = hoeffding.body(forall, draw, n=n, delta=delta)
        return lhs, 0.98 * factor * rhs

    assert check(shrunk, seed=3).status is Status.REFUTED


def test_looseness_is_the_ratio_at_level_one_minus_delta() -> None:
    """u <= 4 with probability 0.9: the 0.9-quantile of u/4 is 0.225, so the bound is loose by 1/0.225."""

    @claim("judges/loose", high_probability("delta"), over=grid(delta=[0.1]))
    def loose(draw, *, delta):
        """u <= 4."""
        return draw.uniform("u"), 4.0

    verdict = check(loose)
    low, high = verdict.cells[0].looseness_interval or (math.nan, math.nan)
    assert low * 0.99 <= 1 / 0.225 <= high * 1.01
    assert verdict.looseness == pytest.approx(1 / 0.225, rel=0.05)
    assert 1.0 < high / low < 1.1


def _vacuous(right: float) -> Claim:
    @claim("judges/vacuous", always(), trivial=1.0)
    def body(forall):
        """x <= c for x in [0, 1]."""
        return forall.interval("x", 0.0, 1.0), right

    return body


def test_a_bound_beyond_its_trivial_value_in_every_cell_is_vacuous() -> None:
    assert check(_vacuous(1.5), effort="quick").status is Status.VACUOUS
    assert check(_vacuous(1.5), effort="quick").as_expected is True
    assert check(_vacuous(1.0 + 1e-9), effort="quick").status is Status.VACUOUS

    @claim("judges/half-vacuous", high_probability("delta"), trivial=1.0, over=grid(c=[0.96, 3.0], delta=[0.1]))
    def half(draw, *, c, delta):
        """u <= c."""
        return draw.uniform("u"), c

    assert check(half, effort="quick").status is Status.HOLDS


def test_skipped_claims_carry_their_reason() -> None:
    @claim("judges/skips", always())
    def skips(forall):
        """Needs data."""
        raise skip("set TIGHTROPE_DATA")

    @claim("judges/untestable", untestable("the constant is not named"))
    def body():
        """There is a constant."""

    for made, reason in ((skips, "set TIGHTROPE_DATA"), (body, "the constant is not named")):
        verdict = check(made)
        assert verdict.status is Status.SKIPPED
        assert verdict.reason == reason
        assert verdict.as_expected is None


def test_one_skipped_cell_does_not_hide_the_others() -> None:
    @claim("judges/half-skipped", always(), over=grid(n=[1, 2]))
    def half(forall, *, n):
        """Only n = 1 can be evaluated."""
        if n == 2:
            raise skip("no data for n = 2")
        return forall.interval("x", 0.0, 1.0), 1.0

    verdict = check(half, effort="quick")
    assert verdict.status is Status.HOLDS
    assert [cell.status for cell in verdict.cells] == [Status.PROVED, Status.SKIPPED]


def test_an_error_in_one_cell_is_the_claims_error_with_its_cell() -> None:
    @claim("judges/half-broken", always(), over=grid(n=[1, 2]))
    def half(forall, *, n):
        """Divides by n - 2."""
        return forall.interval("x", 0.0, 1.0) / (1 if n == 1 else 0 // (n - 2)), 1.0

    verdict = check(half, effort="quick")
    assert verdict.status is Status.ERROR
    assert "'n': 2" in verdict.reason
    assert "ZeroDivisionError" in verdict.reason


BAD_TABLES: dict[str, tuple[Callable[[], object], str]] = {
    "number": (lambda: 3.0, "non-empty list of harness.Row"),
    "empty": (list, "non-empty list of harness.Row"),
    "no row": (lambda: [("pi", 3.14, 0.0, 3.14)], "harness.Row(label, ours, error, printed)"),
    "text": (lambda: [Row("pi", "3.14", printed=3.14)], "pi"),
    "nan": (lambda: [Row("pi", math.nan, printed=3.14)], "pi"),
    "infinite error": (lambda: [Row("pi", 3.14, math.inf)], "must be finite"),
    "two axes": (lambda: [Row("pi", 3.14, at={"n": 1, "T": 2})], "name one axis"),
    "no label": (lambda: [Row(3, 3.14)], "label of type int"),
}


@pytest.mark.parametrize(("rows", "words"), BAD_TABLES.values(), ids=BAD_TABLES.keys())
def test_a_table_that_is_none_is_an_error(rows: Callable[[], object], words: str) -> None:
    @claim("judges/table", reproduction())
    def body():
        """A table."""
        return rows()

    verdict = check(body)
    assert verdict.status is Status.ERROR
    assert "judges/table" in verdict.reason
    assert words in verdict.reason


def test_a_table_within_its_standard_error_is_undecided() -> None:
    @claim("judges/noisy-table", reproduction())
    def body():
        """One noisy row."""
        return [Row("pi", 3.1, 0.1, 3.14)]

    verdict = check(body)
    assert verdict.status is Status.UNDECIDED
    assert "pi" in verdict.reason


def test_a_mean_outside_its_stated_range_is_an_error_because_the_evidence_rests_on_it() -> None:
    @claim("judges/range", expectation((-1.0, 1.0)))
    def body(draw):
        """E z <= 0."""
        return 3.0 * draw.normal("z"), 0.0

    verdict = check(body, effort="quick")
    assert verdict.status is Status.ERROR
    assert "widen range=" in verdict.reason


def test_a_mean_without_upper_end_holds_by_the_limit_theorem_and_says_so() -> None:
    assert "asymptotic" in check(centred_normal).cells[0].reason

    @claim("judges/mean-from-below", expectation((-2.0, math.inf)))
    def loose(draw):
        """E |z| <= 2."""
        return draw.normal("z").abs(), 2.0

    for made in (centred_normal, loose):
        verdict = check(made)
        assert verdict.status is Status.HOLDS
        assert "no upper end of the range" in verdict.cells[0].reason


@pytest.mark.parametrize("ends", [None, (-math.inf, 9.0), (-math.inf, math.inf)], ids=str)
def test_a_mean_is_never_refuted_without_a_lower_end_and_the_verdict_says_what_is_missing(ends) -> None:
    """No sample refutes the mean of what may be -9999 once in ten thousand trials, however sure it looks."""

    @claim("judges/mean-without-lower-end", expectation(ends))
    def body(draw):
        """E (u + 1) <= 1/2: each single trial violates it."""
        return draw.uniform("u") + 1.0, 0.5

    verdict = check(body)
    assert verdict.status is Status.UNDECIDED
    assert "asymptotic evidence against" in verdict.reason
    assert "range=(low, math.inf)" in verdict.reason
    assert verdict.counterexample is None
    assert all(cell.log_e == -math.inf for cell in verdict.cells)


def test_one_infinite_end_is_a_range_and_is_enforced_at_the_other() -> None:
    """The bets against the mean are scaled by the lower end: beyond it, wealth could turn negative."""

    @claim("judges/mean-below-its-end", expectation((-0.5, math.inf)))
    def body(draw):
        """E z <= 0."""
        return draw.normal("z"), 0.0

    verdict = check(body, effort="quick")
    assert verdict.status is Status.ERROR
    assert "widen range=" in verdict.reason


def test_a_rate_that_returns_nan_is_an_error() -> None:
    @claim("judges/nan-rate", rate("n", -1.0), over=grid(n=[1, 2, 4, 8]))
    def body(draw, *, n):
        """NaN at n = 8."""
        return draw.normal("z").abs() / n + (math.nan if n == 8 else 0.0)

    verdict = check(body, effort="quick")
    assert verdict.status is Status.ERROR
    assert "non-finite" in verdict.reason


def test_cells_that_convict_together_refute_the_claim() -> None:
    """Averaged e-values: many cells, each a little too often violated."""
    template = check(exact_delta, effort="quick")
    cells = [template.cells[0].__class__({}, Status.UNDECIDED, log_e=8.0) for _ in range(3)]
    assert combine(exact_delta, cells, 7.9, 0.0).status is Status.REFUTED
    assert combine(exact_delta, cells, 8.1, 0.0).status is Status.UNDECIDED


EXPECTATIONS = [
    ("holds", Status.HOLDS, True),
    ("holds", Status.PROVED, True),
    (None, Status.PROVED, True),
    ("refuted", Status.PROVED, False),
    ("undecided", Status.PROVED, False),
    ("vacuous", Status.PROVED, False),
    (None, Status.HOLDS, True),
    (None, Status.VACUOUS, True),
    ("refuted", Status.REFUTED, True),
    (None, Status.REFUTED, False),
    ("refuted", Status.HOLDS, False),
    ("refuted", Status.UNDECIDED, False),
    ("undecided", Status.UNDECIDED, True),
    ("vacuous", Status.VACUOUS, True),
    ("vacuous", Status.HOLDS, False),
    (None, Status.UNDECIDED, None),
    ("refuted", Status.SKIPPED, None),
    (None, Status.ERROR, None),
]


@pytest.mark.parametrize(("expected", "status", "agrees"), EXPECTATIONS)
def test_what_agrees_with_an_expectation(expected: str | None, status: Status, agrees: bool | None) -> None:  # noqa: FBT001
    def body():
        """A claim."""

    made = claim(f"expected/{expected}", always(), expected=expected)(body)  # type: ignore[arg-type]
    assert Verdict(made, status, ()).as_expected is agrees


def test_more_claims_need_more_evidence() -> None:
    """m is the number of registered claims: a family of a million convicts later."""
    alone, among_many = check(twice_delta, seed=1), check(twice_delta, seed=1, family=10**6)
    assert among_many.status is Status.REFUTED
    assert among_many.trials >= alone.trials


def test_the_command_line_explains_a_missing_instance() -> None:
    result = CliRunner().invoke(main, ["replay", "no/such-claim"])
    assert result.exit_code == 2
    assert "no claim is called" in result.output


def test_sides_that_are_zero_up_to_rounding_are_no_violation() -> None:
    """Their size is rounding itself: no scale could tell; with a true error of 1e-12 the claim is refuted."""

    def difference(forall, *, slip):
        """|x + 1/3 - 1/3 - x| + slip x <= 0."""
        x = forall.interval("x", 0.0, 1.0, 3).sort(-1).values  # sorting has no certificate
        return ((x + 1 / 3) - 1 / 3 - x).abs().amax(-1) + slip * x.amax(-1), 0.0

    for slip, refuted in ((0.0, False), (1e-12, True)):
        verdict = check(claim("judge/zero", always(), over=grid(slip=[slip]))(difference), effort="quick")
        assert verdict.status is Status.REFUTED if refuted else verdict.status.favourable, slip


FACTORS = [1e-100, 1e-10, 1.0, 1e10, 1e100]
SCALES = grid(c=FACTORS)


@claim("scaled/tight", always(), over=SCALES)
def scaled_tight(forall, *, c):
    """c <x, y> <= c |x| |y|, with equality on a ray."""
    x, y = forall.interval("x", -3.0, 3.0, 4), forall.interval("y", -3.0, 3.0, 4)
    return c * (x * y).sum(-1), c * (x.norm(dim=-1) * y.norm(dim=-1))


@claim("scaled/vanishing", always(), over=SCALES)
def scaled_vanishing(forall, *, c):
    """c ((x + 1/3) - 1/3 - x) <= 0: both sides vanish, up to rounding."""
    x = forall.interval("x", 0.0, 1.0, 3)
    return c * ((x + 1 / 3) - 1 / 3 - x).amax(-1), 0.0


@claim("scaled/vanishing-identity", identity(), over=SCALES)
def scaled_vanishing_identity(forall, *, c):
    """c (sin^2 + cos^2 - 1) = 0."""
    x = forall.interval("x", -9.0, 9.0)
    return c * (x.sin().square() + x.cos().square() - 1.0), 0.0


@claim("scaled/cancelling-identity", identity(), over=SCALES)
def scaled_polarisation(forall, *, c):
    """4 c <x, y> = c |x + y|^2 - c |x - y|^2."""
    x, y = forall.interval("x", -100.0, 100.0, 3), forall.ball("y", 3)
    return 4.0 * c * (x * y).sum(-1), c * (x + y).square().sum(-1) - c * (x - y).square().sum(-1)


@claim("scaled/false", always(), over=SCALES)
def scaled_false(forall, *, c):
    """c x <= 0.999 c y for y >= x: false where they are close."""
    x, gap = forall.interval("x", 0.0, 1.0), forall.interval("gap", 0.0, 1.0)
    return c * x, 0.999 * c * (x + gap)


@claim("scaled/false-beside-zero", always(), over=SCALES)
def scaled_false_beside_zero(forall, *, c):
    """c x^2 <= 0: false but at zero."""
    return c * forall.interval("x", -1.0, 1.0).square(), 0.0


@claim("scaled/false-identity", identity(), over=SCALES)
def scaled_false_identity(forall, *, c):
    """c sin^2 + c cos^2 = c (1 + 1e-6 x)."""
    x = forall.interval("x", -9.0, 9.0)
    return c * x.sin().square() + c * x.cos().square(), c * (1.0 + 1e-6 * x)


@claim("scaled/tie", high_probability("delta"), over=grid(c=FACTORS, delta=[0.01]))
def scaled_tie(draw, *, c, delta):
    """c sum of tenths <= c/10 sum, equal up to rounding."""
    x = draw.signs("x", 10)
    return (c * (x * 0.1)).sum(-1), x.sum(-1) * (0.1 * c)


@claim("scaled/false-tail", high_probability("delta"), over=grid(c=FACTORS, delta=[0.05]))
def scaled_false_tail(draw, *, c, delta):
    """c u <= c (1 - 2 delta)."""
    return c * draw.uniform("u"), c * (1.0 - 2.0 * delta)


SCALED = [
    (scaled_tight, Status.HOLDS),
    (scaled_vanishing, Status.HOLDS),
    (scaled_vanishing_identity, Status.HOLDS),
    (scaled_polarisation, Status.HOLDS),
    (scaled_tie, Status.HOLDS),
    (scaled_false, Status.REFUTED),
    (scaled_false_beside_zero, Status.REFUTED),
    (scaled_false_identity, Status.REFUTED),
    (scaled_false_tail, Status.REFUTED),
]


@pytest.mark.parametrize(("made", "status"), SCALED, ids=lambda value: value.id if isinstance(value, Claim) else None)
def test_a_common_factor_of_both_sides_changes_no_verdict(made: Claim, status: Status) -> None:
    """A tolerance from a guessed scale accuses what is tiny and true, or acquits what is tiny and false."""
    for seed in range(2):
        cells = check(made, seed=seed, effort="quick").cells
        found = {cell.params["c"]: Status.HOLDS if cell.status.favourable else cell.status for cell in cells}
        assert found == dict.fromkeys(FACTORS, status)


@claim("dropped/and-found-elsewhere", always(), over=grid(height=[0.0, 2.0, 0.5]))
def rounding_beside_a_violation(forall, *, height):
    """x - ((x + 2^60) - 2^60) <= 0 from 0.9 on, where float64 gives x itself; below, `height` around 0.307."""
    x = forall.interval("x", 0.0, 1.0)
    bump = torch.where((x - 0.307).abs() < 2e-3, height, 0.0)
    return torch.where(x > 0.9, x - ((x + 2.0**60) - 2.0**60), bump), 0.0


@pytest.mark.parametrize("height", [2.0, 0.5], ids=["a larger violation", "a smaller violation"])
def test_a_dropped_accusation_lets_the_search_go_on_and_find_a_violation_elsewhere(height: float) -> None:
    """At x = 1 the sum looks exact, and 1 <= 0 is met first: what is dropped must not hide what stands."""
    for seed in range(5):
        cells = {cell.params["height"]: cell for cell in check(rounding_beside_a_violation, seed=seed).cells}
        assert cells[0.0].status.favourable
        assert all("ball arithmetic" in reason for reason in cells[0.0].details.dropped)
        assert cells[height].status is Status.REFUTED, seed
        found = cells[height].counterexample
        assert found is not None
        assert abs(found.values["x"] - 0.307) < 2e-3
        assert found.certificate.verdict == "confirmed"


def test_what_was_dropped_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """HOLDS after an accusation that balls contradict says so; the same accusation without balls refutes."""

    @claim("dropped/told", always())
    def body(forall):
        """x <= 1/2."""
        return forall.interval("x", 0.0, 1.0), 0.5

    assert check(body, effort="quick").status is Status.REFUTED
    contradicted = Certificate(digits=30, lhs="0", rhs="0", excess=-1.0, verdict="contradicted")
    monkeypatch.setattr(deterministic, "certify", lambda *_, **__: contradicted)
    verdict = check(body, effort="quick")
    assert verdict.status is Status.HOLDS
    assert set(verdict.cells[0].details.dropped) == {"vanished in ball arithmetic, so it was rounding"}
    assert len(verdict.cells[0].details.dropped) > 3  # stage after stage


def test_a_violation_whose_rounding_cannot_be_measured_is_neither_proved_nor_forgotten() -> None:
    """A side that is finite for one rounding alone: no other evaluation says how far it moves."""

    @claim("judges/last-places", always())
    def body():
        """1 <= 1/2, where six products are what float64 makes of them; NaN elsewhere."""
        products = torch.tensor([0.1, 0.3, 0.7, 1.1, 1.3, 1.7]) * 3.0
        as_float64 = products == torch.tensor([0.1 * 3.0, 0.3 * 3.0, 0.7 * 3.0, 1.1 * 3.0, 1.3 * 3.0, 1.7 * 3.0])
        return torch.where(as_float64.all(), 1.0, math.nan), 0.5

    verdict = check(body, effort="quick")
    assert verdict.status is Status.UNDECIDED
    assert "the search saw a violation" in verdict.reason


def test_a_refutation_carries_its_rounding_and_its_certificate() -> None:
    verdict = check(too_small_constant, effort="quick")
    assert verdict.counterexample is not None
    found = verdict.counterexample.counterexample
    assert found is not None
    assert found.excess == pytest.approx(found.lhs - found.rhs, rel=1e-3)
    assert 0.0 < found.noise < 1e-14 * found.lhs
    assert found.blind is False
    assert found.certificate.verdict == "confirmed"


def test_what_was_rounding_once_is_measured_longer_before_it_is_accused() -> None:
    """One lucky measurement has accused a true theorem: a projection onto {0} that leaves 1e-16 of its input."""
    found = next(c for c in ledger() if c.key == "nsrf/thm-4.1-alt[corrected]")
    raw = [
        5.927495173629242e-16,
        2.873303496488078e-16,
        7.555966751618471e-16,
        5.755322551375038e-16,
        4.28979161491735e-17,
    ]
    instance = {"points": [2.0, 6.0, 3.0, 4.0, 8.0], "labels": [1.0] * 5, "quarters": 1.0, "raw": raw}
    judge = deterministic.DeterministicJudge(found, {"n": 5, "T": 4}, Settings())
    counts: list[int] = []
    accuse = judge.accuse
    judge.accuse = lambda values, calls: counts.append(calls) or accuse(values, calls)  # type: ignore[method-assign,func-returns-value]
    done = judge.execute(Shrink(bytes=8, rounding=NOTHING_SEEN, instance=instance, suspect=0))
    assert isinstance(done, Shrunk)
    assert done.accusation.excess > 0.0
    assert not done.accusation.stands
    assert counts in ([2], [2, 10])
