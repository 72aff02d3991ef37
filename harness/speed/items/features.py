"""Feature maps: random Fourier features, structured ones, and their moments without storing them."""

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from algos.fourier.random_features import random_fourier_features
from algos.fourier.streamed import fourier_moments
from algos.fourier.structured import structured_frequencies, structured_phases, structured_signs
from harness.benchmarks.floors import hadamard_products, in_turn, multiply_and_turn, symmetric_update
from harness.speed.contest import Bar, Call, Contest, Item, Peer

RBF = "scikit-learn RBFSampler"
FRESH, GIVEN = "fresh output", "out="


def normal(*shape: int, dtype: torch.dtype, seed: int = 0) -> Tensor:
    """Standard normal numbers."""
    return torch.randn(shape, dtype=dtype, generator=torch.Generator().manual_seed(seed))


def rbf_sampler(points: Tensor, frequencies: Tensor) -> Any:
    """scikit-learn's transformer with our frequencies: offsets 0 and -pi/2 make its cosines our cosines and sines."""
    from sklearn.kernel_approximation import RBFSampler  # noqa: PLC0415

    some, m = points[:10].numpy(), len(frequencies)
    sampler = RBFSampler(n_components=2 * m, random_state=0).fit(some)
    both = frequencies.T.numpy()
    sampler.random_weights_ = np.ascontiguousarray(np.concatenate([both, both], 1))
    sampler.random_offset_ = np.repeat(np.array([0.0, -math.pi / 2], dtype=some.dtype), m)
    return sampler


def stored(points: Tensor, frequencies: Tensor) -> Tensor:
    """The map as a textbook writes it, in torch."""
    phases = points @ frequencies.T
    return torch.cat([phases.cos(), phases.sin()], -1) / math.sqrt(len(frequencies))


def feature_map(dtype: torch.dtype, *, textbook: bool) -> Contest:
    """10,000 points, 5,000 frequencies; beside the textbook (seconds in double precision) or not."""
    points, frequencies = normal(10_000, 30, dtype=dtype), normal(5_000, 30, dtype=dtype, seed=1)
    out = points.new_empty(10_000, 10_000)

    def sampler() -> Call:
        fitted, array = rbf_sampler(points, frequencies), points.numpy()
        return lambda: fitted.transform(array)

    def by_numpy() -> np.ndarray:
        phases = points.numpy() @ frequencies.numpy().T
        features: np.ndarray = np.hstack([np.cos(phases), np.sin(phases)])
        features /= math.sqrt(len(frequencies))
        return features

    return Contest(
        ours={
            FRESH: lambda: random_fourier_features(points, frequencies),
            GIVEN: lambda: random_fourier_features(points, frequencies, out=out),
        },
        peers=(Peer(RBF, sampler), *((Peer("numpy, textbook", lambda: by_numpy),) if textbook else ())),
        floor=in_turn(multiply_and_turn(points, frequencies), lambda: out.fill_(1.0)),
        tolerance=2 * _phase_rounding(points, frequencies),
    )


def _phase_rounding(points: Tensor, frequencies: Tensor) -> float:
    """Bound of the error of a phase <w, x>, and so of its cosine: d u |w| |x|, whatever the order of the sum."""
    largest = points.norm(dim=-1).max() * frequencies.norm(dim=-1).max()
    return points.shape[-1] * torch.finfo(points.dtype).eps / 2 * float(largest)


def structured(dtype: torch.dtype, dimension: int) -> Contest:
    """2,000 points, 4,096 frequencies."""
    points = normal(2_000, dimension, dtype=dtype)
    signs = structured_signs(4_096, dimension, generator=torch.Generator().manual_seed(1), dtype=dtype)
    columns = structured_frequencies(signs, dimension, gamma=0.5).T.contiguous()
    left = 1 << dimension.bit_length() // 2
    return Contest(
        ours={"": lambda: structured_phases(points, signs, gamma=0.5)},
        peers=(
            Peer("torch, dense product", lambda: lambda: points @ columns),
            Peer("numpy, dense product", lambda: partial(np.matmul, points.numpy(), columns.numpy())),
        ),
        floor=hadamard_products(2_000, left, dimension // left, 3 * 4_096 // dimension, dtype=dtype),
        tolerance=1e-4 if dtype == torch.float32 else 1e-11,
    )


def moments() -> Contest:
    """10,000 points, 500 frequencies, float64."""
    points, frequencies = normal(10_000, 30, dtype=torch.float64), normal(500, 30, dtype=torch.float64, seed=1)
    targets = points[:, 0].sign()

    def by_sampler() -> Call:
        fitted = rbf_sampler(points, frequencies)

        def run() -> tuple[np.ndarray, np.ndarray]:
            features = fitted.transform(points.numpy())
            return features.T @ features, features.T @ targets.numpy()

        return run

    def by_torch() -> tuple[Tensor, Tensor]:
        features = stored(points, frequencies)
        return features.T @ features, features.T @ targets

    return Contest(
        ours={"": lambda: fourier_moments(points, targets, frequencies)},
        peers=(Peer("scikit-learn RBFSampler, numpy", by_sampler), Peer("torch, textbook", lambda: by_torch)),
        floor=in_turn(multiply_and_turn(points, frequencies), symmetric_update(10_000, 1_000)),
        tolerance=1e-11,
    )


def _items() -> Iterator[Item]:
    for name, against in (("float32", {FRESH: 1.5, GIVEN: 2.5}), ("float64", {FRESH: 5.0, GIVEN: 5.0})):
        for all_cores in (False, True):
            yield Item(
                f"features-{name}" + all_cores * "-all-cores",
                f"random Fourier features, 10,000 points in 30 dimensions, 10,000 outputs, {name}"
                + all_cores * ", all cores, wall clock",
                "product, cosines and sines in cache; one fill of the output",
                partial(feature_map, getattr(torch, name), textbook=name == "float32" and not all_cores),
                tuple(Bar(variant, RBF, least=least) for variant, least in against.items()),
                all_cores,
            )
    for dimension, name in ((256, "float32"), (1024, "float32"), (1024, "float64")):
        yield Item(
            f"structured-{name}-{dimension}",
            f"structured projection, 2,000 points in {dimension} dimensions, 4,096 frequencies, {name}",
            "the products with small Hadamard matrices",
            partial(structured, getattr(torch, name), dimension),
            (Bar("", "torch, dense product", least=1.0),),
        )
    yield Item(
        "moments",
        "Z^T Z and Z^T y of random Fourier features, 10,000 points in 30 dimensions, 1,000 outputs, float64",
        "product, cosines and sines in cache; one symmetric update",
        moments,
        (Bar("", "floor", most=1.4),),
    )


ITEMS = tuple(_items())
