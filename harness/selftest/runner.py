"""The self-test: every detectable false claim must be refuted, and no true one more often than promised."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from harness.report.terminal import Terminal
from harness.run.api import check
from harness.selftest.entries import Falsehood, Truth
from harness.selftest.falsehoods import FALSEHOODS
from harness.selftest.theory import FAMILY, allowed
from harness.selftest.truths import TRUTHS
from harness.settings import ALPHA, EFFORTS
from harness.verdict import Status

SEEDS = 5  # of each truth; the nightly tests run 400
PASSED, FAILED = 0, 1
REST = "a sample of every kind; the tests of the repository judge all of both zoos (tests/statistical/zoo)"


@dataclass
class SelfTest:
    """What the zoos showed, as plain counts and the names behind them."""

    seed: int
    effort: str
    detected: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)  # theory promised a refutation
    beyond_theory: list[str] = field(default_factory=list)  # refuted although theory promised nothing
    undetectable: list[str] = field(default_factory=list)  # not refuted, as theory says it may be
    truth_runs: int = 0
    deterministic_refuted: list[str] = field(default_factory=list)
    random_runs: int = 0
    random_refuted: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def random_allowed(self) -> int:
        """False verdicts on random truths that an error probability of alpha per run explains."""
        return allowed(self.random_runs, ALPHA) if self.random_runs else 0

    @property
    def passed(self) -> bool:
        """Nothing missed, nothing broken, no truth refuted more often than promised."""
        clean = not (self.missed or self.deterministic_refuted or self.broken)
        return clean and len(self.random_refuted) <= self.random_allowed

    def lines(self) -> list[str]:
        """The result as a few lines of text."""
        hidden = len(self.undetectable) + len(self.beyond_theory)
        detectable = len(self.detected) + len(self.missed)
        lines = [
            f"falsehoods ({self.effort} effort, seed {self.seed}): {len(self.detected)} of {detectable} detectable "
            f"ones refuted, {len(self.missed)} missed",
            f"undetectable by theory at this budget: {hidden}, of which {len(self.beyond_theory)} refuted all the same",
            f"truths without slack: {self.truth_runs} runs; refuted: {len(self.deterministic_refuted)} deterministic "
            f"(allowed 0), {len(self.random_refuted)} random (allowed {self.random_allowed} of {self.random_runs})",
        ]
        for title, names in (
            ("missed", self.missed),
            ("falsely refuted", self.deterministic_refuted + self.random_refuted),
            ("broken", self.broken),
        ):
            lines += [f"{title}: {name}" for name in names]
        return [*lines, f"self-test {'passed' if self.passed else 'FAILED'} in {self.seconds:.0f} s"]


def self_test(
    seed: int = 0,
    effort: str = "standard",
    *,
    falsehoods: Sequence[Falsehood] = FALSEHOODS,
    truths: Sequence[Truth] = TRUTHS,
    truth_seeds: int = SEEDS,
    tell: Callable[[str], None] = lambda name: None,  # noqa: ARG005
) -> SelfTest:
    """Judge both samples: falsehoods once at `effort`, truths at the quick effort under `truth_seeds` seeds each.

    Falsehoods are judged as one run of FAMILY claims; each truth as a run of its own, so that its error probability is
    the whole alpha, the hardest reading of the promise. `tell` hears the name of each claim before it is judged.
    """
    start = time.perf_counter()
    result = SelfTest(seed, effort)
    for entry in falsehoods:
        tell(entry.claim.id)
        _judge_falsehood(entry, result)
    for truth in truths:
        tell(truth.claim.id)
        for number in range(truth_seeds):
            _judge_truth(truth, seed + number, result)
    result.seconds = time.perf_counter() - start
    return result


def _judge_falsehood(entry: Falsehood, result: SelfTest) -> None:
    verdict = check(entry.claim, seed=result.seed, effort=result.effort, family=FAMILY)
    if verdict.status is Status.ERROR:
        result.broken.append(f"{entry.claim.id}: {verdict.reason}")
        return
    refuted = verdict.status is Status.REFUTED
    promised = entry.prospect(EFFORTS[result.effort]).detectable
    if promised:
        (result.detected if refuted else result.missed).append(f"{entry.claim.id} ({entry.size})")
    else:
        (result.beyond_theory if refuted else result.undetectable).append(entry.claim.id)


def _judge_truth(truth: Truth, seed: int, result: SelfTest) -> None:
    verdict = check(truth.claim, seed=seed, effort="quick")
    result.truth_runs += 1
    result.random_runs += not truth.deterministic
    if verdict.status is Status.ERROR:
        result.broken.append(f"{truth.claim.id}: {verdict.reason}")
    elif verdict.status is Status.REFUTED:
        refuted = result.deterministic_refuted if truth.deterministic else result.random_refuted
        refuted.append(f"{truth.claim.id}, seed {seed}")


def run_self_test(console: Terminal, seed: int = 0) -> int:
    """Run the self-test, print its lines and where the rest is judged, and return the exit code: 0 passed, 1 failed."""
    with console.status("self-test") as status:
        result = self_test(seed, tell=lambda name: status.update(f"self-test: {name}"))
    for line in (*result.lines(), REST):
        console.print(line, soft_wrap=True)
    return PASSED if result.passed else FAILED
