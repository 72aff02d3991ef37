"""The O(n d) losses against the pairs, and the variance formula against the enumeration of all samples."""

import itertools
from fractions import Fraction

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from algos.kernel_learning.alignment import (
    binary_alignment_loss,
    label_alignment_loss,
    label_alignment_variance,
    landmark_alignment_loss,
    multiclass_alignment_loss,
    pairwise_alignment_loss,
    per_point_alignment_loss,
    quadratic_alignment,
    u_statistic_variance,
)

CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def tensor(values) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


@st.composite
def samples(draw):
    """Small samples on purpose full of zeros, duplicates and lonely classes."""
    n, d, m = draw(st.integers(2, 7)), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    coordinate = st.one_of(st.sampled_from([0.0, 1.0, -1.0]), st.floats(-30, 30, allow_subnormal=False))
    rows = st.lists(coordinate, min_size=d, max_size=d)
    distinct = draw(st.lists(rows, min_size=1, max_size=n))
    points = [distinct[draw(st.integers(0, len(distinct) - 1))] for _ in range(n)]
    classes = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    frequencies = draw(st.lists(rows, min_size=m, max_size=m))
    return tensor(points), tensor(classes), tensor(frequencies)


@settings(max_examples=200, deadline=None)
@given(samples())
def test_the_binary_loss_is_the_mean_over_pairs(sample):
    """Catches a wrong diagonal correction: duplicates, one class only, n = 2 and w = 0 all occur."""
    points, classes, frequencies = sample
    labels = 1 - 2 * (classes % 2)
    truth = pairwise_alignment_loss(points, labels, frequencies)
    torch.testing.assert_close(binary_alignment_loss(points, labels, frequencies), truth, **CLOSE)
    torch.testing.assert_close(multiclass_alignment_loss(points, labels, frequencies), truth, **CLOSE)


@settings(max_examples=200, deadline=None)
@given(samples())
def test_the_multiclass_loss_is_the_mean_over_pairs(sample):
    points, classes, frequencies = sample
    truth = pairwise_alignment_loss(points, classes, frequencies)
    torch.testing.assert_close(multiclass_alignment_loss(points, classes, frequencies), truth, **CLOSE)
    around = per_point_alignment_loss(points, classes, frequencies)
    torch.testing.assert_close(around.mean(-2), truth, **CLOSE)
    more = torch.cat([classes.unique(), torch.full((1,), -7, dtype=classes.dtype)])
    torch.testing.assert_close(multiclass_alignment_loss(points, classes, frequencies, more), truth, **CLOSE)
    torch.testing.assert_close(per_point_alignment_loss(points, classes, frequencies, more), around, **CLOSE)


@pytest.mark.parametrize("codes", [[0.0], [0.0, 1.0, 1.0]], ids=["one missing", "one twice"])
@pytest.mark.parametrize("loss", [multiclass_alignment_loss, per_point_alignment_loss])
def test_classes_hold_every_label_once(loss, codes):
    with pytest.raises(ValueError, match="list all codes once"):
        loss(torch.zeros(2, 1), torch.tensor([0.0, 1.0]), torch.zeros(1, 1), torch.tensor(codes))


def test_the_pairwise_reference_in_plain_python_on_a_duplicated_point():
    """x = (0, 0, 0), y = (1, 1, 2): two of three pairs differ; reading the classes as sets would give 3/4."""
    points, labels, frequencies = torch.zeros(3, 1, dtype=torch.float64), tensor([1.0, 1.0, 2.0]), tensor([[5.0]])
    for loss in (pairwise_alignment_loss, multiclass_alignment_loss):
        torch.testing.assert_close(loss(points, labels, frequencies), tensor([2 / 3]), **CLOSE)


def test_zero_frequency_counts_discordant_pairs_and_two_points_reach_both_ends():
    points, labels = tensor([[0.3], [2.0], [-1.0], [4.0]]), tensor([1.0, 1.0, -1.0, -1.0])
    loss = binary_alignment_loss(points, labels, torch.zeros(1, 1, dtype=torch.float64))
    torch.testing.assert_close(loss, tensor([4 / 6]), **CLOSE)
    pair = tensor([[0.0], [1.0]])
    opposite = tensor([[torch.pi]])
    torch.testing.assert_close(binary_alignment_loss(pair, tensor([1.0, 1.0]), opposite), tensor([1.0]), **CLOSE)
    torch.testing.assert_close(binary_alignment_loss(pair, tensor([1.0, -1.0]), opposite), tensor([0.0]), **CLOSE)


def test_batches_may_lack_classes_and_agree_with_their_entries():
    generator = torch.Generator().manual_seed(1)
    points, frequencies = (torch.randn(3, k, 2, dtype=torch.float64, generator=generator) for k in (5, 4))
    labels = tensor([[0, 0, 0, 0, 0], [0, 1, 2, 3, 4], [2, 2, 7, 7, 7]])
    for loss in (multiclass_alignment_loss, per_point_alignment_loss, pairwise_alignment_loss):
        together = loss(points, labels, frequencies)
        alone = torch.stack([loss(points[b], labels[b], frequencies[b]) for b in range(3)])
        torch.testing.assert_close(together, alone, **CLOSE)


def test_the_losses_are_differentiable_in_points_and_frequencies():
    generator = torch.Generator().manual_seed(2)
    points, frequencies = (torch.randn(k, 2, dtype=torch.float64, generator=generator).requires_grad_() for k in (4, 3))
    signs, classes = tensor([1.0, -1.0, 1.0, 1.0]), tensor([0.0, 1.0, 2.0, 0.0])
    assert torch.autograd.gradcheck(lambda x, w: binary_alignment_loss(x, signs, w), (points, frequencies))
    for loss in (multiclass_alignment_loss, per_point_alignment_loss):
        assert torch.autograd.gradcheck(lambda x, w, loss=loss: loss(x, classes, w), (points, frequencies))


@pytest.mark.parametrize("in_sample", [True, False])
@pytest.mark.parametrize("shared", [True, False])
def test_the_landmark_loss_is_the_mean_over_its_pairs(in_sample, shared):
    """Catches the own pair of a landmark inside the sample counted as one of n."""
    generator = torch.Generator().manual_seed(3)
    points, labels = torch.randn(6, 2, dtype=torch.float64, generator=generator), tensor([0, 1, 2, 0, 1, 1])
    frequencies = torch.randn(3, 4, 2, dtype=torch.float64, generator=generator)
    landmarks, landmark_labels = points[[0, 2, 4]], labels[[0, 2, 4]]
    if not in_sample:
        landmarks, landmark_labels = landmarks + 0.5, tensor([0, 9, 1])
    given_frequencies = frequencies[0] if shared else frequencies
    loss = landmark_alignment_loss(points, labels, landmarks, landmark_labels, given_frequencies, in_sample=in_sample)
    for k, index in enumerate([0, 2, 4]):
        others = [j for j in range(6) if not (in_sample and j == index)]
        phases = (landmarks[k] - points[others]) @ (frequencies[0] if shared else frequencies[k]).mT
        agreement = torch.where(labels[others] == landmark_labels[k], 1.0, -1.0).unsqueeze(-1)
        torch.testing.assert_close(loss[k], ((1 - agreement * phases.cos()) / 2).mean(0), **CLOSE)
    if in_sample:
        around = per_point_alignment_loss(points, labels, frequencies[0])[[0, 2, 4]]
        if shared:
            torch.testing.assert_close(loss, around, **CLOSE)


def enumerated_variance(kernel, probabilities, n):
    """Variance of the U-statistic over all samples, in exact fractions."""
    mean = square = Fraction(0)
    for atoms in itertools.product(range(len(probabilities)), repeat=n):
        weight, pairs = Fraction(1), [kernel[i][j] for i, j in itertools.combinations(atoms, 2)]
        for atom in atoms:
            weight *= probabilities[atom]
        value = sum(pairs, Fraction(0)) / len(pairs)
        mean, square = mean + weight * value, square + weight * value**2
    return square - mean**2


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_variance_is_the_one_of_all_samples(n):
    kernel = [[Fraction(0), Fraction(3, 4), Fraction(1)], [Fraction(3, 4), Fraction(1, 8), Fraction(1, 2)]]
    kernel.append([Fraction(1), Fraction(1, 2), Fraction(0)])
    law = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    ours = u_statistic_variance(tensor([[float(v) for v in row] for row in kernel]), tensor([float(p) for p in law]), n)
    assert float(ours) == pytest.approx(float(enumerated_variance(kernel, law, n)), rel=1e-13)


def test_the_label_variance_at_published_values():
    """n = 2 fair coin 1/4; n = 3, P = 4/5: 208/1875; three classes (.8, .1, .1) at n = 1000: 4 n Var = 1.2549."""
    assert float(label_alignment_variance(tensor([0.5, 0.5]), 2)) == pytest.approx(1 / 4, rel=1e-14)
    assert float(label_alignment_variance(tensor([0.8, 0.2]), 3)) == pytest.approx(208 / 1875, rel=1e-14)
    assert 4000 * float(label_alignment_variance(tensor([0.8, 0.1, 0.1]), 1000)) == pytest.approx(1.2549, abs=5e-5)
    assert float(label_alignment_variance(tensor([1.0, 0.0]), 5)) == 0.0


def test_counts_give_the_loss_of_a_constant_input():
    labels = tensor([0, 0, 1, 2, 2, 2])
    truth = pairwise_alignment_loss(torch.zeros(6, 1, dtype=torch.float64), labels, tensor([[1.0]]))
    torch.testing.assert_close(label_alignment_loss(tensor([2.0, 1.0, 3.0])), truth[0], **CLOSE)


@pytest.mark.parametrize("count", [1e8, 1e12, 1e15])
def test_one_label_among_many_has_the_loss_of_its_pairs(count):
    assert float(label_alignment_loss(tensor([count, 1.0]))) == pytest.approx(2 / (count + 1), rel=1e-15, abs=0)


def test_the_quadratic_alignment_contains_the_diagonal():
    """y' G y = n + n (n - 1) (1 - 2 loss) for the kernel cos(<w, x - x'>)."""
    points, labels, frequencies = tensor([[0.0], [0.4], [2.0]]), tensor([1.0, -1.0, 1.0]), tensor([[1.3]])
    gram = (1.3 * (points - points.mT)).cos()
    loss = binary_alignment_loss(points, labels, frequencies)[0]
    torch.testing.assert_close(quadratic_alignment(gram, labels), 3 + 6 * (1 - 2 * loss), **CLOSE)


def test_bad_input_is_named():
    points, frequencies = torch.zeros(3, 1, dtype=torch.float64), tensor([[1.0]])
    with pytest.raises(ValueError, match=r"labels = 2\.0"):
        binary_alignment_loss(points, tensor([1.0, 2.0, 1.0]), frequencies)
    for loss in (binary_alignment_loss, multiclass_alignment_loss, pairwise_alignment_loss, per_point_alignment_loss):
        with pytest.raises(ValueError, match="must have n >= 2"):
            loss(points[:1], tensor([1.0]), frequencies)
    with pytest.raises(ValueError, match="sample_size = 1"):
        u_statistic_variance(torch.zeros(2, 2), torch.ones(2) / 2, 1)
    with pytest.raises(ValueError, match="no pair"):
        landmark_alignment_loss(points[:1], tensor([1.0]), points[:1], tensor([1.0]), frequencies, in_sample=True)
