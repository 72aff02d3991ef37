"""Run the killers over the mutants, cheapest first."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from harness.errors import UsageError
from tests.mutation.equivalents import EQUIVALENTS
from tests.mutation.killers import Killer
from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.variants import installed


@dataclass(frozen=True)
class Outcome:
    """Who killed a mutant, or why it may live."""

    mutant: Mutant
    killer: str | None  # name of the first that noticed
    evidence: str = ""  # what it saw
    proof: str = ""  # for a survivor: why it is no mistake

    @property
    def status(self) -> str:
        """`killed`, `equivalent`, `survived`, or `wrong proof`: killed although it is listed as equivalent."""
        if self.killer:
            return "wrong proof" if self.proof else "killed"
        return "equivalent" if self.proof else "survived"


def judge(mutant: Mutant, killers: Sequence[Killer]) -> Outcome:
    """Show one mutant to the killers in the given order, until one notices.

    A mutant that is listed as equivalent is shown to all of them: a proof that is wrong must not protect it.
    """
    proof = EQUIVALENTS.get(mutant.key, "")
    with installed(mutant):
        for killer in killers:
            evidence = killer.notices(mutant.module, mutant.name)
            if evidence is not None:
                return Outcome(mutant, killer.name, evidence, proof)
    return Outcome(mutant, None, proof=proof)


def judge_all(
    modules: Iterable[str], killers: Sequence[Killer], *, progress: Callable[[Outcome], None] = lambda _: None
) -> list[Outcome]:
    """Judge every mutant of the modules.

    Raises
    ------
    UsageError : if a killer objects to the unchanged module as well; then its objections to mutants mean nothing.
    """
    outcomes: list[Outcome] = []
    trusted: set[tuple[str, str, str]] = set()
    for module in modules:
        for mutant in mutants_of(module):
            outcome = judge(mutant, killers)
            for killer in killers:
                if killer.name == outcome.killer and (killer.name, module, mutant.name) not in trusted:
                    _require_silence(killer, mutant)
                    trusted.add((killer.name, module, mutant.name))
            outcomes.append(outcome)
            progress(outcome)
    return outcomes


def _require_silence(killer: Killer, mutant: Mutant) -> None:
    complaint = killer.notices(mutant.module, mutant.name)
    if complaint is not None:
        raise UsageError(
            f"{mutant.module}.{mutant.name} is wrong as it stands ({killer.name}: {complaint}); repair it first."
        )
