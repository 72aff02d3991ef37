"""Multiple-kernel machines of lkrf: their weights against a grid and by hand, and rows that can fail."""

import dataclasses

import numpy as np
import pytest
import torch
from scipy.optimize import minimize

from harness.claims.lkrf import baselines, kernel_combinations, kernels_on_digits, multiple_kernels, radius_and_fit
from harness.data import Table
from harness.language.quantifiers import Draw
from harness.verdict import Status
from tests.helpers import bare_check


def problem(n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(0)
    points = generator.normal(size=(n, 3))
    return points, np.where(np.linalg.norm(points, axis=1) > 1.5, 1.0, -1.0)


def one_cell(claim, name):
    return dataclasses.replace(claim, cells=({"name": name},)) if name else claim


@pytest.mark.in_turn
def test_the_joint_machine_without_steps_is_refuted(monkeypatch):
    assert bare_check(baselines.joint_machine_is_optimal).status is Status.HOLDS
    joint = multiple_kernels.joint_machine
    monkeypatch.setattr(multiple_kernels, "joint_machine", lambda *a, **k: joint(*a, **{**k, "steps": 0}))
    assert bare_check(baselines.joint_machine_is_optimal).status is Status.REFUTED


def equal_weights(kernels, labels, *, cost=1.0):
    weights = np.full(len(kernels), 1 / len(kernels))
    found = multiple_kernels.machine(np.tensordot(weights, kernels, 1), labels, weights, cost=cost)
    energies = np.array([found.signed @ kernel @ found.signed for kernel in kernels])
    return dataclasses.replace(found, gap=float(energies.max() - energies.mean()) / 2)


def squared_alignments(kernels, labels):
    weights = multiple_kernels.alignment_ratios(kernels, labels) ** 2
    return weights / weights.sum()


def careless_machine(kernel, labels, weights, *, cost=1.0):
    """One that stops early."""
    found = multiple_kernels.machine(kernel, labels, weights, cost=cost)
    return dataclasses.replace(found, signed=0.5 * found.signed)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("module", "claim"),
    [
        (baselines, one_cell(baselines.multiple_kernel_learners_solve_their_problems, "spheres")),
        (kernel_combinations, kernel_combinations.multiple_kernel_learners_are_those_of_the_appendix),
    ],
    ids=["baselines", "any-problem"],
)
def test_multiple_kernel_learners_hold_and_equal_weights_are_refuted(module, claim, monkeypatch):
    assert bare_check(claim).status is Status.HOLDS
    monkeypatch.setattr(module, "multiple_kernel_machine", equal_weights)
    assert bare_check(claim).status is Status.REFUTED


@pytest.mark.in_turn
@pytest.mark.parametrize(("name", "wrong"), [("alignment_ratios", squared_alignments), ("machine", careless_machine)])
def test_other_ratios_and_an_unfinished_machine_are_refuted(name, wrong, monkeypatch):
    monkeypatch.setattr(kernel_combinations, name, wrong)
    claim = kernel_combinations.multiple_kernel_learners_are_those_of_the_appendix
    assert bare_check(claim).status is Status.REFUTED


def test_certificates_enclose_the_values_that_another_solver_finds():
    """The dual of the SVM, and the least value over the simplex, by general programmes on six problems."""
    numbers = np.random.default_rng(3)
    for at in range(6):
        problem = kernel_combinations.drawn_problem(numbers, at)
        points, labels = problem.points[:12], problem.labels[:12]
        labels[:2] = 1.0, -1.0
        kernels = multiple_kernels.base_kernels(points, points, gamma=problem.gamma)
        found = multiple_kernels.multiple_kernel_machine(kernels, labels, cost=problem.cost)
        forms = [np.outer(labels, labels) * kernel for kernel in kernels]
        solved = minimize(  # min over a, t of t/2 - sum a with t >= a'Y K_m Y a for all m
            lambda z: z[-1] / 2 - z[:-1].sum(),
            np.full(13, 0.1 * problem.cost),
            method="SLSQP",
            bounds=[*[(0.0, problem.cost)] * 12, (0.0, None)],
            constraints=[
                {"type": "eq", "fun": lambda z, y=labels: z[:-1] @ y},
                *({"type": "ineq", "fun": lambda z, q=form: z[-1] - z[:-1] @ q @ z[:-1]} for form in forms),
            ],
            options={"maxiter": 500, "ftol": 1e-10},
        )
        assert solved.success
        assert found.value == pytest.approx(-solved.fun, rel=2e-3)
        kernel = np.tensordot(found.weights, kernels, 1)
        assert kernel_combinations.hinge_objective(kernel, found, labels, problem.cost) >= -solved.fun * (1 - 1e-6)


@pytest.mark.parametrize("radius", ["very large", "very small"])
def test_a_balanced_radius_in_place_of_an_end_is_refuted(radius, monkeypatch):
    """Of 100 features, a very large rho then leaves more than one weight, or a very small one not all of them."""
    radii = {"very large": 100.0, "balanced": 1.2, "very small": 0.005}
    monkeypatch.setattr(radius_and_fit, "FEATURES", 100)
    monkeypatch.setattr(radius_and_fit, "RADII", radii | {radius: radii["balanced"]})
    claim = one_cell(radius_and_fit.radius_balances_fit_with_time, "spheres")
    assert bare_check(claim, seed=1).status is Status.REFUTED


def test_kernels_are_those_named_with_a_unit_diagonal():
    points, _ = problem(5)
    linear, quadratic, gaussian = multiple_kernels.base_kernels(points, points, gamma=0.3)
    for kernel in (linear, quadratic, gaussian):
        assert np.allclose(np.diag(kernel), 1.0)
    x, y = points[0], points[1]
    assert linear[0, 1] == pytest.approx(x @ y / np.sqrt((x @ x) * (y @ y)))
    assert quadratic[0, 1] == pytest.approx((1 + x @ y) ** 2 / ((1 + x @ x) * (1 + y @ y)))
    assert gaussian[0, 1] == pytest.approx(np.exp(-0.3 * np.square(x - y).sum()))


def test_ratios_by_hand():
    """The kernel y y' has alignment 1, the identity on two points 1/sqrt 2."""
    labels = np.array([1.0, -1.0])
    found = multiple_kernels.alignment_ratios([np.outer(labels, labels), np.eye(2)], labels)
    assert found == pytest.approx([1 / (1 + 0.5**0.5), 0.5**0.5 / (1 + 0.5**0.5)])


def test_joint_weights_reach_the_least_value_on_a_grid():
    points, labels = problem()
    kernels = multiple_kernels.base_kernels(points, points, gamma=0.5)
    found = multiple_kernels.multiple_kernel_machine(kernels, labels)
    shares = np.linspace(0, 1, 9)
    grid = [(a, b, 1 - a - b) for a in shares for b in shares if a + b <= 1]
    values = [multiple_kernels.machine(np.tensordot(q, kernels, 1), labels, np.array(q)).value for q in grid]
    assert found.value - found.gap - 1e-6 <= min(values)
    assert found.value <= 1.002 * min(values)
    assert 0 < found.vectors <= len(labels)
    decisions = found.decisions(np.tensordot(found.weights, kernels, 1))
    assert np.mean(decisions * labels <= 0) < 0.2


def test_claims_on_adult_run_on_a_small_table(monkeypatch):
    points, labels = problem(120)
    monkeypatch.setattr(baselines, "required", lambda *_: Table(points, labels, 40))
    monkeypatch.setattr(baselines, "adult_indicators", lambda table: table)
    rows = {row.name: row for row in baselines.multiple_kernels_take_longer_on_adult(draw=Draw(2, ("test",)))}
    assert [name for name, row in rows.items() if row.printed is not None] == [
        "ABMKSVM(ratio): time / that of OK - 1",
        "MKSVM: time / that of OK - 1",
    ]
    assert all(0 <= row.ours <= 100 for name, row in rows.items() if "error" in name)
    rows = {row.name: row for row in baselines.joint_optimisation_on_adult(draw=Draw(2, ("test",)))}
    assert rows["joint time / OK time"].printed == 10.0
    gain = rows["OK: training error in %"].ours - rows["joint: training error in %"].ours
    assert rows["training error, OK - joint, in %"].ours == pytest.approx(gain)
    assert torch.isfinite(torch.tensor([float(row.ours) for row in rows.values()])).all()


@pytest.mark.parametrize("wrong", [0.0, 100.0])
def test_combined_kernels_that_are_always_wrong_are_not_ahead_on_digits(wrong, monkeypatch):
    monkeypatch.setenv("TIGHTROPE_FULL", "1")
    generator = np.random.default_rng(0)
    data = Table(generator.integers(1, 256, (240, 12)).astype(np.uint8), 1 + 6 * (np.arange(240) % 2), 60)
    monkeypatch.setattr(kernels_on_digits, "required", lambda *_: data)
    monkeypatch.setattr(kernels_on_digits, "PARAMETERS", {"mnist17": (0.03, 200)})
    monkeypatch.setattr(kernels_on_digits, "POINTS", {"ABMKSVM(ratio)": 100, "MKSVM": 50})
    fits = kernels_on_digits.trained
    monkeypatch.setattr(kernels_on_digits, "trained", lambda *some: (fits(*some)[0], wrong, 1.0))
    found = kernels_on_digits.combined_kernels_err_less_on_digits(Draw(2, ("test",)), pair="1-7")
    rows = {row.label: row for row in found}
    assert sum(row.printed is not None for row in found) == 10
    assert rows["MKSVM: training points"].ours == 50
    assert (rows["OK, D = nnz - MKSVM, in %"].ours > 0) == (wrong == 0.0)
