"""The toys of nsrf Figure 1: their supports, their labels, their symmetries, and that a seed fixes them."""

import math

import numpy as np
import pytest
import torch

from harness.data import checkerboard, windmill


def test_windmill_labels_follow_the_formula_from_the_coordinates():
    points, labels = windmill(500, seed=3, blades=3, twist=0.7)
    radius, angle = points.norm(dim=-1), torch.atan2(points[:, 1], points[:, 0])
    assert torch.equal(labels, (3 * angle + 0.7 * radius).sin().sign())
    assert points.shape == (500, 2)
    assert points.dtype == labels.dtype == torch.float64


def test_checkerboard_labels_follow_the_formula_from_the_coordinates():
    points, labels = checkerboard(500, seed=3, meridians=3, parallels=2)
    angle = torch.atan2(points[:, :2].norm(dim=-1), points[:, 2])
    assert torch.equal(labels, ((3 * torch.atan2(points[:, 1], points[:, 0])).sin() * (2 * angle).sin()).sign())
    torch.testing.assert_close(points.norm(dim=-1), torch.ones(500, dtype=torch.float64))


def test_the_laws_are_uniform():
    """Kolmogorov distances of 20 000 draws below the 1e-6 quantile 2.7 / sqrt n; a radius without its root has .25."""
    limit = math.sqrt(math.log(2 / 1e-6) / 2 / 20_000)
    disc, sphere = windmill(20_000, seed=0)[0].numpy(), checkerboard(20_000, seed=0)[0].numpy()
    for uniform in (
        (disc**2).sum(1),
        np.arctan2(disc[:, 1], disc[:, 0]) / (2 * math.pi) + 0.5,
        (sphere[:, 2] + 1) / 2,
        np.arctan2(sphere[:, 1], sphere[:, 0]) / (2 * math.pi) + 0.5,
    ):
        steps = (np.arange(20_000) + 0.5) / 20_000
        assert np.abs(np.sort(uniform) - steps).max() < limit


def test_the_board_is_odd_in_the_third_coordinate():
    """What the parity of the harmonics relies on: (x, y, -z) has the other label."""
    points, labels = checkerboard(1000, seed=1)
    angle = torch.arccos(-points[:, 2])
    mirrored = ((2 * torch.atan2(points[:, 1], points[:, 0])).sin() * (4 * angle).sin()).sign()
    assert torch.equal(mirrored, -labels)


@pytest.mark.parametrize("toy", [windmill, checkerboard])
def test_a_seed_fixes_the_points_and_a_larger_sample_begins_alike(toy):
    points, labels = toy(1000, seed=5)
    again, same = toy(300, seed=5)
    assert torch.equal(again, points[:300])
    assert torch.equal(same, labels[:300])
    assert not torch.equal(toy(300, seed=6)[0], again)
    assert toy(1, seed=0)[1].abs().tolist() == [1.0]
    assert [len(part) for part in toy(0, seed=0)] == [0, 0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: windmill(3, seed=0, blades=0), "blades is 0"),
        (lambda: checkerboard(3, seed=0, parallels=3), "a board of 2 meridians and 3 parallels"),
        (lambda: checkerboard(3, seed=0, meridians=0), "a board of 0 meridians and 4 parallels"),
    ],
)
def test_boards_without_two_classes_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
