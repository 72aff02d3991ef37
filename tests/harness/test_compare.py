"""`tightrope compare`: the order of bounds, what is vacuous, false or missing, and where another becomes the best."""

import json
import math
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from bounds.concentration import bennett_deviation, bernstein_deviation, hoeffding_deviation
from harness.cli import main
from harness.comparison import FAMILIES, along, compare
from harness.errors import UsageError
from harness.run.loading import ledger

COIN = {"n": 100, "delta": 0.05, "width": 1, "variance": 0.05}
ENOUGH = {
    "sample-mean": COIN | {"sample_variance": 0.05},
    "alignment-loss": {"n": 340, "delta": 0.05, "empirical_loss": 0.29, "kl": 3.1, "chi_square": 46.0, "t": 100},
    "uniform-alignment": {"n": 1000, "delta": 0.05, "rho": 1},
    "learned-alignment": {"n": 1000, "count": 1000, "delta": 0.05, "rho": 1, "half_range": 1},
    "ball-complexity": {"n": 100, "rho": 1, "radius": 1, "order": 2},
    "margin-excess": {"n": 10**5, "delta": 0.05, "margin": 0.1, "largest_phase": 2, "spectral_mass": 1},
    "game-gap": {"n": 100, "rounds": 1000, "box": 0.1, "minority": 50},
    "feature-count": {
        "n": 10**5,
        "delta": 0.05,
        "regularisation": 1e-3,
        "effective_dimension": 30,
        "feature_bound": 1,
    },
}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["compare", *arguments])


def test_bounds_are_ranked_by_value_and_measured_against_the_best() -> None:
    standings = compare(["sample-mean"], COIN).standings
    values = {
        "bennett": bennett_deviation(0.05, 1, 100, delta=0.05),
        "bernstein": bernstein_deviation(0.05, 1, 100, delta=0.05),
        "cantelli": math.sqrt(0.05 / 100 * 19),
        "hoeffding": math.sqrt(math.log(20) / 200),
    }
    assert [s.bound.name for s in standings] == [*values, "empirical-bernstein"]
    for standing, value in zip(standings, values.values(), strict=False):
        assert standing.value == pytest.approx(value, rel=1e-14)
        assert standing.above_best == pytest.approx(value / values["bennett"], rel=1e-14)
    assert standings[-1].obstacle == "needs sample_variance"


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_bound_of_every_family_can_be_evaluated(family) -> None:
    comparison = compare([family.name], ENOUGH[family.name])
    assert {s.bound.name for s in comparison.standings} == {bound.name for bound in family.bounds}
    assert [s.bound.name for s in comparison.standings if s.value is None] == []
    assert set(ENOUGH[family.name]) <= set(family.numbers)


def test_readings_that_judge_bounds_exist_and_false_ones_stand_last() -> None:
    claims = {claim.key: claim for name in ("papers", "classics") for claim in ledger(name)}
    bounds = [bound for family in FAMILIES for bound in family.bounds]
    assert {bound.claim for bound in bounds if bound.claim} <= set(claims)
    for family in FAMILIES:
        standings = compare([family.name], ENOUGH[family.name]).standings
        refuted = [claims[s.bound.claim].expected == "refuted" if s.bound.claim else False for s in standings]
        assert [s.false for s in standings] == refuted == sorted(refuted)


def test_the_best_bound_is_never_one_that_is_false_in_print() -> None:
    gap = compare(["game-gap"], ENOUGH["game-gap"])
    false = gap.standings[-1]
    assert gap.best is not None
    assert (gap.best.bound.name, false.bound.name) == ("theorem-4.1-corrected", "theorem-4.1")
    assert false.value < gap.best.value


@pytest.mark.parametrize("name", ["hoeffding", "bernstein", "bennett"])
def test_a_bound_is_informative_exactly_from_the_stated_size(name: str) -> None:
    given = {"delta": 0.05, "width": 1, "variance": 0.25, "n": 1}
    (standing,) = compare([name], given).standings
    size = standing.informative_from
    assert standing.vacuous
    assert not compare([name], given | {"n": size}).standings[0].vacuous
    assert compare([name], given | {"n": size - 1}).standings[0].vacuous
    if name == "hoeffding":
        assert size == math.floor(math.log(20) / 2) + 1


def test_where_another_bound_becomes_the_best() -> None:
    """Hoeffding's deviation falls as n^-1/2 at once; Bernstein's begins as 1/n and ends lower for small variances."""
    curves = along(["hoeffding", "bernstein"], {"delta": 0.05, "width": 1, "variance": 0.1}, "n", 1, 10**6)
    (_, first), (crossing, second) = curves.changes()
    assert (first, second) == ("hoeffding", "bernstein")
    sides = [
        f(*a, delta=0.05) for f, a in [(hoeffding_deviation, (1, crossing)), (bernstein_deviation, (0.1, 1, crossing))]
    ]
    assert sides[1] < sides[0]
    numbers = [c.numbers["n"] for c in curves.comparisons]
    assert numbers == sorted(set(numbers))
    assert all(isinstance(n, int) for n in numbers)


@pytest.mark.parametrize(
    ("names", "given", "said"),
    [
        (["hoefding"], {}, "did you mean hoeffding"),
        (["nothing like it"], {}, "lists all of them"),
        (["hoeffding", "theorem-1"], {}, "different left sides"),
        (["hoeffding"], {"widht": 1}, "did you mean 'width'"),
        (["hoeffding"], {"zzz": 1}, "they are n, delta"),
        (["hoeffding"], {"n": 10}, "needs width, delta"),
        (["hoeffding"], {"n": 10, "width": 1, "delta": 2}, "delta"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(names, given, said) -> None:
    with pytest.raises(UsageError, match=said):
        compare(names, given)


def test_the_command_takes_numbers_with_and_without_the_option(tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    words = ["--given", "n=1e2", "delta=.05", "width=1", "variance=.05", "--json", str(file), "--out", str(tmp_path)]
    result = run("sample-mean", *words)
    assert result.exit_code == 0, result.output
    (stored,) = json.loads(file.read_text())["comparisons"]
    assert stored["numbers"] == COIN
    assert [b["name"] for b in stored["bounds"]][:2] == ["bennett", "bernstein"]
    assert result.output.index("bennett ") < result.output.index("bernstein ")
    assert "needs sample_variance" in " ".join(result.output.split())


def test_the_command_draws_curves(tmp_path: Path) -> None:
    picture = tmp_path / "gap.svg"
    words = ["n=100", "box=.1", "minority=50", "--along", "rounds=10:1e5", "--plot", str(picture)]
    result = run("game-gap", *words)
    assert result.exit_code == 0, result.output
    assert "from rounds = 10: theorem-4.1-corrected" in result.output
    assert "(" in result.output.splitlines()[1]
    assert ElementTree.fromstring(picture.read_bytes()).tag.endswith("svg")
    again = picture.read_bytes()
    run("game-gap", *words)
    assert picture.read_bytes() == again


def test_families_are_listed_with_the_numbers_of_their_bounds() -> None:
    result = run()
    assert result.exit_code == 0
    for family in FAMILIES:
        assert f"{family.name}: {family.left_side}" in result.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["hoeffding", "n=a"], "not of the form"),
        (["hoeffding", "--along", "n=10"], "not of the form"),
        (["hoeffding", "--along", "n=10:1", "delta=.1", "width=1"], "must rise"),
        (["hoeffding", "--plot", "a.svg"], "it draws bounds along a number; name that with --along"),
        (["hoeffding", "--given", "n=100", "n=200"], "n is given twice"),
        (["hoeffding", "--along", "n=1:9", "--plot", "a.doc"], "ends in"),
        (["n=1"], "say which bounds"),
    ],
)
def test_bad_usage_ends_with_code_2_and_a_sentence(words, said) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())
