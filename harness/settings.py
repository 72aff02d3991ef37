"""Effort, error probability and limits: everything that a verdict depends on besides the claim and the seed."""

from dataclasses import dataclass, replace

from harness.errors import UsageError

ALPHA = 0.01  # family-wise probability of a false refutation per run
TIME_LIMIT = 600.0  # seconds per claim
MEMORY_LIMIT = 8 * 2**30  # bytes per worker with its descendants
DATA_FOLDER = "TIGHTROPE_DATA"  # the environment variable that names the folder of public data sets


@dataclass(frozen=True)
class Effort:
    """Counts, never seconds: the same effort gives the same verdict on any machine."""

    name: str
    hard: int  # structured instances
    random: int  # random instances
    starts: int  # gradient ascents
    steps: int  # steps of each ascent
    population: int  # evolution
    generations: int
    laws: int  # distributions tried for claims that draw
    law_generations: int
    minimum_trials: int  # go on to this many after HOLDS, for the detectable factor
    maximum_trials: int
    megabytes: int  # tensor memory that the trials of one cell may write in total
    replicates: int  # of a reproduction
    rate_replicates: int  # per point of a rate, first round
    rate_rounds: int
    boxes: int  # of inputs, for each constant with which a proof is tried
    simplifications: int = 60  # rounds in which a counterexample is made easy to read, at most
    tight: int = 1  # large blocks that measure the looseness at the tightest distribution
    doublings: int = 0  # how often these counts were doubled
    groups: int | None = None  # of a claim's cells, the first ones that are judged; all if None

    def doubled(self, times: int) -> "Effort":
        """The same effort with every count multiplied by 2^times."""
        if times == 0:
            return self
        factor = 2**times
        counts = {name: value * factor for name, value in vars(self).items() if isinstance(value, int)}
        counts["rate_rounds"], counts["doublings"] = self.rate_rounds + times, self.doublings + times
        for fixed in ("rate_replicates", "simplifications", "tight", "groups"):
            counts[fixed] = getattr(self, fixed)
        return replace(self, name=f"{self.name}x{factor}", **counts)

    def bare(self) -> "Effort":
        """The same search without what a verdict says beside its status: proofs, looseness, simple counterexamples."""
        return replace(self, name=f"{self.name}, bare", boxes=0, simplifications=0, tight=0, minimum_trials=0)


QUICK = Effort(
    name="quick",
    hard=128,
    random=1024,
    starts=8,
    steps=80,
    population=24,
    generations=25,
    laws=48,
    law_generations=2,
    minimum_trials=1_000,
    maximum_trials=30_000,
    megabytes=3_000,
    replicates=6,
    rate_replicates=122,
    rate_rounds=5,
    boxes=250,
)
STANDARD = Effort(
    name="standard",
    hard=1024,
    random=8192,
    starts=24,
    steps=200,
    population=64,
    generations=100,
    laws=192,
    law_generations=8,
    minimum_trials=20_000,
    maximum_trials=300_000,
    megabytes=20_000,
    replicates=32,
    rate_replicates=211,
    rate_rounds=5,
    boxes=2_000,
)
EFFORTS = {effort.name: effort for effort in (QUICK, STANDARD)}
GLANCE = replace(
    QUICK.bare(),
    name="glance",
    hard=32,
    random=256,
    starts=4,
    steps=20,
    population=8,
    generations=4,
    laws=12,
    law_generations=1,
    replicates=2,
    rate_rounds=1,
    groups=1,
)
"""What comes first in a run of many claims: a shorter search than the quick one, where the grid of a claim begins."""


@dataclass(frozen=True)
class Settings:
    """What one run fixes for every claim."""

    seed: int = 0
    effort: Effort = STANDARD
    alpha: float = ALPHA
    family: int = 1  # m: how many claims are registered, whatever a pattern selects
    device: str = "cpu"

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise UsageError(f"--seed {self.seed} must be a non-negative integer or 'fresh'.")
        if not 0.0 < self.alpha < 1.0:
            raise UsageError(f"alpha = {self.alpha} must lie in (0, 1).")
