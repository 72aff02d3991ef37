"""The costly baselines: SVMs with kernels combined by alignment ratios or jointly, and the joint problem (9).

ABMKSVM(ratio) weighs normalised kernels by A(K_m, y y') / sum_h A(K_h, y y') with A the cosine of Gram matrices and
trains one SVM; MKSVM takes the weights of the simplex for which the soft-margin SVM has the least value (problems (2)
and (9) of Goenen and Alpaydin 2011). The paper's problem (9) takes those weights of features in the divergence ball.
The first minimum is found by sequential quadratic programming, the second by Frank-Wolfe steps, each with SVMs;
alpha'1 - alpha'Y K_q Y alpha/2 is linear in q, so that the last alpha certifies them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.optimize import minimize, minimize_scalar
from sklearn.svm import SVC
from torch import Tensor

from algos.divergence_ball.exact import chi_square_ball_maximum

Array = NDArray[np.float64]
COST = 1.0
"""C of the SVMs, where nothing else is said."""

ROWS = 256
"""Of a kernel, that are combined at a time."""


@dataclass(frozen=True)
class Machine:
    """An SVM with the kernel sum_m q_m K_m: q, its optimal value, how far above the minimum it may be, alpha y, b."""

    weights: Array
    value: float
    gap: float
    signed: Array
    offset: float

    @property
    def vectors(self) -> int:
        """Support vectors."""
        return int((self.signed != 0).sum())

    def decisions(self, kernel: Array) -> Array:
        """Scores of test points, from their kernel with the training points (tested, n)."""
        scores: Array = kernel @ self.signed + self.offset
        return scores


def base_kernels(points: Array, others: Array, *, gamma: float) -> list[Array]:
    """Linear, second-order polynomial and Gaussian, with K(x, x) = 1: (n, n') each, and no more memory than theirs."""
    own, other = (points**2).sum(1), (others**2).sum(1)
    linear = points @ others.T
    gaussian = -2 * linear
    gaussian += own[:, None]
    gaussian += other
    np.clip(gaussian, 0.0, None, out=gaussian)
    gaussian *= -gamma
    np.exp(gaussian, out=gaussian)
    quadratic = 1 + linear
    np.square(quadratic, out=quadratic)
    for kernel, squares in ((quadratic, ((1 + own) ** 2, (1 + other) ** 2)), (linear, (own, other))):
        np.divide(kernel, np.sqrt(squares[0].clip(1e-12))[:, None], out=kernel)
        np.divide(kernel, np.sqrt(squares[1].clip(1e-12)), out=kernel)
    return [linear, quadratic, gaussian]


def combined(weights: Array, kernels: Sequence[Array]) -> Array:
    """sum_m q_m K_m, so many rows at a time."""
    result = np.empty_like(kernels[0])
    for start in range(0, len(result), ROWS):
        rows = slice(start, start + ROWS)
        result[rows] = sum(w * kernel[rows] for w, kernel in zip(weights, kernels, strict=True))
    return result


def alignment_ratios(kernels: Sequence[Array], labels: Array) -> Array:
    """A(K_m, y y') / sum_h A(K_h, y y'), negative alignments counting as none."""
    alignments = np.array([labels @ k @ labels / (np.linalg.norm(k) * len(labels)) for k in kernels]).clip(0.0)
    return np.asarray(alignments / alignments.sum())


def machine(kernel: Array, labels: Array, weights: Array, *, cost: float = COST) -> Machine:
    """The soft-margin SVM with this kernel: max alpha'1 - alpha'Y K Y alpha/2, 0 <= alpha <= C, alpha'y = 0."""
    fitted = SVC(C=cost, kernel="precomputed", tol=1e-5, random_state=0).fit(kernel, labels)
    signed = np.zeros(len(labels))
    signed[fitted.support_] = fitted.dual_coef_[0]
    value = float(signed @ labels - signed @ kernel @ signed / 2)
    return Machine(weights, value, 0.0, signed, float(fitted.intercept_[0]))


def joint_machine(
    combine: Callable[[Array], Array],
    energies: Callable[[Array], Array],
    best: Callable[[Array], Array],
    labels: Array,
    *,
    count: int,
    steps: int,
) -> Machine:
    """Least value over a convex set of weights, by Frank-Wolfe with a line search.

    `combine` makes the kernel of weights, `energies` gives (alpha y)'K_m (alpha y) for every m, `best` the weights of
    the set with the largest product with energies. The gap is at least value - minimum.
    """
    weights = np.full(count, 1 / count)
    found = machine(combine(weights), labels, weights)
    for step in range(steps + 1):
        slopes = energies(found.signed)
        target = best(slopes)
        found = Machine(weights, found.value, float((target - weights) @ slopes) / 2, found.signed, found.offset)
        if found.gap <= 1e-3 * found.value or step == steps:
            break
        line: Any = minimize_scalar(
            lambda share, a=weights, b=target: machine(combine(a + share * (b - a)), labels, a).value,
            bounds=(0.0, 1.0),
            method="bounded",
            options={"xatol": 1e-3, "maxiter": 12},
        )
        weights = weights + float(line.x) * (target - weights)
        found = machine(combine(weights), labels, weights)
    return found


def multiple_kernel_machine(kernels: Sequence[Array], labels: Array, *, steps: int = 50, cost: float = COST) -> Machine:
    """MKSVM: weights of the simplex, by sequential quadratic programming from equal ones.

    The value of the SVM is convex in them, with slopes -(alpha y)'K_m (alpha y)/2.
    """
    met: dict[bytes, tuple[Machine, Array]] = {}

    def fitted(weights: Array) -> tuple[Machine, Array]:
        if weights.tobytes() not in met:
            found = machine(combined(weights, kernels), labels, weights.copy(), cost=cost)
            met[weights.tobytes()] = found, np.array([found.signed @ k @ found.signed for k in kernels])
        return met[weights.tobytes()]

    start = np.full(len(kernels), 1 / len(kernels))
    scale = fitted(start)[0].value
    minimize(
        lambda weights: fitted(weights)[0].value / scale,
        start,
        jac=lambda weights: -fitted(weights)[1] / (2 * scale),
        method="SLSQP",
        bounds=[(0.0, 1.0)] * len(kernels),
        constraints={"type": "eq", "fun": lambda q: q.sum() - 1.0, "jac": np.ones_like},
        options={"maxiter": steps, "ftol": 1e-6},
    )
    found, energies = min(met.values(), key=lambda each: each[0].value)
    gap = float(energies.max() - found.weights @ energies) / 2
    return replace(found, gap=gap)


def joint_feature_machine(features: Tensor, labels: Tensor, rho: float, *, steps: int) -> Machine:
    """Problem (9): weights of the features (n, N) in the chi-square ball of radius rho."""
    phi = features.cpu().numpy()

    def best(energies: Array) -> Array:
        found: Array = chi_square_ball_maximum(torch.as_tensor(energies), rho).weights.numpy()
        return found

    return joint_machine(
        lambda q: np.asarray((phi * q) @ phi.T),
        lambda signed: np.asarray((signed @ phi) ** 2),
        best,
        labels.cpu().numpy(),
        count=phi.shape[1],
        steps=steps,
    )
