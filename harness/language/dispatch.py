"""The base of contexts that see every operation of torch."""

from torch.utils._python_dispatch import TorchDispatchMode


class DispatchMode(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """A dispatch mode that nobody compiles, so that torch need not import its compiler: 700 modules, two seconds."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False
