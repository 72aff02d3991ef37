"""What several modules of tests use."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from types import ModuleType
from typing import Any

import torch
from torch import Tensor

from harness.language.quantifiers import Forall
from harness.language.registry import Claim
from harness.language.rows import Row
from harness.run.api import check_all, settings_for
from harness.settings import GLANCE, QUICK, Effort
from harness.verdict import Status, Verdict

EVERYWHERE = replace(GLANCE, groups=None, rate_rounds=QUICK.rate_rounds)
"""A glance at every cell, with what rates need to be decided."""


def public_modules(package: ModuleType) -> list[str]:
    """Dotted names of the modules of a package, inside its folders too, none of them private; folders are left out."""
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.", onerror=_reraise)
    return sorted(m.name for m in found if not m.ispkg and not any(p.startswith("_") for p in m.name.split(".")))


def _reraise(name: str) -> None:
    """A folder that cannot be imported is an error, which walk_packages would take for a folder that is not there."""
    raise  # noqa: PLE0704  (called where the error is handled)


def public_functions(package: ModuleType) -> list[Callable[..., Any]]:
    """Every function that a public module of a package defines under a public name, in order.

    What serves the learners takes learners, not tensors, and is left out.
    """
    names = [name for name in public_modules(package) if not name.startswith("algos.estimators.")]
    modules = [importlib.import_module(name) for name in names]
    return [
        function
        for module in modules
        for name, function in list(vars(module).items())
        if not name.startswith("_") and inspect.isfunction(function) and function.__module__ == module.__name__
    ]


def public_classes(package: ModuleType) -> list[type]:
    """Every class that a public module of a package defines under a public name, in order of the modules."""
    modules = [importlib.import_module(name) for name in public_modules(package)]
    return [
        found
        for module in modules
        for name, found in inspect.getmembers(module, inspect.isclass)
        if not name.startswith("_") and found.__module__ == module.__name__
    ]


def as_tuples(rows: Iterable[Row]) -> list[tuple[str, Any, Any, Any]]:
    """Name, our number, its standard error, the paper's number of each row."""
    return [(row.name, row.ours, row.error, row.printed) for row in rows]


def falsified(claim: Claim, wrong: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]) -> Claim:
    """The same claim with its two sides changed."""

    def body(**arguments: object) -> tuple[Tensor, Tensor]:
        lhs, rhs = claim.body(**arguments)
        return wrong(lhs, rhs)

    return replace(claim, body=body)


def bare_check(claim: Claim, *, seed: int = 0, effort: str | Effort = "quick", family: int = 1) -> Verdict:
    """As `check`, without what a verdict says beside its status: proofs, looseness, a counterexample easy to read."""
    settings = settings_for(seed=seed, effort=effort if isinstance(effort, str) else "quick", family=family)
    bare = settings.effort.bare() if isinstance(effort, str) else effort
    return check_all([claim], settings=replace(settings, effort=bare))[0]


def judged_apart(claim: Claim) -> Iterator[tuple[Claim, int]]:
    """Of a claim the parts that are judged by themselves, and how many there are.

    Judged alone with so many times the `family`, a part needs as much evidence as among all of them.
    """
    groups = claim.groups()
    for group in groups:
        cells = tuple(cell for cell in claim.cells if claim.kind.groups((cell,)) == (group,))
        yield replace(claim, cells=cells), len(groups)


def holds_everywhere(claim: Claim, *, family: int = 1, seed: int = 0) -> bool:
    """Whether every part of the claim holds; they are judged one by one, up to the first that does not."""
    return all(
        bare_check(part, family=family * parts, seed=seed).status is Status.HOLDS for part, parts in judged_apart(claim)
    )


def is_refuted(claim: Claim, *, family: int, seed: int = 0) -> bool:
    """Whether a glance or the quick effort refutes the claim; its cells come one by one, up to the first that fails."""
    return _refutation(claim, family=family, seed=seed).status is Status.REFUTED


def expected_verdict(claim: Claim, *, family: int, seed: int = 0) -> Verdict:
    """The verdict at a glance; `make check` judges every claim in full, and others plant errors that must be noticed.

    Of a claim that is expected to be refuted, that of the first cell that refutes it: that the others run at all, or
    three of many, is tested with the contract of bodies (`conformance/test_ledger.py`).
    """
    if claim.expected == "refuted":
        return _refutation(claim, family=family, seed=seed)
    return bare_check(claim, family=family, seed=seed, effort="quick" if claim.kind.returns == "rows" else EVERYWHERE)


def _refutation(claim: Claim, *, family: int, seed: int) -> Verdict:
    """The verdict of the first part that refutes the claim, or of the last; all are glanced at first."""
    together = claim.groups() != claim.cells  # a rate: a glance at few sizes says little
    efforts = ("quick",) if together or claim.kind.returns == "rows" else (EVERYWHERE, "quick")
    for effort in efforts:
        for part, parts in judged_apart(claim):
            verdict = bare_check(part, family=family * parts, seed=seed, effort=effort)
            if verdict.status is Status.REFUTED:
                return verdict
    return verdict


def instances(*shapes: int, seed: int = 0) -> Tensor:
    """Uniform numbers in [0, 1), the same for the same seed."""
    return torch.rand(*shapes, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def sums_in_another_order(forall: Forall) -> tuple[Tensor, Tensor]:
    """The body of an identity whose sides round differently."""
    a, b = forall.interval("a", -1.0, 1.0, 30, 30), forall.interval("b", -1.0, 1.0, 30, 30)
    return (a @ b).diagonal(dim1=-2, dim2=-1).sum(-1), (a * b.mT).sum((-2, -1))


def cancellation_in_another_order(forall: Forall) -> tuple[Tensor, float]:
    """The body of an identity whose left side loses most of its digits to rounding."""
    x = forall.interval("x", 0.0, 1.0, 400)
    return (x.sum(-1) + 1e12) - 1e12 - x.flip(-1).sum(-1), 0.0
