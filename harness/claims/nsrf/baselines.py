"""The kernels that Figure 1 is compared with: the same machine, C = 1, on a Gaussian and an arc-cosine kernel."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from harness.claims.nsrf.learned_machine import accuracy, hinge_machine

Kernel = Callable[[Tensor, Tensor], Tensor]
Sample = tuple[Tensor, Tensor]


def gaussian(gamma: float) -> Kernel:
    """exp(-gamma |x - x'|^2)."""
    return lambda left, right: (-gamma * torch.cdist(left, right).square()).exp()


def median_gaussian(points: Tensor) -> Kernel:
    """Bandwidth sigma = the median of the pairwise distances, gamma = 1/(2 sigma^2)."""
    return gaussian(1 / (2 * torch.pdist(points).median().item() ** 2))


def arc_cosine(left: Tensor, right: Tensor) -> Tensor:
    """Order one: |x| |x'| (sin t + (pi - t) cos t) / pi, t the angle between the points (Cho and Saul 2009)."""
    lengths = left.norm(dim=-1, keepdim=True) * right.norm(dim=-1)
    cosine = (left @ right.mT / lengths.clamp(min=1e-300)).clamp(-1, 1)
    angle = cosine.acos()
    kernel: Tensor = lengths * (angle.sin() + (math.pi - angle) * cosine) / math.pi
    return kernel


def baseline_accuracy(kernel: Kernel, sample: Sample, unseen: Sample) -> tuple[float, float]:
    """Accuracy of the machine on unseen points in percent, with its standard error."""
    points, labels = sample
    coefficients, bias = hinge_machine(kernel(points, points), labels)
    support = coefficients != 0
    return accuracy(kernel(unseen[0], points[support]) @ coefficients[support] + bias, unseen[1])
