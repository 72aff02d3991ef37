"""Bodies that return what is no pair of real sides."""

import numpy as np
import torch

from harness import Row, always, claim, rate, reproduction


def _unit(forall):
    return forall.interval("x", 0.0, 1.0)


@claim("returning/nothing", always())
def nothing(forall):
    """Returns None."""
    _unit(forall)


@claim("returning/text", always())
def text(forall):
    """Returns text."""
    return "lhs", "rhs"


class Strange:
    """No number, and no text either."""

    def __repr__(self):
        raise RuntimeError("no text")

    def __float__(self):
        return 1.0


@claim("returning/object", always())
def strange(forall):
    """Returns an object that cannot be printed."""
    return _unit(forall), Strange()


@claim("returning/complex", always())
def complex_side(forall):
    """Returns complex numbers."""
    return _unit(forall) * 1j, 1.0


@claim("returning/shape", always())
def shape(forall):
    """Returns another shape."""
    return torch.ones(7, 5), 1.0


@claim("returning/empty", always())
def empty(forall):
    """Returns nothing per instance."""
    return torch.ones(0), 1.0


@claim("returning/three", always())
def three(forall):
    """Returns three sides."""
    return _unit(forall), 1.0, 2.0


@claim("returning/sparse", always())
def sparse(forall):
    """Returns a sparse tensor."""
    return _unit(forall).detach().to_sparse(), 1.0


@claim("returning/meta", always())
def meta(forall):
    """Returns a tensor without data."""
    return _unit(forall).to("meta"), 1.0


@claim("returning/float32", always())
def short(forall):
    """Returns short numbers."""
    return _unit(forall).float() / 3.0, 1.0


@claim("returning/booleans", always())
def booleans(forall):
    """Returns truth values: zeros and ones."""
    return _unit(forall) > 2.0, True


@claim("returning/integers", always())
def integers(forall):
    """Returns whole numbers: fine."""
    return _unit(forall).long(), 1


@claim("returning/gradient", always())
def gradient(forall):
    """Returns leaves of its own that want gradients."""
    x = _unit(forall)
    return x * torch.ones((), requires_grad=True), torch.ones((), requires_grad=True)


class Labelled(torch.Tensor):
    """A tensor with another name."""


@claim("returning/subclass", always())
def subclass(forall):
    """Returns a subclass of Tensor."""
    return _unit(forall).as_subclass(Labelled), 1.0


class Liar(torch.Tensor):
    """A tensor that is never larger than anything."""

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        if function in (torch.Tensor.sub, torch.Tensor.__sub__):
            return torch.zeros(())
        return super().__torch_function__(function, types, args, kwargs or {})


@claim("returning/liar", always(), expected="refuted")
def liar(forall):
    """Returns a tensor that hides its violation."""
    return (_unit(forall) + 1.0).as_subclass(Liar), 1.5


@claim("returning/masked", always())
def masked(forall):
    """Returns a masked array of numpy."""
    return np.ma.masked_greater(_unit(forall).detach().numpy(), 0.5), 0.6


@claim("returning/huge-integer", always())
def huge_integer(forall):
    """Returns an integer of 500 digits."""
    return _unit(forall), 10**500


@claim("returning/infinite-left", always())
def infinite_left(forall):
    """Divides by zero on half of the interval."""
    x = _unit(forall)
    return x / (x < 0.5), 1.0


@claim("returning/unsendable", reproduction(tolerance=0.5))
def unsendable():
    """Rows that no process can send to another."""
    return [Row(lambda: None, torch.ones(3), {}, 1.0)]


@claim("returning/strange-label", reproduction(tolerance=0.5))
def strange_label():
    """A label that cannot be printed."""
    return [Row(Strange(), 1.0, 0.1, 1.0)]


@claim("returning/text-rate", rate("n", -1.0), over=[{"n": n} for n in (10, 20, 40, 80)])
def text_rate(draw, *, n):
    """A quantity of text."""
    return "1/n"
