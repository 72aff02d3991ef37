"""The discrete Markov chain of Appendix A.3: it mixes to exp(beta v(l, m)) over the harmonics of a sample."""

import torch
from torch import Tensor

from harness import Forall, always, claim, grid
from harness.claims.nsrf import defects
from harness.claims.nsrf.explicit_harmonics import explicit_harmonics


@claim(
    "nsrf/A.3-mixing",
    always(),
    over=[{"share": 0.2, "degree": 2}, {"share": 0.05, "degree": 5}],
    reading="inferred",
    expected="refuted",
    cite="nsrf, Appendix A.3: 'a discrete Markov chain which mixes to lambda(l, m) ~ exp(beta v)', if on all indices",
    defect=defects.MIXING,
)
def law_of_the_chain_on_all_harmonics(forall: Forall, *, share: float, degree: int):
    """lambda ~ exp(beta v(l, m)) is a law on all harmonics: exp(beta v) sums to exp(beta v(0, 0))/lambda(0, 0).

    Left the sum over the degrees up to L, at least (L + 1)^2 for every sample and every beta >= 0, as v is not
    negative; right what a share lambda(0, 0) > 0 of the constant harmonic allows it to be for all L at once. However
    small the share is, some L exceeds it: there is no such law, and nothing to mix to. One point, d = 3, beta <= 1.
    """
    point, beta = forall.sphere("x", 1, 3), forall.interval("beta", 0.0, 1.0)
    waves = torch.cat([explicit_harmonics(point, ell) for ell in range(degree + 1)], -1)[..., 0, :]
    terms = (beta.unsqueeze(-1) * (waves * waves.conj()).real).exp()
    return terms.sum(-1), terms[..., 0] / share


@claim(
    "nsrf/A.3-mixing",
    always(),
    over=grid(n=[1], d=[2], degree=[2], steps=[1])
    + grid(n=[4], d=[3], degree=[2], steps=[5])
    + grid(n=[2], d=[5], degree=[1], steps=[3]),
    reading="corrected",
    cite="nsrf, Appendix A.3: a discrete Markov chain that mixes to exp(beta v(l, m)), up to the threshold J",
    sizes="d = 2, 3 and 5, all harmonics up to J = 1 and 2, one, two and four points; one, three and five steps",
)
def harmonic_chain_mixes(forall: Forall, *, n: int, d: int, degree: int, steps: int):
    """The Metropolis chain on the harmonics is within (1 - 1/(N max pi))^k of pi ~ exp(beta v(l, m)) after k steps.

    In total variation, from any start: it mixes to pi. Over the harmonics up to the threshold J of the paper's next
    paragraph: over all of them exp(beta v) has no finite sum (nsrf/A.3-mixing[inferred]). The paper names no chain;
    this one, with uniform proposals from N harmonics, is the plainest. Each step goes to pi itself with this
    probability (Doeblin), for off the diagonal P_ij = pi_j/(N max(pi_i, pi_j)). 1e-12 is added for rounding where pi
    is uniform.
    """
    law = boltzmann(forall, n, d, degree)
    start = forall.simplex("start", law.shape[-1])
    reached = (start.unsqueeze(-2) @ torch.linalg.matrix_power(metropolis(law), steps)).squeeze(-2)
    bound = (1 - 1 / (law.shape[-1] * law.amax(-1))).clamp(min=0) ** steps
    return (reached - law).abs().sum(-1) / 2, bound + 1e-12


def boltzmann(forall: Forall, n: int, d: int, degree: int) -> Tensor:
    """exp(beta v(l, m)), normalised, over all harmonics up to a degree, for any sample and any beta <= 20."""
    points, labels = forall.sphere("points", n, d), forall.signs("labels", n)
    signed = labels * forall.interval("weights", 0.0, 1.0, n)
    harmonics = torch.cat([explicit_harmonics(points, ell) for ell in range(degree + 1)], -1)
    sums = (signed.unsqueeze(-1) * harmonics).sum(-2)
    return torch.softmax(forall.interval("beta", 0.0, 20.0).unsqueeze(-1) * (sums * sums.conj()).real, -1)


def metropolis(law: Tensor) -> Tensor:
    """Transition matrix for proposals drawn uniformly from all states, accepted with probability min(1, pi_j/pi_i)."""
    size = law.shape[-1]
    moves = (law.unsqueeze(-2) / law.unsqueeze(-1)).clamp(max=1.0) / size
    moves = moves * (1 - torch.eye(size, dtype=law.dtype, device=law.device))
    return moves + torch.diag_embed(1 - moves.sum(-1))
