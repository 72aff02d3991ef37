"""The ascent player: honest values, exact peaks where every ascent must end, and its options."""

import itertools
import math

import pytest
import torch

from algos.best_response.ascent import AscentPeaks
from algos.best_response.planar import PlanarPeaks
from algos.fourier.sums import fourier_potential


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def normal(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, generator=generator(seed), dtype=torch.float64)


def test_two_points_in_many_dimensions_end_at_four():
    """v = 2 +- 2 cos(<w, x - x'>) has no other local maxima than its peaks: an ascent that stops short is wrong."""
    points = normal(2, 300)
    for signs in ([1.0, 1.0], [1.0, -1.0]):
        answer = AscentPeaks(points, generator=generator(1), starts=1)(torch.tensor(signs, dtype=torch.float64))
        torch.testing.assert_close(answer.value.item(), 4.0, rtol=1e-8, atol=0)
        assert answer.gap == math.inf


def test_many_starts_in_a_small_disc_match_a_dense_search_of_it():
    points, signed = normal(30, 2, seed=2), normal(3, 30, seed=3)
    answer = AscentPeaks(points, generator=generator(4), starts=200, lengthscale=0.5, radius=3.0)(signed)
    potential = fourier_potential(points, answer.index.unsqueeze(-2), signed).squeeze(-1)
    torch.testing.assert_close(answer.value, potential)
    assert (answer.index.norm(dim=-1) <= 3.0 * (1 + 1e-12)).all()
    grid = torch.cartesian_prod(*[torch.linspace(-3, 3, 151, dtype=torch.float64)] * 2)
    dense = fourier_potential(points, grid[grid.norm(dim=-1) <= 3.0], signed).amax(-1)
    assert (answer.value >= dense).all()
    certified = PlanarPeaks(points, radius=3.0, tolerance=1e-9)(signed)
    assert (answer.value <= certified.value + certified.gap).all()


def test_ascents_and_polish_only_climb():
    """Same starts: more steps of either kind never give less than the best of the starts themselves."""
    points, signed = normal(50, 20, seed=5), normal(50, seed=6)
    values = [
        float(AscentPeaks(points, generator=generator(7), steps=steps, polish=polish)(signed).value)
        for steps, polish in ((0, 0), (0, 30), (25, 0), (25, 30))
    ]
    assert values[0] < values[1]
    assert values[0] < values[2] < values[3]


def test_starts_have_the_stated_variance():
    """No steps at all: `best` returns the starts. 1.6e5 squares: .0035 at one standard error, six of them allowed."""
    points = normal(10, 400, seed=8)
    player = AscentPeaks(points, generator=generator(9), starts=400, steps=0, polish=0, lengthscale=2.0)
    starts = player.best(torch.ones(10, dtype=torch.float64), 400)
    assert abs(starts.square().mean() / (1.5 / 4) - 1) < 6 * math.sqrt(2 / 160_000)


def test_the_default_length_scale_is_the_median_distance():
    """Two points at distance 3, one of them twice: coinciding points do not count."""
    points = torch.tensor([[0.0, 0.0], [3.0, 0.0], [3.0, 0.0]], dtype=torch.float64)
    ones = torch.ones(3, dtype=torch.float64)
    options = {"starts": 5, "steps": 0, "polish": 0}
    given = AscentPeaks(points, generator=generator(), lengthscale=3.0, **options).best(ones, 5)
    torch.testing.assert_close(AscentPeaks(points, generator=generator(), **options).best(ones, 5), given)


def test_several_places_come_highest_first():
    points, signed = normal(40, 6, seed=10), normal(2, 40, seed=11)
    places = AscentPeaks(points, generator=generator(12)).best(signed, 5)
    values = fourier_potential(points, places, signed)
    assert (values.diff(dim=-1) <= 0).all()
    one = AscentPeaks(points, generator=generator(12))(signed)
    assert (one.value <= values[:, 0] * (1 + 1e-12)).all()


def test_the_answer_before_is_a_start_only_if_asked():
    points, signed = normal(40, 6, seed=13), normal(40, seed=14)
    kept = AscentPeaks(points, generator=generator(15), starts=1, steps=3, reuse=True)
    values = [float(kept(signed).value) for _ in range(8)]
    assert all(later >= earlier * (1 - 1e-12) for earlier, later in itertools.pairwise(values))
    fresh = AscentPeaks(points, generator=generator(15), starts=1, steps=3)
    again = [float(fresh(signed).value) for _ in range(8)]
    assert any(later < earlier * 0.99 for earlier, later in itertools.pairwise(again))


def test_a_search_in_float32_answers_in_float64():
    points, signed = normal(40, 10, seed=16), normal(40, seed=17)
    answer = AscentPeaks(points, generator=generator(18), search=torch.float32)(signed)
    assert answer.value.dtype == answer.index.dtype == torch.float64
    potential = fourier_potential(points, answer.index.unsqueeze(-2), signed)
    torch.testing.assert_close(answer.value, potential.squeeze(-1), rtol=1e-12, atol=0)


def test_degenerate_weights_and_points():
    player = AscentPeaks(normal(5, 3), generator=generator(19))
    nothing = player(torch.zeros(5, dtype=torch.float64))
    assert nothing.value == 0
    assert nothing.index.isfinite().all()
    single = AscentPeaks(torch.ones(2, 3, dtype=torch.float64), generator=generator(20))
    answer = single(torch.tensor([1.0, 2.0], dtype=torch.float64))
    torch.testing.assert_close(answer.value.item(), 9.0)
    assert player.features(answer.index, normal(7, 3)).shape == (7, 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"starts": 0}, "starts = 0"),
        ({"steps": -1}, "steps = -1"),
        ({"lengthscale": 0.0}, "lengthscale = 0"),
        ({"step": math.inf}, "step = inf"),
        ({"radius": -1.0}, "radius = -1"),
        ({"radius": 0.0}, "radius = 0"),
    ],
)
def test_what_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        AscentPeaks(normal(3, 2), generator=generator(), **options)


def test_more_places_than_particles_are_refused():
    with pytest.raises(ValueError, match="count = 31"):
        AscentPeaks(normal(3, 2), generator=generator()).best(torch.ones(3), 31)
    with pytest.raises(ValueError, match="axes"):
        AscentPeaks(normal(2, 3, 2), generator=generator())
