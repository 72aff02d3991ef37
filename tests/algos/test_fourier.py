"""The shared sums against the definition, whatever the batch layout, block size, dtype or gradient mode."""

import math

import pytest
import torch

from algos.fourier.sums import cosine_sums, fourier_potential, fourier_potential_and_gradient, fourier_sums

DOUBLE = {"rtol": 1e-12, "atol": 1e-12}


def draw(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed + sum(shape)))


def by_definition(points, frequencies, weights):
    phases = (points.unsqueeze(-2) * frequencies.unsqueeze(-3)).sum(-1)
    terms = weights.unsqueeze(-1) * torch.exp(1j * phases).unsqueeze(-3)
    total = terms.sum(-2)
    return total.real, total.imag


LAYOUTS = [
    ((), (), ()),
    ((3,), (), ()),
    ((), (3,), ()),
    ((), (), (3,)),
    ((3,), (3,), (3,)),
    ((2, 1), (3,), ()),
    ((1,), (4, 1), (3,)),
    ((2, 1), (1, 3), (2, 3)),
]


@pytest.mark.parametrize("block_bytes", [8, 500, None])
@pytest.mark.parametrize(("cloud", "prior", "label"), LAYOUTS)
def test_sums_match_the_definition_for_every_batch_layout_and_block_size(cloud, prior, label, block_bytes):
    """Catches a lost remainder block, a wrong fold of batch axes, and buffers read before they are written."""
    points, frequencies, weights = draw(*cloud, 7, 3), draw(*prior, 5, 3), draw(*label, 2, 7)
    sums = fourier_sums(points, frequencies, weights, block_bytes=block_bytes)
    for ours, truth in zip(sums, by_definition(points, frequencies, weights), strict=True):
        assert ours.shape == truth.shape
        torch.testing.assert_close(ours, truth, **DOUBLE)


def test_more_columns_than_one_block_and_more_rows_than_one_block():
    points, frequencies, weights = draw(700, 2), draw(613, 2), draw(1, 700)
    sums = fourier_sums(points, frequencies, weights, block_bytes=8 * 300 * 100)
    for ours, truth in zip(sums, by_definition(points, frequencies, weights), strict=True):
        torch.testing.assert_close(ours, truth, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize(("n", "m", "c"), [(7, 5, 2), (1500, 613, 1), (40_000, 3, 2), (0, 4, 2), (3, 0, 1)])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_cosines_with_offsets_are_those_of_the_definition_in_every_block(n, m, c, dtype):
    points, parameters, weights = (draw(*shape).to(dtype) for shape in ((n, 3), (m, 4), (c, n)))
    ours = cosine_sums(points, parameters, weights)
    frequencies, offsets = parameters[:, :-1].double(), parameters[:, -1].double()
    truth = weights.double() @ (points.double() @ frequencies.mT + offsets).cos()
    unit = torch.finfo(dtype).eps  # twice the unit of rounding, which makes room for products of rounding errors
    largest = points.double().abs() @ frequencies.abs().mT + offsets.abs()
    bound = unit * (weights.double().abs() @ (4 * largest + n + 2))
    assert ours.dtype == dtype
    assert ((ours.double() - truth).abs() <= bound).all()


def test_cosines_with_offsets_agree_in_batches_and_with_gradients():
    inputs = [draw(2, 6, 3), draw(4, 4), draw(2, 1, 6)]
    batched = cosine_sums(*inputs)
    for entry in range(2):
        alone = cosine_sums(inputs[0][entry], inputs[1], inputs[2][entry])
        torch.testing.assert_close(batched[entry], alone, **DOUBLE)
    leaves = [tensor.clone().requires_grad_() for tensor in inputs]
    torch.testing.assert_close(cosine_sums(*leaves).detach(), batched, **DOUBLE)
    assert torch.autograd.gradcheck(cosine_sums, leaves)


def test_the_differentiable_path_agrees_and_has_the_right_gradient():
    inputs = [draw(2, 6, 3), draw(4, 3), draw(2, 1, 6)]
    plain = fourier_sums(*inputs)
    leaves = [tensor.clone().requires_grad_() for tensor in inputs]
    for ours, truth in zip(fourier_sums(*leaves), plain, strict=True):
        torch.testing.assert_close(ours.detach(), truth, **DOUBLE)
    assert torch.autograd.gradcheck(fourier_sums, leaves)
    with torch.no_grad():
        assert not fourier_sums(*leaves)[0].requires_grad


def test_the_dtype_follows_the_input_and_integer_weights_are_accepted():
    points, frequencies = draw(50, 2).float(), draw(9, 2).float()
    signs = torch.ones(1, 50, dtype=torch.int64)
    cosine, sine = fourier_sums(points, frequencies, signs)
    assert cosine.dtype == sine.dtype == torch.float32
    truth, _ = fourier_sums(points.double(), frequencies.double(), signs)
    torch.testing.assert_close(cosine.double(), truth, rtol=1e-5, atol=1e-4)


def test_known_values_at_zero_frequency_at_pi_and_without_points():
    points = torch.tensor([[0.0], [1.0], [1.0]], dtype=torch.float64)
    frequencies = torch.tensor([[0.0], [math.pi]], dtype=torch.float64)
    cosine, sine = fourier_sums(points, frequencies, torch.tensor([[1.0, 2.0, 4.0]], dtype=torch.float64))
    torch.testing.assert_close(cosine, torch.tensor([[7.0, -5.0]], dtype=torch.float64), **DOUBLE)
    torch.testing.assert_close(sine, torch.zeros(1, 2, dtype=torch.float64), **DOUBLE)
    empty = fourier_sums(points[:0], frequencies, points.new_empty(1, 0))
    assert all((total == 0).all() and total.shape == (1, 2) for total in empty)
    nothing = fourier_sums(points.expand(2, 3, 1), frequencies[:0].expand(2, 0, 1), points.new_ones(2, 1, 3))
    assert nothing[0].shape == (2, 1, 0)


@pytest.mark.parametrize("dimension", [3, 200])
@pytest.mark.parametrize(("cloud", "prior"), [((), ()), ((3,), (3,)), ((2, 2), (2, 2)), ((), (3,)), ((2, 1), (1, 3))])
def test_the_hand_written_gradient_is_the_one_of_autograd(cloud, prior, dimension):
    """Catches a sign, a factor two or a mixed batch entry, in the one-pass and in the two-pass form."""
    points, weights = draw(*cloud, 8, dimension), draw(*cloud, 8)
    frequencies = (draw(*prior, 70, dimension) / dimension**0.5).requires_grad_()
    value, gradient = fourier_potential_and_gradient(points, frequencies.detach(), weights)
    truth = fourier_potential(points, frequencies, weights)
    (slope,) = torch.autograd.grad(truth.sum(), frequencies)
    torch.testing.assert_close(value, truth.detach(), **DOUBLE)
    torch.testing.assert_close(gradient.sum_to_size(slope.shape), slope, rtol=1e-11, atol=1e-11)


def test_the_gradient_broadcasts_weights_over_one_point_cloud():
    points, frequencies, weights = draw(8, 3), draw(5, 3), draw(4, 8)
    value, gradient = fourier_potential_and_gradient(points, frequencies, weights)
    assert value.shape == (4, 5)
    assert gradient.shape == (4, 5, 3)
    alone, slope = fourier_potential_and_gradient(points, frequencies, weights[2])
    torch.testing.assert_close(value[2], alone, **DOUBLE)
    torch.testing.assert_close(gradient[2], slope, **DOUBLE)


def test_bad_input_is_named():
    points, frequencies, weights = draw(7, 3), draw(5, 3), draw(1, 7)
    with pytest.raises(ValueError, match="frequencies has shape"):
        fourier_sums(points, draw(5, 2), weights)
    with pytest.raises(ValueError, match="weights has shape"):
        fourier_sums(points, frequencies, weights[0])
    whole = fourier_sums(points.long(), frequencies, weights)
    assert torch.equal(whole[0], fourier_sums(points.long().to(points.dtype), frequencies, weights)[0])
    with pytest.raises(ValueError, match="block_bytes = 0"):
        fourier_sums(points, frequencies, weights, block_bytes=0)
