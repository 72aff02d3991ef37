"""Rademacher complexities with the factor 2/n and the absolute value of Definition 1, and what they bound."""

import math

import torch
from torch.nn.functional import softplus

from algos.complexity.local_rademacher import local_rademacher_complexity
from algos.complexity.rademacher import unit_ball_rademacher_complexity
from bounds.complexity.rademacher import printed_unit_ball_complexity, unit_ball_complexity
from bounds.random_features.lipschitz_risk import composition_complexity, risk_deviation
from harness import Draw, Forall, always, claim, grid, high_probability, identity
from harness.claims.placement import table

from .designs import trace
from .finite_classes import class_complexity, example_complexity
from .symbols import DEFINITION_1


@claim(
    "uarff/def-1",
    identity(),
    over=[{"n": 1, "functions": 4}, {"n": 3, "functions": 2}],
    cite="uarff, Definition 1",
    sizes="all classes of two and four functions, n = 1 and 3",
)
def convention_of_the_rademacher_complexity(forall: Forall, *, n: int, functions: int):
    """E max |(2/n) sum sigma_i f(x_i)| over a class = 2 E max (1/n) sum sigma_i f(x_i) over the class and its negative.

    Definition 1 has the factor 2 and the absolute value; Lemmas 6 and 7 come from a source that has neither.
    """
    values = forall.interval("values", -1.0, 1.0, functions, n)
    symmetric = torch.cat([values, -values], dim=-2)
    return class_complexity(values), 2 * class_complexity(symmetric, convention="plain")


@claim(
    "uarff/def-1-ball",
    identity(),
    over=grid(n=[1, 3]),
    cite="uarff, Definition 1",
    restricts="n = 1 and 3, kernel matrices kept away from singular ones",
)
def rademacher_complexity_of_the_unit_ball(forall: Forall, *, n: int):
    """The Rademacher complexity of the unit ball is (2/n) E sqrt(sigma^T K sigma), sample by sample.

    On the left the supremum over the functions of the ball, by convex duality. Kernels are kept away from singular
    ones, where square roots of rounding errors would be compared.
    """
    kernel = forall.psd("K", n, trace=1.0)
    kernel = kernel + 0.01 * table(torch.eye(n), like=kernel)
    return local_rademacher_complexity(kernel, math.inf), unit_ball_rademacher_complexity(kernel)


@claim(
    "uarff/lem-2",
    always(),
    over=grid(n=[1, 2, 4]),
    reading="printed",
    expected="refuted",
    cite="uarff, Lemma 2",
    quote="we have that R_n(H_0) <= (1/n) E_X[sqrt(Tr(K))]",
    defect=DEFINITION_1,
)
def rademacher_complexity_as_printed(forall: Forall, *, n: int):
    """The Rademacher complexity of the unit ball (Definition 1, factor 2/n) is at most sqrt(Tr K) / n.

    Sample by sample; as the left side exceeds the right one for *every* K other than zero, by sqrt(2) to 2, so do their
    expectations over samples. The printed line holds in the convention without the factor 2. Only
    constants inside O(1 / sqrt(n)) change.
    """
    kernel = forall.psd("K", n)
    return unit_ball_rademacher_complexity(kernel), printed_unit_ball_complexity(trace(kernel), n)


@claim(
    "uarff/lem-2",
    always(),
    over=grid(n=[1, 2, 4]),
    reading="corrected",
    cite="uarff, Lemma 2",
    sizes="n = 1, 2 and 4",
)
def rademacher_complexity(forall: Forall, *, n: int):
    """The Rademacher complexity of the unit ball (Definition 1, factor 2/n) is at most 2 sqrt(Tr K) / n."""
    kernel = forall.psd("K", n)
    return unit_ball_rademacher_complexity(kernel), unit_ball_complexity(trace(kernel), n)


@claim(
    "uarff/lem-3",
    high_probability("delta"),
    trivial=1.0,
    over=[
        {"n": 40, "delta": 0.1, "functions": 3, "examples": 2},
        {"n": 24, "delta": 0.3, "functions": 2, "examples": 3},
    ],
    cite="uarff, Lemma 3",
    sizes="any class of two and three functions, all distributions on two and three examples, n = 24 and 40, "
    "delta = .1 and .3",
    unnoticed="the deviation is paid with the largest range of any loss: .14 of it is reached",
)
def risks_of_a_class_at_once(forall: Forall, draw: Draw, *, n: int, delta: float, functions: int, examples: int):
    """With probability 1 - delta, E l_f <= E_n l_f + R_n(l o H) + sqrt(8 log(2 / delta) / n) for all f at once.

    Losses lie in [0, 1] and the class is fixed before the sample, as the lemma assumes; it speaks of all f, then of
    the probability, and is meant uniformly. R_n is exact, over all samples and signs. At delta = 0.1 the right side is
    below 1 from n = 24 on.
    """
    losses = forall.interval("losses", 0.0, 1.0, functions, examples)
    at_zero, law = forall.interval("losses_of_zero", 0.0, 1.0, 1, examples), forall.simplex("law", examples)
    share = draw.multinomial("sample", n, law) / n
    gaps = ((law - share).unsqueeze(-2) * losses).sum(-1)
    complexity = example_complexity(losses - at_zero, law, n)
    return gaps.amax(-1), risk_deviation(complexity, n, delta, convention="absolute")


@claim(
    "uarff/lip-comp",
    always(),
    over=[
        {"loss": "any", "n": 1, "functions": 3},
        {"loss": "any", "n": 2, "functions": 2},
        {"loss": "absolute", "n": 2, "functions": 3},
        {"loss": "absolute", "n": 3, "functions": 2},
        *grid(loss=["hinge", "logistic"], n=[2], functions=[2]),
    ],
    cite="uarff, Section 2.3, below Lemma 3",
    sizes="any Lipschitz loss at each example, classes of two and three functions, n = 1 and 2; three losses, n <= 3",
)
def composition_with_a_lipschitz_loss(forall: Forall, *, loss: str, n: int, functions: int):
    """R_n(l o H) <= 2 L R_n(H) for a loss with Lipschitz constant L, sample by sample.

    Losses are counted from that of f = 0. With the absolute value of Definition 1 the factor 2 can be attained, from n
    = 2 on, by L |y - f|; (19) uses L. Any loss at n examples is one Lipschitz function of n distant pieces of the line.
    """
    values = forall.interval("values", -1.0, 1.0, functions, n)
    if loss == "any":
        places = torch.cat([values, torch.zeros_like(values[:, :1])], -2) + 10.0 * table(range(n), like=values)
        anywhere = forall.lipschitz("loss", places.flatten(-2)).unflatten(-1, (functions + 1, n))
        losses = anywhere[:, :-1] - anywhere[:, -1:]
    elif loss == "absolute":
        y = forall.interval("y", -1.5, 1.5, 1, n)
        losses = (y - values).abs() - y.abs()
    else:
        margins = forall.signs("labels", 1, n) * values
        losses = (1 - margins).clamp(min=0) - 1 if loss == "hinge" else softplus(-margins) - math.log(2)
    lipschitz = forall.interval("lipschitz", 0.1, 10.0)
    losses = lipschitz[:, None, None] * losses
    complexity = class_complexity(values)
    return class_complexity(losses), composition_complexity(complexity, lipschitz=lipschitz, convention="absolute")
