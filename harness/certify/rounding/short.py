"""Short numbers: those of at most 26 significant bits, of which sums, differences and products are exact.

Whole numbers up to 2^44 count as short, too: what is made of them and is one again was not rounded, since a sum, a
product, a quotient, a power or a root of them that is none is further from one than a last place, and a number that
rounding has made is one in hardly any of a few evaluations.
"""

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor

from harness.certify.rounding.operations import BETWEEN
from harness.certify.rounding.sparse import entries, is_sparse
from harness.certify.rounding.whole import EXACT

PLACE = {torch.float64: 2.0**-52, torch.float32: 2.0**-23, torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7}
COMPLEX = {torch.complex128: torch.float64, torch.complex64: torch.float32}
SPLITTER = 2.0**27 + 1.0  # Veltkamp: keeps 26 significant bits of 53
FINE = 2**27 - 1  # the bits that numbers of 26 significant bits leave zero
WHOLE = 2.0**44  # up to here whole numbers are short
FIXED = 1.5 * 2.0**27  # added to numbers up to 1, it leaves the multiples of 2^-25
SMALLEST_GRID = 1e-290  # the entry whose grid is the finest that is looked at
_ODD, _WORD = 0x9E3779B97F4A7C15, 2**64 - 1  # 2^64 over the golden ratio; the bits of a word
NEXT_TO = 2.0**-44  # of a whole number, relative: many last places, and less than what any statement means


def coarse(x: Tensor) -> Tensor:
    """Which entries are short: what comes out so was hardly rounded."""
    if quick(x):
        return mask_of(coarse_entries(x))
    if x.dtype is not torch.float64:
        return x.to(torch.float64) == torch.round(x.to(torch.float64) * 2.0**10) * 2.0**-10
    return (x.view(torch.int64) & FINE == 0) | (x == x.round()) & (x.abs() <= WHOLE)


def quick(x: Tensor) -> bool:
    """Whether numpy answers a question about a tensor in a fraction of torch's time: its numbers are here, in full."""
    return x.dtype is torch.float64 and x.is_cpu


def numbers(x: Tensor) -> np.ndarray:
    """The numbers of a tensor on a CPU, as numpy reads them."""
    return x.numpy() if not x.requires_grad and not x.is_neg() else x.numpy(force=True)


def answers(x: Tensor) -> Any:
    """Truth values for numpy, which is quicker with few; those on another device stay there, and there is torch."""
    return numbers(x) if x.is_cpu else x


def mask_of(answers: Any) -> Tensor:
    """The same for torch."""
    return answers if isinstance(answers, Tensor) else torch.from_numpy(np.asarray(answers))


def coarse_entries(x: Tensor) -> Any:
    """Which entries are short."""
    if not quick(x):
        return answers(coarse(x))
    plain = numbers(x)
    short = plain.view(np.int64) & FINE == 0
    return short if _is_long(first_long(plain, short)) else short | _are_whole(plain)


def all_coarse(x: Tensor) -> bool:
    """Whether all entries are short."""
    if not quick(x):
        return bool(coarse(x).all())
    plain = numbers(x)
    bits = plain.view(np.int64)
    if bits.item(0) & FINE and _is_long(plain.item(0)):
        return False
    return not int(np.bitwise_or.reduce(bits, axis=None)) & FINE or bool(np.all(coarse_entries(x)))


def first_long(x: np.ndarray, short: np.ndarray) -> float:
    """The first entry of more than 26 significant bits, or any one where there is none."""
    return float(x.item(int(short.argmin()))) if x.size else 0.0


def _is_long(x: float) -> bool:
    """Whether a number of more than 26 significant bits is no short whole one: where the first is none, few are."""
    return not (abs(x) <= WHOLE and x.is_integer())


def _are_whole(x: Any) -> Any:
    with np.errstate(invalid="ignore"):
        return (np.rint(x) == x) & (np.abs(x) <= WHOLE)


def rows_on_one_grid(x: Tensor) -> Tensor | None:
    """Which rows (all axes but the first; a vector is one) hold multiples of 2^-25 of their largest entry.

    None where each row has an entry of more than 26 significant bits, and so none does.
    """
    rows = x.reshape(x.shape[0], -1) if x.ndim > 1 else x.reshape(1, -1)
    if not quick(x):
        return on_one_grid(rows)
    entries = numbers(rows)
    if (entries.view(np.int64)[:, 0] & FINE).all():
        return None
    columns = entries.T.copy()  # to reduce over the short axis in passes over the long one
    if (np.bitwise_or.reduce(columns.view(np.int64), axis=0) & FINE).all():
        return None
    largest = np.abs(columns).max(axis=0)
    share, exponent = np.frexp(np.maximum(largest, SMALLEST_GRID))
    with np.errstate(all="ignore"):
        size = np.ldexp(FIXED, exponent - (share == 0.5))  # as in `on_one_grid`
        same = (columns + size) - size == columns
    return torch.from_numpy(same.all(axis=0) & np.isfinite(largest))


def rows_that_add_up(x: Tensor) -> Tensor | None:
    """Where rows hold whole numbers whose sums are floats, in whatever order; None where the first entry is none."""
    if not x.numel() or _is_long(float(x[(0,) * x.ndim])):
        return None
    rows = (x.reshape(x.shape[0], -1) if x.ndim > 1 else x.reshape(1, -1)).double()
    exact = (rows == rows.round()).all(-1) & (rows.abs().sum(-1) < EXACT)
    return exact.reshape(-1, *(1 for _ in x.shape[1:]))


def coarse_number(x: float) -> bool:
    """Whether a plain number is short."""
    return bool(_splits(x)) or not _is_long(float(x))


def is_short(x: Any) -> Any:
    """Which entries of an array are short, or whether a plain number is."""
    short = _splits(x)
    return short | _are_whole(x) if not np.all(short) else short


def _splits(x: Any) -> Any:
    """Veltkamp's splitting leaves numbers of 26 significant bits: for arrays and plain numbers alike."""
    high = x * SPLITTER
    return (high - (high - x)) == x


def on_one_grid(rows: Tensor) -> Tensor:
    """Which rows (last axis) hold multiples of 2^-25 of their largest entry: their sums and squares are exact."""
    size = torch.exp2(torch.ceil(torch.log2(rows.abs().amax(-1, keepdim=True).clamp_min(SMALLEST_GRID)))) * FIXED
    return ((rows + size) - size == rows).all(-1)


def leaves(args: Any) -> Iterator[Any]:
    """The operands, those in lists too."""
    for item in args:
        if isinstance(item, list | tuple):
            yield from leaves(item)
        else:
            yield item


def has_no_memory(func: Any, args: Any) -> bool:
    """Whether this computes with zeros that torch keeps without memory, which to read ends the process, or with shapes.

    Derivatives forward do. Their results are exact.
    """
    made = func is torch.ops.aten._efficientzerotensor.default
    return made or any(isinstance(leaf, Tensor) and (leaf._is_zerotensor() or leaf.is_meta) for leaf in leaves(args))


def is_long(x: Tensor) -> bool:
    """Whether a tensor has whole numbers beyond those that floats hold."""
    return x.dtype is torch.int64 and bool(x.numel()) and not is_sparse(x) and bool((x.abs() > EXACT).any())


def coarse_leaf(leaf: Any) -> bool:
    if isinstance(leaf, Tensor):
        if leaf.dtype in COMPLEX:
            return False
        if leaf.dtype not in PLACE:
            return not is_long(leaf)
        return leaf.numel() == 0 or all_coarse(entries(leaf))
    return coarse_number(leaf) if isinstance(leaf, float) else True


def coarse_together(out: Tensor, args: Any) -> Tensor | None:
    """Where the result and all operands of an elementwise operation are coarse; None where nowhere."""
    long = quick(out) and np.count_nonzero(numbers(out).view(np.int64) & FINE) == out.numel()
    if long and _is_long(numbers(out).item(0)):
        return None  # as usual
    mask = coarse_entries(out)
    for leaf in args:
        if not mask.any():
            return None
        if isinstance(leaf, Tensor):
            mask = (
                mask & (coarse_entries(leaf) if leaf.is_cpu == out.is_cpu else coarse(leaf))
                if leaf.dtype in PLACE
                else mask
            )
        elif isinstance(leaf, float) and not coarse_number(leaf):
            return None
    return mask_of(mask) if mask.any() else None


def moved_array(x: np.ndarray, share: np.ndarray, lost: Any = False) -> np.ndarray:  # noqa: FBT002
    """A numpy result moved by shares of its last place; coarse entries stay, unless what made them was `lost`."""
    with np.errstate(all="ignore"):
        short = is_short(x) & ~np.asarray(lost)
        changed = x * (1.0 + share * 2.0**-52)
    return np.asarray(np.where(short | ~np.isfinite(changed), x, changed))


def moved_complex(share: Any, x: Any, lost: Any = False) -> Any:  # noqa: FBT002
    """A complex result, both parts of which are moved by shares of a last place of its size.

    Short ones stay, unless what made them was `lost`.
    """
    with np.errstate(all="ignore"):
        size = np.abs(x) * 2.0**-52
        changed = x + size * (share(np.shape(x)) + 1j * share(np.shape(x)))
        short = is_short(np.real(x)) & is_short(np.imag(x)) & ~np.asarray(lost) | ~np.isfinite(changed)
    found = np.where(short, x, changed)
    return found if isinstance(x, np.ndarray) else type(x)(found)


def scattered(x: Any, seed: int) -> Any:
    """A share in [-1, 1) for each number, which looks random and is the same for the same number."""
    if isinstance(x, float):  # as below, in a tenth of the time
        (bits,) = struct.unpack("<Q", struct.pack("<d", x))
        mixed = ((bits ^ (seed + 1) * _ODD) * _ODD) & _WORD
        mixed = ((mixed ^ mixed >> 29) * _ODD) & _WORD
        return (mixed >> 11) * 2.0**-52 - 1.0
    words = np.ascontiguousarray(x, dtype=np.float64).view(np.uint64)
    odd = np.uint64(_ODD)
    with np.errstate(over="ignore"):
        words = (words ^ np.uint64((seed + 1) * _ODD & _WORD)) * odd
        words = (words ^ (words >> np.uint64(29))) * odd
    return ((words >> np.uint64(11)) * 2.0**-52 - 1.0).reshape(np.shape(x))


def between(name: str, x: Tensor) -> Tensor:
    """Within the range of a function."""
    return x.clamp(*BETWEEN[name]) if name in BETWEEN else x


def plainly(name: str, out: Tensor, args: Any) -> Tensor:
    """Where a short value of an elementary function at short numbers is exact: at small whole numbers, at least."""
    first = args[0] if isinstance(args[0], Tensor) else torch.as_tensor(args[0], dtype=torch.float64)
    first = first.to(device=out.device)
    whole = first == first.round()
    if name == "pow":
        power = torch.as_tensor(args[1], device=out.device)
        exact = (power == power.round()) & (power.abs() <= 64) & (out != 0.0) | (first == 0.0) | (first == 1.0)
    elif name == "exp2":
        exact = whole & (out != 0.0)
    elif name in ("log2", "log10"):
        exact = out == out.round()
    else:
        exact = whole & (first.abs() <= 2.0)
    return (exact | ~first.isfinite()).expand_as(out)


def exact_sum(name: str, terms: tuple[Any, Any, Tensor]) -> Tensor:
    """Where a sum or difference of two operands lost nothing: each is what the result leaves of the other."""
    out = terms[2]
    a, b = (x.to(out.dtype) if isinstance(x, Tensor) and x.dtype is torch.bool else x for x in terms[:2])
    if name == "rsub":
        a, b = b, a
    kept: Tensor = (out - b == a) & (out - a == b) if name == "add" else (out + b == a) & (a - out == b)
    return kept


def broadcasts(shape: torch.Size, onto: torch.Size) -> bool:
    """Whether a shape is repeated to another one, without making that larger."""
    return len(shape) <= len(onto) and all(a in (1, b) for a, b in zip(reversed(shape), reversed(onto), strict=False))
