"""Claims judged in processes of their own, within limits of time and memory that the parent keeps."""

from harness.run.workers.pool import MEMORY_LIMIT, TIME_LIMIT, Workers

__all__ = ["MEMORY_LIMIT", "TIME_LIMIT", "Workers"]
