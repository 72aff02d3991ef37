"""Claims as objects: the `@claim` decorator, parameter grids, and where registered claims are kept."""

import inspect
import itertools
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from harness.errors import STRIPPED, ClaimError
from harness.language.arguments import option, real, shown, text
from harness.language.defects import Defect
from harness.language.kind import Kind

LONGEST_ID = 100
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*", re.ASCII)

Parameters: TypeAlias = dict[str, Any]
Reading: TypeAlias = Literal["printed", "inferred", "corrected"]
Expected: TypeAlias = Literal["holds", "refuted", "undecided", "vacuous"]


@dataclass(frozen=True)
class Claim:
    """A statement that can be judged. Calling it calls its body."""

    id: str
    kind: Kind
    body: Callable[..., Any]
    cells: tuple[Parameters, ...]
    statement: str
    remarks: str = ""
    cite: str = ""
    reading: Reading | None = None
    expected: Expected | None = None
    trivial: float | None = None
    title: str = ""
    quote: str = ""
    sizes: str = ""
    restricts: str = ""
    defect: Defect | None = None
    unnoticed: str = ""
    sharp: float | str = ""
    file: str = ""
    wants: frozenset[str] = field(default_factory=frozenset)

    @property
    def key(self) -> str:
        """The claim's unique name: its id, with the reading in brackets where there is one."""
        return key_of(self.id, self.reading)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.body(*args, **kwargs)

    @property
    def source(self) -> str:
        """The claim's own source text, decorator included."""
        return inspect.getsource(self.body)

    def groups(self) -> tuple[Parameters, ...]:
        """The cells to judge."""
        return self.kind.groups(self.cells)


def grid(**axes: Sequence[Any]) -> tuple[Parameters, ...]:
    """Every combination of the named values, in the order written: `grid(n=[10, 100], delta=[0.05])`."""
    for name, values in axes.items():
        if isinstance(values, str) or not isinstance(values, Sequence):
            remedy = "; give its tolist()" if hasattr(values, "tolist") else ""
            kind = type(values).__name__
            raise ClaimError(f"grid({name}={shown(values)}) must be a list of values, not of type {kind}{remedy}.")
        if not values:
            raise ClaimError(f"grid({name}={values!r}) must be a non-empty list of values.")
        for value in values:
            _check_value(name, value)
    return tuple(dict(zip(axes, combination, strict=True)) for combination in itertools.product(*axes.values()))


def _check_value(name: str, value: object) -> None:
    """Refuse grid values that cannot be stored as JSON and typed on the command line."""
    try:
        json.dumps(value, allow_nan=False)
        if not _is_plain(value):
            raise TypeError
    except ValueError as error:
        raise ClaimError(
            f"grid value {name}={value!r} is not finite, which JSON cannot hold; write it as a text, such as 'inf', "
            "and call float() on it inside the claim."
        ) from error
    except TypeError as error:
        raise ClaimError(
            f"grid value {name}={value!r} is not a number, a string, a boolean or a list of these; use one of these as "
            "its name and build the object inside the claim."
        ) from error


def _is_plain(value: object) -> bool:
    """Whether it is a number, a text, a boolean or a list of these."""
    return (
        all(map(_is_plain, value)) if isinstance(value, list | tuple) else isinstance(value, bool | int | float | str)
    )


_BY_MODULE: dict[str, dict[str, Claim]] = {}


class _Loaded(NamedTuple):
    module: str
    broken: Callable[[str], Kind]


_LOADED: ContextVar[_Loaded | None] = ContextVar("loaded", default=None)


@contextmanager
def loading(module: str, broken: Callable[[str], Kind]) -> Iterator[None]:
    """While the file of a module is executed, from its first line: no name of a claim is given twice.

    A claim that cannot be made becomes one of the kind `broken(why)`, and the rest of the file is executed.
    """
    forget(module)
    token = _LOADED.set(_Loaded(module, broken))
    try:
        yield
    finally:
        _LOADED.reset(token)


def registered(module: str) -> tuple[Claim, ...]:
    """The claims that `module` has registered, in the order of the file."""
    return tuple(_BY_MODULE.get(module, {}).values())


def forget(module: str) -> None:
    """Drop the claims of a module that is about to be executed again."""
    _BY_MODULE.pop(module, None)


def key_of(id: str, reading: str | None) -> str:
    """The id, with the reading in brackets where there is one."""
    return f"{id}[{reading}]" if reading else id


def claim(
    id: str,
    kind: Kind,
    *,
    over: Sequence[Mapping[str, Any]] = ({},),
    reading: Reading | None = None,
    expected: Expected | None = None,
    cite: str = "",
    trivial: float | None = None,
    title: str = "",
    quote: str = "",
    sizes: str = "",
    restricts: str = "",
    defect: Defect | None = None,
    unnoticed: str = "",
    sharp: float | str = "",
) -> Callable[[Callable[..., Any]], Claim]:
    """Turn a function into a claim.

    Parameters
    ----------
    id : "paper/statement", for example "hoeffding1963/thm-1": ASCII letters, digits, dots, hyphens and underscores, in
        parts separated by single slashes; each part starts with a letter or a digit; at most 100 characters.
    kind : the logic of the statement (`always()`, `high_probability("delta")`, ...).
    over : the cells, usually `grid(...)`; their names are the function's keyword-only parameters.
    reading : "printed" (the sentence can be quoted), "inferred" (suggested, but not stated) or "corrected", when a
        statement has several readings.
    expected : the known verdict; a run fails if it changes. The default is that the claim holds.
    cite : where to find the statement.
    trivial : the value from which on the right side is trivial; a bound beyond it in every cell is VACUOUS.
    title : a short name for plots and tables.
    quote : the printed sentence or formula that a "printed" reading judges, word for word.
    sizes : up to which sizes (numbers of points, dimensions, rounds, ...) the claim is judged, where it quantifies over
        all that the statement quantifies over and each size takes several values.
    restricts : what the claim leaves out of the statement: it fixes a size or a distribution that the statement leaves
        free, uses other data, or concludes less.
    defect : the mistake in the paper, for a reading that is expected to be refuted.
    unnoticed : why the claim would hold with half of its right side, for a bound that is loose on every input tried.
    sharp : a factor below one by which the right side may not be multiplied (the claim is then refuted; a rate
        or a tail has its exponent divided by it), or why the constant is not sharp.

    Raises
    ------
    ClaimError : if the id is not allowed; if the signature and the grid do not agree (the message names the parameter);
        if one of the others is no text, number or option as above.
    """
    words = {
        "cite": cite,
        "trivial": trivial,
        "title": title,
        "quote": quote,
        "sizes": sizes,
        "restricts": restricts,
        "defect": defect,
        "unnoticed": unnoticed,
        "sharp": sharp,
    }

    def decorate(body: Callable[..., Any]) -> Claim:
        loaded = _LOADED.get()
        try:
            _check_name(id, reading)
            return enlist(_made(body, id, kind, over, reading=reading, expected=expected, **words))
        except ClaimError as error:
            if loaded is None or loaded.module != body.__module__:
                raise
            return _kept_as_broken(body, loaded, error, id=id, reading=reading, expected=expected, cite=cite)

    return decorate


def _made(body: Callable[..., Any], id: str, kind: Kind, over: Sequence[Mapping[str, Any]], /, **words: Any) -> Claim:
    wants = _check_signature(id, kind, body, over)
    statement, remarks = _docstring(body)
    if not statement:
        if sys.flags.optimize > 1:
            raise ClaimError(f"claim {id!r} has no docstring: {STRIPPED}.")
        raise ClaimError(f"claim {id!r} has no docstring; write one that begins with the statement in one line.")
    _check_words(id, **words)
    cells = tuple(dict(cell) for cell in over)
    file = inspect.getsourcefile(inspect.unwrap(body)) or ""
    return Claim(id, kind, body, cells, statement, remarks, file=file, wants=wants, **words)


def _check_words(
    id: str,
    *,
    expected: object,
    trivial: object,
    defect: object,
    sharp: object,
    reading: object,  # noqa: ARG001  (looked at with the id)
    **texts: object,
) -> None:
    """Refuse what is said of a claim in another form than the signature has: reports and runs rest on it."""
    try:
        for name, value in texts.items():
            text(name, value)
        if expected is not None:
            option("expected", expected, get_args(Expected))
        if trivial is not None:
            real("trivial", trivial)
        if not isinstance(sharp, str):
            real("sharp", sharp, "(0, 1)")
        if not isinstance(defect, Defect | None):
            raise ClaimError(f"defect={shown(defect)} must be a harness.Defect.")
    except ClaimError as error:
        raise ClaimError(f"claim {id!r}: {error}") from error


def _docstring(body: Callable[..., Any]) -> tuple[str, str]:
    """The statement, and the rest as one line."""
    statement, _, remarks = inspect.cleandoc(body.__doc__ or "").partition("\n")
    return statement, " ".join(remarks.split())


def _kept_as_broken(
    body: Callable[..., Any], loaded: _Loaded, error: ClaimError, *, id: str, reading: Reading | None, **words: Any
) -> Claim:
    """A claim that cannot be judged, in the place of one that cannot be made: it says why, and hides no other."""
    line, file = _line(body), inspect.getsourcefile(inspect.unwrap(body)) or ""
    try:
        _check_name(id, reading)
    except ClaimError:  # nothing can be called so
        id, reading = f"line-{line}", None
    place = f" (line {line} of {os.path.basename(file)})" if "(line" not in str(error) else ""
    kind = loaded.broken(f"{str(error).removesuffix('.')}{place}.")
    broken = Claim(id, kind, body, ({},), *_docstring(body), reading=reading, file=file, **words)
    _BY_MODULE.setdefault(loaded.module, {})[broken.key] = broken
    return broken


def _check_name(id: object, reading: str | None) -> None:
    _check_id(id)
    _check_reading(str(id), reading)


def _check_id(text: object) -> None:
    """Refuse ids that cannot serve as a file name, on a command line, and in tables and replay commands."""
    if not isinstance(text, str) or len(text) > LONGEST_ID or not _ID.fullmatch(text):
        shown = repr(text) if len(repr(text)) <= LONGEST_ID else f"{repr(text)[:40]}..."
        raise ClaimError(
            f"the id {shown} is not allowed: at most {LONGEST_ID} ASCII letters, digits, '.', '-' and '_' in parts "
            "between single slashes, each begun by a letter or a digit, such as 'hoeffding1963/thm-1'."
        )


def _check_reading(id: str, reading: str | None) -> None:
    if reading not in (None, *get_args(Reading)):
        known = ", ".join(get_args(Reading))
        raise ClaimError(f"claim {id!r}: reading={reading!r} must be one of {known}, or left out.")


def enlist(made: Claim) -> Claim:
    """Keep a claim among those of the module of its body, where workers find it, and return it.

    A function may be defined again in a notebook, or in a module that is executed again, but not in one file.
    """
    module = made.body.__module__
    shelf = _BY_MODULE.setdefault(module, {})
    twin = shelf.get(made.key)
    loaded = _LOADED.get()
    again = (
        (loaded is None or module != loaded.module)
        and twin is not None
        and twin.body.__qualname__ == made.body.__qualname__
    )
    if twin is not None and not again:
        lines = sorted({_line(twin.body), _line(made.body)} - {0})
        where = f" (line{'s' if len(lines) > 1 else ''} {' and '.join(map(str, lines))})" if lines else ""
        raise ClaimError(
            f"claim {made.key!r} is registered twice{where}; give one of the two a different id or reading."
        )
    shelf[made.key] = made
    return made


def _line(body: Callable[..., Any]) -> int:
    """Where a body begins, with its decorators; 0 where nobody knows."""
    code = getattr(body, "__code__", None)
    return 0 if code is None else int(code.co_firstlineno)


def _check_signature(
    claim_id: str, kind: Kind, body: Callable[..., Any], over: Sequence[Mapping[str, Any]]
) -> frozenset[str]:
    if not isinstance(kind, Kind):
        called = getattr(kind, "__name__", type(kind).__name__)
        raise ClaimError(f"claim {claim_id!r}: its kind is {called!r}, which is none; call one, such as always().")
    signature = inspect.signature(body)
    wants = frozenset(name for name in ("forall", "draw", "within") if name in signature.parameters)
    takes = {name for name in signature.parameters if name not in wants}
    if not isinstance(over, Sequence) or not all(isinstance(cell, Mapping) for cell in over):
        raise ClaimError(f"claim {claim_id!r}: over={shown(over)} is no list of cells; write over=grid(n=[10, 100]).")
    if not over:
        raise ClaimError(f"claim {claim_id!r} has an empty grid; give `over` at least one cell.")
    for place, cell in enumerate(over):
        if over.index(cell) < place:
            raise ClaimError(f"claim {claim_id!r} has the cell {dict(cell)} twice in its grid; give each once.")
        for name, value in cell.items():
            _check_value(name, value)
        for name in _difference(takes, cell):
            raise ClaimError(
                f"claim {claim_id!r}: parameter {name!r} is in only one of the grid and the function's signature; "
                f"{_where_it_belongs(name, cell)}."
            )
    if "within" in wants and ("draw" not in wants or kind.returns != "sides"):
        raise ClaimError(
            f"claim {claim_id!r} takes `within`, which quantifies after the draws and inside the event or the mean: it "
            "needs `draw` and two sides; use `forall` for what is quantified before."
        )
    kind.refuse(claim_id, wants, over)
    return wants


def _where_it_belongs(name: str, cell: Mapping[str, Any]) -> str:
    if name in cell:
        return "name it in both"
    return "name it in both, or call it `forall` if it hands out inputs, `draw` if it draws, or `within`"


def _difference(takes: set[str], cell: Mapping[str, Any]) -> Iterator[str]:
    yield from sorted(takes ^ set(cell))
