"""The pytest bridge: a theorem in somebody's test suite passes, or fails with the whole story."""

import pytest

from harness import Draw
from harness.errors import ClaimError
from harness.kinds import always, high_probability, untestable
from harness.language.registry import claim, grid
from harness.testing import assert_claim, instance
from harness.verdict import Status


@claim("bridge/holds", always())
def holds(forall):
    """x <= 1."""
    return forall.interval("x", 0.0, 1.0), 1.0


@claim("bridge/refuted", always())
def refuted(forall):
    """x <= 0.9."""
    return forall.interval("x", 0.0, 1.0), 0.9


@claim("bridge/known", always(), reading="printed", expected="refuted")
def known(forall):
    """x <= 0.9."""
    return forall.interval("x", 0.0, 1.0), 0.9


@claim("bridge/surprise", always(), expected="refuted")
def surprise(forall):
    """x <= 1."""
    return forall.interval("x", 0.0, 1.0), 1.0


@claim("bridge/open", high_probability("delta"), over=grid(delta=[0.2]))
def undecided(draw, *, delta):
    """P(u < delta) = delta."""
    return (draw.uniform("u") < delta).double(), 0.5


@claim("bridge/skipped", untestable("no constant"))
def skipped():
    """There is a constant."""


@claim("bridge/broken", always())
def broken(forall):
    """Raises."""
    return forall.interval("x", 0.0, 1.0) + {}, 1.0


def test_what_is_as_expected_passes_and_returns_its_verdict() -> None:
    assert assert_claim(holds).status is Status.PROVED
    assert assert_claim(known).status is Status.REFUTED


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (refuted, ["bridge/refuted: REFUTED", "x <= 0.9.", "Counterexample", '"x": 1.0', "Replay: tightrope replay"]),
        (surprise, ["bridge/surprise: PROVED", "expected: refuted"]),
        (undecided, ["bridge/open: UNDECIDED", "too close to delta"]),
        (skipped, ["bridge/skipped: SKIPPED", "no constant"]),
        (broken, ["bridge/broken: ERROR", "TypeError"]),
    ],
    ids=lambda value: getattr(value, "id", None),
)
def test_everything_else_fails_with_the_explanation(made: object, words: list[str]) -> None:
    with pytest.raises(AssertionError) as caught:
        assert_claim(made)  # type: ignore[arg-type]
    for word in words:
        assert word in str(caught.value)


def test_a_body_is_evaluated_at_an_instance_by_hand() -> None:
    """Numbers, lists, names with spaces; one instance has the batch axis that the body expects."""

    @claim("bridge/by-hand", always(), over=grid(n=[2]))
    def by_hand(forall, *, n):
        """p times the sum of x is at most n."""
        return forall.interval("p", 0.0, 1.0) * forall.interval("all of x", 0.0, 1.0, n).sum(-1), n

    lhs, rhs = by_hand(instance({"all of x": [1.0, 0.5]}, p=0.5), n=2)
    assert lhs.shape == (1,)
    assert (lhs.item(), rhs) == (0.75, 2)
    with pytest.raises(ClaimError, match=r"instance\(\) has no value for 'p'; it was given all of x, q"):
        by_hand(instance({"all of x": [1.0, 0.5]}, q=0.5), n=2)
    with pytest.raises(ClaimError, match=r"was given 'p' of shape \(2,\); the claim quantifies it with shape \(\)"):
        by_hand(instance(p=[0.5, 0.5]), n=2)
    with pytest.raises(ClaimError, match=r"was given p = 'a'; give a number"):
        instance(p="a")


@pytest.mark.parametrize(("reps", "key"), [(0, ("by hand",)), (-1, ("by hand",)), (10, "by hand")])
def test_draws_by_hand_are_of_some_replicates_and_have_a_key(reps: int, key: object) -> None:
    with pytest.raises(ClaimError, match=r"give how many replicates, from 1, and a tuple"):
        Draw(reps, key)  # type: ignore[arg-type]


def test_a_name_and_an_assumption_are_of_their_types() -> None:
    forall = instance(x=0.5)
    with pytest.raises(ClaimError, match="is called 3; its name, a text, comes first"):
        forall.interval(3, 0, 1)  # type: ignore[arg-type]
    with pytest.raises(ClaimError, match=r"assume\(\) takes a boolean for each instance"):
        forall.assume(1)  # type: ignore[arg-type]
    forall.assume(True)  # type: ignore[arg-type]  # noqa: FBT003
    forall.assume(forall.interval("x", 0, 1).numpy() > 0.0)  # type: ignore[arg-type]
    assert [bool(mask.all()) for mask in forall.masks] == [True, True]
