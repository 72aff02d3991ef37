"""Micro-benchmarks of the core: `make bench-quick` times them; else each runs once, and its result is looked at."""

import math

import numpy as np
import pytest
import torch
from pytest_benchmark.fixture import BenchmarkFixture

from algos.best_response.lattice import LatticePeaks
from algos.divergence_ball.exact import chi_square_ball_maximum
from algos.estimators import GreedyFourierFeatures
from algos.fourier.sums import fourier_potential_and_gradient
from algos.kernel_learning.alignment import binary_alignment_loss
from algos.kernel_learning.greedy_kernel import pseudo_bayesian_weights
from algos.margin_game.projection import BoxHyperplane
from bounds.concentration import bennett_deviation
from harness import check, claim, every, high_probability
from harness.language.registry import grid


@pytest.fixture(autouse=True)
def one_thread():
    """Times of one thread; the number of before afterwards."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(0)


def normal(*shape: int, generator: torch.Generator) -> torch.Tensor:
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def test_alignment_losses(benchmark: BenchmarkFixture, generator: torch.Generator) -> None:
    points, frequencies = normal(2_000, 10, generator=generator), normal(500, 10, generator=generator)
    labels = points[:, 0].sign()
    losses = benchmark(binary_alignment_loss, points, labels, frequencies)
    assert losses.shape == (500,)
    assert 0.0 <= float(losses.min()) < float(losses.max()) <= 1.0


def test_potential_and_gradient(benchmark: BenchmarkFixture, generator: torch.Generator) -> None:
    points, frequencies = normal(2_000, 10, generator=generator), normal(100, 10, generator=generator)
    value, gradient = benchmark(fourier_potential_and_gradient, points, frequencies, points[:, 0])
    size = gradient.norm(dim=-1)
    after, _ = fourier_potential_and_gradient(points, frequencies + 1e-6 * gradient / size[:, None], points[:, 0])
    assert torch.allclose(after - value, 1e-6 * size, rtol=1e-3)


def test_chi_square_ball(benchmark: BenchmarkFixture, generator: torch.Generator) -> None:
    values = normal(20_000, generator=generator)
    found = benchmark(chi_square_ball_maximum, values, 1.0)
    mean, deviation = float(values.mean()), float(values.std(correction=0))
    assert mean < float(found.weights @ values) <= mean + deviation * (1 + 1e-12)


def test_gibbs_posterior(benchmark: BenchmarkFixture, generator: torch.Generator) -> None:
    losses = torch.rand(100_000, generator=generator, dtype=torch.float64)
    weights = benchmark(pseudo_bayesian_weights, losses, 1.0, sample_size=100)
    assert float(weights.sum()) == pytest.approx(1.0, rel=1e-12)


def test_projection(benchmark: BenchmarkFixture, generator: torch.Generator) -> None:
    labels = torch.ones(200, dtype=torch.float64)
    labels[::2] = -1.0
    nearest = benchmark(BoxHyperplane(labels, 1.0), normal(200, generator=generator))
    assert float(nearest @ labels) == pytest.approx(0.0, abs=1e-12)


def test_answer_on_the_line(benchmark: BenchmarkFixture, generator: torch.Generator) -> None:
    places = torch.randint(0, 64, (500, 1), generator=generator).double()
    answer = benchmark(LatticePeaks(places), torch.ones(500, dtype=torch.float64))
    assert float(answer.value) == pytest.approx(500.0**2, rel=1e-12)


def test_transform(benchmark: BenchmarkFixture) -> None:
    points = np.random.default_rng(0).standard_normal((1_000, 10))
    fitted = GreedyFourierFeatures(50, pool_size=200, random_state=0).fit(points[:200], np.sign(points[:200, 0]))
    assert benchmark(fitted.transform, points).shape == (1_000, 100)


def test_a_bound(benchmark: BenchmarkFixture) -> None:
    assert 0.06 < benchmark(bennett_deviation, 0.05, 1.0, 100, delta=0.05) < 0.07


def test_a_verdict(benchmark: BenchmarkFixture) -> None:
    @claim("speed/coins", high_probability("delta"), over=grid(n=[10], delta=[0.05]))
    def coins(forall, draw, *, n, delta):
        """|mean - p| <= sqrt(log(2/delta) / (2 n)) with probability 1 - delta."""
        p = forall.interval("p", 0.0, 1.0)
        return (draw.bernoulli("x", p, n).mean(-1) - p).abs(), math.sqrt(math.log(2.0 / delta) / (2.0 * n))

    assert benchmark(check, coins, effort="quick").status in ("HOLDS", "PROVED")


def test_enumerated_signs(benchmark: BenchmarkFixture) -> None:
    assert benchmark(every.signs, 12, like=torch.zeros(1)).shape == (4096, 12)
