"""What counterexamples stand for, where a set is a map of another one: the matrix, the permutation, the real number.

A worker evaluates the body for it, as for everything else.
"""

import inspect
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import msgspec

from harness.language.derived import Derived
from harness.language.registry import Claim
from harness.run.execution import Outcome, reveal
from harness.run.reference import ClaimReference
from harness.verdict import Status, Verdict

_MAKING = frozenset(name for name, _ in inspect.getmembers(Derived, inspect.isfunction)) - {"assume"}

Submit = Callable[..., Future[Any]]


def revealed(verdict: Verdict, claim: Claim | ClaimReference, submit: Submit) -> Verdict:
    """The verdict, whose counterexample says what the body makes of its values; as it is where it makes nothing.

    `submit` is an executor's. Only a body that names what makes it is asked, which saves the others time.
    """
    cell = verdict.counterexample
    found = None if cell is None else cell.counterexample
    names = getattr(getattr(verdict.claim.body, "__code__", None), "co_names", ())
    if verdict.status is not Status.REFUTED or cell is None or found is None or not _MAKING.intersection(names):
        return verdict
    try:
        outcome: Outcome = submit(reveal, claim, cell.params, found.values).result()
    except Exception:  # a worker or a cluster that is lost: the verdict stands without it
        return verdict
    if not outcome.data:  # the parameter of a rate is no part of its params
        return verdict
    known = msgspec.structs.replace(found, made=outcome.data)
    shown = msgspec.structs.replace(cell, counterexample=known)
    return replace(verdict, cells=tuple(shown if each is cell else each for each in verdict.cells))
