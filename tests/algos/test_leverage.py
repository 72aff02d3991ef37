"""Leverage scores against dense linear algebra, exact fractions and enumeration of every draw of the features."""

import itertools
import math
from fractions import Fraction

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from algos.ridge.leverage import (
    effective_dimension,
    feature_kernel,
    gram_leverage_scores,
    operator_norm_deviation,
    ridge_leverage_scores,
    sampled_kernel,
)

SHAPES = [(1, 1), (1, 5), (2, 2), (3, 7), (7, 3), (12, 12)]


def design(n: int, atoms: int, *batch: int, seed: int = 0) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    features = torch.randn(*batch, n, atoms, generator=generator, dtype=torch.float64)
    weights = torch.rand(*batch, atoms, generator=generator, dtype=torch.float64) + 0.1
    return features, weights / weights.sum(-1, keepdim=True)


def dense_scores(features: Tensor, probabilities: Tensor, ridge: float) -> Tensor:
    """The definition, term by term, with a general inverse."""
    n = features.shape[0]
    kernel = sum(p * torch.outer(z, z) for p, z in zip(probabilities, features.T, strict=True))
    inverse = torch.linalg.inv(kernel + ridge * torch.eye(n, dtype=torch.float64))
    return torch.stack([p * z @ inverse @ z for p, z in zip(probabilities, features.T, strict=True)])


@pytest.mark.parametrize(("n", "atoms"), SHAPES)
@pytest.mark.parametrize("ridge", [1e-3, 0.7, 50.0])
def test_scores_are_the_definition(n: int, atoms: int, ridge: float) -> None:
    """Would catch a missing p(v), a missing n, or a wrong factor in either of the two matrix forms."""
    features, probabilities = design(n, atoms)
    expected = dense_scores(features, probabilities, ridge)
    torch.testing.assert_close(ridge_leverage_scores(features, probabilities, ridge), expected, rtol=1e-9, atol=1e-12)
    weighted = features * probabilities.sqrt()
    torch.testing.assert_close(gram_leverage_scores(weighted.T @ weighted, ridge), expected, rtol=1e-9, atol=1e-12)


@given(
    seed=st.integers(0, 10_000),
    n=st.integers(1, 6),
    atoms=st.integers(1, 8),
    log_ridge=st.floats(-6, 3),
    duplicate=st.booleans(),
    zero=st.booleans(),
)
@settings(max_examples=80, deadline=None)
def test_scores_sum_to_the_effective_dimension(
    *, seed: int, n: int, atoms: int, log_ridge: float, duplicate: bool, zero: bool
) -> None:
    """uarff lev-int, with duplicated and zero features among the inputs; the two sides share no code after Cholesky."""
    features, probabilities = design(n, atoms, seed=seed)
    if duplicate:
        features[:, -1] = features[:, 0]
    if zero:
        features[:, 0] = 0
    ridge = 10**log_ridge
    scores = ridge_leverage_scores(features, probabilities, ridge)
    eigenvalues = torch.linalg.eigvalsh(feature_kernel(features, probabilities)).clamp_min(0)
    dimension = (eigenvalues / (eigenvalues + ridge)).sum()
    torch.testing.assert_close(scores.sum(), dimension, rtol=1e-8, atol=1e-9)
    ours = effective_dimension(feature_kernel(features, probabilities), ridge)
    torch.testing.assert_close(ours, dimension, rtol=1e-8, atol=1e-9)
    assert (scores >= -1e-12).all()
    assert (scores <= 1 + 1e-12).all()
    if zero:
        assert abs(scores[0]) < 1e-12


def test_scores_in_exact_fractions() -> None:
    """n = 1, two atoms z = 1, 2 with p = 1/4, 3/4, n lambda = 1/2: K = 13/4, scores 1/15 and 12/15."""
    kernel = Fraction(1, 4) + 4 * Fraction(3, 4)
    expected = [Fraction(1, 4) / (kernel + Fraction(1, 2)), 3 / (kernel + Fraction(1, 2))]
    assert expected == [Fraction(1, 15), Fraction(4, 5)]
    scores = ridge_leverage_scores(
        torch.tensor([[1.0, 2.0]], dtype=torch.float64), torch.tensor([0.25, 0.75], dtype=torch.float64), 0.5
    )
    assert scores.tolist() == pytest.approx([float(x) for x in expected], rel=1e-14)


def test_batches_broadcast_and_follow_the_dtype() -> None:
    """A batch must equal its entries, whichever of features, probabilities and ridge carries the axis."""
    features, probabilities = design(3, 5, 4)
    ridge = torch.tensor([0.1, 0.2, 0.3, 0.4], dtype=torch.float64)
    batch = ridge_leverage_scores(features, probabilities, ridge)
    each = torch.stack([ridge_leverage_scores(features[i], probabilities[i], float(ridge[i])) for i in range(4)])
    torch.testing.assert_close(batch, each)
    shared = ridge_leverage_scores(features[0], probabilities[0], ridge)
    assert shared.shape == (4, 5)
    torch.testing.assert_close(shared[2], ridge_leverage_scores(features[0], probabilities[0], 0.3))
    tall, few = design(9, 4)
    single = ridge_leverage_scores(tall.float(), few.float(), 0.1)
    assert single.dtype == torch.float32
    torch.testing.assert_close(single.double(), dense_scores(tall, few, 0.1), rtol=1e-4, atol=1e-5)


def test_scores_are_differentiable() -> None:
    """Gradient ascent goes through features, probabilities and ridge, also when there are fewer atoms than points."""
    features, probabilities = design(4, 3)
    ridge = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
    inputs = (features.requires_grad_(), probabilities.requires_grad_(), ridge)
    assert torch.autograd.gradcheck(ridge_leverage_scores, inputs)
    assert torch.autograd.gradcheck(lambda z, r: effective_dimension(z @ z.T, r), (features, ridge))
    counts = torch.tensor([1.0, 0.0, 2.0], dtype=torch.float64)
    deviation = lambda z, p, r: operator_norm_deviation(z @ z.T, sampled_kernel(z, p, counts, sampling=1 - p), r)  # noqa: E731
    assert torch.autograd.gradcheck(deviation, inputs)


def test_singular_entry_is_nan_and_spares_the_batch() -> None:
    """A zero matrix with ridge 0 has no leverage scores; its neighbours in the batch do."""
    features = torch.stack([torch.zeros(2, 2), torch.eye(2)]).double()
    probabilities = torch.full((2,), 0.5, dtype=torch.float64)
    scores = ridge_leverage_scores(features, probabilities, 0.0)
    assert scores[0].isnan().all()
    torch.testing.assert_close(scores[1], torch.ones(2, dtype=torch.float64))
    kernels = feature_kernel(features, probabilities)
    assert operator_norm_deviation(kernels, kernels, 0.0).isnan().tolist() == [True, False]


def test_sampled_kernel_is_the_columns_and_unbiased() -> None:
    """All draws of s = 3 features from q enumerated: K~ from counts is K~ from columns, and its mean is K."""
    features, probabilities = design(3, 3)
    _, sampling = design(3, 3, seed=7)
    mean = torch.zeros(3, 3, dtype=torch.float64)
    for draw in itertools.product(range(3), repeat=3):
        columns = features[:, draw] * (probabilities / sampling).sqrt()[list(draw)]
        counts = torch.tensor([draw.count(v) for v in range(3)], dtype=torch.float64)
        ours = sampled_kernel(features, probabilities, counts, sampling=sampling)
        torch.testing.assert_close(ours, columns @ columns.T / 3)
        mean += math.prod(sampling[v].item() for v in draw) * ours
    torch.testing.assert_close(mean, feature_kernel(features, probabilities))


def test_sampled_kernel_ignores_atoms_never_drawn() -> None:
    """An atom with q = 0 that was not drawn must not turn the kernel into NaN, nor its gradient."""
    features, probabilities = design(2, 2)
    probabilities.requires_grad_()
    sampling = torch.tensor([1.0, 0.0], dtype=torch.float64)
    counts = torch.tensor([4.0, 0.0], dtype=torch.float64)
    kernel = sampled_kernel(features, probabilities, counts, sampling=sampling)
    torch.testing.assert_close(kernel, probabilities[0] * torch.outer(features[:, 0], features[:, 0]))
    (gradient,) = torch.autograd.grad(kernel.sum(), probabilities)
    assert gradient.isfinite().all()


def test_sampled_kernel_defaults_to_plain_sampling() -> None:
    features, probabilities = design(3, 4)
    counts = torch.tensor([[1.0, 0.0, 2.0, 3.0], [6.0, 0.0, 0.0, 0.0]], dtype=torch.float64)
    torch.testing.assert_close(
        sampled_kernel(features, probabilities, counts),
        sampled_kernel(features, probabilities, counts, sampling=probabilities),
    )


def test_deviation_is_the_whitened_operator_norm() -> None:
    """Against the symmetric square root, in a batch."""
    features, probabilities = design(4, 6, 3)
    kernel = feature_kernel(features, probabilities)
    counts = torch.tensor([[1.0, 2, 0, 0, 3, 1], [0, 0, 0, 0, 0, 1], [2, 2, 2, 2, 2, 2]], dtype=torch.float64)
    approximation = sampled_kernel(features, probabilities, counts)
    ridge = torch.tensor([0.1, 0.5, 2.0], dtype=torch.float64)
    values, vectors = torch.linalg.eigh(kernel + ridge[:, None, None] * torch.eye(4, dtype=torch.float64))
    root = vectors @ torch.diag_embed(values.rsqrt()) @ vectors.mT
    expected = torch.linalg.matrix_norm(root @ (approximation - kernel) @ root, ord=2)
    torch.testing.assert_close(operator_norm_deviation(kernel, approximation, ridge), expected)


def test_deviation_on_orthogonal_features_is_about_counts() -> None:
    """Atoms sqrt(N) e_i, p uniform: K = I and the deviation is max |N c_i / s - 1| / (1 + n lambda)."""
    features = math.sqrt(5) * torch.eye(5, dtype=torch.float64)
    probabilities = torch.full((5,), 0.2, dtype=torch.float64)
    counts = torch.tensor([[3.0, 1, 0, 4, 2], [2, 2, 2, 2, 2]], dtype=torch.float64)
    ours = operator_norm_deviation(torch.eye(5).double(), sampled_kernel(features, probabilities, counts), 0.25)
    torch.testing.assert_close(ours, ((5 * counts / 10 - 1).abs() / 1.25).amax(-1))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f, p: ridge_leverage_scores(f, p[:-1], 1.0), "probabilities has shape"),
        (lambda f, p: ridge_leverage_scores(f, p, -1.0), r"ridge = -1\.0"),
        (lambda f, _: effective_dimension(f, 1.0), "kernel has shape"),
        (lambda f, p: sampled_kernel(f, p, p[:2]), "counts has shape"),
        (lambda f, _: operator_norm_deviation(f @ f.T, f, 1.0), "approximation has shape"),
    ],
)
def test_bad_input_names_the_value(call, message) -> None:
    features, probabilities = design(2, 3)
    with pytest.raises(ValueError, match=message):
        call(features, probabilities)
