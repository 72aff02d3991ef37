"""Bodies that change the process around them, so that their own numbers or those of others would change."""

import decimal
import os
import random
import signal
import sys
import tempfile
import warnings

import numpy as np
import torch

import harness.certify.rounding.spread
import harness.language.evaluation
import harness.search.objective
from harness import always, claim


def _unit(forall):
    return forall.interval("x", 0.0, 1.0)


@claim("changing/dtype", always())
def dtype(forall):
    """Makes float32 the default."""
    torch.set_default_dtype(torch.float32)
    return _unit(forall), 1.0


@claim("changing/device", always())
def device(forall):
    """Makes a device without data the default."""
    x = _unit(forall)
    torch.set_default_device("meta")
    return x, 1.0


@claim("changing/gradients", always())
def gradients(forall):
    """Switches gradients off for good."""
    torch.set_grad_enabled(False)
    torch._C._set_grad_enabled(False)
    return _unit(forall), 1.0


@claim("changing/threads", always())
def threads(forall):
    """Takes three threads: other sums in another order."""
    torch.set_num_threads(3)
    return _unit(forall), 1.0


@claim("changing/denormals", always())
def denormals(forall):
    """Flushes small numbers to zero."""
    torch.set_flush_denormal(True)
    return _unit(forall), 1.0


@claim("changing/precision", always())
def precision(forall):
    """Allows less precise products."""
    torch.set_float32_matmul_precision("medium")
    return _unit(forall), 1.0


@claim("changing/numpy-errors", always())
def numpy_errors(forall):
    """Makes numpy raise."""
    np.seterr(all="raise")
    return _unit(forall), 1.0


@claim("changing/decimals", always())
def decimals(forall):
    """Computes with three digits."""
    decimal.getcontext().prec = 3
    return _unit(forall), 1.0


@claim("changing/seeds", always())
def seeds(forall):
    """Seeds everybody's generators."""
    torch.manual_seed(0)
    np.random.seed(0)
    random.seed(0)
    return _unit(forall), 1.0


@claim("changing/surroundings", always())
def surroundings(forall):
    """Changes what no number depends on: folder, environment, filters, handlers, limits, path, umask."""
    os.chdir(tempfile.gettempdir())
    os.environ["OMP_NUM_THREADS"] = "64"
    os.environ.pop("PATH", None)
    warnings.simplefilter("error")
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.setrecursionlimit(sys.getrecursionlimit() + 1)
    sys.path.insert(0, "/nowhere")
    os.umask(0o777)
    return _unit(forall), 1.0


@claim("changing/patches-torch", always())
def patches_torch(forall):
    """Replaces a function of torch."""
    torch.exp = torch.sin
    return _unit(forall), 1.0


@claim("changing/patches-tensors", always())
def patches_tensors(forall):
    """Replaces a method of every tensor."""
    torch.Tensor.clone = lambda self, **_: self
    return _unit(forall), 1.0


@claim("changing/patches-numpy", always())
def patches_numpy(forall):
    """Replaces a function of numpy."""
    np.isfinite = lambda x: np.ones_like(x, dtype=bool)
    return _unit(forall), 1.0


@claim("changing/patches-evaluation", always())
def patches_evaluation(forall):
    """Replaces the evaluation of every claim."""
    harness.language.evaluation.evaluate = lambda *_, **__: None
    return _unit(forall), 1.0


@claim("changing/patches-the-judge", always())
def patches_the_judge(forall):
    """Makes every violation rounding."""
    harness.search.objective.instance_noise = lambda *_, **__: torch.full((), torch.inf)
    harness.certify.rounding.spread.CLEAR = 1e300
    return _unit(forall), 0.9


@claim("changing/own-randomness", always())
def own_randomness(forall):
    """Draws by itself."""
    x = _unit(forall)
    return x * torch.rand(len(x)), 1.0


@claim("changing/rare-randomness", always())
def rare_randomness(forall):
    """Draws by itself, and shows it once in a thousand instances."""
    x = _unit(forall)
    return x + 0.1 * (torch.rand(len(x)) < 0.001), 1.0


@claim("changing/clock", always())
def clock(forall):
    """Depends on the hour."""
    import time

    return _unit(forall) + time.perf_counter() * 1e-9, 1.0


_calls = [0]


@claim("changing/counter", always())
def counter(forall):
    """Counts its calls from the first one on."""
    _calls[0] += 1
    return _unit(forall), 1.0 + _calls[0]


@claim("changing/late-counter", always())
def late_counter(forall):
    """Is steady for eight calls, some more than the first look makes, and false ever after.

    Every task of the search makes more than eight, so that it shows in whichever worker that begins.
    """
    _calls[0] += 1
    return _unit(forall) + (_calls[0] > 8), 1.5


@claim("changing/writes-data", always())
def writes_data(forall):
    """Writes into its input past autograd."""
    x = _unit(forall)
    x.data.mul_(0.5)
    return x, 0.6


@claim("changing/writes-numpy", always())
def writes_numpy(forall):
    """Writes into its input through numpy."""
    x = _unit(forall)
    x.detach().numpy()[...] *= 0.5
    return x, 0.6


@claim("changing/writes-in-place", always())
def writes_in_place(forall):
    """Writes into its input."""
    x = _unit(forall)
    with torch.no_grad():
        x.mul_(0.5)
    return x, 0.6
