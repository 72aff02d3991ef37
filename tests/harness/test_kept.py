"""What is known of a body lasts for one run: a helper that is redefined between two, as in a notebook, counts."""

import pytest

from harness import always, check, claim
from harness.language.anatomy import anatomy
from harness.language.kept import Kept, forget


def helper(x: float) -> float:
    return x


@claim("kept/numbers", always(), over=[{"n": 3}])
def numbers(*, n: int):
    """A statement about numbers."""
    return helper(float(n)), 3.5


@claim("kept/instances", always())
def instances(forall):
    """A statement about instances."""
    x = forall.interval("x", 0.0, 1.0)
    return helper(x), 1.0


@pytest.mark.parametrize(("statement", "status"), [(numbers, "PROVED"), (instances, "PROVED")])
def test_a_helper_that_is_redefined_is_judged_anew(statement, status, monkeypatch):
    assert check(statement).status == status
    monkeypatch.setitem(globals(), "helper", lambda x: 2.0 * x)
    assert check(statement).status == "REFUTED"
    monkeypatch.undo()
    assert check(statement).status == status


def test_nothing_is_kept_longer_than_asked():
    kept: Kept[str, int] = Kept()
    kept.of(helper)["a"] = 1
    assert kept.of(helper) == {"a": 1}
    before = anatomy(instances, {})
    assert anatomy(instances, {}) is before
    forget()
    assert kept.of(helper) == {}
    assert anatomy(instances, {}) is not before
