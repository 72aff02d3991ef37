"""The bounds that can be compared, by what they bound."""

from collections.abc import Sequence
from difflib import get_close_matches

from bounds.complexity.rademacher import (
    divergence_ball_complexity,
    fourth_moment_divergence_ball_complexity,
    khinchine_divergence_ball_complexity,
    printed_divergence_ball_complexity,
)
from bounds.complexity.spectral_class import (
    printed_spectral_margin_excess,
    spectral_margin_excess,
    uniform_spectral_margin_excess,
)
from bounds.concentration.sample_mean import (
    bennett_deviation,
    bernstein_deviation,
    cantelli_deviation,
    empirical_bernstein_deviation,
    hoeffding_deviation,
)
from bounds.divergence_ball.kernel_learning import consistency_deviation, printed_consistency_deviation
from bounds.divergence_ball.norms import alignment_deviation, mcdiarmid_alignment_deviation
from bounds.divergence_ball.pair_statistics import block_alignment_deviation
from bounds.margin_game.game import convergence, printed_convergence
from bounds.pac_bayes.kullback_leibler import (
    first_order_kl_bound,
    printed_averaged_first_order_kl_bound,
    printed_first_order_kl_bound,
    printed_second_order_kl_bound,
    second_order_kl_bound,
)
from bounds.pac_bayes.power_divergence import chi_square_bound, logarithmic_chi_square_bound, printed_chi_square_bound
from bounds.pac_bayes.tuning import tuned_kl_bound
from bounds.random_features.feature_counts import (
    leverage_feature_count,
    lower_tail_feature_count,
    plain_feature_count,
)
from harness.comparison.family import Bound, Family
from harness.errors import UsageError

_N = "sample size"
_DELTA = "probability of failure"
_KL = {"sample_size": "n", "divergence": "kl", "inverse_temperature": "t"}
_CHI = {"sample_size": "n", "divergence": "chi_square"}
_PLAIN = {"sampling_dimension": "effective_dimension"}

FAMILIES = (
    Family(
        "sample-mean",
        "deviation of the mean of n independent variables in an interval from its expectation, on one side",
        {
            "n": _N,
            "delta": _DELTA,
            "width": "length of the interval",
            "variance": "their variance, or the mean of their variances",
            "sample_variance": "sum of squares around the mean over n - 1",
        },
        lambda given: given.get("width"),
        (
            Bound("hoeffding", hoeffding_deviation, "Hoeffding 1963", "classics/hoeffding"),
            Bound("bernstein", bernstein_deviation, "Boucheron, Lugosi, Massart 2013", "classics/bernstein"),
            Bound("bennett", bennett_deviation, "Boucheron, Lugosi, Massart 2013", "classics/bennett"),
            Bound(
                "empirical-bernstein",
                empirical_bernstein_deviation,
                "Maurer, Pontil 2009",
                "classics/empirical-bernstein",
            ),
            Bound("cantelli", cantelli_deviation, "Cantelli 1928", "classics/cantelli"),
        ),
        grows="n",
    ),
    Family(
        "alignment-loss",
        "alignment loss of a pseudo-posterior over frequencies, in [0, 1]",
        {
            "n": _N,
            "delta": _DELTA,
            "empirical_loss": "of the posterior",
            "kl": "Kullback-Leibler divergence of the posterior from the prior",
            "chi_square": "their chi-square divergence",
            "t": "inverse temperature, fixed before the sample was seen",
        },
        lambda _: 0.5,
        (
            Bound("theorem-1", printed_first_order_kl_bound, "pbrff Theorem 1", "pbrff/thm-1", _KL),
            Bound("theorem-1-improved", first_order_kl_bound, "pbrff Theorem 1", "pbrff/thm-1-improved", _KL),
            Bound("corollary-2", printed_averaged_first_order_kl_bound, "pbrff Corollary 2", "pbrff/cor-2", _KL),
            Bound("theorem-3", printed_second_order_kl_bound, "pbrff Theorem 3", "pbrff/thm-3", _KL),
            Bound("theorem-3-improved", second_order_kl_bound, "pbrff Theorem 3", "pbrff/thm-3-improved", _KL),
            Bound(
                "theorem-3-tuned", tuned_kl_bound, "pbrff Theorem 3, t on a grid", None, _KL, {"bound": "second_order"}
            ),
            Bound("corollary-5", printed_chi_square_bound, "pbrff Corollary 5", "pbrff/cor-5[printed]", _CHI),
            Bound("corollary-5-corrected", chi_square_bound, "pbrff Corollary 5", "pbrff/cor-5[corrected]", _CHI),
            Bound(
                "corollary-5-logarithmic",
                logarithmic_chi_square_bound,
                "pbrff Corollary 5",
                "pbrff/cor-5-logarithmic",
                _CHI,
            ),
        ),
        grows="n",
    ),
    Family(
        "uniform-alignment",
        "largest error of the empirical alignment over a divergence ball of random features",
        {"n": _N, "delta": _DELTA, "rho": "radius of the ball", "order": "k of its divergence t^k - 1; 2 if not given"},
        lambda _: 2.0,
        (
            Bound("lemma-1", alignment_deviation, "lkrf Lemma 1", "lkrf/lem-1"),
            Bound("lemma-1-blocks", block_alignment_deviation, "lkrf Lemma 1", "lkrf/lem-1-blocks"),
            Bound("lemma-1-mcdiarmid", mcdiarmid_alignment_deviation, "lkrf Lemma 1", "lkrf/lem-1-mcdiarmid"),
        ),
        grows="n",
    ),
    Family(
        "learned-alignment",
        "alignment that a kernel of sampled features, learned on n points, loses to the best of the ball",
        {
            "n": _N,
            "count": "number of random features",
            "delta": _DELTA,
            "rho": "radius of the ball",
            "half_range": "half of the range of the alignments: 1 for labels -1 and +1",
            "order": "k of the divergence t^k - 1; 2 if not given",
        },
        lambda _: 2.0,
        (
            Bound("theorem-1-consistency", printed_consistency_deviation, "lkrf Theorem 1", "lkrf/thm-1"),
            Bound("theorem-1-sharp", consistency_deviation, "lkrf Theorem 1", "lkrf/thm-1-sharp"),
        ),
        grows="n",
    ),
    Family(
        "ball-complexity",
        "empirical Rademacher complexity of the predictors over a divergence ball of kernels",
        {
            "n": _N,
            "rho": "radius of the ball",
            "radius": "B, of the predictors",
            "order": "k of the divergence t^k - 1; 2 if not given",
        },
        lambda given: given.get("radius"),
        (
            Bound("lemma-3", printed_divergence_ball_complexity, "lkrf Lemma 3", "lkrf/lem-3"),
            Bound("lemma-3-proof", fourth_moment_divergence_ball_complexity, "lkrf Lemma 3", "lkrf/lem-3-proof"),
            Bound("lemma-3-sharp", divergence_ball_complexity, "lkrf Lemma 3", "lkrf/lem-3-sharp"),
            Bound("lemma-3-khinchine", khinchine_divergence_ball_complexity, "lkrf Lemma 3", "lkrf/lem-3-khinchine"),
        ),
        grows="n",
    ),
    Family(
        "margin-excess",
        "risk of a predictor from a spectral ball above its margin error on the sample",
        {
            "n": _N,
            "delta": _DELTA,
            "margin": "theta",
            "largest_phase": "largest |w| times largest |x|",
            "spectral_mass": "mass of the spectral measure",
        },
        lambda _: 1.0,
        (
            Bound("theorem-4.3", printed_spectral_margin_excess, "nsrf Theorem 4.3", "nsrf/thm-4.3[printed]"),
            Bound("theorem-4.3-corrected", spectral_margin_excess, "nsrf Theorem 4.3", "nsrf/thm-4.3[corrected]"),
            Bound(
                "theorem-4.3-all-margins",
                uniform_spectral_margin_excess,
                "nsrf Theorem 4.3",
                "nsrf/thm-4.3-all-theta[corrected]",
            ),
        ),
        grows="n",
    ),
    Family(
        "game-gap",
        "gap of the kernel that the margin game returns after its rounds",
        {
            "n": "number of points",
            "rounds": "T",
            "box": "C, the largest dual weight",
            "minority": "points of the smaller class",
            "peak_gap": "mean error of the best responses; 0 if not given",
        },
        lambda given: 2 * given["box"] * given["minority"] if {"box", "minority"} <= set(given) else None,
        (
            Bound("theorem-4.1", printed_convergence, "nsrf Theorem 4.1", "nsrf/thm-4.1[printed]"),
            Bound("theorem-4.1-corrected", convergence, "nsrf Theorem 4.1", "nsrf/thm-4.1[corrected]"),
        ),
        grows="rounds",
    ),
    Family(
        "feature-count",
        "random features with which kernel ridge regression keeps its risk up to a constant",
        {
            "n": "number of points: as many features as points are no gain",
            "delta": _DELTA,
            "regularisation": "lambda",
            "effective_dimension": "d_K at this lambda",
            "feature_bound": "z_0, the largest size of a feature",
        },
        lambda given: given.get("n"),
        (
            Bound("leverage", leverage_feature_count, "uarff Corollary 10, c = 32/3"),
            Bound(
                "leverage-printed",
                leverage_feature_count,
                "uarff Corollary 10",
                "uarff/cor-10",
                fixed={"constant": 5.0},
            ),
            Bound("plain", plain_feature_count, "uarff Corollary 11, c = 32/3"),
            Bound("plain-printed", plain_feature_count, "uarff Corollary 11", "uarff/cor-11", fixed={"constant": 5.0}),
            Bound("leverage-lower-tail", lower_tail_feature_count, "uarff Corollary 10, lower half", renamed=_PLAIN),
        ),
    ),
)
"""Every family of bounds."""


def family_of(names: Sequence[str]) -> tuple[Family, tuple[Bound, ...]]:
    """The family that is named, with all its bounds; or the one to which all of the named bounds belong, with these.

    Raises
    ------
    UsageError
        If a name is unknown, or the bounds have different left sides.
    """
    if isinstance(names, str):
        raise UsageError(f"{names!r} is one name; give a list of them, [{names!r}].")
    families = {family.name: family for family in FAMILIES}
    if len(names) == 1 and names[0] in families:
        return families[names[0]], families[names[0]].bounds
    homes = {bound.name: family for family in FAMILIES for bound in family.bounds}
    for name in names:
        if name not in homes:
            close = get_close_matches(name, [*families, *homes], n=3)
            hint = f"did you mean {', '.join(close)}?" if close else "`tightrope compare` lists all of them."
            raise UsageError(f"there is no bound {name!r}; {hint}")
    found = {homes[name].name: homes[name] for name in names}
    if len(found) != 1:
        sides = "; ".join(f"{family.name}: {family.left_side}" for family in found.values())
        raise UsageError(f"bounds of different left sides cannot be ranked ({sides}).")
    (family,) = found.values()
    return family, tuple(bound for bound in family.bounds if bound.name in names)
