"""The margin keeps improving: one more pair of features never makes it smaller."""

import torch

from harness import Forall, always, claim, grid


@claim(
    "nsrf/margin-never-shrinks",
    always(),
    over=grid(n=[2], d=[1], rounds=[1, 4]) + grid(n=[5], d=[3], rounds=[4]),
    cite="nsrf, Section 5: the margin keeps improving, regardless of the dimensionality of the feature maps",
    sizes="n = 2 and 5, d = 1 and 3, after one and four rounds; weights up to 2",
    restricts="the margin alone, of features side by side, whose kernel grows: the one of mass one is under "
    "nsrf/margin-improves, test accuracy under nsrf/test-improves",
)
def one_more_pair_of_features(forall: Forall, *, n: int, d: int, rounds: int):
    """F(a) with the features of T + 1 rounds <= F(a) with those of the first T, for all a >= 0, points and frequencies.

    So the maximum over K falls, the reciprocal margin of the machine on the features that Algorithm 2 concatenates, in
    whatever dimension: a round adds the kernel cos <w, x - x'>. For the measure of mass one, whose weights are divided
    by T, no such path is promised: nsrf/margin-improves.
    """
    points, omega = forall.ball("points", n, d), forall.ball("omega", rounds + 1, d, radius=20.0)
    weights = forall.interval("weights", 0.0, 2.0, n)
    signed = forall.signs("labels", n) * weights
    phases = points @ omega.mT
    sums = torch.stack([phases.cos(), phases.sin()], -1).mul(signed[..., None, None]).sum(-3)
    potentials = sums.square().sum(-1)
    later, before = (weights.sum(-1) - potentials[..., :count].sum(-1) / 2 for count in (rounds + 1, rounds))
    return later, before
