"""One dialect of docstrings: what `bounds` and `algos` offer is described as numpydoc has it, argument by argument."""

import inspect
import itertools
import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

import algos
import bounds
from signatures.domains import Elementwise, Plain
from tests.conformance import hostile
from tests.helpers import public_classes, public_functions

SECTIONS = ("Parameters", "Attributes", "Returns", "Raises", "Notes", "References", "Examples")
TITLE = re.compile(r"^(\w[\w ]*)\n(-{3,})$", re.MULTILINE)
FUNCTIONS = public_functions(bounds) + public_functions(algos)
CLASSES = public_classes(bounds) + public_classes(algos)


def name(described: Any) -> str:
    return f"{described.__module__}.{described.__name__}"


def sections(text: str) -> dict[str, str]:
    """What stands under each title of a docstring, in its order."""
    found = list(TITLE.finditer(text))
    ends = [*(title.start() for title in found), len(text)][1:]
    return {title[1]: text[title.end() : end].strip("\n") for title, end in zip(found, ends, strict=False)}


def described(section: str) -> list[str]:
    """The names before " : " in the lines that are not indented."""
    heads = [line.partition(" : ")[0] for line in section.splitlines() if line and not line.startswith(" ")]
    return [name.strip().lstrip("*") for head in heads for name in head.split(",")]


def faults(text: str, parameters: list[str], *, title: str = "Parameters") -> list[str]:
    """What a docstring lacks that has to describe these parameters, or attributes."""
    found = sections(text)
    said = []
    if [title for title in SECTIONS if title in found] != list(found):
        said.append(f"has the sections {list(found)}, but the order is {SECTIONS}")
    if described(found.get(title, "")) != parameters:
        said.append(f"describes {described(found.get(title, ''))} of {parameters}")
    if "Source:" in text:
        said.append("names a source outside References")
    return said


@pytest.mark.parametrize("function", FUNCTIONS, ids=name)
def test_a_function_describes_every_argument_and_what_it_returns(function: Callable[..., Any]) -> None:
    """A new argument without a word about its range, or a result without a shape, fails here."""
    text = inspect.getdoc(function) or ""
    assert faults(text, list(inspect.signature(function).parameters)) == []
    assert "Returns" in sections(text)
    assert function.__module__.startswith("algos") or "References" in sections(text)


def stated(interval: str) -> re.Pattern[str]:
    """How a range may be written: in full, or by its lower end alone where the upper one only limits the work."""
    low, high = (end.strip() for end in interval[1:-1].split(","))
    if 0 < float(high) < 1e4:
        return re.compile(re.escape(interval))
    number = low.replace("0.5", "(?:0.5|1/2)")
    return re.compile(
        rf">= {number}\b|[Aa]t least {number}\b|\[{low}, " if interval[0] == "[" else rf"> {number}\b|\({low}, "
    )


def description(text: str, parameter: str) -> str:
    """The lines below the name of a parameter."""
    lines = iter(sections(text)["Parameters"].splitlines())
    next(line for line in lines if parameter in described(line))
    return " ".join(itertools.takewhile(lambda line: not line or line.startswith(" "), lines))


@pytest.mark.parametrize("bound", public_functions(bounds), ids=name)
def test_the_range_of_an_argument_is_the_one_that_is_declared(bound: Callable[..., Any]) -> None:
    """A range of the docstring that is not the signature's promises what is refused, or refuses what was promised."""
    for parameter in inspect.signature(bound).parameters.values():
        domain = hostile.domain_of(parameter.annotation)
        if isinstance(domain, Plain | Elementwise) and not domain.interval.startswith(("[-inf", "(-inf")):
            found = description(inspect.getdoc(bound) or "", parameter.name)
            related = bound.__module__.endswith(".sign_patterns") and parameter.name == "points"  # at least 4 T + 1
            assert related or stated(domain.interval).search(found), (
                f"{parameter.name}: {domain.interval} is not {found}"
            )


@pytest.mark.parametrize("kind", CLASSES, ids=name)
def test_a_class_describes_its_fields_or_arguments(kind: type) -> None:
    """Records by their attributes, everything else by the arguments that make it; each public method says something."""
    text = inspect.getdoc(kind) or ""
    if is_dataclass(kind) or hasattr(kind, "_fields"):
        names = [field.name for field in fields(kind)] if is_dataclass(kind) else list(kind._fields)
        assert faults(text, names, title="Attributes") == []
    elif "__init__" in vars(kind) and not getattr(kind, "_is_protocol", False):
        assert faults(text, list(inspect.signature(kind).parameters)) == []
    for method, value in vars(kind).items():
        assert method.startswith("_") or not inspect.isfunction(value) or inspect.getdoc(getattr(kind, method)), method


@pytest.mark.parametrize(
    "text",
    [
        "Add.\n\nParameters\n----------\nx : float\n\nReturns\n-------\nfloat",
        "Add.\n\nParameters\n----------\ny, x : float",
        "Add.\n\nx : float\ny : float",
        "Add.\n\nReturns\n-------\nfloat\n\nParameters\n----------\nx, y : float",
        "Add.\n\nParameters\n----------\nx, y : float\n\nSource: Euclid.",
    ],
)
def test_an_incomplete_docstring_is_seen(text: str) -> None:
    """A missing argument, the wrong order, no section, sections out of order, another dialect."""
    assert faults(text, ["x", "y"])
    assert not stated("[2, inf)").search("n >= 1.")
    assert not stated("(0, 1)").search("In (0, 1].")
    assert faults("Add.\n\nParameters\n----------\nx, y : float\n    Numbers.", ["x", "y"]) == []
