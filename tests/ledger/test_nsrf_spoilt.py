"""Statistical claims of nsrf, spoilt and repaired: what is false nearby is refuted, what is repaired holds."""

import dataclasses
import math
from types import ModuleType
from typing import Any

import pytest

from harness.claims.nsrf import complexity, concentration, generalisation, pointwise
from harness.verdict import Status
from tests.helpers import bare_check


def scaled(factor: float) -> Any:
    """The same function, times a factor."""
    return lambda function: lambda *args, **kwargs: factor * function(*args, **kwargs)


def always(value: Any) -> Any:
    """Another function in its place."""
    return lambda _: value


SPOILT = [
    (complexity, "spectral_complexity", scaled(0.999), "complexity", 2),
    (complexity, "spectral_complexity", scaled(0.7), "complexity", 0),
    (complexity, "spectral_complexity", always(lambda r, _, n: 3 * r / n**0.5), "complexity", 0),
    (complexity, "spectral_complexity", scaled(0.4), "complexity_does_not_grow_with_the_number_of_kernels", 2),
    (complexity, "spectral_complexity", scaled(1.1), "complexity_improves_on_the_generic_bound", 2),
    (complexity, "spectral_complexity", scaled(0.4), "complexity_improves_on_the_generic_bound", 1),
    (generalisation, "spectral_margin_excess", scaled(0.13), "margin_bound", 0),
    (generalisation, "spectral_margin_excess", scaled(0.05), "margin_bound", 1),
    (generalisation, "spectral_margin_excess", scaled(0.13), "margin_bound", 2),
    (generalisation, "printed_spectral_margin_excess", scaled(0.14), "margin_bound_with_the_printed_constants", 0),
    (generalisation, "uniform_spectral_margin_excess", scaled(0.08), "margin_bound_for_every_margin", 0),
    (pointwise, "potential_tail", always(lambda t, n: 2 * math.e ** (-n * t**2)), "potential_concentrates", 2),
    (pointwise, "potential_tail", scaled(0.49), "potential_concentrates", 0),
    (pointwise, "potential_tail", always(lambda t, n: 2 * math.e ** (-n * t**2)), "unbiased_potential_concentrates", 1),
    (
        pointwise,
        "labelled_potential_tail",
        lambda f: lambda t, r, n: f(t, r / 4, n),
        "potential_concentrates_given_the_labels",
        2,
    ),
    (concentration, "potential_sample_size", scaled(2.0), "sample_size_of_the_main_text", 0),
    (concentration, "potential_sample_size", scaled(0.005), "potential_is_learned", 0),
    (concentration, "potential_sample_size", scaled(0.005), "potential_is_learned", 1),
    (
        concentration,
        "potential_sample_size",
        lambda f: lambda d, r, epsilon, delta: f(d, r, epsilon=9 * epsilon, delta=delta),  # epsilon in place of eps/C^2
        "reweighted_potential_is_learned",
        1,
    ),
]


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("module", "name", "spoil", "where"),
    [(*case[:3], case[3:]) for case in SPOILT],
    ids=[f"{case[3]}-{case[1]}-{case[4]}" for case in SPOILT],
)
def test_what_is_false_nearby_is_refuted(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str, spoil: Any, where: tuple[str, int]
) -> None:
    """A smaller constant, a missing term or another object, in one cell: no claim holds by construction."""
    claim, cell = where
    subject = getattr(module, claim)
    monkeypatch.setattr(module, name, spoil(getattr(module, name)))
    alone = dataclasses.replace(subject, cells=(subject.cells[cell],))
    assert bare_check(alone, family=100).status is Status.REFUTED


REPAIRED = [
    (
        complexity,
        "printed_spectral_complexity",
        always(lambda r, _, n: n**-0.5 + 3 * r / n**0.5),
        "complexity_as_printed",
    ),
    (
        generalisation,
        "hard_margin_machine",
        lambda f: lambda labels, s: tuple(1e-6 * part for part in f(labels, s)),  # of norm at most one
        "margin_bound_of_any_support_vector_machine",
    ),
    (
        pointwise,
        "printed_potential_tail",
        always(lambda t, _, n: 2 * math.e ** (-n * max(t - 1 / n, 0) ** 2 / 8)),
        "potential_concentrates_as_printed",
    ),
    (concentration, "printed_potential_sample_size", scaled(10.0), "potential_is_learned_as_printed"),
]


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("module", "name", "repair", "claim"), REPAIRED, ids=[f"{case[3]}-{case[1]}" for case in REPAIRED]
)
def test_what_is_refuted_in_print_holds_once_repaired(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str, repair: Any, claim: str
) -> None:
    """The accusation hangs on the one ingredient that is wrong, and on nothing else in the body."""
    monkeypatch.setattr(module, name, repair(getattr(module, name)))
    subject = dataclasses.replace(getattr(module, claim), expected=None)
    status = bare_check(subject, family=100).status
    assert status.favourable or status is Status.VACUOUS
