"""Sets made of simpler ones: each element lies on its set, and true and false theorems are told apart over them."""

import itertools
import math

import numpy as np
import pytest
import torch

from harness import ClaimError, always, check, claim, grid
from harness.language.derived import Convex, Strategy
from harness.language.quantifiers import Forall
from harness.language.spaces import Triangle
from harness.verdict import Status
from tests.helpers import bare_check

pytestmark = pytest.mark.usefixtures("double_precision")
BATCH = 64


@pytest.fixture
def forall() -> Forall:
    rng = np.random.default_rng(0)
    return Forall(lambda space: space.corners(rng, BATCH) if rng.random() < 0.3 else space.sample(rng, BATCH))


def test_symmetric_matrices_are_symmetric_and_bounded(forall: Forall) -> None:
    x = forall.symmetric("A", 4, radius=2.0)
    assert x.shape == (BATCH, 4, 4)
    assert torch.equal(x, x.mT)
    assert float(x.abs().max()) <= 2.0


def test_orthogonal_matrices_are_orthogonal_and_carry_a_spectrum(forall: Forall) -> None:
    q = forall.orthogonal("Q", 3)
    torch.testing.assert_close(q.mT @ q, torch.eye(3).expand(BATCH, 3, 3), rtol=0.0, atol=1e-13)
    a = forall.spectrum("A", [1.0, 2.0, 5.0])
    torch.testing.assert_close(
        torch.linalg.eigvalsh(a), torch.tensor([1.0, 2.0, 5.0]).expand(BATCH, 3), rtol=1e-12, atol=0.0
    )


def test_permutations_hold_every_index_once(forall: Forall) -> None:
    order = forall.permutation("p", 5)
    assert torch.equal(order.sort(-1).values, torch.arange(5).expand(BATCH, 5))
    assert len({tuple(row) for row in order.tolist()}) > 10


def test_lipschitz_values_are_lipschitz_and_any_are_reached(forall: Forall) -> None:
    points = forall.ball("x", 6, 2)
    f = forall.lipschitz("f", points, constant=3.0)
    apart = (points.unsqueeze(-2) - points.unsqueeze(-3)).norm(dim=-1)
    assert bool(((f.unsqueeze(-1) - f.unsqueeze(-2)).abs() <= 3.0 * apart + 1e-12).all())
    wanted = torch.tensor([[0.2, 0.5, 0.1]])
    line = torch.tensor([[0.0, 0.4, 1.0]])
    reached = Forall(lambda _: wanted).lipschitz("f", line)
    torch.testing.assert_close(reached, wanted, rtol=0.0, atol=1e-15)


def test_convex_functions_lie_above_their_tangents(forall: Forall) -> None:
    f, x, y = forall.convex("f", 5, 3), forall.ball("x", 3), forall.ball("y", 3)
    tangent = f(x) + (f.subgradient(x) * (y - x)).sum(-1)
    assert bool((f(y) >= tangent - 1e-12).all())


def test_graphs_are_simple(forall: Forall) -> None:
    a = forall.graph("G", 5)
    assert torch.equal(a, a.mT)
    assert set(a.unique().tolist()) == {0.0, 1.0}
    assert float(a.diagonal(dim1=-2, dim2=-1).abs().max()) == 0.0


def test_a_strategy_answers_every_history() -> None:
    values = torch.arange(7.0).expand(4, 7)
    histories = torch.tensor(list(itertools.product((0, 1), repeat=2)))
    tree = Strategy(values, 3, 2)
    moves = [tree.move()]
    for level in range(2):
        tree.answer(histories[:, level])
        moves.append(tree.move())
    assert torch.stack(moves, -1).tolist() == [[0, 1, 3], [0, 1, 4], [0, 2, 5], [0, 2, 6]]
    tree.answer(histories[:, 0])
    with pytest.raises(ClaimError, match="depth 3"):
        tree.move()


@pytest.mark.parametrize("happened", [[-1, 1], [0, 2], [0.37, 1.0], [float("inf"), 0.0]])
def test_what_cannot_happen_is_refused(happened: list[float]) -> None:
    """A label of -1 stood for an earlier history: the adversary repeated itself, and false claims held."""
    tree = Strategy(torch.arange(7.0).expand(2, 7), 3, 2)
    with pytest.raises(ClaimError, match=r"none of 0 \.\.\. 1"):
        tree.answer(torch.tensor(happened))
    tree.answer(torch.tensor([float("nan"), 1.0]))  # of what is nowhere defined nothing is said


def test_one_strategy_and_one_function_serve_every_replicate() -> None:
    """Where what happens is drawn, the tree and the function have a batch of one, and the histories many."""
    tree = Strategy(torch.arange(7.0)[None], 3, 2)
    moves = [tree.move()]
    for happened in ([0.0, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 1.0]):
        tree.answer(torch.tensor(happened))
        moves.append(tree.move())
    assert [move.tolist() for move in moves] == [[0.0], [1.0, 1.0, 2.0, 2.0], [3.0, 4.0, 5.0, 6.0]]
    f = Convex(torch.tensor([[[1.0, 0.0], [-1.0, 0.0]]]), torch.zeros(1, 2))
    points = torch.tensor([[2.0, 5.0], [-3.0, 1.0], [0.5, 0.0]])
    assert f(points).tolist() == [2.0, 3.0, 0.5]
    assert f.subgradient(points)[:, 0].tolist() == [1.0, -1.0, 1.0]


def test_assumptions_tie_inputs_together() -> None:
    @claim("mine/ordered", always())
    def ordered(forall):
        """x <= y where x <= y is assumed."""
        x, y = forall.interval("x", 0.0, 1.0), forall.interval("y", 0.0, 1.0)
        forall.assume(x <= y)
        return x, y

    @claim("mine/gap", always())
    def gap(forall):
        """x + .1 <= y where x <= y is assumed."""
        x, y = forall.interval("x", 0.0, 1.0), forall.interval("y", 0.0, 1.0)
        forall.assume(x <= y)
        return x + 0.1, y

    assert check(ordered, effort="quick").status.favourable
    refuted = check(gap, effort="quick")
    assert refuted.status == "REFUTED"
    values = refuted.counterexample.counterexample.values
    assert values["x"] <= values["y"]


def test_an_assumption_is_one_boolean_for_each_instance(forall: Forall) -> None:
    with pytest.raises(ClaimError, match="a boolean for each instance"):
        forall.assume(forall.interval("x", 0.0, 1.0, 3) > 0.5)


@pytest.mark.parametrize(("share", "status"), [(1.0, "HOLDS"), (0.9, "REFUTED")])
def test_weyl_s_inequality(share: float, status: str) -> None:
    @claim("classics/weyl", always(), over=grid(n=[2, 3]))
    def weyl(forall, *, n):
        """lambda_max(A + B) <= lambda_max(A) + share lambda_max(B) for B with eigenvalues 0 and 1."""
        a, b = forall.symmetric("A", n), forall.spectrum("B", [0.0] * (n - 1) + [1.0])
        return torch.linalg.eigvalsh(a + b)[..., -1], torch.linalg.eigvalsh(a)[..., -1] + share

    assert check(weyl, effort="quick").status == status


@pytest.mark.parametrize(("share", "status"), [(1.0, "HOLDS"), (0.8, "REFUTED")])
def test_regret_of_follow_the_leader_against_a_strategy(share: float, status: str) -> None:
    @claim("classics/hedge-two-experts", always(), over=grid(rounds=[4]))
    def hedge(forall, *, rounds):
        """Follow the leader on two experts loses at most share / 2 more per round than the best one, whoever plays."""
        adversary = forall.strategy("losses", rounds, 2)
        first = second = own = torch.zeros(())
        for _ in range(rounds):
            loss = adversary.move()
            leads = first <= second
            own = own + torch.where(leads, loss, 1.0 - loss)
            first, second = first + loss, second + 1.0 - loss
            adversary.answer(leads)
        return own - torch.minimum(first, second), share * rounds / 2.0

    assert check(hedge, effort="quick").status == status


@pytest.mark.parametrize("n", [8, 24])
def test_diagonals_and_other_extreme_matrices_are_tried(n: int) -> None:
    """Entry by entry nobody finds a multiple of the identity among 36 or 300 free numbers."""

    @claim("mine/frobenius", always())
    def made(forall):
        """|A|_F <= .99 sqrt(n) |A|_2, which multiples of the identity exceed."""
        a = forall.symmetric("A", n)
        return a.square().sum((-1, -2)).sqrt(), 0.99 * math.sqrt(n) * torch.linalg.eigvalsh(a).abs().amax(-1)

    assert bare_check(made).status is Status.REFUTED


def test_extreme_triangles_lie_in_their_set() -> None:
    space = Triangle("A", (10,), -2.0, 2.0)
    found = space.corners(np.random.default_rng(0), 500)
    assert bool(space.contains(found).all())
    rows, columns = np.tril_indices(4)
    identity = torch.as_tensor(2.0 * (rows == columns))
    assert bool((found == identity).all(-1).any())
