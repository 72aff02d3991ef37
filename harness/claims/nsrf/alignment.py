"""Kernel alignment as an integral against the spectral measure."""

import torch

from algos.fourier import fourier_potential
from harness import Forall, claim, grid, identity


@claim("nsrf/eq-4", identity(), over=grid(n=[1, 2, 6], frequencies=[1, 4]), cite="nsrf, equation (4)")
def alignment_is_an_integral_of_the_potential(forall: Forall, *, n: int, frequencies: int):
    """Kernel alignment a'Y G Y a is the integral of the Fourier potential v_a against the kernel's spectral measure."""
    points = forall.ball("points", n, 2)
    labels = forall.signs("labels", n)
    weights = forall.interval("weights", 0.0, 1.0, n)
    omega = forall.ball("omega", frequencies, 2, radius=20.0)
    measure = forall.simplex("measure", frequencies)
    gaps = points.unsqueeze(-2) - points.unsqueeze(-3)
    gram = (torch.cos(gaps @ omega.mT.unsqueeze(-3)) * measure[..., None, None, :]).sum(-1)
    signed = (labels * weights).unsqueeze(-1)
    alignment = (signed.mT @ gram @ signed).squeeze((-2, -1))
    return alignment, (measure * fourier_potential(points, omega, labels * weights)).sum(-1)
