"""The remark after Corollary 5: the chi-square bound for pair losses without a range, on exact laws of the gap."""

from algos.kernel_learning.alignment import u_statistic_variance
from algos.kernel_learning.pseudo_posterior import conjugate_norm
from harness import Forall, always, claim
from harness.claims.pbrff.gap_laws import Law, pair_law


@claim(
    "pbrff/cor-5-unbounded-laws",
    always(),
    cite="pbrff, Section 5.2, remark after Corollary 5",
    over=[
        {"n": 2, "atoms": 3, "hypotheses": 1},
        {"n": 3, "atoms": 3, "hypotheses": 2},
        {"n": 6, "atoms": 2, "hypotheses": 3},
    ],
    sizes="all distributions on two and three atoms with all pair losses, of any size, any prior on one to three "
    "hypotheses; n = 2, 3 and 6; every delta",
)
def chi_square_for_losses_without_a_range(forall: Forall, *, n: int, atoms: int, hypotheses: int):
    """P(some q has loss > empirical loss + sqrt((chi^2(q || p) + 1) E_p V / delta)) <= delta at every delta.

    V_h is the variance of the empirical loss of h, (4 (n - 2) zeta_1 + 2 zeta_2) / (n (n - 1)). The pair losses l_h(z,
    z') are any symmetric numbers: both sides of the event are homogeneous in them, so their bound stands for none. The
    remark says that such an extension exists; this is the one that Hoelder's and Markov's inequalities give.
    """
    law, prior = forall.simplex("law", atoms), forall.simplex("prior", hypotheses)
    drawn = forall.interval("losses", -1.0, 1.0, hypotheses, atoms, atoms)
    losses, shared = (drawn + drawn.mT) / 2, law.unsqueeze(-2).expand(-1, hypotheses, -1)
    gaps = pair_law(losses, shared, n)
    # for all q at once: sup_q E_q gap / sqrt(chi^2(q || p) + 1), sample by sample
    samples = gaps.gaps.mT
    suprema = conjugate_norm(samples, 2.0, prior=prior.unsqueeze(-2).expand(-1, samples.shape[-2], -1))
    variance = (prior * u_statistic_variance(losses, shared, n)).sum(-1)
    return Law(suprema, gaps.probabilities[..., 0, :]).worst_level((2 * variance).sqrt(), 2.0)
