"""Kernels of torch and sums of numpy that lose digits inside, where no statement of the body shows it."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812  (as everybody calls it)
from scipy import special, stats
from torch.distributions import Bernoulli

from harness import always, check, claim, identity
from harness.language.registry import Claim
from harness.verdict import Status


@claim("kernels/bernoulli", identity())
def bernoulli(forall):
    """log P(X = 0) = log(1 - p), by torch's binary cross entropy with logits."""
    p = forall.interval("p", 1e-7, 0.5)
    return Bernoulli(p).log_prob(torch.zeros_like(p)), torch.log1p(-p)


@claim("kernels/logits", identity())
def logits(forall):
    """-log(1 - sigmoid(x)) = -log sigmoid(-x)."""
    x = forall.interval("x", -300.0, 300.0)
    below = F.binary_cross_entropy_with_logits(x, torch.zeros_like(x), reduction="none")
    return below, F.binary_cross_entropy_with_logits(-x, torch.ones_like(x), reduction="none")


@claim("kernels/complex-sum", identity())
def complex_sum(forall):
    """sum_i z_i - sum_i z_i = 0 for complex z."""
    a = forall.interval("a", -1.0, 1.0, 3)
    z = torch.complex(a, 2 * a)
    return torch.cat([z, -z], -1).sum(-1).real, 0.0


@claim("kernels/complex-product", identity())
def complex_product(forall):
    """The same as a product with ones."""
    a = forall.interval("a", -1.0, 1.0, 3)
    z = torch.complex(a, 2 * a)
    return (torch.cat([z, -z], -1) @ torch.ones(6, dtype=torch.complex128)).real, 0.0


@claim("kernels/pooled", identity())
def pooled(forall):
    """The same as the mean of a window."""
    a = forall.interval("a", -1.0, 1.0, 3)
    return F.avg_pool1d(torch.cat([a, -a], -1)[:, None], 6)[:, 0, 0], 0.0


@claim("kernels/put", identity())
def put(forall):
    """The same, put where they add up."""
    a = forall.interval("a", -1.0, 1.0, 3)
    z = torch.cat([a, -a], -1).mT
    rows = torch.zeros(6, dtype=torch.int64)
    return torch.zeros_like(z[:1]).index_put((rows,), z, accumulate=True)[0], 0.0


@claim("kernels/numpy-sum", identity())
def numpy_sum(forall):
    """x + 1e10 - 1e10 = x, as a sum over an axis."""
    x = forall.interval("x", -1.0, 1.0).numpy()
    return torch.as_tensor(np.stack([x, 0 * x + 1e10, 0 * x - 1e10], -1).sum(-1)), torch.as_tensor(x)


@claim("kernels/numpy-product", identity())
def numpy_product(forall):
    """The same as a product."""
    x = forall.interval("x", -1.0, 1.0).numpy()
    return torch.as_tensor(np.stack([x, 0 * x + 1e10, 0 * x - 1e10], -1) @ np.ones(3)), torch.as_tensor(x)


@claim("kernels/python-sum", identity())
def python_sum(forall):
    """The same as a sum of a list."""
    x = forall.interval("x", -1.0, 1.0)
    return torch.tensor([sum([each, 1e10, -1e10]) for each in x.tolist()], dtype=torch.float64), x


@claim("kernels/sum-of-tensors", identity())
def sum_of_tensors(forall):
    """x + 1/3 - 1/3 = x, as a sum of a list of tensors, which stay tensors."""
    x = forall.interval("x", -1.0, 1.0)
    total = sum([x, torch.full_like(x, 1 / 3), torch.full_like(x, -1 / 3)])
    assert isinstance(total, torch.Tensor)
    return total, x


@claim("kernels/gamma", identity())
def gamma(forall):
    """P(Gamma(a) <= x) by scipy and by torch, which is wrong in the ninth digit."""
    a, x = forall.interval("a", 20.0, 40.0), forall.interval("x", 10.0, 60.0)
    return torch.as_tensor(stats.gamma.cdf(x.numpy(), a.numpy())), torch.special.gammainc(a, x)


@claim("kernels/airy", identity())
def airy(forall):
    """Ai(x) by scipy and by torch, which is wrong in the seventh digit."""
    x = forall.interval("x", -5.0, 5.0)
    return torch.as_tensor(special.airy(x.numpy())[0]), torch.special.airy_ai(x)


@claim("kernels/bernoulli-false", always())
def bernoulli_false(forall):
    """-log P(X = 0) <= .99 p for p from 1e-7: it is at least p."""
    p = forall.interval("p", 1e-3, 0.5)
    return -Bernoulli(p).log_prob(torch.zeros_like(p)), 0.99 * p


@claim("kernels/numpy-sum-false", always())
def numpy_sum_false(forall):
    """x + 1e10 - 1e10 <= x - 1e-3, beyond the rounding of 1e10."""
    x = forall.interval("x", -1.0, 1.0).numpy()
    return torch.as_tensor(np.stack([x, 0 * x + 1e10, 0 * x - 1e10], -1).sum(-1)), torch.as_tensor(x - 1e-3)


TRUE = [
    sum_of_tensors,
    bernoulli,
    logits,
    complex_sum,
    complex_product,
    pooled,
    put,
    numpy_sum,
    numpy_product,
    python_sum,
    gamma,
    airy,
]


@pytest.mark.parametrize("true", TRUE, ids=lambda claim: claim.id)
def test_what_is_lost_inside_refutes_nothing(true: Claim) -> None:
    assert check(true, effort="quick").status in (Status.HOLDS, Status.PROVED)


@pytest.mark.parametrize("false", [bernoulli_false, numpy_sum_false], ids=lambda claim: claim.id)
def test_what_is_false_beyond_it_is_refuted(false: Claim) -> None:
    assert check(false, effort="quick").status is Status.REFUTED


def test_cross_entropy_with_logits_taken_apart_is_that_of_torch() -> None:
    from harness.certify.rounding.fused import FUSED

    generator = torch.Generator().manual_seed(0)
    x, target, weight, share = torch.rand(4, 4, 5, generator=generator, dtype=torch.float64) * 3.0
    target = target / 3.0
    for code, reduction in enumerate(("none", "mean", "sum")):
        for given in ({}, {"weight": weight}, {"pos_weight": share}, {"weight": weight, "pos_weight": share}):
            ours = FUSED["binary_cross_entropy_with_logits"](x - 3.0, target, reduction=code, **given)
            torch.testing.assert_close(
                ours, F.binary_cross_entropy_with_logits(x - 3.0, target, reduction=reduction, **given)
            )
