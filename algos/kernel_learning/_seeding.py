"""Greedy k-means++ seeds, number for number those of scikit-learn, without its checks of every distance."""

import math

import numpy as np
from numpy.typing import NDArray


def greedy_seeds(points: NDArray[np.float64], count: int, random_state: np.random.RandomState) -> NDArray[np.float64]:
    """`count` of the points (n, d), each the best of 2 + log(count) drawn in proportion to the squared distances.

    The best is that which lowers the sum of squared distances to the nearest seed the most. The draws and the order of
    the sums are those of `sklearn.cluster.kmeans_plusplus` with unit weights.
    """
    n = len(points)
    norms, ones = np.einsum("ij,ij->i", points, points), np.ones(n)
    seeds = np.empty((count, points.shape[1]))

    def squared_distances(candidates: NDArray[np.float64]) -> NDArray[np.float64]:
        distances = -2 * (candidates @ points.T)
        distances += np.einsum("ij,ij->i", candidates, candidates)[:, None]
        distances += norms
        return np.maximum(distances, 0, out=distances)

    seeds[0] = points[random_state.choice(n, p=ones / n)]
    nearest = squared_distances(seeds[:1])
    total = nearest @ ones
    for position in range(1, count):
        drawn = random_state.uniform(size=2 + int(math.log(count))) * total
        rows = np.searchsorted(np.cumsum(nearest), drawn).clip(None, n - 1)
        distances = np.minimum(nearest, squared_distances(points[rows]))
        totals = distances @ ones[:, None]
        best = int(np.argmin(totals))
        total, nearest, seeds[position] = totals[best], distances[best], points[rows[best]]
    return seeds
