"""Functions of independent variables: deviations from their mean, their variance, sampling without replacement."""

import torch

from harness import always, claim, every, expected_value, tail
from harness.claims.classics.concentration import TAILS


@claim(
    "classics/bounded-differences-mean",
    tail(),
    cite="McDiarmid 1989; Boucheron, Lugosi, Massart 2013, Theorem 6.2",
    restricts="Kolmogorov's distance of 20 uniform numbers from their law; its mean up to .03",
    sharp=TAILS,
)
def bounded_differences_mean(forall, draw):
    """P(f - E f >= t) <= exp(-2 n t^2) where a variable changes f by 1/n at most: here f = sup_t |F_n(t) - t|."""
    t, steps = forall.interval("t", 0.0, 0.5), torch.arange(21.0, device=draw.device) / 20.0

    def distance(draw):
        x = draw.uniform("x", 20).sort(-1).values
        return torch.maximum((steps[1:] - x).amax(-1), (x - steps[:-1]).amax(-1))

    mean = expected_value(draw, "E f", distance, low=0.0, high=1.0, side="above", reps=2**12)
    return distance(draw) - mean >= t, torch.exp(-40.0 * t**2)


@claim(
    "classics/self-bounding",
    tail(),
    cite="Boucheron, Lugosi, Massart 2013, Theorem 6.12",
    restricts="the number of different values among six draws of three values",
    sharp=TAILS,
)
def self_bounding(forall, draw):
    """P(Z - E Z >= t) <= exp(-t^2 / (2 E Z + 2 t / 3)) for self-bounding Z: here the number of different values."""
    p, t = forall.simplex("p", 3), forall.interval("t", 0.05, 2.0)

    def different(draw):
        x = draw.categorical("x", p, 6)
        return sum((x == k).any(-1).double() for k in range(3))

    mean = expected_value(draw, "E Z", different, low=0.0, high=3.0, side="above")
    return different(draw) - mean >= t, torch.exp(-(t**2) / (2.0 * mean + 2.0 * t / 3.0))


@claim(
    "classics/efron-stein",
    always(),
    cite="Efron and Stein 1981; Boucheron, Lugosi, Massart 2013, Theorem 3.1",
    restricts="the largest of three",
    sharp=0.8,
)
def efron_stein(forall):
    """Var Z <= (1/2) sum_i E (Z - Z_i)^2, where Z_i draws the i-th variable anew: here Z = max x_i."""
    x, p = every.samples(forall.law("P"), 4)
    z, changed = x[..., :3].amax(-1), [x.roll(i, -1)[..., :3].amax(-1) for i in (1, 2, 3)]
    variance = (p * (z - (p * z).sum(-1, keepdim=True)) ** 2).sum(-1)
    return variance, sum((p * (z - other) ** 2).sum(-1) for other in changed) / 2.0


@claim("classics/without-replacement", always(), cite="Hoeffding 1963, Theorem 4", sharp=0.8)
def without_replacement(forall):
    """E f(sum of three draws without replacement) <= E f(sum with replacement) for convex f, here |s - c|."""
    population, c = forall.interval("x", -1.0, 1.0, 4), forall.interval("c", -3.0, 3.0)
    orders, draws = every.permutations(4, like=c).long(), every.vectors(4, 3, like=c).long()
    without, replaced = (population[:, index[:, :3]].sum(-1) - c[:, None] for index in (orders, draws))
    return without.abs().mean(-1), replaced.abs().mean(-1)
