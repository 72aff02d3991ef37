"""Mistakes in the papers, as data: several refuted readings may share one defect, and reports count defects."""

from dataclasses import dataclass
from enum import StrEnum

from harness.errors import ClaimError


class Severity(StrEnum):
    """How much a defect matters, most severe first."""

    STATEMENT = "statement"  # false as stated: no constant repairs it
    MISSING_HYPOTHESIS = "missing hypothesis"  # true once a hypothesis is added
    CONSTANT = "constant"  # true with another constant
    PROOF_STEP = "proof step"  # the statement may be true, a step of its proof is not
    MISPRINT = "misprint"  # a symbol or a convention
    COPY = "copy in doubt"  # a symbol that print or our copy of the paper lost: not held against the authors
    INFERRED = "inferred"  # of a reading that the paper suggests, but does not state


@dataclass(frozen=True)
class Defect:
    """One mistake in a paper.

    Parameters
    ----------
    id : "paper/name", for example "uarff/lem-24"; readings that show the defect refer to it.
    severity : how much it matters; the same kind of mistake has the same severity in every paper.
    where : section, equation or display in the paper.
    why_the_proof_fails : the step that does not follow, in a few sentences; for a misprint, the evidence for it.
    what_is_true : the statement that holds instead, with the id of the reading that checks it where there is one.
    consequence : what it means for users of the result.

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
