"""The core on a GPU beside the same call on all cores of the processor: `python -m tests.speed.on_cuda`."""

import statistics
import sys
import time
from collections.abc import Callable

import torch
from torch import Tensor

from algos.divergence_ball.exact import chi_square_ball_maximum
from algos.fourier.random_features import random_fourier_features
from algos.fourier.streamed import fourier_gram
from algos.fourier.sums import fourier_potential_and_gradient
from algos.ridge.leverage import ridge_leverage_scores

ROUNDS = 7

Maker = Callable[[torch.device], Callable[[], Tensor]]
"""A device -> the call whose inputs are there."""


def normal(*shape: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    """Fixed normal numbers, the same on all devices."""
    return torch.randn(shape, dtype=dtype, generator=torch.Generator().manual_seed(len(shape))).to(device)


def features(dtype: torch.dtype) -> Maker:
    def make(device: torch.device) -> Callable[[], Tensor]:
        points, frequencies = (normal(n, 30, dtype=dtype, device=device) for n in (50_000, 5000))
        out = torch.empty(len(points), 2 * len(frequencies), dtype=dtype, device=device)
        return lambda: random_fourier_features(points, frequencies, out=out)

    return make


def gram(device: torch.device) -> Callable[[], Tensor]:
    points, frequencies = (normal(n, 30, dtype=torch.float32, device=device) for n in (50_000, 1000))
    return lambda: fourier_gram(points, frequencies)


def gradient(device: torch.device) -> Callable[[], Tensor]:
    points, frequencies = (normal(n, 32, dtype=torch.float32, device=device) for n in (100_000, 500))
    weights = normal(len(points), dtype=torch.float32, device=device)
    return lambda: fourier_potential_and_gradient(points, frequencies, weights)[1]


def ball(device: torch.device) -> Callable[[], Tensor]:
    values = normal(1_000_000, dtype=torch.float64, device=device)
    return lambda: chi_square_ball_maximum(values, 1.0).weights


def leverage(device: torch.device) -> Callable[[], Tensor]:
    pool = normal(2000, 10_000, dtype=torch.float64, device=device)
    masses = torch.full((pool.shape[1],), 1 / pool.shape[1], dtype=torch.float64, device=device)
    return lambda: ridge_leverage_scores(pool, masses, 1e-3)


CALLS: dict[str, Maker] = {
    "feature map, 50,000 x 30 to 10,000 outputs, float32, with `out=`": features(torch.float32),
    "feature map, the same, float64": features(torch.float64),
    "Gram matrix of 2000 features of 50,000 points, never stored, float32": gram,
    "potential and gradient, 100,000 points in 32 dimensions, 500 frequencies, float32": gradient,
    "chi-square ball, 1,000,000 values, float64": ball,
    "leverage scores, 2000 points, 10,000 features, float64": leverage,
}


def seconds(call: Callable[[], Tensor]) -> float:
    start = time.perf_counter()
    call()
    torch.cuda.synchronize()
    return time.perf_counter() - start


def row(name: str, make: Maker) -> str:
    """A line of the table: milliseconds on both, the ratio, and how far the results are apart."""
    plain, there = make(torch.device("cpu")), make(torch.device("cuda"))
    one, other = plain(), there().cpu()
    apart = float((one - other).abs().max() / one.abs().max())
    turns = [(seconds(plain), seconds(there)) for _ in range(ROUNDS)]
    cpu, gpu = (1e3 * statistics.median(times) for times in zip(*turns, strict=True))
    return f"| {name} | {cpu:.1f} | {gpu:.2f} | {cpu / gpu:.0f} | {apart:.0e} |"


def main() -> int:
    if not torch.cuda.is_available():
        sys.exit("torch sees no GPU")
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, {torch.get_num_threads()} threads", flush=True)
    print("| call | processor, ms | GPU, ms | ratio | apart |\n|---|---:|---:|---:|---:|", flush=True)
    for name, make in CALLS.items():
        print(row(name, make), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
