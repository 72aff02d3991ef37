"""Claims judged in separate processes, within limits of time and memory that the parent enforces."""

from harness.run.workers.pool import MEMORY_LIMIT, TIME_LIMIT, Workers

__all__ = ["MEMORY_LIMIT", "TIME_LIMIT", "Workers"]
