"""Multiple-kernel learners beside learned features: that they are what the appendix says, and what they cost."""

import os
import time
from typing import Literal, TypeAlias

import numpy as np
import torch

from algos.fourier.feature_families import OffsetCosine
from harness import Draw, Row, claim, grid, reproduction
from harness.claims.full_size import FULL
from harness.claims.lkrf.data_sets import Task, gaussian, learn, logistic_errors, random_split
from harness.claims.lkrf.multiple_kernels import (
    Machine,
    alignment_ratios,
    base_kernels,
    combined,
    joint_feature_machine,
    machine,
    multiple_kernel_machine,
)
from harness.claims.lkrf.spheres import sphere_sample
from harness.claims.placement import generators, on_device
from harness.data import breast_cancer, handwritten_digits, required
from harness.data.adult import adult_indicators

Bundled: TypeAlias = Literal["breast cancer", "digits 3 and 8", "spheres"]
NAMES: list[Bundled] = ["breast cancer", "digits 3 and 8", "spheres"]
POINTS = {"ABMKSVM(ratio)": 17_500, "MKSVM": 7_500}
"""Appendix C: training points of adult."""


@claim(
    "lkrf/baselines",
    reproduction(sided="at most"),
    cite="lkrf, Appendix C: ABMKSVM(ratio) and MKSVM",
    over=grid(name=NAMES),
    sizes="the three kernels as printed; three data sets of 260 to 427 points, C = 1",
    restricts="bundled data; that both problems are solved, not the printed errors and times",
)
def multiple_kernel_learners_solve_their_problems(draw: Draw, *, name: Bundled):
    """MKSVM is within 1 % of the least value of the SVM over combined kernels, and below the alignment ratios' value.

    The gap is that of weak duality, so that no other weights do better; ratios are shown beside the joint weights, with
    test errors, processor times and support vectors.
    """
    task = bundled(name, generators(draw, "seed of the splits")[0])
    heuristic, joint = (trained(task, learner) for learner in ("ABMKSVM(ratio)", "MKSVM"))
    first, second = heuristic[0], joint[0]
    rows: list[Row] = [
        Row("gap / value of MKSVM", second.gap / second.value, printed=0.01),
        Row("value of MKSVM / of ABMKSVM(ratio) - 1", second.value / first.value - 1, printed=1e-3),
        Row("sum of the ratios - 1", abs(float(first.weights.sum()) - 1), printed=1e-12),
    ]
    for learner, (found, error, seconds) in (("ABMKSVM(ratio)", heuristic), ("MKSVM", joint)):
        rows += [Row(f"{learner}: weight of kernel {k + 1}", float(w)) for k, w in enumerate(found.weights)]
        rows += [Row(f"{learner}: test error in %", error), Row(f"{learner}: seconds", seconds)]
        rows.append(Row(f"{learner}: support vectors", float(found.vectors)))
    return rows


@claim(
    "lkrf/eq-9-machine",
    reproduction(sided="at most"),
    cite="lkrf, equation (9), with the hinge loss",
    sizes="three data sets, 100 training points and 50 features each, rho = 5; C = 1, as features can be rescaled",
)
def joint_machine_is_optimal(draw: Draw):
    """The joint problem (9) is solved within 2 %, and has a smaller value than the weights by alignment.

    Frank-Wolfe steps, each with an SVM, and the gap of weak duality; any other weights of the ball have at least
    value - gap.
    """
    rows: list[Row] = []
    generator = generators(draw, "seed of the splits")[0]
    for name in NAMES:
        task = bundled(name, generator, train=100)
        kernel = learn(task, gaussian(task), count=50, rho=5.0, generator=generator)
        features, labels = kernel.family.evaluate(task.points, kernel.pool), task.labels.cpu().numpy()
        joint = joint_feature_machine(features, task.labels, 5.0, steps=40)
        phi, weights = features.cpu().numpy(), kernel.weights.cpu().numpy()
        aligned = machine((phi * weights) @ phi.T, labels, weights)
        rows.append(Row(f"{name}: gap / value", joint.gap / joint.value, printed=0.02))
        rows.append(Row(f"{name}: joint value / that of the aligned weights", joint.value / aligned.value, printed=1.0))
    return rows


@claim(
    "lkrf/tab-5-adult",
    reproduction(sided="at least"),
    cite="lkrf, Tables 2 and 5, adult",
    sizes=f"2000 training points; under {FULL}=1 as printed, 17,500 for ABMKSVM(ratio), 7500 for MKSVM, all for OK",
    restricts="adult alone of nine data sets, on a part of its training points; that the ratios exceed 1",
)
def multiple_kernels_take_longer_on_adult(draw: Draw):
    """Training and testing with combined kernels takes longer than with learned features: time ratios above 1.

    In print 24 and 206 times. Processor times on all 16,281 test points, C = 1; errors are shown.
    """
    full = os.environ.get(FULL) == "1"
    data = adult_indicators(required("adult", "lkrf/tab-5-adult"))
    generator = generators(draw, "seed of the features")[0]
    task = Task(*on_device(draw, data.training.tensors), *on_device(draw, data.test.tensors))
    own = task if full else first_of(task, 2000)
    start = time.process_time()
    error = aligned_errors(own, gaussian(own), generator)[1]
    seconds = time.process_time() - start
    rows: list[Row] = [Row("OK: test error in %, printed 15.54", error), Row("OK: seconds, printed 3.6", seconds)]
    for learner, printed in (("ABMKSVM(ratio)", 15.44), ("MKSVM", 16.79)):
        found, wrong, took = trained(first_of(task, POINTS[learner] if full else 2000), learner)
        rows.append(Row(f"{learner}: time / that of OK - 1", took / seconds - 1, printed=0.0))
        rows.append(Row(f"{learner}: test error in %, printed {printed}", wrong))
        rows.append(Row(f"{learner}: support vectors", float(found.vectors)))
    return rows


@claim(
    "lkrf/tab-2-adult",
    reproduction(sided="at least"),
    cite="lkrf, Table 2, equation (9), adult",
    sizes=f"500 of the 5000 training points, all of them under {FULL}=1; N = 500 features",
    restricts="a tenth of the training points; that joint optimisation errs less in training and takes longer",
)
def joint_optimisation_on_adult(draw: Draw):
    """Joint optimisation errs less in training than alignment and takes more than 10 times as long: adult.

    In print 14.88 against 16.22 % and 110 times; test errors, 16.31 and 16.36 %, are shown.
    """
    data = adult_indicators(required("adult", "lkrf/tab-2-adult"))
    generator = generators(draw, "seed of the features")[0]
    task = Task(*on_device(draw, data.training.tensors), *on_device(draw, data.test.tensors))
    task = first_of(task, 5000 if os.environ.get(FULL) == "1" else 500)
    start = time.process_time()
    kernel = learn(task, gaussian(task), count=500, rho=6.0, generator=generator)
    kept = kernel.kept
    scales = kernel.scales
    aligned = logistic_errors(task, kernel.family, kernel.pool[kept], scales)
    middle = time.process_time()
    features = kernel.family.evaluate(task.points, kernel.pool)
    joint = joint_feature_machine(features, task.labels, 6.0, steps=20)
    tested = kernel.family.evaluate(task.test_points, kernel.pool).cpu().numpy() * joint.weights
    sides = ((features.cpu().numpy() * joint.weights, task.labels), (tested, task.test_labels))
    errors = [wrong(joint.decisions(phi @ features.cpu().numpy().T), labels.cpu().numpy()) for phi, labels in sides]
    ratio = (time.process_time() - middle) / max(middle - start, 1e-9)
    return [
        Row("training error, OK - joint, in %", aligned[0] - errors[0], printed=0.0),
        Row("joint time / OK time", ratio, printed=10.0),
        *(Row(f"OK: {part} error in %", e) for part, e in zip(("training", "test"), aligned, strict=True)),
        *(Row(f"joint: {part} error in %", e) for part, e in zip(("training", "test"), errors, strict=True)),
        Row("joint: gap / value", joint.gap / joint.value),
    ]


def bundled(name: Bundled, generator: torch.Generator, train: int | None = None) -> Task:
    """A split of a bundled data set, or of one inside and outside a sphere."""
    if name == "spheres":
        return random_split(*sphere_sample(400, 3, generator=generator), generator=generator, train=train)
    if name == "breast cancer":
        return random_split(*breast_cancer(), generator=generator, train=train)
    points, classes = handwritten_digits()
    pair = (classes == 3) | (classes == 8)
    labels = torch.where(classes[pair] == 8, 1.0, -1.0).double()
    return random_split(points[pair] / points.max(), labels, generator=generator, train=train, scaled=False)


def trained(task: Task, learner: str) -> tuple[Machine, float, float]:
    """The SVM of a multiple-kernel learner, its test error in percent, and processor time for both."""
    gamma = gaussian(task).gamma
    points, labels, tests, truth = (
        part.cpu().numpy() for part in (task.points, task.labels, task.test_points, task.test_labels)
    )
    start = time.process_time()
    kernels = base_kernels(points, points, gamma=gamma)
    if learner == "MKSVM":
        found = multiple_kernel_machine(kernels, labels)
    else:
        weights = alignment_ratios(kernels, labels)
        kernels = [combined(weights, kernels)]
        found = machine(kernels[0], labels, weights)
    parts = [
        found.decisions(combined(found.weights, base_kernels(tests[k : k + 1000], points, gamma=gamma)))
        for k in range(0, len(tests), 1000)
    ]
    return found, wrong(np.concatenate(parts), truth), time.process_time() - start


def wrong(decisions: np.ndarray, labels: np.ndarray) -> float:
    return 100 * float(np.mean(decisions * labels <= 0))


def first_of(task: Task, count: int) -> Task:
    return Task(task.points[:count], task.labels[:count], task.test_points, task.test_labels)


def aligned_errors(task: Task, family: OffsetCosine, generator: torch.Generator) -> tuple[float, float]:
    """Learned features with the parameters of Table 3 for adult."""
    kernel = learn(task, family, count=20_000, rho=240.0, generator=generator, share=0.5)
    kept = kernel.kept
    return logistic_errors(task, family, kernel.pool[kept], kernel.scales)
