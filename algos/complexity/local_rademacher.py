"""Local Rademacher complexity of the unit ball of a kernel space, exactly, and fixed points of sub-root functions."""

from collections.abc import Callable
from typing import Annotated

import torch
from torch import Tensor

from algos._cholesky import broadcast_batch, check_square
from algos._domains import Kernel, NonNegativeBatch, PositiveBatch, UnboundedBatch, Undefinable
from algos.complexity.rademacher import all_signs
from signatures.checked import checked
from signatures.numbers import PositiveFloat, Size
from signatures.tensors import Shaped

_BISECTIONS = 60


@checked
def local_suprema(kernel: Kernel, signs: Annotated[Tensor, Shaped("*batch k n")], radius: UnboundedBatch) -> Tensor:
    """Largest correlation of given signs with the functions of the unit ball that are small on the sample.

    ``sup {sigma^T f : |f|_H <= 1, (1/n) sum f(x_i)^2 <= r}``; by Lagrange duality the square root of
    ``min_{0 <= t <= 1} sum_i g_i^2 / (t / mu_i + (1 - t) / (n r))`` with ``g = U^T sigma`` and ``K = U diag(mu) U^T``,
    a convex problem in one variable, solved by bisection of its derivative. Gradients treat t as constant (envelope).
    Directions with eigenvalue zero (to rounding) contribute nothing.

    Parameters
    ----------
    kernel : Tensor (*batch, n, n)
        Positive semidefinite, not divided by n. Gradients through it need distinct eigenvalues.
    signs : Tensor (*batch, k, n)
        Any vectors sigma.
    radius : float or Tensor (*batch,)
        r >= 0; infinity removes the constraint.

    Returns
    -------
    Tensor (*batch, k)

    Raises
    ------
    ValueError
        If the kernel is not square, the signs do not match it or the radius is negative.

    References
    ----------
    uarff Lemma 7 (its left-hand side, of which the paper bounds the mean).
    """
    check_square("the kernel matrix", kernel)
    n = kernel.shape[-1]
    if signs.ndim < 2 or signs.shape[-1] != n:
        raise ValueError(f"signs have shape {tuple(signs.shape)}, but there are {n} points: pass (*batch, k, {n})")
    limit = n * torch.as_tensor(radius, dtype=kernel.dtype, device=kernel.device)
    if not bool((limit >= 0).all()):
        raise ValueError(f"the radius is {limit.min().item() / n}, but bounds a mean square: pass r >= 0")
    eigenvalues, vectors = torch.linalg.eigh(kernel)
    floor = n * torch.finfo(kernel.dtype).eps * eigenvalues[..., -1:].clamp_min(0)
    spectrum = torch.where(eigenvalues > floor, eigenvalues, 0.0).unsqueeze(-2)
    squares = (signs.to(kernel) @ vectors).square()
    unit = _power_of_four(spectrum.detach().amax(-1, keepdim=True))
    return _dual_minimum(squares, spectrum / unit, limit[..., None, None] / unit) * unit.squeeze(-1).sqrt()


@checked
def local_rademacher_complexity(kernel: Kernel, radius: UnboundedBatch) -> Tensor:
    """Empirical local Rademacher complexity of the unit ball of a kernel space, over all sign vectors.

    ``E_sigma sup {|(2/n) sum_i sigma_i f(x_i)| : |f|_H <= 1, (1/n) sum f(x_i)^2 <= r}``; halve it for the convention
    ``1/n`` (the absolute value changes nothing: the class is symmetric).

    Parameters
    ----------
    kernel : Tensor (*batch, n, n)
        Positive semidefinite, n between 1 and 16.
    radius : float or Tensor (*batch,)
        r >= 0.

    Returns
    -------
    Tensor (*batch,)

    Raises
    ------
    ValueError
        If the kernel is not square, n is out of range or the radius is negative.

    References
    ----------
    uarff Definition 1 and Lemma 7.
    """
    check_square("the kernel matrix", kernel)
    n = kernel.shape[-1]
    return 2 / n * local_suprema(kernel, all_signs(n, like=kernel), radius).mean(-1)


@checked
def sub_root_fixed_point(
    function: Callable[[Tensor], Tensor],
    start: Annotated[Tensor, Shaped("*batch", "(0, inf)")],
    *,
    iterations: Size = 100,
    rtol: PositiveFloat = 1e-13,
) -> Undefinable:
    """Positive fixed point r* = psi(r*) of sub-root functions, by iterating r <- psi(r).

    For psi non-decreasing with ``psi(r) / sqrt(r)`` non-increasing, the iterates move monotonically towards r* and the
    distance ``|log(r / r*)|`` at least halves in each step, so that any start will do; the defaults reach rounding.

    Parameters
    ----------
    function : callable
        psi, applied to all entries at once; maps Tensor (*batch,) to Tensor (*batch,).
    start : Tensor (*batch,)
        Positive.
    iterations : int
    rtol : float
        Entries whose last step was relatively larger (no sub-root function) give NaN.

    Returns
    -------
    Tensor (*batch,)

    Raises
    ------
    ValueError
        If a start is not positive.

    References
    ----------
    uarff Definition 4 and Lemma 5, with the square root that the definition lacks in print.
    """
    if not bool((start > 0).all()):
        raise ValueError(f"the start is {start.min().item()}, but zero may be a second fixed point: start above it")
    value = start
    for _ in range(iterations):
        previous, value = value, function(value)
    settled = (value - previous).abs() <= rtol * previous.abs() if iterations else torch.zeros_like(start).bool()
    return torch.where(settled & (value > 0), value, torch.nan)


@checked
def local_fixed_point(
    eigenvalues: Annotated[Tensor, Shaped("*batch n", "[0, inf)")],
    *,
    scale: PositiveBatch = 1.0,
    offset: NonNegativeBatch = 0.0,
    stretch: PositiveFloat = 1.0,
) -> Tensor:
    """Fixed point of the spectral bound on a local Rademacher complexity.

    The positive solution of ``r = a sqrt((2/n) sum_i min(e r, lambda_i)) + b / n``; zero if all eigenvalues and b are.

    Parameters
    ----------
    eigenvalues : Tensor (*batch, n)
        Of K / n, non-negative.
    scale, offset : float or Tensor (*batch,)
        a > 0 and b >= 0.
    stretch : float
        e > 0.

    Returns
    -------
    Tensor (*batch,)

    Raises
    ------
    ValueError
        If an eigenvalue or the offset is negative, or the scale or the stretch is not positive.

    References
    ----------
    uarff Lemma 7 and eq. 10.
    """
    a, b = (torch.as_tensor(v, dtype=eigenvalues.dtype, device=eigenvalues.device) for v in (scale, offset))
    if not (bool((eigenvalues >= 0).all()) and bool((b >= 0).all()) and bool((a > 0).all()) and stretch > 0):
        raise ValueError(
            f"the smallest eigenvalue is {eigenvalues.min().item()}, the offset {b.min().item()}, the scale "
            f"{a.min().item()} and the stretch {stretch}: the first two must not be negative, the others positive"
        )
    n = eigenvalues.shape[-1]

    def function(r: Tensor) -> Tensor:
        capped = torch.minimum(stretch * r.unsqueeze(-1), eigenvalues).sum(-1)
        return a * torch.where(capped > 0, 2 / n * capped, 1.0).sqrt() * (capped > 0) + b / n

    batch = broadcast_batch(eigenvalues.shape[:-1], a.shape, b.shape)
    largest = function(eigenvalues.new_full(batch, torch.inf))
    empty = largest == 0
    return torch.where(empty, 0.0, sub_root_fixed_point(function, torch.where(empty, 1.0, largest)))


def _power_of_four(values: Tensor) -> Tensor:
    """One near each value: dividing by it rounds nothing, nor does its square root."""
    mantissa, exponent = torch.frexp(values)
    power = values / torch.where(values > 0, 2 * mantissa, 1.0)
    return torch.where(exponent % 2 == 0, power / 2, power).clamp(min=torch.finfo(values.dtype).tiny)


def _dual_minimum(squares: Tensor, spectrum: Tensor, limit: Tensor) -> Tensor:
    """Square root of the dual minimum; squares (*batch, k, n), spectrum (*batch, 1, n), limit (*batch, 1, 1)."""
    unbounded = limit.isinf()
    cap = torch.where(unbounded, 1.0, limit)

    def terms(t: Tensor) -> tuple[Tensor, Tensor]:
        """Summands ``1 / (t / mu + (1 - t) / cap)``, written without reciprocals of mu or cap; and denominators."""
        below = t * cap + (1 - t) * spectrum
        positive = (spectrum > 0) & (cap > 0)
        return torch.where(positive, spectrum * cap / torch.where(positive, below, 1.0), 0.0), positive

    with torch.no_grad():
        low = torch.zeros_like(squares[..., :1] * cap)
        high = torch.ones_like(low)
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            value, _ = terms(middle)
            slope = -(squares * value.square() * torch.where(value > 0, 1 / spectrum - 1 / cap, 0.0))
            slope = slope.sum(-1, keepdim=True)
            low, high = torch.where(slope < 0, middle, low), torch.where(slope < 0, high, middle)
        best = torch.where(unbounded, 1.0, (low + high) / 2)
    value = torch.where(unbounded, spectrum, terms(best)[0])
    total = (squares * value).sum(-1)
    positive = total > 0
    return torch.where(positive, torch.where(positive, total, 1.0).sqrt(), 0.0)
