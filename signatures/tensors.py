"""Domains of tensors: their axes, which must agree within a call, their dtypes, and the ranges of their entries.

Axes are written as in `"*batch n d"`: any number of leading axes that broadcast, then named sizes, each the same
wherever the call names it, and at least 1 or what `n>=2` says. Integers become floats where the domain is `real`.

Entries are read only where that is cheap and changes nothing: on the CPU, without batch axes, up to 65536 of them, and
while no mode of torch watches the operations (the harness counts them, and rounds them differently). Then undefined,
infinite and out-of-range entries are refused. In a batch an instance that is not finite answers nan for itself alone,
and a tensor on another device is never waited for.
"""

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import Tensor

from signatures.domains import Acceptor, DomainError, DomainTypeError, Interval, Plain, as_array, shown

READ = 2**16
"""Most entries that are read in one call."""
FORMS = 256
"""Most forms of calls, shapes and dtypes, that a function remembers to have fitted."""
ROUNDED = 1e-5
"""How far from one the sum of a distribution may lie: float32 loses that much of many masses."""
_FIRST_WORDS = 160
SHORT = (torch.float16, torch.bfloat16)
Fit: TypeAlias = Callable[..., tuple[Any, ...]]


@dataclass(frozen=True)
class Shaped:
    """A tensor of declared axes.

    `kind` is "real" (floats; integers become such), "codes" (real numbers or integers, which stay as they are) or
    "whole" (integers). With `distribution` the entries along the last axis sum to one, up to `ROUNDED`.
    """

    axes: str
    interval: str = "(-inf, inf)"
    kind: str = "real"
    distribution: bool = False

    @property
    def usual(self) -> None:
        """Every tensor is looked at, together with the others of its call."""

    def acceptor(self, name: str) -> Acceptor:
        """The check of one tensor by itself."""
        fit = self.joint([(name, self, False)])
        return lambda value: fit(value)[0]

    @staticmethod
    def joint(declared: "Sequence[tuple[str, Shaped, bool]]") -> Fit:
        """The check of all tensors of a call: a function of them that returns them, converted."""
        return _Agreement(declared)

    @staticmethod
    def inside() -> dict[str, Any]:
        """What else is done with a call that has tensors: errors of torch are explained."""
        return {"_insides": (RuntimeError, IndexError), "_explained": explained}


class _Agreement:
    """The tensors of one signature."""

    def __init__(self, declared: Sequence[tuple[str, Shaped, bool]]) -> None:
        self.optional = {name for name, _, optional in declared if optional}
        self.members = [(name, spec, _Axes(spec.axes), Interval(spec.interval)) for name, spec, _ in declared]
        self.cores = [axes.core if axes.instances else None for _, _, axes, _ in self.members]
        self._fitted: set[tuple[Any, ...]] = set()

    def __call__(self, *values: Any) -> tuple[Any, ...]:
        """The tensors, converted; whether shapes and dtypes fit is found out once for each of their forms."""
        form = _form(values)
        if form is None or form not in self._fitted:
            given, values = values, self._agreed(values)
            if form is not None and all(map(operator.is_, given, values)):
                if len(self._fitted) >= FORMS:
                    self._fitted.clear()
                self._fitted.add(form)
        if not self._batched(values) and readable(values):
            for (name, spec, _, interval), value in zip(self.members, values, strict=True):
                if value is not None:
                    check_entries(name, value, interval)
                    if spec.distribution:
                        _check_total(name, value)
        return values

    def _agreed(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """The tensors, converted, where their kinds, axes and batch axes agree."""
        sizes: dict[str, tuple[int, str]] = {}
        batches: list[tuple[str, torch.Size]] = []
        for (name, spec, axes, _), value in zip(self.members, values, strict=True):
            if value is None and name in self.optional:
                continue
            _check_kind(name, spec.kind, value)
            axes.bind(name, value.shape, sizes)
            if axes.instances and len(value.shape) > axes.core:
                batches.append((name, value.shape[: len(value.shape) - axes.core]))
        _check_batches(batches)
        return self._as_floats(values)

    def _batched(self, values: tuple[Any, ...]) -> bool:
        """Whether a tensor has batch axes that hold instances."""
        for core, value in zip(self.cores, values, strict=True):
            if core is not None and value is not None and value.ndim > core:
                return True
        return False

    def undefined(self, result: Any, *values: Any) -> bool:
        """Whether a call without batch axes gave nan, as far as that may be read."""
        return not self._batched(values) and undefined(result)

    def _as_floats(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        real = [
            v for (_, spec, _, _), v in zip(self.members, values, strict=True) if v is not None and spec.kind == "real"
        ]
        if all(value.dtype.is_floating_point for value in real):
            return values
        target = next((value.dtype for value in real if value.dtype.is_floating_point), torch.float64)
        kinds = [spec.kind for _, spec, _, _ in self.members]
        return tuple(_floating(v, target) if k == "real" else v for k, v in zip(kinds, values, strict=True))


def _form(values: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """The shapes and dtypes of the tensors of a call; None where one is sparse, or of a class of its own."""
    form: list[Any] = []
    for value in values:
        if value is None:
            form.append(None)
        elif type(value) is Tensor and value.layout is torch.strided:
            form += (value.shape, value.dtype)
        else:
            return None
    return tuple(form)


class _Axes:
    """Declared axes, parsed once."""

    def __init__(self, text: str) -> None:
        names = text.split()
        self.text = text
        self.batched = bool(names) and names[0].startswith("*")
        self.instances = self.batched and names[0] != "*any"
        self.named: list[tuple[str, int]] = []
        for token in names[1:] if self.batched else names:
            name, _, least = token.partition(">=")
            self.named.append((name, int(least or 1)))
        self.core = len(self.named)

    def bind(self, name: str, shape: Sequence[int], sizes: dict[str, tuple[int, str]]) -> None:
        """Compare a shape with the declared axes and with the sizes that other tensors gave them."""
        if len(shape) < self.core or (len(shape) > self.core and not self.batched):
            raise DomainError(f"{name} has shape {tuple(shape)}, but must have the axes ({self._written()}).")
        for (axis, least), size in zip(self.named, shape[len(shape) - self.core :], strict=True):
            known, owner = sizes.setdefault(axis, (int(axis), "the signature") if axis.isdigit() else (size, name))
            if size != known:
                reason = "" if axis.isdigit() else f", and {owner} has {axis} = {known}"
                raise DomainError(
                    f"{name} has shape {tuple(shape)}, but must have the axes ({self._written()}){reason}."
                )
            if size < least:
                raise DomainError(
                    f"{name} has shape {tuple(shape)}, but must have {axis} >= {least} in ({self._written()})."
                )

    def _written(self) -> str:
        return ", ".join(token.partition(">=")[0] for token in self.text.split())


def _floating(value: Any, dtype: torch.dtype) -> Any:
    return value if value is None or value.dtype.is_floating_point else value.to(dtype)


def _check_kind(name: str, kind: str, value: Any) -> None:
    if not isinstance(value, Tensor):
        raise DomainTypeError(f"{name} = {shown(value)} must be a tensor, not of type {type(value).__name__}.")
    if value.layout is not torch.strided:
        raise DomainTypeError(f"{name} has layout {value.layout}, but must be a dense tensor: call its to_dense().")
    dtype = value.dtype
    if dtype.is_complex or dtype == torch.bool or (kind == "whole" and dtype.is_floating_point):
        wanted = "integers" if kind == "whole" else "real numbers"
        raise DomainTypeError(f"{name} has dtype {dtype}, but must hold {wanted}: convert it.")


def _check_batches(batches: Sequence[tuple[str, torch.Size]]) -> None:
    if len({shape for _, shape in batches}) < 2:
        return
    try:
        np.broadcast_shapes(*(shape for _, shape in batches))
    except ValueError:
        text = ", ".join(f"{name} has batch axes {tuple(shape)}" for name, shape in batches)
        raise DomainError(f"{text}, but these must broadcast together: give them one shape.") from None


def readable(values: Sequence[Any]) -> bool:
    """Whether entries may be read: few plain tensors on the CPU, and nobody watches."""
    entries = 0
    for value in values:
        if isinstance(value, Tensor):
            if type(value) is not Tensor or not value.is_cpu:
                return False
            entries += value.numel()
    return entries <= READ and not watched()


def watched() -> bool:
    """Whether a mode or a transform of torch sees every operation."""
    return bool(
        torch._C._len_torch_dispatch_stack()
        or torch._C._len_torch_function_stack()
        or torch._C._functorch.peek_interpreter_stack()
    )


def check_entries(name: str, value: Tensor, interval: Interval) -> None:
    """Refuse a tensor with an entry outside an interval; it is read."""
    if not value.numel():
        return
    low, high = (end.item() for end in torch.aminmax(value.detach()))
    if math.isnan(low) or low < interval.low:
        raise interval.refusal(f"an entry of {name}", low)
    if high > interval.high:
        raise interval.refusal(f"an entry of {name}", high)


def _check_total(name: str, value: Tensor) -> None:
    """Refuse masses that are no distribution; they are read."""
    total = float(value.detach().sum())
    if not abs(total - 1) <= ROUNDED:
        raise DomainError(f"{name} sums to {total:.6g}, but must sum to one: divide it by its sum.")


@dataclass(frozen=True)
class Scalars:
    """A number in an interval, or a tensor of them with the batch axes alone, of which only a single one is read."""

    interval: str
    why: str = ""

    @property
    def usual(self) -> tuple[type, float, float]:
        """Floats."""
        return Plain(self.interval).usual

    def acceptor(self, name: str) -> Acceptor:
        """Return floats and tensors."""
        plain = Plain(self.interval, self.why).acceptor(name)
        interval = Interval(self.interval)

        def accept(value: Any) -> Any:
            if isinstance(value, Tensor):
                _check_kind(name, "real", value)
                if value.ndim == 0 and readable((value,)):
                    check_entries(name, value, interval)
                return value if value.dtype.is_floating_point else value.double()
            if isinstance(value, np.ndarray):
                return accept(torch.as_tensor(as_array(name, value)))
            return plain(value)

        return accept


@dataclass(frozen=True)
class Device:
    """A device of torch, its name, or None."""

    @property
    def usual(self) -> None:
        """Every device is looked at."""

    def acceptor(self, name: str) -> Acceptor:
        """Return what names a device."""

        def accept(value: Any) -> Any:
            if value is None or isinstance(value, torch.device):
                return value
            if not isinstance(value, str):
                raise DomainTypeError(
                    f"{name} = {shown(value)} must name a device, not be of type {type(value).__name__}."
                )
            try:
                return torch.device(value)
            except RuntimeError:
                raise DomainError(f"{name} = {shown(value)} must name a device, such as 'cpu' or 'cuda'.") from None

        return accept


def explained(arguments: dict[str, Any], error: Exception) -> DomainError:
    """An error of torch from inside a computation, in terms of the arguments."""
    if why := _of_dtypes(arguments, str(error)):
        return DomainError(why)
    text = ", ".join(f"{name} = {shown(value)}" for name, value in arguments.items())
    return DomainError(f"{text} cannot be computed with ({' '.join(str(error).split())[:_FIRST_WORDS]}).")


def _of_dtypes(arguments: dict[str, Any], said: str) -> str:
    """What is wrong with the precisions of the arguments, if that is what torch has said."""
    dtypes = {name: v.dtype for name, v in arguments.items() if isinstance(v, Tensor) and v.is_floating_point()}
    if any(word in said for word in ("dtype", "scalar type", "data type")) and len(set(dtypes.values())) > 1:
        return f"{_listed(dtypes)}, but these must be of one dtype: convert the shorter ones."
    short = {name: dtype for name, dtype in dtypes.items() if dtype in SHORT}
    if short and "not implemented for" in said:
        return f"{_listed(short)}, in which this cannot be computed: convert to float32 or float64."
    return ""


def _listed(dtypes: dict[str, torch.dtype]) -> str:
    return ", ".join(f"{name} has dtype {dtype}" for name, dtype in dtypes.items())


def undefined(result: Any) -> bool:
    """Whether a tensor, or one in a tuple or a record of tensors, holds nan, as far as it may be read."""
    if isinstance(result, Tensor):
        return result.is_floating_point() and readable((result,)) and _holds_nan(result.detach())
    if isinstance(result, tuple):
        return any(map(undefined, result))
    fields = getattr(type(result), "__dataclass_fields__", ())
    return any(undefined(getattr(result, name)) for name in fields)


def _holds_nan(x: Tensor) -> bool:
    return x.numel() > 0 and math.isnan(torch.aminmax(x).min.item())  # which nan overrules
