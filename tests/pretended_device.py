"""A pretended accelerator for tests on machines without one.

Inside `with PretendedCuda() as device:` tensors can be had on `cuda:0`. They compute on the CPU, to the same last
digit, but say that they live elsewhere and refuse what CUDA refuses: operands on two devices (of the CPU's only single
numbers, and only in elementwise operations), `numpy`, a CPU generator in a factory for the device, a result written
into a tensor of the CPU. `device.downloads` holds every whole tensor that was copied to the CPU, with the function that
asked for it; reading one number is no download. `device.operations` counts what was computed there.

Two layers do it. Operations arrive at `OnDevice.__torch_dispatch__` with the tensors that they are given. What has no
such tensor yet, or is settled before dispatch (factories, `to`, `as_tensor`), is met by name in a function mode. The
C++ side still sees a CPU tensor, so that autograd needs no CUDA; operations that are composed there and ask for the
device of an operand would make CPU tensors, which is why factories called from within such an operation are moved.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from unittest import mock

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._mode_utils import no_dispatch
from torch.utils._pytree import tree_leaves, tree_map_only

from harness.language.dispatch import DispatchMode

CUDA = torch.device("cuda", 0)
aten = torch.ops.aten
INDEXING = {aten.index.Tensor, aten.index_put_.default, aten.index_put.default, aten._index_put_impl_.default}
ACROSS = {aten.copy_.default, aten.lift_fresh.default}
OURS = ("algos", "bounds", "harness")
_Generator = torch.Generator


class MixedDevicesError(RuntimeError):
    """Operands of one operation live on two devices."""


@dataclass(frozen=True)
class Download:
    """A whole tensor copied to the CPU."""

    entries: int
    place: str  # "module:function" that asked for it


class OnDevice(Tensor):
    """A tensor that says it lives on the device; its numbers are `held` on the CPU."""

    held: Tensor
    __torch_function__ = torch._C._disabled_torch_function_impl

    @staticmethod
    def __new__(cls, held: Tensor) -> "OnDevice":
        plain = held.detach().resolve_conj().resolve_neg()
        made = Tensor._make_wrapper_subclass(
            cls,
            plain.size(),
            strides=plain.stride(),
            storage_offset=plain.storage_offset(),
            dtype=plain.dtype,
            layout=plain.layout,
            device=plain.device,
        )
        made.held = plain
        return made

    @property
    def device(self) -> torch.device:
        return CUDA

    is_cuda = property(lambda _: True)
    is_cpu = property(lambda _: False)

    def get_device(self) -> int:
        return CUDA.index

    def __repr__(self) -> str:
        return f"OnDevice({self.held!r})"

    def numpy(self, *, force: bool = False) -> Any:
        if force:
            return _moved(self, "cpu").detach().numpy()
        raise TypeError("can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() first.")

    def __array__(self, *_: Any, **__: Any) -> Any:
        return self.numpy()

    def tolist(self) -> Any:
        return _moved(self, "cpu").tolist()

    def __deepcopy__(self, memo: dict[int, Any]) -> "OnDevice":
        return OnDevice(self.held.clone()).requires_grad_(self.requires_grad)

    def __reduce_ex__(self, _: Any) -> Any:
        return OnDevice, (self.held,)

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return _run(func, args, kwargs or {})


class _Crossing(torch.autograd.Function):
    """A copy to the other device, whose gradient goes the way back."""

    @staticmethod
    def forward(_: Any, x: Tensor) -> Tensor:
        return x.held.clone() if isinstance(x, OnDevice) else OnDevice(x.clone())

    @staticmethod
    def backward(_: Any, gradient: Tensor) -> Tensor:
        return _Crossing.apply(gradient)


class _GeneratorType(type):
    """Lets `torch.Generator("cuda")` make a generator of the device, while all generators remain instances of it."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, _Generator)

    def __call__(cls, device: Any = "cpu") -> Any:
        return DeviceGenerator() if _is_cuda(device) else _Generator(device)


class DeviceGenerator(_Generator):
    """A generator of the device; its stream is that of a CPU generator with the same seed."""

    device = CUDA

    def manual_seed(self, seed: int) -> "DeviceGenerator":
        super().manual_seed(seed)
        return self


class _AnyGenerator(metaclass=_GeneratorType):
    pass


class PretendedCuda(TorchFunctionMode):
    """Inside, torch seems to have one CUDA device."""

    def __init__(self) -> None:
        super().__init__()
        self.downloads: list[Download] = []
        self.operations = 0
        self.composing = 0
        self._patches: list[Any] = []
        self._below = _Below(self)

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = dict(kwargs or {})
        name = getattr(func, "__name__", "")
        if name in CONVERSIONS:
            return CONVERSIONS[name](func, args, kwargs)
        device = kwargs.get("device")
        _check_generator(kwargs.get("generator"), args, device)
        if device is not None:
            return _made(func, args, kwargs)
        if not any(isinstance(leaf, OnDevice) for leaf in tree_leaves((args, kwargs))):
            return func(*args, **kwargs)
        self.composing += 1
        try:
            return func(*args, **kwargs)
        finally:
            self.composing -= 1

    def __enter__(self) -> "PretendedCuda":
        _ACTIVE.append(self)
        cuda = {
            "is_available": lambda: True,
            "synchronize": lambda *_: None,
            "get_device_name": lambda *_: "a pretended device",
        }
        if not torch.cuda.is_available():  # where there is a device, torch may find it
            cuda["_lazy_init"] = lambda: None
        self._patches = [
            mock.patch.object(torch, "Generator", _AnyGenerator),
            mock.patch.object(Tensor, "to", lambda x, *a, **k: _to(_plain_to, (x, *a), k), create=True),
            *(mock.patch.object(torch.cuda, name, value) for name, value in cuda.items()),
        ]
        for patch in self._patches:
            patch.start()
        super().__enter__()
        self._below.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._below.__exit__(*error)
        super().__exit__(*error)
        for patch in reversed(self._patches):
            patch.stop()
        _ACTIVE.remove(self)


class _Below(DispatchMode):
    """Meets factories that torch calls itself, and operations that have no tensor on the device."""

    def __init__(self, above: PretendedCuda) -> None:
        super().__init__()
        self.above = above

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        factory = "device" in kwargs and not any(isinstance(leaf, Tensor) for leaf in tree_leaves(args))
        drawn = isinstance(kwargs.get("generator"), _Generator)
        if factory and self.above.composing and not drawn and not _is_cuda(kwargs["device"]):
            return OnDevice(func(*args, **kwargs))
        return _run(func, args, kwargs)


_ACTIVE: list[PretendedCuda] = []
_plain_to = torch._C.TensorBase.to


def _is_cuda(device: Any) -> bool:
    return device is not None and not isinstance(device, int) and torch.device(device).type == "cuda"


def _run(func: Any, args: Any, kwargs: Any) -> Any:
    """One operation: refused, or computed on the CPU and handed back on the device."""
    tensors = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, Tensor)]
    on = [x for x in tensors if isinstance(x, OnDevice)]
    if on and len(on) < len(tensors):
        _refuse_mixtures(func, args, kwargs)
    if on and _ACTIVE:
        _ACTIVE[-1].operations += 1
    lowered = {k: _held(v) for k, v in kwargs.items()}
    wanted = bool(on) or _is_cuda(kwargs.get("device"))
    if kwargs.get("device") is not None:
        lowered["device"] = torch.device("cpu")
    out = func(*_held(args), **lowered)
    if on and torch.Tag.inplace_view in func.tags:
        with no_dispatch():  # the shape that C++ knows, of a tensor without numbers
            func(*args, **kwargs)
    if not wanted or (func is aten.copy_.default and not isinstance(args[0], OnDevice)):
        return args[0] if func is aten.copy_.default else out
    known = {id(x.held): x for x in on}
    return tree_map_only(Tensor, lambda x: known[id(x)] if id(x) in known else OnDevice(x), out)


def _held(tree: Any) -> Any:
    return tree_map_only(OnDevice, lambda x: x.held, tree)


def _refuse_mixtures(func: Any, args: Any, kwargs: Any) -> None:
    """What CUDA refuses of operands on two devices."""
    if func in ACROSS:
        if not isinstance(args[0], OnDevice):
            _downloaded(args[0])
        return
    if func in INDEXING:
        values = args[2:3]
        strangers = [x for x in (args[0], *values) if not isinstance(x, OnDevice) and (x is args[0] or x.dim() > 0)]
    else:
        written = [kwargs.get("out"), args[0] if func._schema.is_mutable and args else None]
        scalars = torch.Tag.pointwise in func.tags or func is aten.fill_.Tensor
        off = [x for x in tree_leaves((args, kwargs)) if isinstance(x, Tensor) and not isinstance(x, OnDevice)]
        strangers = [x for x in off if x.dim() > 0 or not scalars or any(x is target for target in written)]
    if strangers:
        shapes = ", ".join(str(tuple(x.shape)) for x in strangers)
        raise MixedDevicesError(
            f"{func}: expected all tensors to be on the same device, but found cuda:0 and cpu (of shape {shapes})"
        )


def _moved(x: Tensor, device: Any) -> Tensor:
    """The tensor on a device, differentiably; itself where it is there."""
    if isinstance(x, OnDevice) == _is_cuda(device):
        return x
    if isinstance(x, OnDevice):
        _downloaded(x)
    return _Crossing.apply(x)


def _downloaded(x: Tensor) -> None:
    """Note a copy to the CPU of more than one number."""
    if x.numel() > 1 and _ACTIVE:
        _ACTIVE[-1].downloads.append(Download(x.numel(), _asking()))


def _to(func: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> Any:
    """`x.to(...)`: the device taken out of the arguments, in whatever form it stands there."""
    x, *rest = args
    device = kwargs.pop("device", None)
    other = kwargs.pop("other", None)
    kept: list[Any] = []
    for argument in rest:
        if isinstance(argument, str | torch.device):
            device = argument
        elif isinstance(argument, Tensor):
            other = argument
        elif argument is not None:
            kept.append(argument)
    if other is not None:
        device, kwargs["dtype"] = other.device, other.dtype
    moved = x if device is None else _moved(x, device)
    return moved if not kept and not kwargs else func(moved, *kept, **kwargs)


def _cpu(func: Any, args: Any, kwargs: Any) -> Any:
    return _moved(args[0], "cpu")


def _cuda(func: Any, args: Any, kwargs: Any) -> Any:
    return _moved(args[0], CUDA)


def _as_tensor(func: Any, args: Any, kwargs: Any) -> Any:
    """`torch.as_tensor`, `torch.asarray`: a tensor is moved, anything else read on the CPU first."""
    device = kwargs.pop("device", None)
    data, dtype = args[0], kwargs.get("dtype")
    made = _converted(data, dtype) if isinstance(data, OnDevice) else func(_numbers(data), *args[1:], **kwargs)
    return made if device is None else _moved(made, device)


def _numbers(data: Any) -> Any:
    """Nested lists with their tensors of one entry read, one by one."""
    if isinstance(data, list | tuple):
        return [_numbers(entry) for entry in data]
    return data.item() if isinstance(data, OnDevice) else data


def _tensor(func: Any, args: Any, kwargs: Any) -> Any:
    """`torch.tensor`: a copy, of a tensor where that lives unless a device is named."""
    device, flag = kwargs.pop("device", None), kwargs.pop("requires_grad", False)
    data = args[0]
    if isinstance(data, OnDevice):
        made = _converted(data.detach().clone(), kwargs.get("dtype"))
    else:
        made = func(_numbers(data), *args[1:], **kwargs)
    made = made if device is None else _moved(made, device)
    return made.requires_grad_() if flag else made


def _new_tensor(func: Any, args: Any, kwargs: Any) -> Any:
    like, data = args[0], args[1] if len(args) > 1 else kwargs.pop("data")
    return _tensor(torch.tensor, (data,), {"dtype": like.dtype, "device": like.device, **kwargs})


def _converted(x: Tensor, dtype: torch.dtype | None) -> Tensor:
    return x if dtype is None else _plain_to(x, dtype)


CONVERSIONS: dict[str, Callable[[Any, Any, dict[str, Any]], Any]] = {
    "to": _to,
    "cpu": _cpu,
    "cuda": _cuda,
    "as_tensor": _as_tensor,
    "asarray": _as_tensor,
    "tensor": _tensor,
    "new_tensor": _new_tensor,
}


def _made(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """A factory that is told the device."""
    device, flag = kwargs.pop("device"), kwargs.pop("requires_grad", False)
    made = func(*_held(args), **_held(kwargs), device="cpu")
    made = OnDevice(made) if _is_cuda(device) else made
    return made.requires_grad_() if flag else made


def _check_generator(generator: Any, args: Any, device: Any) -> None:
    """A generator makes numbers for its own device only."""
    if not isinstance(generator, _Generator):
        return
    given = next((leaf.device for leaf in tree_leaves(args) if isinstance(leaf, Tensor)), "cpu")
    place = torch.device(given if device is None else device)
    if place.type != generator.device.type:
        raise RuntimeError(f"Expected a '{place.type}' device type for generator but found '{generator.device.type}'")


def _asking() -> str:
    """The innermost function of ours on the stack; a comprehension belongs to the function around it."""
    frame = sys._getframe(1)
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.split(".")[0] in OURS and not frame.f_code.co_name.startswith("<"):
            return f"{module}:{frame.f_code.co_name}"
        frame = frame.f_back  # type: ignore[assignment]
    return "elsewhere"
