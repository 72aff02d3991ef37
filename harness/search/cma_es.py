"""Evolution with covariance adaptation: climbs narrow curved hills from values alone, in up to 160 dimensions."""

import math

import numpy as np
import torch

from harness.language.spaces import Rng, Space, tensor
from harness.search.objective import Objective
from harness.search.population import Population, flatten, joined, unflatten

MOST_COORDINATES = 160
STALE = 12  # generations without a gain, and as many more as there are coordinates by ten, before a restart
FIRST_STEP = 0.3  # of a set's size
STARTS = 8


def cma_es(
    objective: Objective, rng: Rng, parents: Population, generations: int, population: int, *, goal: float = 0.0
) -> Population:
    """Sample from a normal law around the best parent, move and shape the law by the ranks of what was found.

    Hansen's (mu/mu_w, lambda) strategy with rank-one and rank-mu updates, on the joint vector of all continuous
    variables in units of their sets' sizes; discrete ones stay as they are in the parent. Points outside a set are
    projected before they are judged, and the projections are what the law learns from. A run that collapses or goes
    stale is followed by one from another niche, with small and doubled populations in turn.
    """
    smooth = tuple(space for space in objective.spaces if space.smooth)
    size = sum(space.entries for space in smooth)
    if not 0 < size <= MOST_COORDINATES or generations == 0:
        return parents
    starts = parents.niches(STARTS, objective.spaces)
    found: list[Population] = [parents]
    spent = restarts = 0
    while spent < generations:
        at = restarts % len(starts.scores)
        start = Population({n: v[at : at + 1] for n, v in starts.values.items()}, starts.scores[at : at + 1])
        size_now = population if restarts % 2 == 0 else 2 * population  # small and large populations in turn
        champion, used = _climb(objective, rng, start, smooth, (generations - spent, size_now, goal))
        found.append(champion)
        spent, restarts = spent + max(used, 1) * size_now // population, restarts + 1
        if float(champion.scores[0]) > goal:
            break
    return joined(found)


def _climb(
    objective: Objective, rng: Rng, start: Population, smooth: tuple[Space, ...], limits: tuple[int, int, float]
) -> tuple[Population, int]:
    """One run of the strategy from one parent, until it collapses, goes stale or is spent; the best, and its age."""
    generations, population, goal = limits
    law = _CMAES(flatten(smooth, start.values)[0].numpy(), population)
    champion, height = start.values, float(start.scores[0])
    patience, last_gain = STALE + len(law.mean) // 10 * 10, 0
    age = 0
    for age in range(1, generations + 1):
        values = unflatten(smooth, tensor(law.sample(rng)))
        instances = {name: v.expand(population, *v.shape[1:]) for name, v in start.values.items()} | values
        with torch.no_grad():
            scores = objective.scores(instances, population)
        top = int(scores.argmax())
        if float(scores[top]) > height:
            champion = {name: value[top : top + 1].clone() for name, value in instances.items()}
            height, last_gain = float(scores[top]), age
        if height > goal or law.collapsed or age - last_gain > patience:
            break
        law.learn(flatten(smooth, values).numpy(), scores.numpy())
    return Population(champion, torch.tensor([height], dtype=torch.float64)), age


class _CMAES:
    """A normal law with adapted mean, step size and covariance."""

    def __init__(self, mean: np.ndarray, population: int) -> None:
        n = len(mean)
        self.mean, self.step, self.population = mean, FIRST_STEP, population
        self.covariance, self.path, self.path_step = np.eye(n), np.zeros(n), np.zeros(n)
        weights = math.log(population / 2 + 0.5) - np.log(np.arange(1, population // 2 + 1))
        self.weights = weights / weights.sum()
        mass = 1.0 / float((self.weights**2).sum())
        self.mass = mass
        self.rate_step = (mass + 2) / (n + mass + 5)
        self.damping = 1 + 2 * max(0.0, math.sqrt((mass - 1) / (n + 1)) - 1) + self.rate_step
        self.rate_path = (4 + mass / n) / (n + 4 + 2 * mass / n)
        self.rate_one = 2 / ((n + 1.3) ** 2 + mass)
        self.rate_mu = min(1 - self.rate_one, 2 * (mass - 2 + 1 / mass) / ((n + 2) ** 2 + mass))
        self.typical = math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))  # E |N(0, I)|
        self.axes, self.lengths = np.eye(n), np.ones(n)
        self.age = 0

    @property
    def collapsed(self) -> bool:
        return bool(self.step * self.lengths.max() < 1e-13)

    def sample(self, rng: Rng) -> np.ndarray:
        noise = rng.standard_normal((self.population, len(self.mean)))
        return np.asarray(self.mean + self.step * (noise * self.lengths) @ self.axes.T)

    def learn(self, points: np.ndarray, scores: np.ndarray) -> None:
        self.age += 1
        order = np.argsort(-scores, kind="stable")[: len(self.weights)]
        moves = (points[order] - self.mean) / self.step
        shift = self.weights @ moves
        self.mean = self.mean + self.step * shift
        whitened = self.axes @ ((self.axes.T @ shift) / self.lengths)
        c = self.rate_step
        self.path_step = (1 - c) * self.path_step + math.sqrt(c * (2 - c) * self.mass) * whitened
        norm = float(np.linalg.norm(self.path_step))
        steady = norm / math.sqrt(1 - (1 - c) ** (2 * self.age)) < (1.4 + 2 / (len(self.mean) + 1)) * self.typical
        c = self.rate_path
        self.path = (1 - c) * self.path + steady * math.sqrt(c * (2 - c) * self.mass) * shift
        one, mu = self.rate_one, self.rate_mu
        spread = (moves.T * self.weights) @ moves
        keep = 1 - one - mu + (not steady) * one * c * (2 - c)
        self.covariance = keep * self.covariance + one * np.outer(self.path, self.path) + mu * spread
        self.step *= math.exp(min(1.0, self.rate_step / self.damping * (norm / self.typical - 1)))
        self.covariance = 0.5 * (self.covariance + self.covariance.T)
        values, self.axes = np.linalg.eigh(self.covariance)
        self.lengths = np.sqrt(np.maximum(values, 1e-30))
