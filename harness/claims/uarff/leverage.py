"""Ridge leverage scores: what they sum to, and how large one can be."""

from algos.leverage import effective_dimension, feature_kernel, ridge_leverage_scores
from bounds.leverage import leverage_score_upper
from harness import Forall, always, claim, grid, identity


@claim("uarff/lev-int", identity(), over=grid(n=[1, 2, 5], atoms=[1, 2, 9]), cite="uarff, Section 2.2")
def leverage_scores_integrate_to_the_effective_dimension(forall: Forall, *, n: int, atoms: int):
    """The ridge leverage scores of all features sum to the effective dimension Tr K (K + n lambda I)^-1."""
    features = forall.interval("features", -1.0, 1.0, n, atoms)
    probabilities = forall.simplex("probabilities", atoms)
    ridge = forall.interval("ridge", 1e-3, 10.0)
    scores = ridge_leverage_scores(features, probabilities, ridge)
    return scores.sum(-1), effective_dimension(feature_kernel(features, probabilities), ridge)


@claim("uarff/lev-upper", always(), over=grid(n=[1, 2, 5], atoms=[1, 2, 9]), cite="uarff, Section 2.2")
def leverage_scores_are_bounded_by_the_features(forall: Forall, *, n: int, atoms: int):
    """l(v) <= p(v) z_0^2 / lambda for every feature v, where |z(v, x)| <= z_0."""
    features = forall.interval("features", -1.0, 1.0, n, atoms)
    probabilities = forall.simplex("probabilities", atoms)
    ridge = forall.interval("ridge", 1e-3, 10.0)
    score = ridge_leverage_scores(features, probabilities, ridge)[..., 0]  # the atoms' order is free: any will do
    return score, leverage_score_upper(probabilities[..., 0], features.abs().amax((-2, -1)), ridge / n)
