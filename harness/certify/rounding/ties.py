"""Comparisons that rounding decides: what is equal in exact arithmetic differs in every rounded evaluation.

(x + 0.1) - 0.1 != x is true of every rounded copy where it is true of one, so that their spread shows nothing, and so
is `eigvalsh(x x^T) < 0` in half of them. The difference that is compared shows it: where it is small beside its own
spread over the evaluations, the answer is not known, and the body is evaluated again with each of the three answers.

So is a divisor that is nothing but rounding: m3^2 / m2^3 of six equal numbers is 1 in every evaluation, and 0 / 0.
It is zero where ties are put on zero, and a matrix that rounding alone keeps from being singular has no inverse then.
One that is much larger or smaller there than it ever was has a guard, such as `where(m2 == 0, 1, m2)`, and stays.
"""

import cmath
import math
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from harness.certify.rounding.asking import in_an_algorithm, in_ours
from harness.certify.rounding.decimals import difference, is_exact_type
from harness.certify.rounding.differences import NEAR, Differences
from harness.certify.rounding.short import PLACE, coarse_number, is_short, leaves
from harness.certify.rounding.whole import EXACT

SIDES = (1.0, 0.0, -1.0)  # of zero, on which the differences are put that may lie there
NEIGHBOURS = 2.0**-44  # apart, of the larger: keys that may be one and the same number
TINY = 1e-300
LARGEST_MATRIX = 64  # rows, up to which it is asked whether a matrix may be singular
GUARDED = (1e-30, 2.0)  # times what a divisor was at most: one that is smaller or larger has been replaced
_MARK = "_tightrope_of_inputs"
COMPARING = {
    **{name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")},
    "sign": lambda x, _: np.sign(x),
}


class Ties:
    """The comparisons of one body over several evaluations: those of its statements, and those of its numbers inside.

    A list that is searched or sorted, a set and a `match` compare numbers where no statement does, the more of them the
    more are equal. There, what is next to each other is a tie.
    """

    def __init__(self, *, of_constants: bool = False, of_trials: bool = False) -> None:
        self.of_constants = of_constants  # of tensors that do not depend on inputs, and of plain numbers, alone
        self.of_trials = of_trials  # ties lie on zero alone: of many trials, each side shows in some
        self.differences = Differences()
        self.doubtful: dict[int, np.ndarray] = {}  # by the number of a comparison, which of its entries
        self.divisors: set[int] = set()  # by their numbers, comparisons that are a division
        self.largest: dict[int, np.ndarray] = {}  # by their numbers, how large the differences were
        self.refused = self.by_nearness = False  # an evaluation failed: neighbours are doubtful wherever they are
        self.resized = False  # rounding decides how many inputs there are
        self.hashed: list[float] = []  # what sets and dictionaries were asked for, which compare equal hashes only
        self.met_neighbours = self.met_singular = False
        self.divided: list[np.ndarray] = []  # where by zero, while ties lie on it
        self.lost: list[np.ndarray] = []  # where what is undefined was compared then: its outcome means nothing
        self.side: float | None = None  # of zero, while ties are put on one
        self.known = 0  # comparisons; those after them come where another answer than usual has led
        self.count = 0

    def begin(self) -> None:
        """What is compared from here on belongs to another evaluation."""
        self.count, self.divided, self.lost = 0, [], []
        self.met_neighbours = self.met_neighbours or _has_neighbours(self.hashed)
        self.hashed = []
        if self.side is None:
            self.differences.begin()

    def forget(self) -> None:
        """The evaluation has failed, perhaps by what rounding decides: an array that is searched for its maximum."""
        if self.side is None:
            self.differences.forget()
            self.refused = True

    def sides(self) -> Iterator[None]:
        """Once for each side of zero, if rounding decides any comparison: what is evaluated then has it there."""
        self.met_neighbours = self.met_neighbours or _has_neighbours(self.hashed)
        self.doubtful, self.largest = self.differences.near_zero(), self.differences.largest()
        self.known = len(self.differences.shapes)
        ways = self.differences.differ()  # then no comparison is known by its number
        self.by_nearness = (self.refused or ways) and not self.doubtful
        undefined = self.met_singular or any(number in self.divisors for number in self.doubtful)
        any_tie = undefined or self.doubtful or self.met_neighbours or self.by_nearness
        sides = (0.0,) if ways or self.of_trials else SIDES
        for side in sides if any_tie else ():
            self.side = side
            yield
        self.side = None

    def undefined(self, rows: int) -> np.ndarray:
        """In which of the rows of results something was divided by zero: in all, where it cannot be told, (rows,)."""
        return _rows(self.divided, rows)

    def meaningless(self, rows: int) -> np.ndarray:
        """In which of them the result rests on a comparison with what is undefined."""
        return np.asarray(_rows(self.lost, rows) & self.undefined(rows))

    def of_tensors(self, name: str, args: Any, out: Tensor, unknown: Tensor) -> Tensor:
        """The outcome of a comparison of tensors, or of one with a number, on the side that is asked for.

        `unknown` are entries that say nothing, as those do that are NaN.
        """
        left, right = args[0], args[1] if len(args) > 1 else 0.0
        floats = any(isinstance(each, Tensor) and each.dtype in PLACE for each in (left, right))
        if not floats or self._are_left_alone(args):
            return out

        def operands() -> list[np.ndarray]:
            if left is right:  # it is asked whether it is NaN
                return [np.zeros(out.shape)] * 2
            some = (torch.as_tensor(each, dtype=torch.float64, device=out.device) for each in (left, right))
            return [torch.where(unknown, torch.nan, each).expand(out.shape).numpy(force=True) for each in some]

        answer = self._met(name, operands, tuple(out.shape))
        return out if answer is None else torch.where(_like(answer[0], out), _like(answer[1], out), out)

    def _are_left_alone(self, tensors: Any) -> bool:
        """Whether an algorithm of this package sees to them, or inputs made them where constants are asked about."""
        return in_an_algorithm() or (self.of_constants and depends(tensors))

    def of_numbers(self, name: str, left: Any, right: Any) -> Any:
        """The outcome of a comparison of plain numbers and arrays of numpy, on the side that is asked for."""
        left, right = plain(left), plain(right)
        if type(left) is complex or type(right) is complex:
            both = all(
                isinstance(x, complex | float) or (isinstance(x, int) and abs(x) <= EXACT) for x in (left, right)
            )
            return self.of_neighbours(name, left, right) if both else COMPARING[name](left, right)
        out = COMPARING[name](left, right)
        if is_exact_type(left) or is_exact_type(right):
            return self._of_exact(name, left, right, out)
        pair = (left, right)
        numbers = all(isinstance(each, float | int | np.number | np.ndarray) for each in pair)
        if not numbers or not any(map(is_real, pair)):
            return out
        answer = self._met(name, lambda: [np.asarray(each, dtype=np.float64) for each in pair], np.shape(out))
        if answer is None:
            return out
        changed = np.where(*answer, out)
        return changed if isinstance(out, np.ndarray) else type(out)(changed)

    def of_whole(self, value: Any, nearest: Any, *, near: Any) -> Any:
        """What is about to be rounded to a whole number: the nearest one, or beside it, where it may be that one."""
        answer = self._met(
            "sign", lambda: [np.asarray(each, dtype=np.float64) for each in (value, nearest)], near.shape
        )
        if answer is None:
            return np.where(near, nearest, value)
        beside = nearest + answer[1] * NEIGHBOURS * np.maximum(np.abs(nearest), 1.0)
        return np.where(near, np.where(answer[0], beside, nearest), value)

    def _of_exact(self, name: str, left: Any, right: Any, out: Any) -> Any:
        """The same of decimals and fractions, which may have been floats."""
        apart = difference(left, right)
        if apart is None:
            return out
        near = np.asarray(abs(apart) <= NEIGHBOURS * max(abs(float(left)), abs(float(right))))
        answer = self._met(name, lambda: [np.asarray(apart), np.zeros(())], (), lambda: near)
        return out if answer is None else bool(answer[1])

    def of_divisor(self, divisor: Any) -> Any:
        """A divisor, or zeros in it where it may be zero and ties are put there."""
        if isinstance(divisor, Tensor):
            if divisor.dtype not in PLACE or self._are_left_alone((divisor,)):
                return divisor
            zero = self._divided(lambda: divisor.double().numpy(force=True), tuple(divisor.shape))
            return divisor if zero is None else divisor.masked_fill(_like(zero, divisor).bool(), 0.0)
        divisor = plain(divisor)
        if not is_real(divisor):
            return divisor
        zero = self._divided(lambda: np.asarray(divisor, dtype=np.float64), np.shape(divisor))
        changed = None if zero is None else np.where(zero, 0.0, divisor)
        return divisor if changed is None else changed if isinstance(divisor, np.ndarray) else type(divisor)(changed)

    def of_clamped(self, value: Tensor) -> Tensor:
        """What is about to be kept away from zero, or zeros in it where it may be zero and ties are put there."""
        if value.dtype not in PLACE or self._are_left_alone((value,)):
            return value
        zero = self._zero(lambda: value.double().numpy(force=True), tuple(value.shape))
        return value if zero is None else value.masked_fill(_like(zero, value).bool(), 0.0)

    def of_matrices(self, matrices: Any) -> Any:
        """Matrices (..., n, n) that are to be inverted, or NaN where they may be singular and ties are put on zero.

        One is at least as far from a singular matrix as its least singular value is large.
        """
        array = matrices.numpy(force=True) if isinstance(matrices, Tensor) else matrices
        square = array.ndim >= 2 and 0 < array.shape[-1] == array.shape[-2] <= LARGEST_MATRIX
        if not square or in_an_algorithm() or (self.of_constants and depends((matrices,))):
            return matrices
        singular = ~(_inverse_condition(array) > NEAR * len(array.T) * PLACE[torch.float64])
        self.met_singular = self.met_singular or bool(singular.any())
        if self.side != 0.0 or not singular.any():
            return matrices
        self.divided.append(singular)
        lost = np.where(singular[..., None, None], np.nan, array)
        return _like(lost, matrices) if isinstance(matrices, Tensor) else lost

    def _zero(self, found: Callable[[], np.ndarray], shape: tuple[int, ...]) -> np.ndarray | None:
        """Where what may be zero is, on this side."""
        met = self._met("eq", lambda: [found(), np.zeros(())], shape)
        return None if met is None or self.side != 0.0 or self.by_nearness else met[0]

    def _divided(self, found: Callable[[], np.ndarray], shape: tuple[int, ...]) -> np.ndarray | None:
        """Where what must not be zero is, on this side, unless a guard has replaced it."""
        number = self.count
        self.divisors.add(number)
        near = self._zero(found, shape)
        if near is None:
            return None
        with np.errstate(all="ignore"):
            size, (least, most) = np.abs(found()), (share * self.largest[number] for share in GUARDED)
            zero = np.asarray(near & ((size == 0.0) | (size >= least) & (size <= most)))
        self.divided.append(zero)
        return zero

    def of_neighbours(self, name: str, left: complex, right: complex) -> bool:
        """The outcome of a comparison inside a library, on the side that is asked for if it is one of neighbours."""
        parts = (part for each in (left, right) for part in (each.real, each.imag))
        if not _are_neighbours(left, right) or all(map(coarse_number, parts)):
            return bool(COMPARING[name](left, right))
        self.met_neighbours = True
        return bool(COMPARING[name](left, right) if self.side is None else COMPARING[name](self.side, 0.0))

    def of_searched(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """What a search for equals among tensors is given."""
        floats = [each for each in args if isinstance(each, Tensor) and each.dtype in PLACE and each.numel()]
        if not floats or self._are_left_alone(args):
            return args
        merged = iter(self.merged([each.numpy(force=True) for each in floats]))
        return tuple(_like(next(merged), each) if any(each is some for some in floats) else each for each in args)

    def merged(self, values: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Numbers that a library searches for equals, neighbours of which are one number while ties are put on zero."""
        every = np.concatenate([np.ravel(each) for each in values]).astype(np.float64)
        order = np.argsort(every, kind="stable")
        with np.errstate(all="ignore"):
            some = every[order]
            step, size = np.diff(some), np.maximum(np.abs(some[1:]), np.abs(some[:-1]))
            next_to = step <= NEIGHBOURS * size
        if not (next_to & (step > 0.0)).any():
            return list(values)
        self.met_neighbours = True
        if self.side != 0.0:
            return list(values)
        first = np.maximum.accumulate(np.where(np.append(True, ~next_to), np.arange(len(some)), 0))
        every[order] = some[first]
        ends = np.cumsum([np.size(each) for each in values])[:-1]
        return [part.reshape(each.shape) for part, each in zip(np.split(every, ends), values, strict=True)]

    def _met(
        self,
        name: str,
        operands: Callable[[], list[np.ndarray]],
        shape: tuple[int, ...],
        neighbours: Callable[[], np.ndarray] | None = None,
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """Note a comparison; where it is doubtful, and what it is then, while ties are put on a side.

        Which operands are `neighbours` may be told, where the floats of them do not tell.
        """
        number, self.count = self.count, self.count + 1
        with np.errstate(all="ignore"):
            if self.side is None:
                kept = self.differences.holds(math.prod(shape))
                self.differences.tell(np.subtract(*operands()) if kept else None)
                return None
            if self.divided and (lost := np.isnan(np.subtract(*operands()))).any():
                self.lost.append(lost)
            unknown = self.by_nearness or (self.side == 0.0 and number >= self.known)
            near = neighbours or (lambda: _next_to(*operands()))
            mask = near() if unknown else self.doubtful.get(number)
        if mask is None or not mask.any() or mask.shape != shape:
            return None
        return mask, np.asarray(COMPARING[name](np.full(shape, self.side), 0.0))


class Compared(float):
    """A number that tells of what it is compared with, whoever compares: a list that is searched, a `match`, `sorted`.

    In a set or as a key it equals its neighbours while ties are put on zero.
    """

    __slots__ = ("ties",)
    ties: Ties

    def __new__(cls, value: float, ties: Ties | None = None) -> Any:
        """A plain number where there are no ties, as where a library makes another one of its type."""
        if ties is None:
            return float(value)
        made = super().__new__(cls, value)
        made.ties = ties
        return made

    def _with(self, name: str, other: Any) -> Any:
        if not isinstance(other, float | int):
            return NotImplemented
        if in_ours() or (isinstance(other, int) and abs(other) > EXACT):
            return COMPARING[name](float(self), plain(other))
        return self.ties.of_neighbours(name, float(self), float(other))

    def __eq__(self, other: object) -> Any:
        return self._with("eq", other)

    def __ne__(self, other: object) -> Any:
        return self._with("ne", other)

    def __lt__(self, other: Any) -> Any:
        return self._with("lt", other)

    def __le__(self, other: Any) -> Any:
        return self._with("le", other)

    def __gt__(self, other: Any) -> Any:
        return self._with("gt", other)

    def __ge__(self, other: Any) -> Any:
        return self._with("ge", other)

    def is_integer(self) -> bool:
        finite = math.isfinite(self)
        return finite and bool(self._with("eq", float(np.rint(float(self)))))

    def __hash__(self) -> int:
        if not in_ours():
            self.ties.hashed.append(float(self))
        merged = self.ties.side == 0.0 and self.ties.met_neighbours
        return hash(float(f"{float(self):.9g}") if merged else float(self))

    def __reduce__(self) -> Any:
        return float, (float(self),)


def depends(args: Any) -> bool:
    """Whether any of these tensors was made from inputs that were marked."""
    return any(hasattr(leaf, _MARK) for leaf in leaves(args) if isinstance(leaf, Tensor))


def mark(found: Any) -> None:
    """Note that a tensor, or those in a list, were made from inputs."""
    for leaf in leaves(found if isinstance(found, list | tuple) else (found,)):
        if isinstance(leaf, Tensor):
            setattr(leaf, _MARK, True)


def plain(value: Any) -> Any:
    """A number without the ties that it tells of."""
    return float(value) if type(value) is Compared else value


def _has_neighbours(numbers: list[float]) -> bool:
    """Whether two of them differ, and by a few last places only."""
    some = sorted(set(numbers))
    return any(map(_are_neighbours, some, some[1:]))


def _are_neighbours(one: complex, other: complex) -> bool:
    return cmath.isfinite(one) and cmath.isclose(one, other, rel_tol=NEIGHBOURS)


def _inverse_condition(matrices: np.ndarray) -> np.ndarray:
    """The least singular value over the largest, of each matrix."""
    try:
        values = np.linalg.svd(matrices, compute_uv=False)
        return np.asarray(values[..., -1] / np.maximum(values[..., 0], TINY))
    except np.linalg.LinAlgError:  # numbers that are not finite
        return np.full(matrices.shape[:-2], np.nan)


def _rows(where: list[np.ndarray], rows: int) -> np.ndarray:
    """In which rows any of these is true; one that has other rows is true in all."""
    found: np.ndarray = np.zeros(rows, dtype=bool)
    for each in where:
        found |= each.reshape(rows, -1).any(-1) if each.ndim and len(each) == rows else each.any()
    return found


def _next_to(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Which entries are neighbours, but for equals that are short."""
    size = np.maximum(np.abs(left), np.abs(right))
    short = (left == right) & is_short(left)
    return np.asarray((np.abs(left - right) <= NEIGHBOURS * size) & ~short)


def is_real(value: Any) -> bool:
    """Whether a plain number or an array is no whole one by its type."""
    return isinstance(value, float) or (isinstance(value, np.number | np.ndarray) and value.dtype.kind == "f")


def _like(values: np.ndarray, out: Tensor) -> Tensor:
    """Truth values as they are, numbers in the precision of the outcome."""
    dtype = torch.bool if values.dtype == np.bool_ else out.dtype
    return torch.from_numpy(np.array(values)).to(device=out.device, dtype=dtype)
