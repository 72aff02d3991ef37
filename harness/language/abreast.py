"""The same random numbers for several instances at once: one call of a body that is short of arithmetic, not many."""

import numpy as np
import torch
from torch import Tensor

from harness.errors import ClaimError
from harness.language.quantifiers import Draw


class Abreast(Draw):
    """Replicates of several instances: those of instance k, as `draw` would make them, are k * reps to (k + 1) * reps.

    Inputs are repeated for the replicates of their instance. What depends on its parameters in another way than by
    comparing one uniform number for each entry of a replicate raises ClaimError.
    """

    def __init__(self, draw: Draw, instances: int) -> None:
        super().__init__(instances * draw.reps, (), draw.device)
        self._draw, self._instances = draw, instances
        self.names = draw.names

    def _stream(self, name: str) -> np.random.Generator:
        raise ClaimError(f"draw variable {name!r} is not drawn for several instances at once.")

    def _once(self, name: str, *_: object) -> Tensor:
        raise ClaimError(f"draw variable {name!r} is one number for all replicates of an instance.")

    def _variates(self, kind: str, name: str, *shape: int) -> np.ndarray:
        made = self._draw._variates(kind, name, *shape)
        return np.concatenate([made] * self._instances)

    def _repeated(self, drawn: Tensor) -> Tensor:
        return torch.cat([drawn] * self._instances)

    def signs(self, name: str, *shape: int) -> Tensor:
        return self._repeated(self._draw.signs(name, *shape))

    def sphere(self, name: str, *shape: int) -> Tensor:
        return self._repeated(self._draw.sphere(name, *shape))

    def ball(self, name: str, *shape: int) -> Tensor:
        return self._repeated(self._draw.ball(name, *shape))

    def multinomial(self, name: str, count: Tensor | int, probs: Tensor) -> Tensor:  # type: ignore[override]
        table = torch.as_tensor(probs)
        own = isinstance(count, Tensor) and count.ndim > 0
        if table.ndim != 2 or len(table) != self.reps or own:
            return self._repeated(self._draw.multinomial(name, count, probs))
        parts = []
        for each in table[:: self._draw.reps]:  # one law for all replicates of an instance
            parts.append(self._draw.multinomial(name, count, each))
            self.names.pop()
        self.names.append(name)
        return torch.cat(parts)
