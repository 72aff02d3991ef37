"""Executors for tests of the runner: they run in this process, each task once."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, ClassVar

import msgspec

from harness.run.execution import Outcome
from harness.run.runner import Inline


class Once(Inline):
    """Runs each task once: asked again, of the same claim with the same settings, it has the outcome that it had."""

    done: ClassVar[dict[tuple[Any, ...], Outcome]] = {}

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        claim, params, task, settings, *_ = args
        key = (claim.source, msgspec.json.encode(params), msgspec.json.encode(task), settings)
        if key not in self.done:
            self.done[key] = super().submit(fn, *args, **kwargs).result()
        future: Future[Any] = Future()
        future.set_result(self.done[key])
        return future


class Counting(Once):
    """Counts what it is asked to do, and stops like a kill after `limit` tasks."""

    def __init__(self, limit: int | None = None) -> None:
        self.count, self.limit = 0, limit

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if self.limit is not None and self.count >= self.limit:
            raise KeyboardInterrupt
        self.count += 1
        return super().submit(fn, *args, **kwargs)
