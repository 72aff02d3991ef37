"""One judge per kind of statement."""

from harness.judges.base import Judge, Row, Task
from harness.judges.deterministic import DeterministicJudge
from harness.judges.expectation import ExpectationJudge
from harness.judges.probability import ProbabilityJudge
from harness.judges.rate import RateJudge
from harness.judges.reproduction import ReproductionJudge
from harness.judges.untestable import UntestableJudge
from harness.kinds import Always, Expectation, HighProbability, Identity, Kind, Rate, Reproduction, Untestable
from harness.registry import Claim, Parameters
from harness.settings import Settings

__all__ = ["Judge", "Row", "Task", "judge_for"]

_JUDGES: dict[type[Kind], type[Judge]] = {
    Identity: DeterministicJudge,
    Always: DeterministicJudge,
    HighProbability: ProbabilityJudge,
    Expectation: ExpectationJudge,
    Rate: RateJudge,
    Reproduction: ReproductionJudge,
    Untestable: UntestableJudge,
}


def judge_for(claim: Claim, params: Parameters, settings: Settings) -> Judge:
    """The judge of one cell."""
    return _JUDGES[type(claim.kind)](claim, params, settings)
