"""What a body changes around it is named, and put back in this process too."""

import decimal
import os
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from harness.errors import ClaimError, skip
from harness.run.surroundings import untouched

CHANGES: dict[str, tuple[Callable[[], Any], Callable[[], Any], str]] = {
    "dtype": (lambda: torch.set_default_dtype(torch.float16), torch.get_default_dtype, "default dtype"),
    "device": (lambda: torch.set_default_device("meta"), torch.get_default_device, "default device"),
    "gradients": (lambda: torch.set_grad_enabled(False), torch.is_grad_enabled, "gradients"),
    "threads": (lambda: torch.set_num_threads(2), torch.get_num_threads, "threads"),
    "errors": (lambda: np.seterr(all="raise"), np.geterr, "error modes"),
    "traps": (
        lambda: decimal.getcontext().traps.update({decimal.Inexact: True}),
        lambda: dict(decimal.getcontext().traps),
        "traps of decimal",
    ),
    "exponents": (lambda: setattr(decimal.getcontext(), "Emax", 9), lambda: decimal.getcontext().Emax, "of decimal"),
    "determinism": (
        lambda: torch.use_deterministic_algorithms(mode=True, warn_only=True),
        lambda: (torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()),
        "torch is deterministic",
    ),
    "seed": (lambda: torch.manual_seed(5), lambda: torch.get_rng_state().tolist(), "generator of torch"),
    "draws": (lambda: torch.rand(1), lambda: torch.get_rng_state().tolist(), "generator of torch"),
    "patch": (lambda: setattr(torch, "exp", torch.sin), lambda: torch.exp, "torch.exp"),
    "method": (lambda: setattr(torch.Tensor, "sum", torch.Tensor.prod), lambda: torch.Tensor.sum, "Tensor.sum"),
    "ours": (lambda: setattr(sys.modules["harness.errors"], "skip", len), lambda: skip, "harness.errors.skip"),
}


@pytest.mark.parametrize(("change", "look", "words"), CHANGES.values(), ids=CHANGES.keys())
def test_what_numbers_depend_on_is_refused_by_name_and_put_back(
    change: Callable[[], Any], look: Callable[[], Any], words: str
) -> None:
    before = look()
    with pytest.raises(ClaimError, match=rf"claim 'mine/one' changes .*{words}"), untouched("mine/one"):
        change()
    assert look() == before


def test_what_no_number_depends_on_is_put_back_in_silence() -> None:
    before = (os.getcwd(), dict(os.environ), list(warnings.filters), sys.getrecursionlimit())
    with untouched("mine/one"):
        os.chdir("/")
        os.environ["TIGHTROPE_TEST"] = "1"
        warnings.simplefilter("error")
        sys.setrecursionlimit(before[-1] + 10)
    assert (os.getcwd(), dict(os.environ), list(warnings.filters), sys.getrecursionlimit()) == before


def test_a_sentence_that_is_there_already_says_more_than_a_generator_used() -> None:
    def refuse(change: Callable[[], Any]) -> None:
        with untouched("mine/one"):
            change()
            raise ClaimError("its own sentence")

    with pytest.raises(ClaimError, match="its own sentence"):
        refuse(lambda: torch.rand(1))
    with pytest.raises(ClaimError, match="default dtype"):
        refuse(lambda: torch.set_default_dtype(torch.float16))


def test_an_equal_constant_of_another_type_is_put_back() -> None:
    """4.0 is 4, but divides otherwise."""
    from harness import settings

    before = settings.MEMORY_LIMIT
    with pytest.raises(ClaimError, match="MEMORY_LIMIT"), untouched("mine/one"):
        settings.MEMORY_LIMIT = float(before)
    assert type(settings.MEMORY_LIMIT) is type(before)


def test_a_function_of_numpy_is_no_more_replaced_than_one_of_python() -> None:
    """Universal functions have a type of their own; the first of two replacements was not seen."""
    before = np.isfinite
    with pytest.raises(ClaimError, match=r"numpy\.isfinite"), untouched("mine/one"):
        np.isfinite = lambda x: np.ones_like(x, dtype=bool)  # type: ignore[assignment]
    assert np.isfinite is before


def test_what_is_loaded_on_demand_is_no_change() -> None:
    with untouched("mine/one"):
        torch.__dict__.setdefault("loaded_on_demand", len)
    del torch.loaded_on_demand


def test_the_user_is_never_refused() -> None:
    def stop() -> None:
        with untouched("mine/one"):
            torch.set_default_dtype(torch.float16)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stop()
    assert torch.get_default_dtype() is not torch.float16
