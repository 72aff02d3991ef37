"""The interface of a kind of statement: its rules, its judge, its wording and its plot.

`harness.kinds` has one module for each kind; a kind defined elsewhere is judged, shown, replayed and plotted as well.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal

from typing_extensions import TypeVar

from harness.numbers import Instance

if TYPE_CHECKING:
    from harness.judges.base import Data, Judge
    from harness.language.charts import Chart
    from harness.language.panels import StoredPanel
    from harness.language.registry import Claim, Parameters
    from harness.settings import Settings
    from harness.verdict import CellVerdict, Counterexample, Details, Verdict

NAMED: dict[str, "type[Kind]"] = {}  # every kind by its name, for reports that read only the JSON of a run

D = TypeVar("D", bound="Details", default=Any)
C = TypeVar("C", bound="Counterexample", default=Any)


@dataclass(frozen=True)
class Replay:
    """What a replay found; `violated` says whether the counterexample still stands."""

    violated: bool
    sentence: str
    data: "Data | None" = None


@dataclass(frozen=True)
class Kind(ABC, Generic[D, C]):
    """The logic of a statement."""

    name: ClassVar[str]
    details: ClassVar[Any]  # the classes of what a verdict rests on, and of what refutes a cell
    counterexample: ClassVar[Any]
    returns: ClassVar[Literal["sides", "quantity", "rows", "nothing"]] = "sides"
    measures: ClassVar[Literal["ratio", "error", "nothing"]] = "ratio"  # what a cell reports as its worst value
    replay_trials: ClassVar[int] = 100_000  # fresh draws of a replay, unless told; 0 for those of the standard effort

    @property
    def flaw(self) -> str:
        """What is wrong with a claim that cannot be made; empty for every other."""
        return ""

    def __init_subclass__(cls) -> None:
        if "name" in vars(cls):
            NAMED[cls.name] = cls

    def refuse(self, claim: str, wants: frozenset[str], over: Sequence[Mapping[str, Any]]) -> None:
        """Raise ClaimError when a body that takes `wants` over the cells `over` cannot be of this kind."""

    def groups(self, cells: "tuple[Parameters, ...]") -> "tuple[Parameters, ...]":
        """The cells that are judged, from those of the grid."""
        return cells

    @abstractmethod
    def judge(self, claim: "Claim", params: "Parameters", settings: "Settings") -> "Judge":
        """The judge of one cell."""

    @abstractmethod
    def replay(self, judge: Any, values: Instance, trials: int, seed: int) -> Replay:
        """One instance again, judged by the judge of its cell."""

    def tried(self, verdict: "Verdict") -> list[str]:  # noqa: ARG002
        """What the search tried, in at most one line."""
        return []

    @abstractmethod
    def line(self, cell: "CellVerdict[D, C]") -> str:
        """What was found in a judged cell, after its status."""

    @abstractmethod
    def caveat(self, verdict: "Verdict") -> str:
        """What could still be wrong with HOLDS or VACUOUS."""

    def conviction(self, verdict: "Verdict") -> str:  # noqa: ARG002
        """What a refutation rests on."""
        return "Refuted on fresh randomness at a fixed instance, at the family-wise error stated in the report."

    @classmethod
    def draw(cls, cells: "Sequence[CellVerdict[D, C]]") -> "Sequence[Chart | StoredPanel]":  # noqa: ARG003
        """Pictures of the judged cells, given as in the JSON of a run; none where there is nothing to draw."""
        return []


USUAL = 1e-9
"""The relative tolerance of two sides, unless a claim states another one."""


@dataclass(frozen=True)
class Comparison(Kind[D, C]):
    """A statement about two sides for all inputs: violated beyond `rtol` max(|lhs|, |rhs|) + `atol`, and rounding.

    Whole numbers differ by one at least, which is no rounding: among them `rtol` counts only if it is a larger one.
    """

    two_sided: ClassVar[bool]  # whether lhs below rhs is a violation too
    rtol: float = USUAL
    atol: float = 0.0

    @property
    def rtol_of_whole(self) -> float:
        """The relative tolerance among whole numbers."""
        return self.rtol if self.rtol > USUAL else 0.0

    def gap(self, lhs: Any, rhs: Any) -> Any:
        """By how much two numbers, tensors or balls miss the statement; for an inequality negative where it holds."""
        difference = lhs - rhs
        return abs(difference) if self.two_sided else difference


def fits(value: Any) -> bool:
    """Whether a parameter along which something grows can be stored: a finite number of at most 64 bits."""
    return isinstance(value, float) or (isinstance(value, int) and abs(value) < 2**63)


def values_along(along: str, cells: "Sequence[Mapping[str, Any]]") -> list[Any]:
    """The values of one parameter of the grid, each once, in its order."""
    return list(dict.fromkeys(cell[along] for cell in cells if along in cell))


def groups_along(along: str, cells: "tuple[Parameters, ...]") -> "tuple[Parameters, ...]":
    """The grid without one parameter: a cell stands for all of its values."""
    unique: dict[tuple[tuple[str, str], ...], Parameters] = {}
    for cell in cells:
        rest = {name: value for name, value in cell.items() if name != along}
        unique.setdefault(tuple((name, repr(value)) for name, value in rest.items()), rest)
    return tuple(unique.values())
