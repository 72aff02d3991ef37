"""Cells are proved in turn: the answer does not depend on what was asked before, and failures are named."""

from typing import Any

from harness import Forall, always, claim, grid
from harness.certify.proof import Proof, Unproved
from harness.certify.readings import in_order, prove_in_turn


def _reading(name: str, over: Any) -> Any:
    """|x|^2 <= 1 on balls, which is false at radius 2."""

    def made(forall: Forall, *, n: int, radius: float) -> tuple[Any, Any]:
        """|x|^2 <= 1."""
        return forall.ball("x", n, radius=radius).square().sum(-1), 1.0

    return claim(f"turns/{name}", always(), over=over)(made)


def test_smaller_cells_come_first() -> None:
    made = _reading("order", grid(n=[3, 1, 2], radius=[1.0]))
    assert [cell["n"] for cell in in_order(made)] == [1, 2, 3]


def test_what_stops_a_smaller_cell_stops_the_others() -> None:
    over = [{"n": 1, "radius": 0.5}, {"n": 2, "radius": 2.0}, {"n": 3, "radius": 0.5}]
    for order in ([0, 1, 2], [2, 1, 0]):
        made = _reading(f"stops-{order[0]}", over)
        found = {k: prove_in_turn(made, over[k], boxes=300) for k in order}
        assert isinstance(found[0], Proof)
        assert isinstance(found[1], Unproved)
        assert isinstance(found[2], Unproved)
        assert found[2].reason == f"at n = 2, radius = 2.0 it is not proved: {found[1].reason}"


def test_a_cell_that_is_none_of_the_reading_is_tried_by_itself() -> None:
    """As tightening and tests do."""
    made = _reading("else", grid(n=[1], radius=[1.0]))
    assert isinstance(prove_in_turn(made, {"n": 2, "radius": 0.5}, boxes=300), Proof)
