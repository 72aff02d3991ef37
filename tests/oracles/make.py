"""Write the reference values: `python tests/oracles/make.py [module ...]`.

In the folders beside this file stands one script per module of `bounds`, which computes true values from definitions
and derivations, in 50 digits or in rational numbers, without importing `bounds`; its JSON file keeps 25 digits of each.
A script defines `cases()`, which yields (function, positional arguments, keyword arguments, value) and, where a
function promises less than twelve digits, a fifth entry with its tolerance.
"""

import json
import runpy
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import mpmath

FOLDER = Path(__file__).parent
BOUNDS = FOLDER.parents[1] / "bounds"
DIGITS = 25


def scripts() -> list[str]:
    """Names of the modules of `bounds` that have a script here."""
    found = (path.relative_to(BOUNDS) for path in BOUNDS.glob("*/*.py"))
    return sorted(".".join(path.with_suffix("").parts) for path in found if (FOLDER / path).exists())


def beside(name: str, ending: str) -> Path:
    """The file of one module: `pac_bayes.tuning` has `pac_bayes/tuning.py` and `.json`."""
    return FOLDER / f"{name.replace('.', '/')}.{ending}"


def rows(name: str) -> Iterator[dict[str, object]]:
    """The cases of one script, as they are stored."""
    with mpmath.workdps(50):
        for function, arguments, options, value, *tolerance in runpy.run_path(str(beside(name, "py")))["cases"]():
            yield {
                "function": function,
                "arguments": list(arguments),
                **({"options": options} if options else {}),
                "value": digits(value),
                **(tolerance[0] if tolerance else {}),
            }


def digits(value: object) -> str:
    """A number as text."""
    exact = mpmath.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else mpmath.mpf(value)
    return str(mpmath.nstr(exact, DIGITS))


def main(names: list[str]) -> None:
    for name in names or scripts():
        lines = ",\n".join(json.dumps(row) for row in rows(name))
        made_by = f"{name.replace('.', '/')}.py"
        text = f'{{"made_by": "{made_by}", "cases": [\n{lines}\n]}}\n'
        beside(name, "json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
