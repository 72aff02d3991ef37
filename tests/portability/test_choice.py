"""The claims that every cell of the portability matrix judges are in the ledger, and stand for the whole of it."""

from collections.abc import Callable
from functools import partial
from typing import Any

from algos.divergence_ball.exact import chi_square_ball_maximum
from algos.fourier.sums import fourier_potential
from algos.margin_game.projection import BoxHyperplane
from algos.ridge.leverage import ridge_leverage_scores
from harness.run.loading import ledger
from tests.portability.choice import COUNT, choose, chosen, stands_for
from tests.portability.reach import algorithms

MAKE = "make claims.txt again, see tests/portability/choice.py"


def test_the_chosen_claims_are_in_the_ledger_and_cover_every_paper_with_every_kind() -> None:
    claims = {claim.key: claim for claim in ledger() if claim.kind.name != "untestable"}
    keys = chosen()
    assert len(keys) == len(set(keys)) == COUNT, MAKE
    assert set(keys) <= set(claims), MAKE
    found = frozenset[str]().union(*(stands_for(claims[key]) for key in keys))
    assert found == frozenset[str]().union(*map(stands_for, claims.values())), MAKE


def test_three_quarters_of_the_algorithms_that_claims_reach_are_reached_by_the_chosen() -> None:
    """The rest is reached by claims that take too long for a cell, and has its tests in it."""
    keys = set(chosen())
    every = frozenset[str]().union(*(algorithms(claim.body) for claim in ledger()))
    found = frozenset[str]().union(*(algorithms(claim.body) for claim in ledger() if claim.key in keys))
    assert len(every) > 30
    assert len(found) >= 0.75 * len(every), MAKE


def test_the_choice_is_the_rule() -> None:
    claims = [claim for claim in ledger() if claim.id.startswith("lkrf/")]
    kinds = {claim.kind.name for claim in claims}
    dear = dict.fromkeys((claim.key for claim in claims), 100.0)
    assert len(choose(claims, dear)) == len(kinds), "nothing is affordable: a claim of each kind"
    cheap = dict.fromkeys(dear, 0.2)
    statements = {claim.key for claim in claims if claim.kind.name != "reproduction"}
    found = choose(claims, cheap)
    assert len(found) == min(COUNT, len(set(found) | statements)), "every statement, as far as there is room"
    assert frozenset[str]().union(*(algorithms(claim.body) for claim in claims if claim.key in found)) == (
        frozenset[str]().union(*(algorithms(claim.body) for claim in claims))
    )


TABLE = {"solvers": [partial(chi_square_ball_maximum, radius=1.0)]}


def _made(inner: Callable[..., Any]) -> Callable[..., Any]:
    def body(x: Any) -> Any:
        return TABLE, BoxHyperplane, inner(x), [ridge_leverage_scores(row) for row in x]

    return body


def test_reach_goes_through_tables_partials_classes_closures_and_inner_functions() -> None:
    assert algorithms(_made(fourier_potential)) >= {
        "algos.divergence_ball.exact", "algos.fourier.sums", "algos.margin_game.projection", "algos.ridge.leverage",
    }  # fmt: skip
    assert algorithms(len) == algorithms(stands_for) == frozenset()
