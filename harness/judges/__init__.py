"""How cells are judged: the plan shared by all judges, the search for a violation or for the worst distribution.

The judge of each kind of statement stands with it in `harness.kinds`.
"""

from harness.judges.base import Data, Judge, Row, Task

__all__ = ["Data", "Judge", "Row", "Task"]
