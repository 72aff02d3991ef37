"""One block of trials of a claim, as a run draws and evaluates it."""

import numpy as np

from harness.claims.uarff import approximation
from harness.language.evaluation import evaluate
from harness.language.quantifiers import Draw
from harness.language.registry import Claim, registered

from .floors import one_thread, ratio


class ClaimBlock:
    """1,021 replicates of Lemma 27; the floor is the multinomial draw alone, which nothing can avoid."""

    timeout = 300
    replicates = 1021

    def setup(self) -> None:
        one_thread()
        self.claim: Claim = next(
            claim for claim in registered(approximation.__name__) if claim.key == "uarff/lem-27[corrected]"
        )
        self.cell = self.claim.cells[0]
        self.cells = self.cell["cells"]

    def block(self) -> None:
        evaluate(self.claim, self.cell, {}, Draw(self.replicates, ("benchmark",)), self.replicates)

    def draws(self) -> None:
        probabilities = np.full(self.cells, 1 / self.cells)
        np.random.Generator(np.random.Philox(0)).multinomial(734_000, probabilities, size=self.replicates)

    def time_block(self) -> None:
        self.block()

    def track_block_over_draws(self) -> float:
        return ratio(self.block, self.draws, rounds=3)

    track_block_over_draws.unit = "times the floor"
