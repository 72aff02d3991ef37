"""Evidence for `programs`: `python tests/alien/evidence/programs.py`.

Weaker than the other files: the bodies are the programs, and they are run themselves. What is drawn has an exact
probability or mean (fractions, recursions, quadrature), with which the body has to agree at its witness. Every other
falsehood is violated at its witness by far more than rounding. Truths are run at random and degenerate inputs of our
own, not those of the judge, where none may fail by more than 1e-8; drawn ones within five standard errors.
`libraries.py` uses the same checks.
"""

import math
from fractions import Fraction
from itertools import pairwise

import torch
from optim import run
from parts import part
from scipy import integrate, stats

from harness import Draw
from harness.kinds import Always, Expectation, HighProbability, Identity, Rate, UpToConstant
from harness.testing import instance

INPUTS, REPS, LAWS = 300, 2000, 6


class Inputs:
    """Random inputs in batches: one in seven has entries at ends of their interval only, one in ten equal entries."""

    def __init__(self, count, seed):
        self.count, self.keep = count, torch.ones(count, dtype=torch.bool)
        self.generator = torch.Generator().manual_seed(seed)

    def uniform(self, *shape):
        return torch.rand(self.count, *shape, generator=self.generator, dtype=torch.float64)

    def normal(self, *shape):
        return torch.randn(self.count, *shape, generator=self.generator, dtype=torch.float64)

    def kind(self, shape):
        return self.uniform(*[1 for _ in shape])

    def interval(self, name, low, high, *shape):
        x, kind = self.uniform(*shape), self.kind(shape)
        x = torch.where(kind < 0.15, x.round(), x)
        if shape:
            x = torch.where(kind > 0.9, x.flatten(1)[:, :1].reshape(kind.shape).expand_as(x), x)
        return low + (high - low) * x

    def integers(self, name, low, high, *shape):
        return torch.randint(low, high + 1, (self.count, *shape), generator=self.generator).double()

    def signs(self, name, *shape):
        return 2.0 * self.integers(name, 0, 1, *shape) - 1.0

    def sphere(self, name, *shape):
        x = self.normal(*shape)
        return x / x.norm(dim=-1, keepdim=True)

    def ball(self, name, *shape, radius=1.0):
        x = radius * self.sphere(name, *shape) * self.uniform(*shape[:-1], 1) ** (1.0 / shape[-1])
        kind = self.kind(shape)
        if len(shape) > 1:
            x = torch.where(kind < 0.1, x[:, :1].expand_as(x), x)
        return torch.where(kind > 0.97, 0.0, x)

    def simplex(self, name, *shape):
        x, kind = -self.uniform(*shape).log(), self.kind(shape)
        x = torch.where(kind < 0.3, x**6, x)
        x = torch.where(kind > 0.8, (x >= x.amax(-1, keepdim=True)).double(), x)
        return x / x.sum(-1, keepdim=True)

    def psd(self, name, n, trace):
        root = self.normal(n, n) * self.uniform(1, n) ** 4
        matrix = root @ root.mT
        return trace * matrix / matrix.diagonal(dim1=-2, dim2=-1).sum(-1)[:, None, None]

    def symmetric(self, name, n):
        low = 2.0 * self.uniform(n, n).tril() - 1.0
        return low.tril() + low.tril(-1).mT

    def orthogonal(self, name, n):
        return torch.linalg.qr(self.normal(n, n)).Q

    def permutation(self, name, n):
        return self.uniform(n).argsort(-1)

    def graph(self, name, n):
        edges = (self.uniform(n, n) < 0.5).double().tril(-1)
        return edges + edges.mT

    def law(self, name, atoms):
        values = {f"{name} atoms": self.uniform(atoms)[0].tolist(), f"{name} weights": self.simplex(name, atoms)[0]}
        return instance(values).law(name, atoms=atoms)

    def pareto(self, name, index):
        return instance({f"{name} index": self.interval(name, *index)[0].item()}).pareto(name, index=index)

    def assume(self, mask):
        self.keep &= torch.as_tensor(mask).expand(self.count)


def body(claim, cell, forall, draw):
    given = {"forall": forall, "draw": draw}
    return claim.body(**{name: given[name] for name in claim.wants}, **cell)


def check_drawn_truth(claim, cell, seed):
    """The share of violations, or the mean, at one random law."""
    returned = body(claim, cell, Inputs(1, seed), Draw(REPS, ("evidence", claim.id, seed)))
    if isinstance(claim.kind, Rate):
        return
    lhs, rhs = (torch.as_tensor(side).double().broadcast_to((REPS,)) for side in returned)
    if isinstance(claim.kind, HighProbability):
        lhs, rhs = (lhs > rhs).double(), torch.full((REPS,), cell[claim.kind.parameter], dtype=torch.float64)
    gap = lhs - rhs
    assert float(gap.mean()) <= 5.0 * float(gap.std()) / math.sqrt(REPS) + 1e-9, (claim.id, seed)


def check_truth(claim):
    drawn = isinstance(claim.kind, HighProbability | Expectation | Rate)
    for cell in claim.cells:
        if drawn:
            for seed in range(LAWS):
                check_drawn_truth(claim, cell, seed)
            continue
        forall = Inputs(INPUTS, 7)
        lhs, rhs = (torch.as_tensor(side).double().broadcast_to((INPUTS,)) for side in body(claim, cell, forall, None))
        lhs, rhs = lhs[forall.keep], rhs[forall.keep]
        if isinstance(claim.kind, UpToConstant):
            assert float((lhs / rhs).amax()) <= 2.0, claim.id
            continue
        gap = (lhs - rhs).abs() if isinstance(claim.kind, Identity) else lhs - rhs
        assert not bool((gap > 1e-8 * torch.maximum(lhs.abs(), rhs.abs()) + 1e-10).any()), claim.id
    print(f"{claim.id:45} {'drawn' if drawn else 'no violation'}")


def check_falsehood(claim, witness, exact):
    """`exact` is the probability, or the mean of the difference, of what is drawn."""
    if isinstance(claim.kind, Always | Identity):
        lhs, rhs = (float(torch.as_tensor(side)) for side in run(claim, witness, 1))
        gap = abs(lhs - rhs) if isinstance(claim.kind, Identity) else lhs - rhs
        assert gap > 1e-6 * max(abs(lhs), abs(rhs)), claim.id
    elif isinstance(claim.kind, HighProbability | Expectation):
        lhs, rhs = (torch.as_tensor(side).double() for side in run(claim, witness, REPS))
        stated = witness.get("probability", witness.get("mean"))
        gap = lhs - (rhs if "mean" in witness else 0.0)
        assert abs(stated - float(exact)) <= 1e-9, claim.id
        assert abs(float(gap.mean()) - stated) <= 5.0 * float(gap.std()) / math.sqrt(REPS) + 1e-9, claim.id
    print(f"{claim.id:45} violated")


def main(hand, exact):
    known, aside = part("known", hand), part("aside", hand)
    witnesses = {**known.WITNESSES, **aside.WITNESSES}
    claims = {getattr(c, "id", ""): c for ns in (known, aside) for c in vars(ns).values()}
    claims = {name: c for name, c in claims.items() if str(name).startswith(f"{hand}/")}
    assert set(claims) == set(witnesses) | set(known.PROOFS) | set(aside.PROOFS)
    for name, claim in claims.items():
        if name in witnesses:
            check_falsehood(claim, witnesses[name], exact.get(name.split("/")[1]))
        else:
            check_truth(claim)
    print("all evidence holds")


def step_down():
    """A true hypothesis is rejected beside two false ones shifted by four, limits 0.1 / (4 - j + 0.7)."""
    first, second, third = (0.1 / (4 - j + 0.7) for j in (1, 2, 3))

    def law(q):
        return stats.norm.cdf(4.0 + stats.norm.ppf(q))

    def density(u):
        """By the smaller true p-value u, of density 2 (1 - u), and how many false ones lie below it."""
        total = (u <= first) * (1.0 - law(u)) ** 2 + (u <= second) * 2.0 * law(min(u, first)) * (1.0 - law(u))
        if u <= third:
            both, least = law(min(u, second)), law(min(u, first))
            total += both**2 - (both - least) ** 2
        return 2.0 * (1.0 - u) * total

    ends = [0.0, 1e-6, 1e-4, first, second, third]
    return sum(integrate.quad(density, a, b, epsabs=1e-13, limit=200)[0] for a, b in pairwise(ends))


def upper_confidence():
    """Plays of the worse arm, less the bound, where the better one always pays: by recursion over all histories."""
    states = {(1, 1, wins): 0.5 for wins in (0, 1)}
    for t in range(2, 30):
        new = {}
        for (a, b, wins), chance in states.items():
            bonus = [math.sqrt(2.0 * math.log(t) / plays) for plays in (a, b)]
            better = 1.0 + bonus[0] >= wins / b + bonus[1]
            for then in [(a + 1, b, wins)] if better else [(a, b + 1, wins), (a, b + 1, wins + 1)]:
                new[then] = new.get(then, 0.0) + (chance if better else chance / 2.0)
        states = new
    return sum(chance * b for (_, b, _), chance in states.items()) - 0.3 * math.log(30.0) / 0.25


def binomial(n, p):
    return [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


def explore():
    better, worse = binomial(6, Fraction(3, 4)), binomial(6, Fraction(1, 4))
    return sum(better[i] * worse[j] for i in range(7) for j in range(i, 7))


def cross_validation():
    p = Fraction(1, 4)
    majority = sum(binomial(7, p)[4:])
    return p * (1 - majority) + (1 - p) * majority - p


EXACT = {
    "plain-permutation-test": 1,
    "subtle-conformal-rank": Fraction(2, 9),
    "plain-step-up-nulls": Fraction(3, 25) - Fraction(1, 10),
    "subtle-step-down": step_down(),
    "plain-upper-confidence": upper_confidence(),
    "plain-explore-then-commit": explore(),
    "plain-cross-validation": cross_validation(),
}

if __name__ == "__main__":
    main("programs", EXACT)
