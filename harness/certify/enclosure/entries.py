"""Operations that only move entries: torch moves both ends, so its rules hold exactly."""

from typing import Any

import torch
from torch import Tensor
from torch.utils._pytree import tree_leaves

from harness.certify.conversions import is_type, wanted_type
from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.enclosure.tensor import (
    OPERATIONS,
    Enclosed,
    Operation,
    any_partial,
    defined,
    ends,
    operation,
)
from harness.certify.enclosure.truths import LIKE, LISTS, MOVED, is_truth, require_room, type_of

FIRST = (*MOVED, "positive", "pos", "pad")
FUNCTIONS = {"pos": torch.positive, "pad": torch.nn.functional.pad, "alias": torch.Tensor.clone}


def _function(name: str) -> Any:
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    if name.startswith("linalg_"):
        return getattr(torch.linalg, name.removeprefix("linalg_"))
    return getattr(Tensor, name, None) or getattr(torch, name)


def _no_enclosures(*values: Any) -> None:
    if any(isinstance(leaf, Enclosed) for leaf in tree_leaves(values)):
        raise NoEnclosure("indices, masks or sizes that a box leaves open", undecided=True)


def _zipped(parts: list[Any], *, open_truth: bool = False) -> Any:
    """Results for lower ends, upper ends and marks, joined entry by entry of a tuple."""
    if isinstance(parts[0], Tensor):
        return Enclosed(parts[0], parts[1], parts[2] if len(parts) > 2 else None, open_truth=open_truth)
    return tuple(_zipped(list(group), open_truth=open_truth) for group in zip(*parts, strict=True))


def _of_the_first(name: str) -> Operation:
    function = _function(name)

    def moved(input: Any, *args: Any, **kwargs: Any) -> Any:
        _no_enclosures(args, kwargs)
        if any(is_type(option) for option in (*args, *kwargs.values())):
            raise NoEnclosure(f"torch.{name} with a type of numbers")
        if not isinstance(input, Enclosed):
            return function(input, *args, **kwargs)
        sources = [input.low, input.high, *([] if input.partial is None else [input.partial])]
        return _zipped([function(source, *args, **kwargs) for source in sources], open_truth=input.open_truth)

    return moved


def _of_lists(name: str) -> Operation:
    function = getattr(torch, name)

    def moved(*args: Any, **kwargs: Any) -> Any:
        given = args[0] if isinstance(args[0], list | tuple) else args
        options = args[1:] if isinstance(args[0], list | tuple) else ()
        pairs = [ends(part) for part in given]
        joined = []
        for side in (0, 1):
            parts = [pair[side] for pair in pairs]
            whole = name in ("broadcast_tensors", "meshgrid", "cartesian_prod")
            joined.append(function(*parts, **kwargs) if whole else function(parts, *options, **kwargs))
        if any_partial(*given):
            marks = torch.ones_like(joined[0], dtype=torch.bool) if isinstance(joined[0], Tensor) else None
            if marks is None:
                raise NoEnclosure(f"torch.{name} of numbers outside of a domain", undecided=True)
            joined.append(marks)
        return _zipped(joined, open_truth=all(map(is_truth, given)))

    return moved


def like(name: str) -> Operation:
    """A tensor of plain numbers of the type and, by its name, the shape of another one."""
    method = name.removeprefix("new_").removesuffix("_like")

    def constant(input: Any, *args: Any, **kwargs: Any) -> Tensor:
        _no_enclosures(args, kwargs)
        dtype = kwargs.pop("dtype", None) or type_of(input)
        if name == "new_tensor":
            return torch.tensor(args[0], dtype=dtype)
        size = (tuple(input.shape), *args) if name.endswith("_like") else args
        made: Tensor = getattr(torch, method)(*size, **kwargs, dtype=dtype)
        return made

    return constant


OPERATIONS.update({name: _of_the_first(name) for name in FIRST})
OPERATIONS.update({name: _of_lists(name) for name in LISTS})
OPERATIONS.update({name: like(name) for name in LIKE})
for _name in ("mT", "mH", "adjoint"):
    OPERATIONS[_name] = lambda input: OPERATIONS["transpose"](input, -1, -2)
for _name in ("T", "H"):  # torch turns all axes around, and has H of matrices only
    OPERATIONS[_name] = lambda input: OPERATIONS["permute"](input, tuple(reversed(range(input.ndim))))


@operation("data", "cpu", "conj", "resolve_conj", "resolve_neg", "real", "requires_grad_")
def _itself(input: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: ARG001
    return input


@operation("double")
def _numbers_of(input: Any) -> Any:
    return Enclosed(input.low, input.high, input.partial) if input.open_truth else input


@operation("getitem")
def _getitem(input: Any, index: Any) -> Any:
    _no_enclosures(index)
    if not isinstance(input, Enclosed):
        return input[index]
    mark = None if input.partial is None else input.partial[index]
    return Enclosed(input.low[index], input.high[index], mark, open_truth=input.open_truth)


@operation("expand_as", "view_as", "reshape_as")
def _as(input: Any, other: Any) -> Any:
    name = "expand" if ends(input)[0].numel() != other.numel() or input.ndim != other.ndim else "reshape"
    return OPERATIONS[name](input, tuple(other.shape))


@operation("to", "type", "type_as")
def _converted(input: Any, *wanted: Any, dtype: Any = None, copy: Any = False) -> Any:  # noqa: ARG001
    """float64 stays; truth values become 0 and 1."""
    target = wanted_type(*wanted, dtype)
    if not isinstance(input, Enclosed):
        return input if target is None else input.to(target)
    if target is None:
        return input
    if target is torch.float64:
        return _numbers_of(input)
    if target is torch.bool:
        return _truths(input)
    defined("whole numbers", input)
    if not (target.is_floating_point or target.is_complex) and bool((input.low == input.high).all()):
        return input.low.to(target)
    raise NoEnclosure(f"conversion to {target}", undecided=not target.is_floating_point)


@operation("long")
def _whole(input: Any) -> Tensor:
    return _converted(input, torch.int64)  # type: ignore[no-any-return]


@operation("int")
def _whole_and_small(input: Any) -> Tensor:
    return _converted(input, torch.int32)  # type: ignore[no-any-return]


@operation("bool")
def _truths(input: Any) -> Any:
    return input if input.open_truth else OPERATIONS["ne"](input, 0.0)


@operation("item", "__float__")
def _number(input: Any, *args: Any) -> Any:  # noqa: ARG001
    defined("a plain number", input)
    if input.numel() == 1 and bool(input.low == input.high):
        return input.low.item()
    raise NoEnclosure("a plain number made of an enclosure", undecided=bool((input.low != input.high).any()))


@operation("tolist", "__int__", "numpy")
def _numbers(input: Any, *args: Any) -> Any:  # noqa: ARG001
    raise NoEnclosure("plain numbers made of an enclosure")


@operation("__iter__")
def _iterated(input: Any) -> Any:
    return OPERATIONS["unbind"](input, 0)


@operation("__contains__")
def _contains(input: Any, value: Any) -> bool:  # noqa: ARG001
    raise NoEnclosure("a search for a number in enclosures")


@operation("scatter")
def _scatter(input: Any, dim: int, index: Any, src: Any = None, value: Any = None) -> Enclosed:
    given = value if src is None else src
    _no_enclosures(index)
    require_room(input, given)
    a, b = ends(input), ends(given)
    wide = [end.expand(index.shape) for end in b]
    if any_partial(input, given):
        raise NoEnclosure("torch.scatter of numbers outside of a domain", undecided=True)
    return Enclosed(a[0].scatter(dim, index, wide[0]), a[1].scatter(dim, index, wide[1]))


@operation("unravel_index", "isclose", "allclose", "equal", "unique")
def _refused(*args: Any, **kwargs: Any) -> Any:  # noqa: ARG001
    raise NoEnclosure("a decision that a box leaves open", undecided=True)
