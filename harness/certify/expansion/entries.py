"""Entries of tensors of forms at places, which may depend on inputs with finitely many values."""

# ruff: noqa: FBT002  (parameters and their defaults are torch's)

from typing import Any

import numpy as np
import torch
from torch import Tensor

from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.expansion.choices import as_form
from harness.certify.expansion.forms import Form
from harness.certify.expansion.operations import operation
from harness.certify.expansion.tensor import Expanded, lift, total
from harness.certify.expansion.truths import truth_of, values_of


@operation("getitem")
def _getitem(input: Any, index: Any) -> Expanded:
    parts = index if isinstance(index, tuple) else (index,)
    if any(isinstance(part, Expanded) for part in parts):
        if len(parts) > 1:
            raise NoEnclosure("several indices of which one depends on inputs")
        return _looked_up(input, parts[0])
    plain = tuple(part.cpu().numpy() if isinstance(part, Tensor) else part for part in parts)
    return Expanded(input.array[plain], input.space, truths=input.truths)


@operation("gather")
def _gather(input: Any, dim: int, index: Any) -> Expanded:
    if isinstance(index, Expanded):
        return _gathered(input, dim, index)
    places = torch.arange(input.array.size).reshape(input.array.shape).gather(dim, index).numpy()
    return Expanded(input.array.reshape(-1)[places], input.space)


@operation("take_along_dim")
def _taken(input: Any, indices: Any, dim: Any = None) -> Expanded:
    if isinstance(indices, Expanded):
        raise NoEnclosure("indices that depend on inputs")
    places = torch.arange(input.array.size).reshape(input.array.shape).take_along_dim(indices, dim).numpy()
    return Expanded(input.array.reshape(-1)[places], input.space)


def _looked_up(input: Any, index: Expanded) -> Expanded:
    """Rows of a tensor at whole numbers with finitely many values."""
    if index.truths:
        raise NoEnclosure("a mask that depends on inputs")
    space, rows = index.space, lift(input, index.space)
    found = np.empty(index.array.shape + rows.shape[1:], dtype=object)
    for place in np.ndindex(index.array.shape):
        for rest in np.ndindex(rows.shape[1:]):
            found[(*place, *rest)] = _entry(rows[(slice(None), *rest)], index.array.item(place))
    return Expanded(found, space)


def _gathered(input: Any, dim: int, index: Expanded) -> Expanded:
    lines = np.moveaxis(lift(input, index.space), dim, -1)
    places = np.moveaxis(index.array, dim, -1)
    found = np.empty(places.shape, dtype=object)
    for place in np.ndindex(places.shape):
        found[place] = _entry(lines[place[:-1]], places.item(place))
    return Expanded(np.moveaxis(found, -1, dim), index.space)


def _entry(line: np.ndarray, index: Form) -> Form:
    """The sum of the entries, each times the truth value that the index is its place."""
    values = values_of(index)
    if values is None or any(value.q != 1 or not -len(line) <= int(value.p) < len(line) for value in values):
        raise NoEnclosure("indices that are not whole numbers of a short range")
    if index.number is not None:
        return as_form(index.space, line[int(index.number.p)])
    parts = [truth_of(index - index.space.number(int(value.p)), "eq") * line[int(value.p)] for value in values]
    return total(parts)


@operation("argmax", "argmin")
def _place_of_an_extreme(input: Any, dim: Any = None, keepdim: Any = False) -> Tensor:
    """Of lines of one entry, where it needs no comparison."""
    if dim is None or input.shape[dim] != 1:
        raise NoEnclosure("the place of an extreme entry")
    found = torch.zeros(input.shape, dtype=torch.int64)
    return found if keepdim else found.squeeze(dim)
