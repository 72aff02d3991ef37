"""How cells are judged: the plan that all judges share, the search for a violation, and for the worst distribution.

The judge of each kind of statement stands with it in `harness.kinds`.
"""

from harness.judges.base import Data, Judge, Row, Task

__all__ = ["Data", "Judge", "Row", "Task"]
