"""The pretended device refuses what CUDA refuses, allows what it allows, and computes what the CPU computes."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from harness.certify.rounding.tensors import moved
from tests.pretended_device import CUDA, MixedDevicesError, OnDevice, PretendedCuda


@pytest.fixture
def device() -> Iterator[PretendedCuda]:
    with PretendedCuda() as made:
        yield made


def cpu(*shape: int) -> Tensor:
    return torch.arange(1.0, 1.0 + torch.Size(shape).numel(), dtype=torch.float64).reshape(shape)


def there(*shape: int) -> Tensor:
    return cpu(*shape).to("cuda")


def _generator(device: str) -> torch.Generator:
    return torch.Generator(device).manual_seed(3)


REFUSED: dict[str, Callable[[], Any]] = {
    "two devices in a sum": lambda: there(3) + cpu(3),
    "a number of the device with a vector of the CPU": lambda: cpu(3) + there(1)[0],
    "a matrix product": lambda: there(2, 3) @ cpu(3, 2),
    "a number of the CPU in a stack": lambda: torch.stack([there(1)[0], cpu(1)[0]]),
    "a condition of the CPU": lambda: torch.where(cpu(3) > 1, there(3), 0.0),
    "a CPU tensor indexed from the device": lambda: cpu(3)[torch.tensor([0, 1], device="cuda")],
    "values of the CPU put at places": lambda: there(3).index_put((torch.tensor([0, 1]),), cpu(2)),
    "a gather by places of the CPU": lambda: there(3).gather(0, torch.tensor([0, 1])),
    "a result written to the CPU": lambda: torch.add(there(3), 1.0, out=cpu(3)),
    "one number written to the CPU": lambda: torch.add(there(1)[0], 1.0, out=torch.zeros((), dtype=torch.float64)),
    "in place on the CPU": lambda: torch.zeros((), dtype=torch.float64).add_(there(1)[0]),
    "numpy": lambda: there(3).numpy(),
    "a numpy function": lambda: np.sin(there(3)),
    "an array": lambda: np.asarray(there(3)),
    "a CPU generator for the device": lambda: torch.randn(3, device="cuda", generator=_generator("cpu")),
    "a generator of the device for the CPU": lambda: torch.randn(3, generator=_generator("cuda")),
    "a CPU generator in place": lambda: there(3).uniform_(generator=_generator("cpu")),
    "a CPU generator for draws of the device": lambda: torch.multinomial(there(3), 2, generator=_generator("cpu")),
    "a list of vectors": lambda: torch.tensor([there(2), there(2)]),
}

ALLOWED: dict[str, Callable[[Callable[..., Tensor], str], Any]] = {
    "a number of the CPU beside a vector": lambda x, _: x(3) * torch.tensor(2.0, dtype=torch.float64),
    "a number of the CPU in a choice": lambda x, _: torch.where(x(3) > 1, torch.tensor(0.5, dtype=torch.float64), x(3)),
    "places of the CPU": lambda x, _: x(3)[torch.tensor([0, 2])],
    "a mask of the CPU": lambda x, _: x(3)[torch.tensor([True, False, True])],
    "a list of places": lambda x, _: x(3)[[0, 2]],
    "a number of the CPU put at places": lambda x, _: x(3).index_put((torch.tensor([0]),), cpu(1)[0]),
    "numbers of the device in a list": lambda x, _: [*torch.tensor([x(2)[0], x(2)[1]]).tolist()],
    "a reduction": lambda x, _: x(2, 3).std(0),
    "a factorisation": lambda x, _: torch.linalg.eigvalsh(x(3, 3) @ x(3, 3).mT),
    "a composed operation": lambda x, _: torch.nn.functional.one_hot(x(3).long()),
    "quantiles, which change shapes in place": lambda x, _: x(5).quantile(0.3),
    "conjugates": lambda x, _: torch.complex(x(3), x(3)).conj().imag,
    "views written to": lambda x, _: _written(x(4)),
    "a factory": lambda _, device: torch.arange(3, device=device) + torch.zeros(3, device=device),
    "new tensors": lambda x, _: x(3).new_tensor([1.0, 2.0]) + x(3).new_ones(2),
    "another dtype": lambda x, _: x(3).to(torch.float32),
    "a generator": lambda _, device: torch.randn(3, device=device, generator=_generator(device)),
    "a permutation": lambda _, device: torch.randperm(5, device=device, generator=_generator(device)),
    "a distribution's density": lambda x, _: torch.distributions.Normal(x(3), 1.0).log_prob(x(3) + 1),
    "a vectorised map": lambda x, _: torch.func.vmap(lambda row: row.square().sum())(x(2, 3)),
    "a gradient": lambda x, _: torch.func.grad(lambda v: v.pow(3).sum())(x(3)),
    "rounded differently": lambda x, device: _moved(x(3), device),
    "a deep copy": lambda x, _: copy.deepcopy(x(3)),
}


def _written(x: Tensor) -> Tensor:
    x[1:3] = torch.zeros(2, dtype=torch.float64)
    x[0] = 7.0
    x.view(2, 2)[1].mul_(2)
    return x


def _moved(x: Tensor, device: str) -> Tensor:
    with moved(0):
        return x * 1.3 + torch.eye(3, dtype=torch.float64, device=device) / 3


@pytest.mark.parametrize("what", REFUSED)
def test_what_cuda_refuses_is_refused(what: str, device: PretendedCuda) -> None:
    with pytest.raises((MixedDevicesError, RuntimeError, TypeError, ValueError)):
        REFUSED[what]()


@pytest.mark.parametrize("what", ALLOWED)
def test_what_is_allowed_gives_the_numbers_of_the_cpu(what: str, device: PretendedCuda) -> None:
    expected, found = ALLOWED[what](cpu, "cpu"), ALLOWED[what](there, "cuda")
    if isinstance(expected, Tensor):
        assert isinstance(found, OnDevice)
        assert found.device == CUDA
        assert torch.equal(expected, found.held)
    else:
        assert expected == found


def test_gradients_cross_between_the_devices(device: PretendedCuda) -> None:
    x = cpu(3).requires_grad_()
    (gradient,) = torch.autograd.grad((x.to("cuda") ** 3).sum().cpu(), x, create_graph=True)
    assert torch.equal(gradient.detach(), 3 * cpu(3) ** 2)
    (second,) = torch.autograd.grad(gradient.sum(), x)
    assert torch.equal(second, 6 * cpu(3))


@pytest.mark.parametrize(
    "download",
    [
        lambda x: x.cpu(),
        lambda x: x.to("cpu"),
        lambda x: x.tolist(),
        lambda x: x.numpy(force=True),
        lambda x: torch.zeros(3, dtype=torch.float64).copy_(x),
        lambda x: torch.as_tensor(x, device="cpu"),
    ],
)
def test_a_copy_of_a_whole_tensor_is_seen(download: Callable[[Tensor], Any], device: PretendedCuda) -> None:
    download(there(3))
    assert [copied.entries for copied in device.downloads] == [3]


def test_reading_one_number_is_no_download(device: PretendedCuda) -> None:
    x = there(3)
    assert (x[1].item(), float(x[2]), bool(x[0] > 0), int(x.sum())) == (2.0, 3.0, True, 6)
    assert device.downloads == []


def test_the_function_that_asks_is_named(device: PretendedCuda) -> None:
    from algos.estimators._base import array

    array(there(3))
    assert [copied.place for copied in device.downloads] == ["algos.estimators._base:array"]


def test_outside_everything_is_as_before() -> None:
    before = torch.Generator, torch.Tensor.to, torch.cuda.is_available
    with PretendedCuda():
        assert torch.cuda.is_available()
        assert isinstance(torch.Generator("cuda"), torch.Generator)
        assert isinstance(torch.Generator(), torch.Generator)
    assert (torch.Generator, torch.Tensor.to, torch.cuda.is_available) == before
    assert type(torch.zeros(2).to("cpu")) is Tensor
