"""Appendix A.2 and Section 5.4: how many steps a loss and a posterior take.

The formulas are evaluated on numbers that count: each sum, product, quotient, cosine, sine and exponential is a step.
"""

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from harness import always, claim, grid
from harness.claims.counted import Counted, Steps, inner, total

Method = Literal["(21)", "Proposition 7", "Proposition 8"]


def counted_loss(points: np.ndarray, labels: np.ndarray, frequency: np.ndarray, method: Method) -> Counted:
    """The empirical alignment loss of one frequency, with the steps that it takes from points (n, d)."""
    steps = Steps()
    x = [[Counted(float(entry), steps) for entry in point] for point in points]
    w = [Counted(float(entry), steps) for entry in frequency]
    n = len(x)
    if method == "(21)":
        return _naive(x, labels, w) / float(n * (n - 1))
    phases = [inner(point, w) for point in x]
    waves = [(phase.cos(), phase.sin()) for phase in phases]
    if method == "Proposition 7":
        signed = [[part * float(label) for part in wave] for wave, label in zip(waves, labels, strict=True)]
        agreement = total([part * part for part in [total(list(parts)) for parts in zip(*signed, strict=True)]])
    else:
        classes = [[wave for wave, label in zip(waves, labels, strict=True) if label == c] for c in np.unique(labels)]
        sums = [[total(list(parts)) for parts in zip(*members, strict=True)] for members in classes]
        within = total([part * part for pair in sums for part in pair]) * 2.0
        overall = [total(list(parts)) for parts in zip(*sums, strict=True)]
        agreement = within - total([part * part for part in overall])
    return Counted(n / (2 * (n - 1)), steps) - agreement / float(2 * n * (n - 1))


def _naive(x: Sequence[Sequence[Counted]], labels: np.ndarray, w: Sequence[Counted]) -> Counted:
    """The sum over ordered pairs of (1 - lambda cos(<w, x - x'>)) / 2, as (21) is written."""
    one, losses = Counted(1.0, w[0].steps), []
    for i, j in ((i, j) for i in range(len(x)) for j in range(len(x)) if i != j):
        cosine = inner([a - b for a, b in zip(x[i], x[j], strict=True)], w).cos()
        losses.append((one - cosine * (1.0 if labels[i] == labels[j] else -1.0)) / 2.0)
    return total(losses)


def sample(n: int, dimension: int, classes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points (n, d), labels of so many classes (of two, -1 and +1), and a frequency (d,)."""
    generator = np.random.default_rng([n, dimension, classes])
    points, frequency = generator.normal(size=(n, dimension)), generator.normal(size=dimension)
    labels = np.arange(n) % classes
    return points, 2 * labels - 1 if classes == 2 else labels, frequency


@claim(
    "pbrff/A.2",
    always(),
    cite="pbrff, Appendix A.2, Propositions 7 and 8",
    over=[
        *grid(method=["Proposition 7"], n=[2, 30, 300], dimension=[1, 8], classes=[2]),
        *grid(method=["Proposition 8"], n=[5, 300], dimension=[1, 8], classes=[2, 5]),
    ],
    sizes="n <= 300, d <= 8, at most five classes; arithmetic is counted",
)
def loss_takes_linearly_many_steps(*, method: Method, n: int, dimension: int, classes: int):
    """Propositions 7 and 8 take O(n) steps: at most (2 d + 5) n, and 8 for each class, with d the dimension of a point.

    The paper counts the product <w, x> as one step: its O(n) is O(n d).
    """
    points, labels, frequency = sample(n, dimension, classes)
    return counted_loss(points, labels, frequency, method).steps.taken, (2 * dimension + 5) * n + 8 * classes


@claim(
    "pbrff/A.2-naive",
    always(),
    cite="pbrff, Appendix A.2, equation (21)",
    over=grid(n=[2, 10, 40], dimension=[1, 4]),
    sizes="n <= 40, d <= 4; arithmetic is counted",
)
def naive_loss_takes_quadratically_many_steps(*, n: int, dimension: int):
    """Equation (21) as it is written takes of the order of n^2 steps: at least 3 d + 3 for each of n (n - 1) pairs."""
    return (3 * dimension + 3) * n * (n - 1), counted_loss(*sample(n, dimension, 2), "(21)").steps.taken


@claim(
    "pbrff/eq-19-steps",
    always(),
    cite="pbrff, Section 5.4, last paragraph",
    over=grid(N=[1, 10, 2000]),
    sizes="N <= 2000; arithmetic is counted",
)
def new_posterior_takes_linearly_many_steps(*, N: int):
    """Once the losses are known, a new beta gives a new posterior (19) in O(N) steps: at most 4 N."""
    losses = np.random.default_rng(N).uniform(size=N)
    return counted_posterior(losses, 1.0, sample_size=340)[0].steps.taken, 4 * N


def counted_posterior(losses: np.ndarray, beta: float, *, sample_size: int) -> list[Counted]:
    """The weights of (19), with the steps that they take from the losses (N,)."""
    steps, temperature = Steps(), -beta * math.sqrt(sample_size)
    weights = [(Counted(float(loss), steps) * temperature).exp() for loss in losses]
    normalisation = total(weights)
    return [weight / normalisation for weight in weights]
