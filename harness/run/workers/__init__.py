"""Claims judged in separate processes, within limits of time and memory that the parent enforces."""

from harness.run.workers.pool import Workers

__all__ = ["Workers"]
