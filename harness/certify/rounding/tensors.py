"""Rounding, measured where it occurs: stochastic arithmetic on the body of a claim.

Inside `moved(seed)` the result of every floating operation is moved by a random share of its last place, as in CADNA
and Verificarlo (Parker 1997, "Monte Carlo arithmetic"). The spread of lhs - rhs over a few such evaluations is the
rounding of that body at that instance; no scale has to be guessed, at any magnitude.

What is moved, and by how much:

- elementwise results: one unit in the last place; special functions, whose libraries promise less, sixteen, and as
  much of 1 where they cross zero;
- sums, products of matrices and other contractions: their inputs too, since rounding inside the kernel grows with the
  terms and not with what is left of them;
- factorisations and solves: their inputs relative to a bound on the norm of the matrix (they are backward stable);
- what underflows: up to one step of the smallest numbers;
- results that are exact stay: integers, halves and other numbers of at most 26 significant bits, made from such
  numbers. A body that counts, or compares whole numbers, is not disturbed.

Plain Python and numpy numbers inside a body are seen statement by statement
(`harness.certify.rounding.statements`), not inside the functions that they are given to.
"""

import functools
import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from harness.certify.rounding.operations import CONTRACTIONS, DISTANCES, EXACT, NORMWISE, SPECIAL
from harness.language.dispatch import DispatchMode

TWINS = 4  # copies of an instance in one call of the body: at random, the other way, up, down
PLACE = {torch.float64: 2.0**-52, torch.float32: 2.0**-23, torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7}
COMPLEX = {torch.complex128: torch.float64, torch.complex64: torch.float32}
SPLITTER = 2.0**27 + 1.0  # Veltkamp: keeps 26 significant bits of 53
FINE = 2**27 - 1  # the bits that numbers of 26 significant bits leave zero
FIXED = 1.5 * 2.0**27  # added to numbers up to 1, it leaves the multiples of 2^-25
SMALLEST_GRID = 1e-290  # the entry whose grid is the finest that is looked at
SPECIAL_PLACES = 16.0
ALMOST_ZERO = 2.0**-1000
LARGEST = {dtype: torch.finfo(dtype).max for dtype in PLACE}
OFFSETS, POOLED, STOCK = 61, 2**18, 20261122  # places in a stock of shares, its most entries, its seed


class moved(DispatchMode):  # noqa: N801  (used as a context, like torch.no_grad)
    """A context in which every floating result is moved by a random share of its last place.

    The same seed with the opposite `sign` moves everything the other way: one of the two shows what hides behind a
    clamp. `directed` moves every result up by a whole place (down with `sign` -1): what is systematic shows, such as
    the smallest of many rounded numbers. With `twins` the first axis holds copies of instances, four by four: the
    copies are moved at random, the other way, up, and down.
    """

    def __init__(self, seed: int, *, sign: float = 1.0, directed: bool = False, twins: bool = False) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.twins = twins
        self.random = np.random.default_rng(seed)
        self.sign, self.directed = sign, directed
        self.whole = torch.tensor(sign, dtype=torch.float64, device="cpu")

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        name, in_place, exact = _operation(func)
        if exact:
            return func(*args, **kwargs)
        into = in_place or "out" in kwargs  # a buffer that others may read has to hold what is moved
        if name == "_to_copy":
            out = func(*args, **kwargs)
            shorter = PLACE.get(out.dtype, 0.0) > PLACE.get(args[0].dtype, 1.0)
            return torch.where(out.to(args[0].dtype) == args[0], out, self._ulp(out)) if shorter else out
        if name not in NORMWISE and all(map(_coarse_leaf, _leaves(args))):
            if name in CONTRACTIONS and not in_place:  # short terms of one grid add up exactly, others need not
                args, kwargs = self._inputs(args, kwargs, self._term)
            elif name in ("add", "sub") and not in_place and len(args) == 2 and not kwargs:
                out = func(*args)
                return self._every(out, into, lambda x: torch.where(_exact_sum(name, (*args, x)), x, self._ulp(x)))
            return self._every(func(*args, **kwargs), into, self._unless_coarse)
        if name in CONTRACTIONS and not in_place:
            args, kwargs = self._inputs(args, kwargs, self._term)
        elif name in NORMWISE:
            args, kwargs = self._inputs(args, kwargs, self._entry)
        out = func(*args, **kwargs)
        if name in ("linalg_vector_norm", "std", "std_mean"):  # they square
            return self._every(out, into, lambda x: self._ulp(x) + self._underflow(x, args, 2.0**-510, 2.0**-537))
        if name in DISTANCES:
            size = sum(x.square().sum(-1).amax() for x in args[:2])
            return self._every(out, into, lambda x: self._distance(x, size))
        if name in SPECIAL:
            return self._every(out, into, self._special)
        if name in ("add", "sub", "mul", "rsub", "div") and not in_place:
            lost = name in ("mul", "div")
            return self._every(out, into, lambda x: self._combined(x, args, lost=lost))
        return self._every(out, into, lambda x: self._lossy(self._ulp(x), x, args))

    def _noise(self, x: Tensor) -> Tensor:
        """A share of a last place for every entry, to be multiplied by its size; not to be written into."""
        shape = x.shape
        if self.directed:
            return (self.whole if x.is_cpu else self.whole.to(x.device)).expand(shape)
        rows = shape[0] if shape else 1
        step = TWINS if self.twins and shape and rows % TWINS == 0 else 1
        offset = step * int(self.random.integers(OFFSETS))
        stock = _stock(shape, step)
        if stock is None:
            shares = _fresh_shares(rows, tuple(shape[1:]), step, int(self.random.integers(2**62)))
        else:
            shares = stock[offset : offset + rows]
        if self.sign < 0.0:
            shares = -shares
        shares = shares if shape else shares[0]
        return shares if x.is_cpu else shares.to(x.device)

    def _every(self, out: Any, in_place: bool, move: Callable[[Tensor], Tensor]) -> Any:  # noqa: FBT001
        def one(x: Tensor) -> Tensor:
            if x.dtype in COMPLEX and x.numel():
                size = x.abs().amax()
                real, imaginary = (self._noise(x) * size * PLACE[COMPLEX[x.dtype]] for _ in range(2))
                return x + torch.complex(real, imaginary).to(x.dtype)
            if x.dtype not in PLACE or x.numel() == 0:
                return x
            changed = move(x)
            return x.copy_(changed) if in_place else changed

        if isinstance(out, Tensor):
            return one(out)
        return type(out)(one(x) if isinstance(x, Tensor) else x for x in out) if isinstance(out, list | tuple) else out

    def _inputs(self, args: Any, kwargs: Any, move: Callable[[Tensor], Tensor]) -> tuple[Any, Any]:
        def one(x: Any) -> Any:
            if isinstance(x, Tensor):
                return move(x) if x.dtype in PLACE and x.numel() else x
            return type(x)(map(one, x)) if type(x) in (list, tuple) else x

        return tuple(map(one, args)), {k: value if k == "out" else one(value) for k, value in kwargs.items()}

    def _ulp(self, x: Tensor) -> Tensor:
        noise = self._noise(x)
        size = x.abs().clamp_(max=LARGEST[x.dtype])  # infinite entries stay
        if x.dtype is torch.float64:
            changed = torch.addcmul(x, size, noise, value=PLACE[x.dtype])
        else:
            changed = x + size * (noise * PLACE[x.dtype]).to(x.dtype)
        return changed

    def _combined(self, x: Tensor, args: Any, *, lost: bool) -> Tensor:
        """The result of an elementwise operation: short ones made from short operands stay; products may underflow."""
        short = _coarse_together(x, args)
        changed = self._ulp(x)
        if short is not None:
            changed = torch.where(short, x, changed)
        return self._lossy(changed, x, args) if lost else changed

    def _lossy(self, changed: Tensor, out: Tensor, args: Any) -> Tensor:
        """A moved result and what it may have lost to underflow."""
        if _quick(out) and np.minimum.reduce(np.abs(_numbers(out)), axis=None) >= ALMOST_ZERO:
            return changed  # as usual; with NaN it is looked at
        return changed + self._underflow(out, args)

    def _underflow(self, out: Tensor, args: Any, size: float = ALMOST_ZERO, step: float = 2.0**-1074) -> Tensor | float:
        """What is lost where numbers that are not zero give almost zero: up to one step of the smallest numbers."""
        if out.dtype is not torch.float64:
            return 0.0
        small = _answers(out.abs() < size)
        if not small.any():
            return 0.0
        for operand in _leaves(args):
            if isinstance(operand, float | int) and operand == 0.0:
                return 0.0
            if isinstance(operand, Tensor) and operand.dtype not in COMPLEX:  # a mask leaves exact zeros
                nonzero = _answers(operand != 0.0)
                fits = nonzero.ndim <= out.ndim and _broadcasts(operand.shape, out.shape)
                other = nonzero if fits else nonzero.any()  # the operands of a contraction have other shapes
                small = small & other
        noise = self._noise(out)
        if not small.any():
            return 0.0
        return torch.where(_mask(small), torch.where(noise > 0.0, step, 0.0), 0.0)

    def _unless_coarse(self, x: Tensor) -> Tensor:
        return torch.where(coarse(x), x, self._ulp(x))

    def _special(self, x: Tensor) -> Tensor:
        change = (x.abs() + torch.where(x.abs() < 1.0, 1.0, 0.0)) * (self._noise(x) * SPECIAL_PLACES * PLACE[x.dtype])
        return x + torch.where(torch.isfinite(change), change, 0.0).to(x.dtype)

    def _term(self, x: Tensor) -> Tensor:
        """Terms of a sum: those on one coarse grid add up exactly and stay."""
        grid = _on_one_grid(x)
        if grid is None:
            return self._ulp(x)
        exact = grid.reshape(-1, *(1 for _ in x.shape[1:])) if x.ndim > 1 else grid
        return torch.where(exact, x, self._ulp(x))

    def _entry(self, x: Tensor) -> Tensor:
        """Entries of a matrix: by a last place of a bound on its norm."""
        if x.ndim < 2:
            return self._ulp(x)
        size = x.abs().amax((-2, -1), keepdim=True) * max(x.shape[-2:])
        noise = self._noise(x).clone()
        eye = torch.eye(x.shape[-2], x.shape[-1], dtype=noise.dtype, device=x.device)  # moves the whole spectrum
        if self.directed:
            noise = self.sign * eye.expand_as(noise)
        elif self.twins and x.ndim > 2 and len(noise) % TWINS == 0:
            noise[2::TWINS], noise[3::TWINS] = eye, -eye
        change = size * (noise * PLACE[x.dtype])
        return x + torch.where(torch.isfinite(change), change, 0.0).to(x.dtype)

    def _distance(self, x: Tensor, size: Tensor) -> Tensor:
        """Distances by |x|^2 + |y|^2 - 2 <x, y>: the square is moved relative to the squares of the points."""
        squares = x.square() + size * (self._noise(x) * 4.0 * PLACE[x.dtype])
        return squares.clamp_min(0.0).sqrt().to(x.dtype)


def _exact_sum(name: str, terms: tuple[Any, Any, Tensor]) -> Tensor:
    """Where a sum or difference of two operands lost nothing: each is what the result leaves of the other."""
    out = terms[2]
    a, b = (x.to(out.dtype) if isinstance(x, Tensor) and x.dtype is torch.bool else x for x in terms[:2])
    kept: Tensor = (out + b == a) & (a - out == b) if name == "sub" else (out - b == a) & (out - a == b)
    return kept


def _broadcasts(shape: torch.Size, onto: torch.Size) -> bool:
    return all(a in (1, b) for a, b in zip(reversed(shape), reversed(onto), strict=False))


class _Operation(NamedTuple):
    """An operation of torch: its name without what says that it works in place, whether it does, whether it rounds."""

    name: str
    in_place: bool
    exact: bool


@functools.cache
def _operation(func: Any) -> _Operation:
    name: str = func._schema.name.split("::")[1]
    in_place = name.endswith("_") and not name.startswith("__")
    name = name.rstrip("_") if in_place else name
    return _Operation(name, in_place, name in EXACT or func.is_view)


@functools.lru_cache(maxsize=64)
def _stock(shape: tuple[int, ...], step: int) -> Tensor | None:
    """A stock of shares for results of a shape, of which slices at random offsets serve one operation each.

    None where it would be large.
    """
    rows, rest = (shape[0], tuple(shape[1:])) if shape else (1, ())
    rows += OFFSETS * step
    return _fresh_shares(rows, rest, step, STOCK) if rows * math.prod(rest) <= POOLED else None


def _fresh_shares(rows: int, rest: tuple[int, ...], step: int, seed: int) -> Tensor:
    """Random shares in [-1, 1]; of four copies the second is the mirror of the first, the others are +1 and -1."""
    generator = torch.Generator().manual_seed(seed)
    shares = torch.rand((rows, *rest), generator=generator, dtype=torch.float64).mul_(2.0).sub_(1.0)
    if step == TWINS:
        shares[1::TWINS] = -shares[0::TWINS]
        shares[2::TWINS], shares[3::TWINS] = 1.0, -1.0
    return shares


def coarse(x: Tensor) -> Tensor:
    """Which entries have at most 26 significant bits: what comes out so short was hardly rounded."""
    if x.dtype is not torch.float64:
        return x.to(torch.float64) == torch.round(x.to(torch.float64) * 2.0**10) * 2.0**-10
    return x.view(torch.int64) & FINE == 0


def _quick(x: Tensor) -> bool:
    """Whether numpy answers a question about a tensor in a fraction of torch's time: its numbers are here, in full."""
    return x.dtype is torch.float64 and x.is_cpu


def _numbers(x: Tensor) -> np.ndarray:
    """The numbers of a tensor on a CPU, as numpy reads them."""
    return x.numpy() if not x.requires_grad and not x.is_neg() else x.numpy(force=True)


def _answers(x: Tensor) -> Any:
    """Truth values for numpy, which is quicker with few; those on another device stay there, and there is torch."""
    return _numbers(x) if x.is_cpu else x


def _mask(answers: Any) -> Tensor:
    """The same for torch."""
    return answers if isinstance(answers, Tensor) else torch.from_numpy(np.asarray(answers))


def _coarse(x: Tensor) -> Any:
    """Which entries have at most 26 significant bits."""
    return _numbers(x).view(np.int64) & FINE == 0 if _quick(x) else _answers(coarse(x))


def _all_coarse(x: Tensor) -> bool:
    """Whether all entries have at most 26 significant bits."""
    if not _quick(x):
        return bool(coarse(x).all())
    bits = _numbers(x).view(np.int64)
    return not bits.item(0) & FINE and not int(np.bitwise_or.reduce(bits, axis=None)) & FINE


def _on_one_grid(x: Tensor) -> Tensor | None:
    """Which rows (all axes but the first; a vector is one) hold multiples of 2^-25 of their largest entry.

    None where each row has an entry of more than 26 significant bits, and so none does.
    """
    rows = x.reshape(x.shape[0], -1) if x.ndim > 1 else x.reshape(1, -1)
    if not _quick(x):
        return on_one_grid(rows)
    numbers = _numbers(rows)
    if (numbers.view(np.int64)[:, 0] & FINE).all():
        return None
    columns = numbers.T.copy()  # to reduce over the short axis in passes over the long one
    if (np.bitwise_or.reduce(columns.view(np.int64), axis=0) & FINE).all():
        return None
    largest = np.abs(columns).max(axis=0)
    share, exponent = np.frexp(np.maximum(largest, SMALLEST_GRID))
    with np.errstate(all="ignore"):
        size = np.ldexp(FIXED, exponent - (share == 0.5))  # as in `on_one_grid`
        same = (columns + size) - size == columns
    return torch.from_numpy(same.all(axis=0) & np.isfinite(largest))


def coarse_number(x: float) -> bool:
    """Whether a plain number has at most 26 significant bits."""
    return bool(_short(x))


def _short(x: Any) -> Any:
    """Veltkamp's splitting leaves numbers of 26 significant bits: for arrays and plain numbers alike."""
    high = x * SPLITTER
    return (high - (high - x)) == x


def on_one_grid(rows: Tensor) -> Tensor:
    """Which rows (last axis) hold multiples of 2^-25 of their largest entry: their sums and squares are exact."""
    size = torch.exp2(torch.ceil(torch.log2(rows.abs().amax(-1, keepdim=True).clamp_min(SMALLEST_GRID)))) * FIXED
    return ((rows + size) - size == rows).all(-1)


def _leaves(args: Any) -> Iterator[Any]:
    """The operands, those in lists too."""
    for item in args:
        if isinstance(item, list | tuple):
            yield from _leaves(item)
        else:
            yield item


def _coarse_leaf(leaf: Any) -> bool:
    if isinstance(leaf, Tensor):
        if leaf.dtype in COMPLEX:
            return False
        return leaf.dtype not in PLACE or leaf.numel() == 0 or _all_coarse(leaf)
    return coarse_number(leaf) if isinstance(leaf, float) else True


def _coarse_together(out: Tensor, args: Any) -> Tensor | None:
    """Where the result and all operands of an elementwise operation are coarse; None where nowhere."""
    if _quick(out) and np.count_nonzero(_numbers(out).view(np.int64) & FINE) == out.numel():
        return None  # as usual
    mask = _coarse(out)
    for leaf in args:
        if not mask.any():
            return None
        if isinstance(leaf, Tensor):
            mask = (
                mask & (_coarse(leaf) if leaf.is_cpu == out.is_cpu else coarse(leaf)) if leaf.dtype in PLACE else mask
            )
        elif isinstance(leaf, float) and not coarse_number(leaf):
            return None
    return _mask(mask) if mask.any() else None


def moved_array(x: np.ndarray, share: np.ndarray, lost: Any = False) -> np.ndarray:  # noqa: FBT002
    """A numpy result moved by shares of its last place; coarse entries stay, unless what made them was `lost`."""
    with np.errstate(all="ignore"):
        short = _short(x) & ~np.asarray(lost)
        changed = x * (1.0 + share * 2.0**-52)
    return np.asarray(np.where(short | ~np.isfinite(changed), x, changed))
