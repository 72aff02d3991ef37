"""Rademacher complexities of the unit ball, with the factor 2/n of Definition 1."""

from algos.rademacher import unit_ball_rademacher_complexity
from bounds.rademacher import printed_unit_ball_complexity, unit_ball_complexity
from harness import Forall, always, claim, grid

from .designs import trace


@claim("uarff/lem-2", always(), over=grid(n=[1, 2, 4, 6]), reading="printed", expected="refuted", cite="uarff, Lemma 2")
def rademacher_complexity_as_printed(forall: Forall, *, n: int):
    """The Rademacher complexity of the unit ball (Definition 1, factor 2/n) is at most sqrt(Tr K) / n.

    Sample by sample; as the left side exceeds the right one for *every* K other than zero, by sqrt(2) to 2, so do their
    expectations over samples. The printed line holds in the convention without the factor 2.
    """
    kernel = forall.psd("K", n)
    return unit_ball_rademacher_complexity(kernel), printed_unit_ball_complexity(trace(kernel), n)


@claim("uarff/lem-2", always(), over=grid(n=[1, 2, 4, 6]), reading="corrected", cite="uarff, Lemma 2")
def rademacher_complexity(forall: Forall, *, n: int):
    """The Rademacher complexity of the unit ball (Definition 1, factor 2/n) is at most 2 sqrt(Tr K) / n."""
    kernel = forall.psd("K", n)
    return unit_ball_rademacher_complexity(kernel), unit_ball_complexity(trace(kernel), n)
