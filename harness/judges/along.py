"""What judges of a whole curve share: the values of one parameter, and inputs that are named after them."""

from typing import Any

from harness.judges.base import Judge
from harness.language.anatomy import Anatomy, anatomy
from harness.language.registry import Parameters
from harness.numbers import Instance

CONVINCING = 2**14  # replicates of a point on which a refutation rests, where the effort has as many
SHARE = 0.25  # of the memory that the trials of a cell may write, for a round beyond the usual number of them


class AlongJudge(Judge):
    """Judges the cells of a group together, along the parameter that the kind of the claim names."""

    @property
    def kind(self) -> Any:
        return self.claim.kind

    def axis(self) -> list[Any]:
        """The values of the parameter in this group."""
        rest, along = self.params.items(), self.kind.along
        return sorted(cell[along] for cell in self.claim.cells if all(cell[name] == value for name, value in rest))

    def at(self, value: float) -> Parameters:
        """The parameters of the body."""
        return {**self.params, self.kind.along: value}

    def parts(self, value: float) -> Anatomy:
        """Of a cell; it runs the body, which only tasks do."""
        return anatomy(self.claim, self.at(value))

    def replicates(self, rounds: int) -> int:
        """How many of a point come after so many rounds: each round doubles their number."""
        return self.effort.rate_replicates * (1 if rounds == 0 else 2 ** (rounds - 1))

    def written(self) -> int:
        """Bytes that one replicate of every point writes."""
        return sum(self.parts(value).written for value in self.axis())

    def another(self, rounds: int, written: int) -> bool:
        """Whether the effort has another round where these did not decide: more than usual where they cost little."""
        return rounds < self.effort.rate_rounds or (
            self.replicates(rounds) * written <= SHARE * self.effort.megabytes * 2**20
        )

    def convincing(self, rounds: int, written: int) -> bool:
        """Whether a refutation may rest on the replicates of so many rounds: fewer miss events that are rare."""
        return self.replicates(rounds) >= CONVINCING or not self.another(rounds, written)

    def name_of(self, value: float, name: str) -> str:
        """How a counterexample calls a variable at one value of the parameter."""
        return f"{self.kind.along}={value}: {name}"

    def own(self, values: Instance, value: float) -> Instance:
        """What a counterexample, `{"n=10: x": ...}`, says of the variables at one value of the parameter."""
        names = [space.name for space in self.parts(value).spaces]
        return {name: values[key] for name in names if (key := self.name_of(value, name)) in values}
