"""What is wrong in print, as data: several refuted readings may rest on one defect, and defects are what is counted."""

from dataclasses import dataclass
from enum import StrEnum

from harness.errors import ClaimError


class Severity(StrEnum):
    """How much a defect matters, gravest first."""

    STATEMENT = "statement"  # false as a theorem: no constant repairs it
    MISSING_HYPOTHESIS = "missing hypothesis"  # true once a hypothesis is added
    CONSTANT = "constant"  # true with another constant
    PROOF_STEP = "proof step"  # the statement may be true, a step of its proof is not
    MISPRINT = "misprint"  # a glyph, or a convention; our copy of the paper may be the culprit
    INFERRED = "inferred"  # follows from print, and is not printed


@dataclass(frozen=True)
class Defect:
    """One thing that is wrong in a paper.

    Parameters
    ----------
    id : "paper/name", for example "uarff/lem-24"; readings that rest on it point at it.
    severity : how much it matters; the same kind of slip has the same severity in every paper.
    where : section, equation or display in the paper.
    why_the_proof_fails : the step that does not follow, in a few sentences; for a misprint, what shows that it is one.
    what_is_true : the statement that holds instead, with the id of the reading that checks it where there is one.
    consequence : what it means for somebody who uses the result.

    Raises
    ------
    ClaimError : when a field is empty.
    """

    id: str
    severity: Severity
    where: str
    why_the_proof_fails: str
    what_is_true: str
    consequence: str

    def __post_init__(self) -> None:
        empty = [name for name, value in vars(self).items() if not str(value).strip()]
        if empty:
            raise ClaimError(f"defect {self.id!r}: {', '.join(empty)} must not be empty.")
