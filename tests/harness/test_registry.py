"""Claims as objects: what a decorator refuses, and how a grid is read."""

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from harness.errors import ClaimError
from harness.kinds import (
    Broken,
    Kind,
    always,
    expectation,
    high_probability,
    identity,
    rate,
    reproduction,
    untestable,
    up_to_constant,
)
from harness.language.registry import Claim, claim, forget, grid, loading, registered


def _no_input():
    """0 <= 1."""


def _of_n(*, n):
    """0 <= n."""


def _drawn(draw, *, n, delta):
    """0 <= n."""


def _drawn_without_delta(draw, *, n):
    """0 <= n."""


def _quantified(forall, *, n, delta=0.1):
    """0 <= n."""


def _undocumented():
    return 0.0, 1.0


REFUSED: dict[str, tuple[Callable[..., Any], Kind, list[dict[str, Any]] | tuple[dict[str, Any], ...], str]] = {
    "parameter missing in the grid": (_of_n, always(), [{}], "or call it `forall` if it hands out inputs"),
    "parameter missing in the signature": (_no_input, always(), grid(n=[1]), "name it in both."),
    "one cell lacks a parameter": (_of_n, always(), [{"n": 1}, {}], "'n' is in only one of"),
    "no cells": (_no_input, always(), [], "empty grid"),
    "no docstring": (_undocumented, always(), [{}], "has no docstring"),
    "delta missing": (_drawn_without_delta, high_probability("delta"), grid(n=[1]), "in (0, 1), got None"),
    "delta out of range": (_drawn, high_probability("delta"), grid(n=[1], delta=[1.0]), "in (0, 1), got 1.0"),
    "identity that draws": (_drawn, identity(), grid(n=[1], delta=[0.5]), "takes `draw`"),
    "inequality that draws": (_drawn, always(), grid(n=[1], delta=[0.5]), "takes `draw`"),
    "probability without draws": (_quantified, high_probability("delta"), grid(n=[1], delta=[0.5]), "not take `draw`"),
    "rate over forall": (_quantified, rate("n", -1.0), grid(n=[1, 2, 3, 4], delta=[0.5]), "draws nothing"),
    "rate with three points": (_drawn_without_delta, rate("n", -1.0), grid(n=[1, 2, 4]), "at least 4 numbers"),
    "rate along nothing": (_drawn_without_delta, rate("m", -1.0), grid(n=[1, 2, 3, 4]), "at least 4 numbers"),
    "rate as h falls": (_drawn_without_delta, rate("n", 2.0), grid(n=[0.4, 0.3, 0.2, 0.1]), "goes in as its inverse"),
    "rate from zero": (
        _drawn_without_delta,
        rate("n", -1.0),
        grid(n=[0, 1, 2, 3]),
        "numbers from 1, whole ones up to 2^63 (1e20 is a float), got [0, 1, 2, 3]",
    ),
    "cell that comes twice": (_of_n, always(), grid(n=[1, 2, 1]), "the cell {'n': 1} twice"),
    "cell that JSON cannot hold": (_of_n, always(), [{"n": np.float64}], "build the object inside the claim"),
    "infinite cell": (_of_n, always(), [{"n": math.inf}], "n=inf is not finite"),
    "cell with NaN in it": (_of_n, always(), [{"n": [1.0, math.nan]}], "write it as a text, such as 'inf'"),
    "a kind that is not called": (_of_n, always, [{"n": 1}], "such as always()"),  # type: ignore[dict-item]
}


@pytest.mark.parametrize(("body", "kind", "over", "remedy"), REFUSED.values(), ids=REFUSED.keys())
def test_a_claim_that_does_not_fit_together_is_refused_when_it_is_written(
    body: Callable[..., Any], kind: Kind, over: Any, remedy: str
) -> None:
    with pytest.raises(ClaimError) as caught:
        claim("paper/x", kind, over=over)(body)
    assert remedy in str(caught.value)
    assert "\n" not in str(caught.value)


def test_two_claims_of_one_name_are_refused_and_two_readings_are_not() -> None:
    claim("twins/x", always(), reading="printed")(_no_input)
    claim("twins/x", always(), reading="corrected")(_of_two())
    claim("twins/x", always(), reading="printed")(_no_input)  # the same function again: a module executed twice
    with pytest.raises(ClaimError, match="registered twice"):
        claim("twins/x", always(), reading="printed")(_of_two())


def test_a_function_is_defined_again_in_a_notebook_and_not_in_a_file_that_is_loaded() -> None:
    claim("notebook/x", always())(_no_input)
    again = claim("notebook/x", always())(_no_input)
    assert registered(__name__)[-1] is again
    with loading(__name__, Broken):
        claim("file/x", always())(_no_input)
        claim("file/x", always())(_no_input)
    (broken,) = registered(__name__)
    assert "registered twice (line " in broken.kind.flaw


def _of_two() -> Callable[..., Any]:
    def another():
        """0 <= 2."""

    return another


def test_claims_are_listed_in_the_order_of_the_file_and_forgotten_on_request() -> None:
    namespace: dict[str, Any] = {"__name__": "a_module_of_claims"}
    exec(
        "from harness import claim, always\ndef body():\n    'b.'\ndef other():\n    'a.'\n",
        namespace,
    )
    claim("p/b", always())(namespace["body"])
    claim("p/a", always())(namespace["other"])
    assert [c.id for c in registered("a_module_of_claims")] == ["p/b", "p/a"]
    forget("a_module_of_claims")
    assert registered("a_module_of_claims") == ()
    forget("never seen")


def test_grid_is_the_product_in_the_order_written() -> None:
    assert grid(n=[2, 1], delta=[0.5]) == ({"n": 2, "delta": 0.5}, {"n": 1, "delta": 0.5})
    assert grid() == ({},)
    assert grid(n=range(3)) == ({"n": 0}, {"n": 1}, {"n": 2})


@pytest.mark.parametrize("values", [[], "abc", 3, np.arange(3), None])
def test_grid_refuses_what_is_not_a_list(values: object) -> None:
    with pytest.raises(ClaimError, match=r"must be a (non-empty )?list of values"):
        grid(n=values)  # type: ignore[arg-type]


@pytest.mark.parametrize("word", ["trivial", "sharp"])
@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_numbers_that_the_json_of_a_run_holds_are_finite(word: str, value: float) -> None:
    with pytest.raises(ClaimError, match=f"claim 'paper/x': {word}={value} must"):
        claim("paper/x", always(), **{word: value})(_no_input)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_grid_refuses_values_that_json_cannot_hold(value: float) -> None:
    with pytest.raises(ClaimError, match="is not finite"):
        grid(p=[1, value])


@pytest.mark.parametrize("value", [np.int64(3), abs, {1, 2}, None, {}, [None]])
def test_grid_refuses_values_that_a_command_line_cannot_name(value: object) -> None:
    """They would end a run with a traceback when the first row is stored."""
    with pytest.raises(ClaimError, match="build the object inside the claim"):
        grid(n=[value])


def _rate_claim(over: Any) -> Claim:
    def body(draw, *, n, gamma):
        """E decays."""

    return claim("paper/rate", rate("n", -1.0), over=over)(body)


def test_a_rate_is_judged_per_value_of_the_other_parameters() -> None:
    made = _rate_claim(grid(n=[1, 2, 4, 8], gamma=[0.5, 1.0]))
    assert made.groups() == ({"gamma": 0.5}, {"gamma": 1.0})
    assert len(made.cells) == 8


def test_other_kinds_are_judged_per_cell() -> None:
    made = claim("paper/cells", always(), over=grid(n=[1, 2]))(_of_n)
    assert made.groups() == made.cells == ({"n": 1}, {"n": 2})


def test_key_statement_and_source() -> None:
    made = claim("paper/key", always(), reading="printed", over=grid(n=[1]))(_of_n)
    assert made.key == "paper/key[printed]"
    assert made.statement == "0 <= n."
    assert "def _of_n" in made.source
    assert made.file == __file__


WORDS: dict[str, tuple[dict[str, Any], str]] = {
    "no citation": ({"cite": None}, "cite=None must be a text"),
    "sizes as a number": ({"sizes": 4}, "sizes=4 must be a text, not of type int"),
    "a list of restrictions": ({"restricts": ["a"]}, "restricts=['a'] must be a text"),
    "a flag": ({"unnoticed": True}, "unnoticed=True must be a text"),
    "a title": ({"title": 5}, "title=5 must be a text"),
    "a quote": ({"quote": b"x"}, "quote=b'x' must be a text"),
    "an expectation that is none": (
        {"expected": "false"},
        "expected='false' must be one of 'holds', 'refuted', 'undecided', 'vacuous'",
    ),
    "an expectation as a boolean": ({"expected": False}, "expected=False must be one of"),
    "a defect by its name": ({"defect": "x"}, "defect='x' must be a harness.Defect"),
    "a sharp factor above one": ({"sharp": 2.0}, "sharp=2.0 must lie in (0, 1)"),
    "a text as a number": ({"trivial": "x"}, "trivial='x' must be a number, not of type str"),
}


@pytest.mark.parametrize(("words", "said"), WORDS.values(), ids=WORDS.keys())
def test_what_is_said_of_a_claim_has_the_form_that_the_signature_says(words: dict[str, Any], said: str) -> None:
    """A run ended with a traceback, after everything had been judged."""
    with pytest.raises(ClaimError, match=f"claim 'paper/x': {re.escape(said)}"):
        claim("paper/x", always(), **words)(_no_input)


BAD_KINDS: dict[str, Callable[[], Kind]] = {
    "range without zero": lambda: expectation((0.0, 1.0)),
    "range reversed": lambda: expectation((1.0, -1.0)),
    "negative margin": lambda: expectation((-1.0, 1.0), margin=-0.1),
    "a tolerance of everything": lambda: always(rtol=2.0),
    "a text as a tolerance": lambda: identity(atol="a"),  # type: ignore[arg-type]
    "one end of a range": lambda: expectation(1.0),  # type: ignore[arg-type]
    "three ends": lambda: expectation((-1.0, 0.0, 1.0)),  # type: ignore[arg-type]
    "an exponent as a text": lambda: rate("n", "-1/2"),  # type: ignore[arg-type]
    "no exponent": lambda: rate("n", math.nan),
    "a negative correction": lambda: rate("n", -0.5, correction=-1.0),
    "no name": lambda: up_to_constant(3),  # type: ignore[arg-type]
    "no reason": lambda: untestable(""),
    "a number as a reason": lambda: untestable(3),  # type: ignore[arg-type]
    "unknown side": lambda: reproduction(sided="three"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("make", BAD_KINDS.values(), ids=BAD_KINDS.keys())
def test_kinds_refuse_numbers_that_make_no_statement(make: Callable[[], Kind]) -> None:
    with pytest.raises(ClaimError):
        make()


def test_every_kind_names_itself() -> None:
    kinds = [identity(), always(), high_probability("d"), expectation(), rate("n", -1), reproduction(), untestable("r")]
    assert len({kind.name for kind in kinds}) == len(kinds)
