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
- results that are exact stay: whole numbers, halves and other numbers of at most 26 significant bits, made from such
  numbers. A body that counts, or compares whole numbers, is not disturbed.

Plain Python and numpy numbers inside a body are seen statement by statement
(`harness.certify.rounding.statements`), not inside the functions that they are given to.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd import forward_ad

from harness.certify.rounding.fused import FUSED
from harness.certify.rounding.operations import (
    ADDING,
    CONTRACTIONS,
    DISTANCES,
    ELEMENTARY,
    GROWING,
    INVERTING,
    NORMWISE,
    OF_ALL_ROWS,
    OVERFLOWING,
    ROUGH,
    SPECIAL,
    SUMS,
    SWALLOWING,
    WITH_POLES,
    operation,
)
from harness.certify.rounding.overflow import WHOLE, check_cast, check_shift, check_torch
from harness.certify.rounding.shares import OFFSETS, TWINS, fresh_shares, stock
from harness.certify.rounding.short import (
    COMPLEX,
    PLACE,
    answers,
    between,
    broadcasts,
    coarse,
    coarse_leaf,
    coarse_together,
    exact_sum,
    has_no_memory,
    is_long,
    leaves,
    mask_of,
    numbers,
    plainly,
    quick,
    rows_on_one_grid,
    rows_that_add_up,
)
from harness.certify.rounding.sparse import REARRANGING, is_sparse, with_values
from harness.certify.rounding.ties import COMPARING, Ties, depends, mark
from harness.certify.rounding.zeros import changed_at, told_of_zeros
from harness.language.dispatch import DispatchMode

PROBABLE = (2.0**-52, 1.0 - 2.0**-52)  # to which torch.distributions clamps probabilities before it takes logarithms
SPECIAL_PLACES = 16.0
ALMOST_ZERO = 2.0**-1000
LARGEST = {dtype: torch.finfo(dtype).max for dtype in PLACE}
SHIFTS = ("__lshift__", "__ilshift__", "bitwise_left_shift")
SEARCHING = ("unique", "_unique", "_unique2", "unique_dim", "unique_consecutive", "isin", "searchsorted", "bucketize")
ACCUMULATING = ("index_put", "_index_put_impl")  # which add up where they are told to
NEARLY = 2.0**-10  # the largest number, less some share of this, is what overflows in half of the evaluations


class moved(DispatchMode):  # noqa: N801  (used as a context, like torch.no_grad)
    """A context in which every floating result is moved by a random share of its last place.

    The same seed with the opposite `sign` moves everything the other way: one of the two shows what hides behind a
    clamp; a larger one moves by so many places. `directed` moves every result up by a whole place (down with `sign`
    -1): what is systematic shows, such as the smallest of many rounded numbers. With `twins` the first axis holds
    copies of instances, four by four: the copies are moved at random, the other way, up, and down. `ties` are told of
    comparisons.
    """

    def __init__(
        self, seed: int, *, sign: float = 1.0, directed: bool = False, twins: bool = False, ties: Ties | None = None
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.twins, self.ties = twins, ties
        self.random = np.random.default_rng(seed)
        self.sign, self.directed = sign, directed
        self.whole = torch.tensor(sign, dtype=torch.float64, device="cpu")
        self.poles: dict[int, Tensor] = {}  # by their number, the rows of results in which something divided by zero
        self.swallowed: dict[int, Tensor] = {}  # and those of them in which that was made finite again

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = self._dispatched(func, args, kwargs)
        if self.ties is not None and self.ties.of_constants and (depends(args) or depends((kwargs or {}).values())):
            mark(out)
        return out

    def _dispatched(self, func: Any, args: Any, kwargs: Any) -> Any:
        if forward_ad._current_level >= 0 and has_no_memory(func, args):
            return func(*args, **(kwargs or {}))
        if any(is_sparse(leaf) for leaf in leaves(args)):
            return self._of_sparse(func, args, kwargs or {})
        name, in_place, _ = operation(func)
        if self.ties is not None:
            args = told_of_zeros(self.ties, name, args, in_place=in_place)
        has_poles = name in WITH_POLES or (self.poles and name in SWALLOWING)
        if not has_poles and name not in OVERFLOWING:
            return self._result(func, args, kwargs or {})
        before = [x.clone() if in_place and isinstance(x, Tensor) else x for x in leaves(args)]
        out = self._result(func, args, kwargs or {})
        if isinstance(out, Tensor) and out.numel() and (self.poles or not _is_finite(out)):
            if has_poles and out.ndim:
                self._watch(name, out, before)
            if name in OVERFLOWING and out.dtype in LARGEST:
                return self._within_reach(name, out, before, in_place=in_place or "out" in (kwargs or {}))
        return out

    def _watch(self, name: str, out: Tensor, operands: list[Any]) -> None:
        """Note the rows where finite operands give an infinite result, and those where an infinite one is lost."""
        rows, finite = len(out), torch.ones((), dtype=torch.bool, device=out.device)
        for operand in operands:
            finite = finite & operand.isfinite() if isinstance(operand, Tensor) else finite
        if rows in self.poles:
            lost = (out.isfinite() & ~finite).reshape(rows, -1).any(-1) & self.poles[rows]
            self.swallowed[rows] = self.swallowed.get(rows, lost) | lost
        if name == "pow":  # a power of another base is large
            finite = finite & torch.as_tensor(operands[0] == 0, device=out.device)
        pole = (out.isinf() & finite).reshape(rows, -1).any(-1)
        if bool(pole.any()):
            self.poles[rows] = self.poles.get(rows, pole) | pole

    def _within_reach(self, name: str, out: Tensor, operands: list[Any], *, in_place: bool) -> Tensor:
        """What overflows is some large number, in half of the evaluations a finite one: they are not all equal."""
        beyond = out.isinf()
        for operand in operands:
            if isinstance(operand, Tensor):
                finite = operand.isfinite()
                beyond = beyond & (finite if broadcasts(operand.shape, out.shape) else finite.all())
        if name == "pow":
            beyond = beyond & torch.as_tensor(operands[0] != 0, device=out.device)
        noise = self._noise(out)
        large = ((1.0 + NEARLY * noise) * LARGEST[out.dtype]).to(out.dtype)
        changed = torch.where(beyond & (noise < 0.0), large.copysign(out), out)
        return out.copy_(changed) if in_place else changed

    def _result(self, func: Any, args: Any, kwargs: Any) -> Any:
        name, in_place, exact = operation(func)
        if name == "clamp" and all(isinstance(end, float) for end in args[1:]) and args[1:] == PROBABLE:
            return self._every(func(*args, **kwargs), in_place, lambda x: x + PROBABLE[0] * self._noise(x).to(x.dtype))
        if name in SEARCHING and self.ties is not None:
            args = self.ties.of_searched(args)
        if name in SHIFTS:
            out = func(*args, **kwargs)
            check_shift(args, out.dtype)
            return out
        if exact and not (name in ACCUMULATING and (kwargs.get("accumulate") or any(args[3:4]))):
            out = func(*args, **kwargs)
            return self._compared(name, args, out) if name in COMPARING and not (in_place or "out" in kwargs) else out
        into = in_place or "out" in kwargs  # a buffer that others may read has to hold what is moved
        if name in FUSED and "out" not in kwargs:
            with self:
                taken = FUSED[name](*args, **kwargs)
            if taken is not NotImplemented:
                return args[0].copy_(taken) if in_place else taken
        if name == "_to_copy":
            if kwargs.get("dtype") is torch.bool and args[0].is_floating_point():
                with self:
                    return args[0] != 0.0
            out = func(*args, **kwargs)
            check_cast(args[0], out)
            shorter = PLACE.get(out.dtype, 0.0) > PLACE.get(args[0].dtype, 1.0) or is_long(args[0])
            shorter = shorter and out.dtype in PLACE
            return torch.where(out.to(args[0].dtype) == args[0], out, self._ulp(out)) if shorter else out
        if name not in NORMWISE and all(map(coarse_leaf, leaves(args))):
            return self._of_short_numbers(name, func, args, kwargs, in_place=in_place, into=into)
        return self._of_any_numbers(name, func, args, kwargs, in_place=in_place, into=into)

    def _compared(self, name: str, args: Any, out: Tensor) -> Tensor:
        """The outcome of a comparison, which says nothing of what is undefined, and of equals what rounding decides."""
        if self.ties is None:
            return out
        unknown = torch.zeros((), dtype=torch.bool, device=out.device)
        for x in args:
            if out.ndim and isinstance(x, Tensor) and len(out) in self.poles and not _is_finite(x):
                at_a_pole = self.poles[len(out)].reshape(-1, *(1 for _ in out.shape[1:]))
                unknown = unknown | (x.isinf() & at_a_pole)
        return self.ties.of_tensors(name, args, out, unknown)

    def _of_short_numbers(self, name: str, func: Any, args: Any, kwargs: Any, *, in_place: bool, into: bool) -> Any:
        """The result of an operation on short numbers: what is short again stays, where it is exact."""
        if name in CONTRACTIONS and not in_place:  # short terms of one grid add up exactly, others need not
            args, kwargs = self._inputs(args, kwargs, self._addend if name in ADDING else self._term)
        before = args[:1]
        if in_place and name in GROWING:
            before = (args[0].clone(),)
        terms = (*before, *args[1:])
        out = func(*args, **kwargs)
        if name in GROWING and isinstance(out, Tensor) and out.dtype in WHOLE:
            check_torch(func, terms, kwargs, out.dtype)
            return out
        if name in SUMS and len(args) == 2 and not kwargs:
            return self._every(out, into, lambda x: torch.where(exact_sum(name, (*terms, x)), x, self._ulp(x)))
        if name in ELEMENTARY:
            return self._every(out, into, lambda x: self._saturated(name, x, args))
        return self._every(out, into, self._unless_coarse)

    def _of_any_numbers(self, name: str, func: Any, args: Any, kwargs: Any, *, in_place: bool, into: bool) -> Any:
        if name in ACCUMULATING:
            args = (*args[:2], self._term_of_all(args[2]), *args[3:])
        elif name in CONTRACTIONS and not in_place:
            term = self._addend if name in ADDING else self._term
            args, kwargs = self._inputs(args, kwargs, self._term_of_all if name in OF_ALL_ROWS else term)
        elif name in NORMWISE:
            args, kwargs = self._inputs(args, kwargs, self._entry)
            if self.ties is not None and name in INVERTING:
                args = changed_at(args, INVERTING[name], self.ties.of_matrices)
        out = func(*args, **kwargs)
        if name in ("linalg_vector_norm", "std", "std_mean"):  # they square
            return self._every(out, into, lambda x: self._ulp(x) + self._underflow(x, args, 2.0**-510, 2.0**-537))
        if name in DISTANCES:
            size = sum(x.square().sum(-1).amax() for x in args[:2])
            return self._every(out, into, lambda x: self._distance(x, size))
        if name in SPECIAL:
            return self._every(out, into, lambda x: between(name, self._special(name, x)))
        if name in ("mul", "div") and isinstance(out, Tensor) and out.dtype is torch.complex128 and not into:
            return self._every(out + self._underflow(out, args), into, lambda x: x)
        if (name in SUMS or name in ("mul", "div")) and not in_place:
            return self._every(out, into, lambda x: self._combined(name, x, args))
        return self._every(out, into, lambda x: between(name, self._lossy(self._ulp(x), x, args)))

    def _of_sparse(self, func: Any, args: Any, kwargs: Any) -> Any:
        """The result of an operation on sparse matrices: their entries and other operands are moved, as are its own."""
        exact = operation(func)[0] in REARRANGING or all(map(coarse_leaf, leaves(args)))
        move = self._unless_coarse if exact else self._ulp
        if not exact:
            args, kwargs = self._inputs(args, kwargs, lambda x: with_values(x, self._ulp))
        return self._every(func(*args, **kwargs), "out" in kwargs, move)

    def _noise(self, x: Tensor) -> Tensor:
        """A share of a last place for every entry, to be multiplied by its size; not to be written into."""
        shape = x.shape
        if self.directed:
            return (self.whole if x.is_cpu else self.whole.to(x.device)).expand(shape)
        rows = shape[0] if shape else 1
        step = TWINS if self.twins and shape and rows % TWINS == 0 else 1
        offset = step * int(self.random.integers(OFFSETS))
        pooled = stock(shape, step)
        if pooled is None:
            shares = fresh_shares(rows, tuple(shape[1:]), step, int(self.random.integers(2**62)))
        else:
            shares = pooled[offset : offset + rows]
        if self.sign != 1.0:
            shares = shares * self.sign
        shares = shares if shape else shares[0]
        return shares if x.is_cpu else shares.to(x.device)

    def _every(self, out: Any, in_place: bool, move: Callable[[Tensor], Tensor]) -> Any:  # noqa: FBT001
        def one(x: Tensor) -> Tensor:
            if x.dtype in COMPLEX and x.numel():
                size = x.abs().amax()
                real, imaginary = (self._noise(x) * size * PLACE[COMPLEX[x.dtype]] for _ in range(2))
                return x + torch.complex(real, imaginary).to(x.dtype)
            if x.dtype not in PLACE or x.numel() == 0 or is_sparse(x):
                return x
            changed = move(x)
            return x.copy_(changed) if in_place else changed

        if isinstance(out, Tensor):
            return one(out)
        return type(out)(one(x) if isinstance(x, Tensor) else x for x in out) if isinstance(out, list | tuple) else out

    def _inputs(self, args: Any, kwargs: Any, move: Callable[[Tensor], Tensor]) -> tuple[Any, Any]:
        def one(x: Any) -> Any:
            if isinstance(x, Tensor) and x.dtype in COMPLEX and x.numel():
                return torch.complex(move(x.real.contiguous()), move(x.imag.contiguous()))
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

    def _combined(self, name: str, x: Tensor, args: Any) -> Tensor:
        """The result of an elementwise operation: short ones made from short operands stay, where nothing was lost.

        Sums lose what is small beside them, and products may underflow.
        """
        short = coarse_together(x, args)
        changed = self._ulp(x)
        if short is not None:
            kept = short & exact_sum(name, (*args, x)) if name in SUMS and len(args) == 2 else short
            changed = torch.where(kept, x, changed)
        return changed if name in SUMS else self._lossy(changed, x, args)

    def _lossy(self, changed: Tensor, out: Tensor, args: Any) -> Tensor:
        """A moved result and what it may have lost to underflow."""
        if quick(out) and np.minimum.reduce(np.abs(numbers(out)), axis=None) >= ALMOST_ZERO:
            return changed  # as usual; with NaN it is looked at
        return changed + self._underflow(out, args)

    def _underflow(self, out: Tensor, args: Any, size: float = ALMOST_ZERO, step: float = 2.0**-1074) -> Tensor | float:
        """What is lost where numbers that are not zero give almost zero: up to one step of the smallest numbers."""
        if out.dtype not in (torch.float64, torch.complex128):
            return 0.0
        small = answers(out.abs() < size)
        if not small.any():
            return 0.0
        for operand in leaves(args):
            if isinstance(operand, float | int) and operand == 0.0:
                return 0.0
            if isinstance(operand, Tensor):  # a mask leaves exact zeros
                nonzero = answers(operand != 0.0)
                fits = broadcasts(operand.shape, out.shape)
                other = nonzero if fits else nonzero.any()  # the operands of a contraction have other shapes
                small = small & other
        noise = self._noise(out)
        if not small.any():
            return 0.0
        return torch.where(mask_of(small), torch.where(noise > 0.0, step, 0.0), 0.0)

    def _saturated(self, name: str, x: Tensor, args: Any) -> Tensor:
        """Values of a function at short numbers: those at 0, 1 and 2 stay if they are short, and whole powers."""
        changed = self._lossy(self._special(name, x) if name in SPECIAL else self._ulp(x), x, args)
        return torch.where(coarse(x) & plainly(name, x, args), x, between(name, changed))

    def _unless_coarse(self, x: Tensor) -> Tensor:
        return torch.where(coarse(x), x, self._ulp(x))

    def _special(self, name: str, x: Tensor) -> Tensor:
        share = ROUGH.get(name, SPECIAL_PLACES * PLACE[x.dtype])
        change = (x.abs() + torch.where(x.abs() < 1.0, 1.0, 0.0)) * (self._noise(x) * share)
        return x + torch.where(torch.isfinite(change), change, 0.0).to(x.dtype)

    def _term(self, x: Tensor) -> Tensor:
        """Terms of a sum: those on one coarse grid add up exactly and stay."""
        grid = rows_on_one_grid(x)
        if grid is None:
            return self._ulp(x)
        exact = grid.reshape(-1, *(1 for _ in x.shape[1:])) if x.ndim > 1 else grid
        return torch.where(exact, x, self._ulp(x))

    def _addend(self, x: Tensor) -> Tensor:
        """The same where nothing is multiplied: so do whole numbers."""
        exact, changed = rows_that_add_up(x), self._term(x)
        return changed if exact is None else torch.where(exact, x, changed)

    def _term_of_all(self, x: Tensor) -> Tensor:
        """The same where rows are terms of one sum."""
        return self._term(x.reshape(1, -1)).reshape(x.shape)

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


def _is_finite(x: Tensor) -> bool:
    return bool(np.isfinite(numbers(x)).all()) if quick(x) else bool(x.isfinite().all())
