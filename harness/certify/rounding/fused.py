"""What torch computes in one kernel, written out in operations whose rounding is known.

`log_softmax` gives 0.0 for the logits (50, 0), which no share of its last place tells from -2e-22: what it lost, it
lost inside. Under `moved` these kernels are taken apart, and each step is moved.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor


def _log_softmax(x: Tensor, dim: int, half_to_float: bool = False) -> Tensor:  # noqa: ARG001, FBT001, FBT002
    low = x - x.amax(dim, keepdim=True)
    return low - low.exp().sum(dim, keepdim=True).log()


def _softmax(x: Tensor, dim: int, half_to_float: bool = False) -> Tensor:  # noqa: ARG001, FBT001, FBT002
    powers = (x - x.amax(dim, keepdim=True)).exp()
    return powers / powers.sum(dim, keepdim=True)


def _logsumexp(x: Tensor, dim: Sequence[int], keepdim: bool = False) -> Tensor:  # noqa: FBT001, FBT002
    axes = tuple(dim)
    top = x.amax(axes, keepdim=True)
    top = torch.where(top.isfinite(), top, 0.0)
    found: Tensor = (x - top).exp().sum(axes, keepdim=True).log() + top
    return found if keepdim else found.squeeze(axes)


def _logaddexp(x: Tensor, y: Tensor) -> Tensor:
    usual = torch.maximum(x, y) + (-(x - y).abs()).exp().log1p()
    return torch.where(torch.isfinite(x) & torch.isfinite(y), usual, torch.maximum(x, y))


def _gelu(x: Tensor, *, approximate: str = "none") -> Tensor:
    if approximate == "none":
        return 0.5 * x * (1.0 + torch.erf(x * 0.5**0.5))
    inner = (2.0 / torch.pi) ** 0.5 * (x + 0.044715 * x**3)
    return 0.5 * x * (1.0 + torch.tanh(inner))


def _cross_entropy_with_logits(
    x: Tensor, target: Tensor, weight: Tensor | None = None, pos_weight: Tensor | None = None, reduction: int = 1
) -> Tensor:
    share = 1.0 if pos_weight is None else 1.0 + (pos_weight - 1.0) * target
    loss = (1.0 - target) * x + share * ((-x.abs()).exp().log1p() + (-x).clamp_min(0.0))
    loss = loss if weight is None else loss * weight
    return loss.mean() if reduction == 1 else loss.sum() if reduction == 2 else loss


def _addcmul(x: Tensor, first: Tensor, second: Tensor, *, value: float = 1.0) -> Tensor:
    return x + value * (first * second)


def _addcdiv(x: Tensor, first: Tensor, second: Tensor, *, value: float = 1.0) -> Tensor:
    return x + value * (first / second)


def _lerp(start: Tensor, end: Tensor, weight: Tensor | float) -> Tensor:
    return start + weight * (end - start)


def _normalised(x: Tensor, dims: tuple[int, ...], eps: float) -> tuple[Tensor, Tensor, Tensor]:
    mean = x.mean(dims, keepdim=True)
    centred = x - mean
    scale = (centred.square().mean(dims, keepdim=True) + eps).rsqrt()
    return centred * scale, mean, scale


def _affine(x: Tensor, weight: Tensor | None, bias: Tensor | None, shape: tuple[int, ...]) -> Tensor:
    x = x if weight is None else x * weight.reshape(shape)
    return x if bias is None else x + bias.reshape(shape)


def _layer_norm(
    x: Tensor, shape: Sequence[int], weight: Tensor | None, bias: Tensor | None, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    out, mean, scale = _normalised(x, tuple(range(-len(shape), 0)), eps)
    return _affine(out, weight, bias, tuple(shape)), mean, scale


def _group_norm(  # noqa: PLR0917
    x: Tensor, weight: Tensor | None, bias: Tensor | None, n: int, c: int, size: int, groups: int, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    out, mean, scale = _normalised(x.reshape(n, groups, c // groups * size), (-1,), eps)
    shape = (1, c, *(1 for _ in x.shape[2:]))
    return _affine(out.reshape(x.shape), weight, bias, shape), mean[..., 0], scale[..., 0]


def _batch_norm(  # noqa: PLR0917
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,  # noqa: FBT001
    momentum: float,  # noqa: ARG001
    eps: float,
) -> Any:
    shape = (1, x.shape[1], *(1 for _ in x.shape[2:]))
    if training and running_mean is None:
        out, mean, scale = _normalised(x, (0, *range(2, x.ndim)), eps)
        return _affine(out, weight, bias, shape), mean.flatten(), scale.flatten()
    if training or running_mean is None or running_var is None:
        return NotImplemented
    out = (x - running_mean.reshape(shape)) * (running_var.reshape(shape) + eps).rsqrt()
    return _affine(out, weight, bias, shape), x.new_zeros(0), x.new_zeros(0)


def _of_truths(name: str) -> Callable[..., Any]:
    """A function of which numbers, or pairs of numbers, are not zero, which is a comparison."""

    def found(*args: Any, **kwargs: Any) -> Any:
        if not any(isinstance(x, Tensor) and x.is_floating_point() for x in args):
            return NotImplemented
        return getattr(torch, name)(*(x != 0.0 if isinstance(x, Tensor) else x for x in args), **kwargs)

    return found


def _norm(x: Tensor, order: float = 2.0, dim: Any = None, keepdim: bool = False, **kwargs: Any) -> Any:  # noqa: FBT001, FBT002
    """How many entries are not zero, which is called a norm as well."""
    if order != 0.0 or kwargs.get("dtype") is not None or x.is_complex():
        return NotImplemented
    return (x != 0.0).to(x.dtype).sum(dim, keepdim=keepdim)


def _equal(x: Tensor, y: Tensor) -> Any:
    floating = x.is_floating_point() and y.is_floating_point()
    return x.shape == y.shape and bool((x == y).all()) if floating else NotImplemented


FUSED: dict[str, Callable[..., Any]] = {
    **{name: _of_truths(name) for name in ("any", "all", "count_nonzero", "nonzero")},
    **{f"logical_{name}": _of_truths(f"logical_{name}") for name in ("not", "and", "or", "xor")},
    **dict.fromkeys(("linalg_vector_norm", "norm"), _norm),
    "equal": _equal,
    "_log_softmax": _log_softmax,
    "_softmax": _softmax,
    "logsumexp": _logsumexp,
    "logaddexp": _logaddexp,
    "gelu": _gelu,
    "binary_cross_entropy_with_logits": _cross_entropy_with_logits,
    "addcmul": _addcmul,
    "addcdiv": _addcdiv,
    "lerp": _lerp,
    "native_layer_norm": _layer_norm,
    "native_group_norm": _group_norm,
    "native_batch_norm": _batch_norm,
}
"""By the names of torch's operations; `NotImplemented` where one is left as it is."""
