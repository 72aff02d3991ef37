"""Translation-invariant kernels and their spectral measures: Bochner, features, the potential and its best pair."""

import itertools
import math
from functools import lru_cache
from typing import Literal, NamedTuple

import torch
from torch import Tensor

from algos.fourier.sums import fourier_potential
from algos.kernel_learning.alignment import quadratic_alignment
from harness import Forall, always, claim, grid, identity
from harness.claims.nsrf import symbols
from harness.claims.nsrf.explicit_harmonics import explicit_harmonics

Family = Literal["translation", "rotation"]
INDEPENDENT_POINTS = (1.0, math.sqrt(2), math.sqrt(3), math.sqrt(5))
"""Rationally independent: frequencies of the line reach every combination of phases, approximately."""


@claim(
    "nsrf/thm-2.1",
    always(),
    over=grid(n=[1], d=[2], frequencies=[1])
    + grid(n=[2], d=[1], frequencies=[4])
    + grid(n=[6], d=[2, 5], frequencies=[1, 4]),
    cite="nsrf, Theorem 2.1, if",
    sizes="d = 1, 2 and 5, at most six points, measures on at most four pairs of frequencies",
    restricts="one direction",
)
def transforms_of_measures_are_kernels(forall: Forall, *, n: int, d: int, frequencies: int):
    """The transform of a symmetric non-negative measure is positive semidefinite: 2 a'Gb <= a'Ga + b'Gb for all a, b.

    The measure may have atoms, as k = cos has those of (delta_1 + delta_-1)/2, and every pair that the algorithm
    returns: the density in L_1 that the theorem names next need not exist (nsrf/thm-2.1-only-if[printed]).
    """
    gram = cosine_gram(forall, n, d, frequencies)
    a, b = (forall.interval(name, -1.0, 1.0, n) for name in ("a", "b"))
    cross = (a * (gram @ b.unsqueeze(-1)).squeeze(-1)).sum(-1)
    return 2 * cross, quadratic_alignment(gram, a) + quadratic_alignment(gram, b)


@claim(
    "nsrf/thm-2.1-only-if",
    identity(),
    over=grid(P=[1, 2, 5, 6]),
    reading="corrected",
    cite="nsrf, Theorem 2.1, only if, with a measure",
    restricts="one direction, for kernels on the points 0, ..., P - 1 of the line that have period P, P <= 6",
)
def kernels_are_transforms_of_measures(forall: Forall, *, P: int):
    """On the points 0, ..., P - 1 the smallest eigenvalue of k is P times its smallest coefficient, of either sign.

    k(u) = sum_j lambda_j exp(2 pi i j u / P) with lambda_j = lambda_(P - j) in [-1, 1], atoms of a measure: one
    negative coefficient, and k is not a kernel.
    """
    half = forall.interval("coefficients", -1.0, 1.0, P // 2 + 1)
    coefficients = half[..., [min(j, P - j) for j in range(P)]]
    steps = torch.arange(P, dtype=half.dtype, device=half.device)
    table = torch.cos(2 * math.pi / P * steps.unsqueeze(-1) * steps)
    kernel = (table @ coefficients.unsqueeze(-1)).squeeze(-1)
    gram = kernel[..., [[abs(i - j) for j in range(P)] for i in range(P)]]
    return torch.linalg.eigvalsh(gram).amin(-1), P * coefficients.amin(-1)


@claim(
    "nsrf/eq-3",
    identity(),
    over=grid(frequencies=[1, 4]),
    reading="printed",
    expected="refuted",
    cite="nsrf, the real features below equation (3)",
    quote=(
        "symmetry of lambda_k allows us to apply the transformation {phi(omega), phi(-omega)} -> {Re phi(omega), Im "
        "phi(omega)} to yield real features, preserving the inner product."
    ),
    defect=symbols.REAL_FEATURES,
)
def real_features_as_printed(forall: Forall, *, frequencies: int):
    """sum over +-w of lambda(w) phi(w) conj phi'(w) is the inner product of the features sqrt(lambda) (Re, Im) phi.

    A factor sqrt 2 left out of a map, in the paper or in our copy: the inner product is halved where w and -w are two
    indices. At w = 0 they are one, its features are (1, 0), and nothing is lost; nor is it where each pair of features
    stands for a pair of frequencies of total mass one.
    """
    omega = forall.ball("omega", frequencies, 2, radius=20.0)
    forall.assume((omega != 0).any(-1).all(-1))
    return _products_of_features(forall, omega, scale=1)


@claim(
    "nsrf/eq-3",
    identity(),
    over=grid(d=[1, 5], frequencies=[1]) + grid(d=[2], frequencies=[4]),
    reading="corrected",
    cite="nsrf, equation (3) and the real features below it, with the factor sqrt 2",
    sizes="d = 1, 2 and 5, measures on one pair and on four pairs of frequencies; for harmonics see nsrf/eq-3-sphere",
)
def real_features_preserve_the_inner_product(forall: Forall, *, d: int, frequencies: int):
    """With a factor sqrt 2 for w != -w, sums over +-w of lambda phi conj phi' are products of real features of pairs.

    The features are sqrt(2 lambda) (Re, Im) phi where w and -w are two indices, and sqrt(lambda(0)) (1, 0) at w = 0,
    which is its own opposite; as a pair moves to 0 it counts twice there. With a pair of total mass one for each pair
    of features the printed map has this factor.
    """
    return _products_of_features(forall, forall.ball("omega", frequencies, d, radius=20.0), scale=2)


def _products_of_features(forall: Forall, omega: Tensor, *, scale: int) -> tuple[Tensor, Tensor]:
    """The kernel at two points, and the inner product of their features: those of the pairs +-w, and (1, 0) at 0."""
    frequencies, d = omega.shape[-2:]
    phases = [(forall.ball(name, 1, d) @ omega.mT).squeeze(-2) for name in ("x", "x'")]
    masses, rest = forall.interval("lambda", 0.0, 1.0, frequencies), forall.interval("lambda(0)", 0.0, 1.0)
    pairs = [[torch.exp(sign * 1j * phase) for phase in phases] for sign in (1, -1)]
    kernel = rest + torch.stack([(masses * (phi * other.conj()).real).sum(-1) for phi, other in pairs]).sum(0)
    weights = (scale * masses).sqrt()
    left, right = (torch.cat([weights * phase.cos(), weights * phase.sin()], -1) for phase in phases)
    return kernel, rest + (left * right).sum(-1)


@claim(
    "nsrf/l1-norm",
    identity(),
    over=grid(d=[1, 5], frequencies=[1]) + grid(d=[2], frequencies=[4]),
    cite="nsrf, Section 2.2, translation-invariant",
    sizes="d = 1, 2 and 5, measures on one pair and on four pairs of frequencies",
)
def total_mass_is_the_diagonal(forall: Forall, *, d: int, frequencies: int):
    """The total mass of the dual measure is k(x, x) at every x, for translation-invariant kernels."""
    x = forall.ball("x", 1, d)
    omega = forall.ball("omega", frequencies, d, radius=20.0)
    masses = forall.interval("lambda", 0.0, 1.0, frequencies)
    features = torch.exp(1j * (x @ omega.mT).squeeze(-2))
    return (masses * (features * features.conj()).real).sum(-1), masses.sum(-1)


@claim(
    "nsrf/v-bound",
    always(),
    over=grid(n=[1], d=[1]) + grid(n=[2], d=[5]) + grid(n=[6], d=[2]),
    cite="nsrf, Section 2.2, translation-invariant",
    sizes="d = 1, 2 and 5; one, two and six points",
)
def potential_is_bounded_by_the_squared_mass(forall: Forall, *, n: int, d: int):
    """The Fourier potential is at most (P(X) + Q(X))^2, the squared total mass of both classes."""
    points, omega = forall.ball("points", n, d), forall.ball("omega", 1, d, radius=20.0)
    labels, weights = forall.signs("labels", n), forall.interval("weights", 0.0, 1.0, n)
    return fourier_potential(points, omega, labels * weights).squeeze(-1), weights.sum(-1) ** 2


@claim(
    "nsrf/peak-lp",
    always(),
    over=grid(family=["translation"], n=[1], d=[1], size=[6])
    + grid(family=["translation"], n=[5], d=[2, 5], size=[6])
    + grid(family=["rotation"], n=[1], d=[3], size=[2])
    + grid(family=["rotation"], n=[4], d=[4], size=[1]),
    cite="nsrf, Section 3.1",
    sizes="one, four and five points; d = 1, 2 and 5 and six pairs of frequencies, d = 3 and 4 and degrees up to 2",
)
def best_pair_maximises_the_alignment(forall: Forall, *, family: Family, n: int, d: int, size: int):
    """No symmetric measure of mass one on some indices has a larger alignment than the best pair +-w of them.

    A linear program on a simplex, of frequencies or of harmonics up to a degree. A best pair exists where the set is
    compact; on all of R^d the supremum need not be attained (nsrf/peak-lp-kronecker).
    """
    game = any_game(forall, family, n, d, size)
    return quadratic_alignment(game.gram, game.signed), game.potentials.amax(-1)


@claim(
    "nsrf/peak-lp-kronecker",
    always(),
    over=[{"radius": 500, "share": 0.9}],
    cite="nsrf, Sections 3.1 and 3.2: a maximal pair and an equilibrium exist",
    restricts="one set of four points on the line",
)
def labels_do_not_matter_without_a_bandwidth(forall: Forall, *, radius: int, share: float):
    """At the points 1, sqrt 2, sqrt 3, sqrt 5 some |w| <= 500 has v_a(w) >= .9 (1.a)^2, whatever labels and weights.

    By Kronecker's theorem the supremum over R is (1.a)^2. No w attains it where three points, not all of one class,
    have weight: there is no best pair. Where 2 C m >= 1, m the size of the smaller class, the value of the game on R is
    1/2 whatever the labels, and no equilibrium exists. On a bounded closed set of frequencies the potential has a
    maximum and the game has an equilibrium, as Section 3.2 says without one: nsrf/equilibrium[printed].
    """
    labels, weights = forall.signs("labels", 4), forall.interval("weights", 0.0, 1.0, 4)
    points = weights.new_tensor(INDEPENDENT_POINTS).unsqueeze(-1)
    peak = fourier_potential(points, aligned_frequencies(radius).to(weights), labels * weights).amax(-1)
    return share * weights.sum(-1) ** 2, peak


@lru_cache
def aligned_frequencies(radius: int) -> Tensor:
    """For each labelling of the four points, the frequency of a grid of step 1/50 with the highest peak: (8, 1)."""
    points = torch.tensor(INDEPENDENT_POINTS, dtype=torch.float64).unsqueeze(-1)
    frequencies = torch.linspace(0, radius, 50 * radius + 1, dtype=torch.float64).unsqueeze(-1)
    labels = torch.tensor([(1.0, *rest) for rest in itertools.product((1.0, -1.0), repeat=3)], dtype=torch.float64)
    return frequencies[fourier_potential(points, frequencies, labels).argmax(-1)]


def cosine_gram(forall: Forall, n: int, d: int, frequencies: int) -> Tensor:
    """The Gram matrix (batch, n, n) of any mixture of cosines at any points of the unit ball."""
    points, omega = forall.ball("points", n, d), forall.ball("omega", frequencies, d, radius=20.0)
    return mixture_of_cosines(points, omega, forall.simplex("measure", frequencies))


def mixture_of_cosines(points: Tensor, omega: Tensor, masses: Tensor) -> Tensor:
    """sum_j lambda_j cos <w_j, x - x'>, entry by entry: the symmetric measure with lambda_j / 2 on each of +-w_j."""
    gaps = points.unsqueeze(-2) - points.unsqueeze(-3)
    return (torch.cos(gaps @ omega.mT.unsqueeze(-3)) * masses[..., None, None, :]).sum(-1)


class Instance(NamedTuple):
    """A kernel with any dual measure of mass one, and the potentials of signed weights on any points."""

    labels: Tensor
    weights: Tensor
    signed: Tensor
    measure: Tensor
    features: Tensor
    gram: Tensor
    potentials: Tensor


def any_game(forall: Forall, family: Family, n: int, d: int, size: int, *, largest: float = 1.0) -> Instance:
    """`size` pairs of frequencies at points of the unit ball of R^d, or all harmonics up to a degree at unit vectors.

    The measure is on pairs +-w: a harmonic has half the mass of its pair, as its conjugate has. Features are those of
    one index of each pair, (batch, n, pairs), complex.
    """
    labels, weights = forall.signs("labels", n), forall.interval("weights", 0.0, largest, n)
    signed = labels * weights
    if family == "translation":
        points, omega = forall.ball("points", n, d), forall.ball("omega", size, d, radius=20.0)
        features, potentials = torch.exp(1j * (points @ omega.mT)), fourier_potential(points, omega, signed)
    else:
        points = forall.sphere("points", n, d)
        features = torch.cat([explicit_harmonics(points, degree, pairs=True) for degree in range(size + 1)], -1)
        sums = (signed.unsqueeze(-1) * features).sum(-2)
        potentials = sums.real.square() + sums.imag.square()
    measure = forall.simplex("measure", features.shape[-1])
    gram = ((features * measure.unsqueeze(-2)) @ features.conj().mT).real
    return Instance(labels, weights, signed, measure, features, gram, potentials)
