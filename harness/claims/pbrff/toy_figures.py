"""Figures 1 and 4: five landmarks in the plane.

The toys, their sizes, the kernel width and C are not given in the paper, so nothing numerical can be compared: the
pictures' message is judged on toys of our own, with the width and C chosen by validation.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from harness import Draw, Row, claim, reproduction
from harness.claims.pbrff.learned_maps import few_landmarks, gaussian_landmark_machine, learned_landmark_machines
from harness.claims.pbrff.learners import consecutive_split, kernel_machine, linear_machine
from harness.claims.pbrff.samples import POWERS, row, seeds
from harness.claims.placement import on_device
from harness.data import gaussian_xor, two_moons

LANDMARKS, FEATURES, BETA = 5, 20, 1.0
PARTS = (100, 100, 500)
"""Training, validation and test points."""

GAMMAS = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0)

TOYS, CHOICES = 4, 3
"""Toys in a replicate, and random choices of the landmarks on each."""


@claim(
    "pbrff/fig-1",
    reproduction(sided="at least"),
    cite="pbrff, Figure 1 and Section 6.1",
    restricts="toys of our own, as the paper gives none; test errors in place of pictures",
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
    restricts="toys of our own, as the paper gives none; test errors in place of pictures",
)
def five_landmarks_on_four_clouds(draw: Draw):
    """From five learned similarities a linear machine predicts better than from five RBF landmarks, on four clouds.

    The clouds are Gaussian, with classes in opposite corners. It also predicts better than from the points themselves.
    """
    return toy_rows(gaussian_xor, draw, noise=0.35)


def toy_rows(toy: Callable[..., tuple[Tensor, Tensor]], draw: Draw, *, noise: float) -> list[Row]:
    """The judged differences in test error, and the mean errors."""
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
    ]


def _errors(points: Tensor, labels: Tensor, seed: int) -> list[float]:
    """Test errors of linear machines on the points, on RBF landmarks and on PB landmarks, a mean over the choices."""
    train, valid, _ = PARTS
    task = consecutive_split(points, labels, train=train, valid=valid, gammas=GAMMAS, costs=POWERS[7:9])
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
