"""Section 3.1 on the search on a GPU: what v and its gradient at many frequencies cost, in operations."""

import torch
from torch import Tensor

from algos.fourier.sums import fourier_potential_and_gradient
from harness import always, claim, grid
from harness.claims.operations import Operations

MOST = 16
"""Operations: one product, two trigonometric functions, two sums over the points, and what combines them."""


@claim(
    "nsrf/sec-3.1-operations",
    always(),
    over=grid(n=[1, 30, 1000], d=[1, 5, 100], m=[1, 20, 500]),
    cite="nsrf, Section 3.1, parallel initialization",
    quote="This admits a very efficient GPU implementation: the multi-point evaluations v_α(ω_{1..m}) and "
    "∇v_α(ω_{1..m}) can be computed from an (m, d) by (d, n) matrix product and pointwise trigonometric functions.",
    sizes="n = 1, 30 and 1000, d = 1, 5 and 100, m = 1, 20 and 500; operations on whole arrays are counted, and the "
    "numbers they compute, as print has no time",
)
def many_potentials_take_few_operations(*, n: int, d: int, m: int):
    """v and its gradient at m frequencies take 16 operations on arrays, whatever n, d and m, and O(m n d) numbers.

    One (m, d) by (d, n) product, its cosines and sines, their sums over the points, and one product more for the
    gradient: 4 m n d + 10 m n + m d + 3 m numbers, in place of the n^2 terms for each frequency in the definition.
    Left the largest share of these limits, or of 10^-9 for the relative error against sums point by point.
    """
    generator = torch.Generator().manual_seed(n + d + m)
    points, omega = (torch.randn(k, d, dtype=torch.float64, generator=generator) for k in (n, m))
    signed = torch.rand(n, dtype=torch.float64, generator=generator) - 0.5
    with Operations() as taken:
        found = potentials_and_gradients(points, omega, signed)
    wrong = max(
        float((ours - known).abs().max() / known.abs().max().clamp_min(1.0))
        for ours, known in zip(found, fourier_potential_and_gradient(points, omega, signed), strict=True)
    )
    numbers = 4 * m * n * d + 10 * m * n + m * d + 3 * m
    return max(taken.count / numbers, taken.calls / MOST, wrong / 1e-9), 1.0


def potentials_and_gradients(points: Tensor, omega: Tensor, signed: Tensor) -> tuple[Tensor, Tensor]:
    """|sum_i a_i exp(i <w, x_i>)|^2 (m,) and its gradients in w (m, d)."""
    phases = omega @ points.mT
    cosines, sines = phases.cos(), phases.sin()
    real, imaginary = cosines @ signed, sines @ signed
    slopes = (imaginary.unsqueeze(-1) * cosines - real.unsqueeze(-1) * sines) * signed
    return real * real + imaginary * imaginary, 2 * (slopes @ points)
