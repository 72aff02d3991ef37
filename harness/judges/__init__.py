"""How cells are judged: the plan shared by all judges, the search for a violation or for the worst distribution.

The judge of each kind of statement stands with it in `harness.kinds`.
"""

from harness.judges.base import Judge, Row, Task
from harness.language.registry import Claim, Parameters
from harness.settings import Settings

__all__ = ["Judge", "Row", "Task", "judge_for"]


def judge_for(claim: Claim, params: Parameters, settings: Settings) -> Judge:
    """The judge of one cell."""
    return claim.kind.judge(claim, params, settings)
