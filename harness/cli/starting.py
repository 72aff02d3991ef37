"""The texts that `tightrope new` writes: a claim that holds, for each kind of statement, and its test."""

import json
import keyword
import math
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from shlex import quote
from typing import Any

from harness.errors import UsageError

Grid = dict[str, list[Any]]
FEWEST = {"rate": 4, "up_to_constant": 5}  # values along which a decay or a constant is seen

SETS = {
    "interval": 'forall.interval("x", 0.0, 1.0, n)',
    "ball": 'forall.ball("x", n)',
    "sphere": 'forall.sphere("x", n)',
    "simplex": 'forall.simplex("x", n)',
    "signs": 'forall.signs("x", n)',
}
"""What a claim can begin with: n numbers in [-1, 1]."""


@dataclass(frozen=True)
class Start:
    """A true statement of one kind: how the kind is written, the docstring, the body after its inputs, and the grid."""

    kind: str
    statement: str
    body: str
    grid: Mapping[str, Sequence[Any]]
    takes: tuple[str, ...] = ("forall",)
    options: str = ""
    name: str = "theorem"


COINS = Start(
    'high_probability("delta")',
    "|mean - p| <= sqrt(log(2/delta) / (2 n)) with probability at least 1 - delta.",
    """    p = forall.interval("p", 0.0, 1.0)            # for every bias ...
    x = draw.bernoulli("x", p, n)                 # ... over n flips: shape (reps, n)
    return (x.mean(-1) - p).abs(), math.sqrt(math.log(2 / delta) / (2 * n))""",
    {"n": (10, 100, 1000), "delta": (0.05,)},
    ("forall", "draw"),
    options=', trivial=1.0,\n       cite="Hoeffding 1963, Theorem 1"',
    name="coin_flips",
)
"""The theorem of the README, for inputs in an interval."""

STARTS = {
    "identity": Start(
        "identity()",
        "|x|^2 is the sum of (x_i - mean)^2, plus n times the squared mean.",
        """    mean = x.mean(-1, keepdim=True)
    return x.square().sum(-1), (x - mean).square().sum(-1) + n * mean.squeeze(-1).square()""",
        {"n": (1, 2, 10)},
    ),
    "always": Start(
        "always()",
        "|x|_1 <= sqrt(n) |x|_2.",
        "    return x.abs().sum(-1), math.sqrt(n) * x.norm(dim=-1)",
        {"n": (1, 2, 10)},
    ),
    "high_probability": Start(
        'high_probability("delta")',
        "|mean of s_i x_i| <= sqrt(2 log(2/delta) / n) with probability at least 1 - delta, over signs s.",
        """    s = draw.signs("s", n)                        # shape (reps, n)
    return (s * x).mean(-1).abs(), math.sqrt(2 * math.log(2 / delta) / n)""",
        {"n": (10, 100), "delta": (0.05,)},
        ("forall", "draw"),
    ),
    "tail": Start(
        "tail()",
        "P(|mean of s_i x_i| >= t) <= 2 exp(-n t^2 / 2), over signs s.",
        """    t = forall.interval("t", 0.05, 1.0)
    s = draw.signs("s", n)                        # shape (reps, n)
    return (s * x).mean(-1).abs() >= t, 2 * torch.exp(-n * t**2 / 2)""",
        {"n": (10, 100)},
        ("forall", "draw"),
    ),
    "expectation": Start(
        "expectation(range=(-1.0, 1.0))",
        "E |mean of s_i x_i| <= 1 / sqrt(n), over signs s.",
        """    s = draw.signs("s", n)                        # shape (reps, n)
    return (s * x).mean(-1).abs(), 1 / math.sqrt(n)""",
        {"n": (10, 100)},
        ("forall", "draw"),
    ),
    "rate": Start(
        'rate("n", -0.5)',
        "E |mean of n flips - p| decays as n^(-1/2), at p = (2 + x_1) / 4.",
        """    p = (2 + x[:, 0]) / 4
    flips = draw.bernoulli("flips", p, n)         # shape (reps, n)
    return (flips.mean(-1) - p).abs()""",
        {"n": (4, 16, 64, 256, 1024)},  # wide: what is small at the small ones tells little of the exponent
        ("forall", "draw"),
    ),
    "up_to_constant": Start(
        'up_to_constant("n")',
        "|x|_1 <= C sqrt(n) |x|_2.",
        "    return x.abs().sum(-1), math.sqrt(n) * x.norm(dim=-1)",
        {"n": (4, 8, 16, 32, 64)},
    ),
    "reproduction": Start(
        "reproduction(tolerance=0.005)",
        "A table: 1/2 + 1/6 + ... + 1/(n (n + 1)) is 1 - 1/(n + 1).",
        """    ours = sum(1 / (i * (i + 1)) for i in range(1, n + 1))
    return [Row("sum", ours, error=0.0, printed=1 - 1 / (n + 1))]""",
        {"n": (10, 100)},
        takes=(),
    ),
}
"""By the name of the kind. `untestable` is not among them: there would be nothing to judge."""

CLAIMS = '''"""A theorem of mine. To judge it: tightrope check {file}"""

{imports}from harness import {names}


@claim("mine/{id}", {kind}{options}, over=grid({grid}))
def {name}({signature}):
    """{statement}"""
{body}
'''
TESTS = '''"""The claims of {file} as tests: `pytest {test}`."""

from pathlib import Path

import pytest

from harness.testing import assert_claim, claims_in


@pytest.mark.parametrize("claim", claims_in(Path(__file__).with_name({name})), ids=lambda claim: claim.key)
def test_the_verdict_is_as_expected(claim):
    assert_claim(claim)
'''


def claim_text(file: str, stem: str, kind: str, inputs: str, grid: Mapping[str, Sequence[Any]]) -> str:
    """The file of a claim: of this kind, for inputs of this set, over this grid."""
    start = COINS if (kind, inputs) == ("high_probability", "interval") else STARTS[kind]
    drawn = start is not COINS and start.takes
    body = (f"    x = {SETS[inputs]}\n" if drawn else "") + start.body
    signature = [*start.takes, "*", *grid] if grid else list(start.takes)
    row = ["Row"] if "Row(" in body else []
    return CLAIMS.format(
        file=_documented(quote(file)),
        id=_slug(stem),
        imports="".join(f"import {name}\n\n" for name in ("math", "torch") if f"{name}." in body),
        names=", ".join([*row, *sorted(["claim", "grid", start.kind.partition("(")[0]])]),
        kind=start.kind,
        name=start.name,
        options=start.options,
        grid=", ".join(f"{name}={list(values)!r}" for name, values in grid.items()),
        signature=", ".join(signature),
        statement=start.statement,
        body=body,
    )


def text_of_test(file: str, test: str, name: str) -> str:
    """The file of its test, beside it."""
    return TESTS.format(
        file=_documented(file), test=_documented(quote(test)), name=json.dumps(name, ensure_ascii=False)
    )


def _documented(text: str) -> str:
    """A text as it stands within a docstring."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _slug(stem: str) -> str:
    """The name of a file as a part of an id."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", stem).strip("-._")[:60] or "thm-1"


def grid_of(kind: str, texts: Sequence[str]) -> Grid:
    """The grid of a kind with these axes, `n=10,100`, in the place of its own.

    Raises UsageError for what the statement does not allow.
    """
    axes: Grid = {name: list(values) for name, values in STARTS[kind].grid.items()}
    if kind == "high_probability":
        axes["n"] = list(COINS.grid["n"])
    given = [_axis(text) for text in texts]
    for name, values in given:
        if (twice := [other for known, other in given if known == name])[1:]:
            together = ",".join(str(value) for each in twice for value in each)
            raise UsageError(f"--grid {name} is given twice; write all values at once, --grid {name}={together}.")
        axes[name] = values
    if not all(isinstance(n, int) and n >= 1 for n in axes["n"]):
        raise UsageError(f"--grid n={axes['n']} must hold whole numbers from 1; it is how many numbers x has.")
    if not all(isinstance(delta, float) and 0.0 < delta < 1.0 for delta in axes.get("delta", ())):
        raise UsageError(f"--grid delta={axes['delta']} must hold probabilities between 0 and 1.")
    if kind in FEWEST and (len(set(axes["n"])) < FEWEST[kind] or min(axes["n"]) < 2):
        raise UsageError(
            f"--grid n={axes['n']} of a {kind} must hold {FEWEST[kind]} numbers above 1 or more: it is judged along n."
        )
    return axes


def _axis(text: str) -> tuple[str, list[Any]]:
    name, equals, values = text.partition("=")
    taken = keyword.iskeyword(name) or name in ("forall", "draw", "within")
    if not (equals and name.isidentifier() and name.isascii()) or taken:
        raise UsageError(f"--grid {text!r} is not of the form n=10,100, with a name that an argument may have.")
    return name, [_value(value.strip(), text) for value in values.split(",")]


def _value(value: str, text: str) -> int | float:
    with suppress(ValueError):
        return int(value)
    with suppress(ValueError):
        if math.isfinite(number := float(value)):
            return number
    raise UsageError(f"--grid {text!r}: {value!r} is not a finite number; write numbers with commas between them.")
