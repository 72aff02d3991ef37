"""Figures 1 and 4: five landmarks in the plane.

The toys, their sizes, the kernel width and C are not given in the paper, so nothing numerical can be compared: the
pictures' message is judged on toys of our own, with the width and C chosen by validation. The panels show the first.
"""

from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor

from algos.fourier.random_features import gaussian_kernel
from harness import Draw, Panel, Row, claim, reproduction
from harness.claims.pbrff.learned_maps import (
    few_landmarks,
    gaussian_landmark_machine,
    learned_landmark_machines,
    learned_similarities,
)
from harness.claims.pbrff.learners import (
    Task,
    consecutive_split,
    kernel_machine,
    linear_decisions,
    linear_machine,
)
from harness.claims.pbrff.samples import POWERS, row, seeds
from harness.claims.placement import on_device
from harness.data import gaussian_xor, two_moons

LANDMARKS, FEATURES, BETA = 5, 20, 1.0
PARTS = (100, 100, 500)
"""Training, validation and test points."""

GAMMAS = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0)

TOYS, CHOICES = 4, 3
"""Toys in a replicate, and random choices of the landmarks on each."""

CELLS, MARGIN = 41, 0.3
"""Of a panel: cells in each direction, and the room around the points."""


@claim(
    "pbrff/fig-1",
    reproduction(sided="at least"),
    cite="pbrff, Figure 1 and Section 6.1",
    sizes="five landmarks, D = 20, beta = 1 and both rows of panels as printed; the paper shows its toy in a picture "
    "alone, so the generator is ours, and 100 training points, the width and C, which it does not name",
)
def five_landmarks_on_two_moons(draw: Draw):
    """From five learned similarities a linear machine predicts better than from five RBF landmarks, on two moons.

    It also predicts better than from the points themselves: the representation does the work.
    """
    return toy_rows(two_moons, draw, noise=0.1)


@claim(
    "pbrff/fig-4",
    reproduction(sided="at least"),
    cite="pbrff, Figure 4 and Section 6.1",
    sizes="five landmarks, D = 20, beta = 1 and both rows of panels as printed; the paper shows its toy in a picture "
    "alone, so the generator is ours, and 100 training points, the width and C, which it does not name",
)
def five_landmarks_on_four_clouds(draw: Draw):
    """From five learned similarities a linear machine predicts better than from five RBF landmarks, on four clouds.

    The clouds are Gaussian, with classes in opposite corners. It also predicts better than from the points themselves.
    """
    return toy_rows(gaussian_xor, draw, noise=0.35)


def toy_rows(toy: Callable[..., tuple[Tensor, Tensor]], draw: Draw, *, noise: float) -> list[Row | Panel]:
    """The judged differences in test error, the mean errors, and panels of the first toy."""
    toy_seeds = seeds(draw, "seed of the toy", TOYS)
    found = [_errors(*on_device(draw, toy(sum(PARTS), noise=noise, seed=seed)), seed) for seed in toy_seeds]
    errors = torch.tensor(found, dtype=torch.float64).reshape(-1, TOYS, 3).mean(1)
    plain, rbf, learned = errors.unbind(-1)
    return [
        row("RBF landmarks - PB landmarks", rbf - learned, 0.0),
        row("points - PB landmarks", plain - learned, 0.0),
        row("linear machine on the points", plain),
        row("RBF landmarks", rbf),
        row("PB landmarks", learned),
        *_panels(_task(*on_device(draw, toy(sum(PARTS), noise=noise, seed=toy_seeds[0]))), toy_seeds[0]),
    ]


def _task(points: Tensor, labels: Tensor) -> Task:
    train, valid, _ = PARTS
    return consecutive_split(points, labels, train=train, valid=valid, gammas=GAMMAS, costs=POWERS[7:9])


def _errors(points: Tensor, labels: Tensor, seed: int) -> list[float]:
    """Test errors of linear machines on the points, on RBF landmarks and on PB landmarks, a mean over the choices."""
    task = _task(points, labels)
    gamma, costs = kernel_machine(task).parameters["gamma"], POWERS[6:10]
    generator = torch.Generator(points.device).manual_seed(seed)
    plain = linear_machine(task, points, costs=costs).test_error
    found = []
    for _ in range(CHOICES):
        landmarks = few_landmarks(task, LANDMARKS, generator=generator)
        rbf = gaussian_landmark_machine(task, landmarks, gamma=gamma, costs=costs)
        (learned,) = learned_landmark_machines(
            task, landmarks, gamma=gamma, costs=costs, features=FEATURES, betas=(BETA,), generator=generator
        )
        found.append([rbf.test_error, learned.test_error])
    return [plain, *torch.tensor(found, dtype=torch.float64).mean(0).tolist()]


def _panels(task: Task, seed: int) -> list[Panel]:
    """The five kernels and the five learned similarities over the plane, and the decisions of their machines."""
    gamma, costs = kernel_machine(task).parameters["gamma"], POWERS[6:10]
    generator = torch.Generator(task.points.device).manual_seed(seed)
    landmarks = few_landmarks(task, LANDMARKS, generator=generator)
    seen = task.points[task.train]
    low, high = (seen.amin(0) - MARGIN).tolist(), (seen.amax(0) + MARGIN).tolist()
    frame = (low[0], high[0], low[1], high[1])
    sides = [torch.linspace(a, b, CELLS).to(seen) for a, b in zip(low, high, strict=True)]
    cells = torch.cartesian_prod(*reversed(sides)).flip(-1)
    labels = torch.cat([task.labels, task.labels.new_ones(len(cells))])
    wider = replace(task, points=torch.cat([task.points, cells]), labels=labels)  # its machines see the old rows alone
    (learned,) = learned_similarities(
        wider, landmarks, gamma=gamma, features=FEATURES, betas=(BETA,), generator=generator
    )
    panels = [Panel("training points", extent=frame, points=seen.cpu(), labels=task.labels[task.train].cpu())]
    for k, landmark in enumerate(landmarks.points.cpu(), start=1):
        panels.append(Panel(f"landmark {k}", extent=frame, points=landmark[None]))
    for name, outputs in (("RBF", gaussian_kernel(wider.points, landmarks.points, gamma=gamma)), ("PB", learned)):
        decision = linear_decisions(wider, outputs, costs=costs).unsqueeze(-1)
        titles = [*(f"landmark {k}" for k in range(1, LANDMARKS + 1)), "decision"]
        for title, column in zip(titles, torch.cat([outputs, decision], -1)[len(task.labels) :].T, strict=True):
            values = column.reshape(CELLS, CELLS).cpu()
            panels.append(Panel(f"{name}, {title}", values=values, extent=frame, contour=0.0))
    return panels
