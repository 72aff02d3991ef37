"""Tables 1 to 9 and the decay of spectra: verdicts, the exponents behind them, and that every cell can fail."""

from dataclasses import replace
from fractions import Fraction

import pytest
import torch

from harness.claims.uarff import decay, table_rows, tables
from harness.language.quantifiers import Forall, from_values
from harness.language.registry import registered
from harness.verdict import Status
from tests.helpers import as_tuples, bare_check

CLAIMS = {claim.key: claim for module in (decay, tables) for claim in registered(module.__name__)}
ALL_ROWS = {
    "tab-1": table_rows.worst_case,
    "tab-2": table_rows.refined,
    "tab-6": table_rows.lipschitz,
    "tab-7": table_rows.refined_lipschitz,
}
HALF, EIGHTH = Fraction(1, 2), Fraction(1, 8)


@pytest.mark.in_turn
@pytest.mark.parametrize("key", CLAIMS)
def test_verdicts(key: str) -> None:
    claim = CLAIMS[key]
    verdict = bare_check(claim, seed=7, family=30)
    assert verdict.status is Status.REFUTED if claim.expected == "refuted" else verdict.status.favourable, verdict


def test_only_cells_smaller_than_the_theorems_give_are_refuted() -> None:
    """Table 1's cell is conservative; the polynomial decay of d_K holds for the eigenvalues of K. No accusations."""
    refuted = {key for key, claim in CLAIMS.items() if claim.expected == "refuted"}
    cells = {f"uarff/tab-{name}[printed]" for name in ("4", "7", "9")}
    decays = {f"uarff/dK-decay{name}" for name in ("[inferred]", "-geometric[printed]", "-refined[printed]")}
    assert refuted == cells | decays | {"uarff/tab-9-comparison[inferred]"}
    assert {f"uarff/tab-{i}" for i in range(1, 10)} <= {claim.id for claim in CLAIMS.values()}


def wrong(row: table_rows.Printed) -> list[table_rows.Printed]:
    """The row with too small a power of n, of log n where there is one, and too fast a rate."""
    features, rate = row.features, row.rate
    found = [
        replace(row, features=(features[0] - EIGHTH, *features[1:])),
        replace(row, rate=(rate[0] - EIGHTH, *rate[1:])),
    ]
    if row.derived_features("log n") == features[1] != 0 and row.derived_features("n") == features[0]:
        found.append(replace(row, features=(features[0], features[1] - 1, features[2])))
    return found


def fails(rows: list[table_rows.Printed]) -> bool:
    return any(ours > printed + 0.01 for _, ours, _, printed in as_tuples(table_rows.judged(rows)))


@pytest.mark.parametrize("name", ALL_ROWS)
def test_every_cell_can_fail(name: str) -> None:
    rows = ALL_ROWS[name](1.5)
    assert not fails(rows)
    for row in rows:
        assert all(fails([variant]) for variant in wrong(row)), row


@pytest.mark.parametrize("t", [1.25, 3.0])
def test_fits_confirm_the_derivation(t: float) -> None:
    """The slopes of the numbers agree with the exact exponents in both directions, for every row of every table."""
    for rows in (make(t) for make in ALL_ROWS.values()):
        lines = [line for line in as_tuples(table_rows.judged(rows)) if "power of n" in line[0]]
        fitted = [line[1] for line in lines if line[0].endswith("fitted")]
        derived = [line[1] for line in lines if not line[0].endswith("fitted")]
        assert fitted == pytest.approx(derived, abs=0.01)


def test_rows_by_hand() -> None:
    """The derivation of the four cells in dispute, at t = 2: n^1/8, n^1/2, n^1/2, n^1/2."""
    (worst,) = [
        row for row in table_rows.worst_case(2.0) if row.spectrum == "polynomial" and row.sampling == "leverage"
    ]
    assert (worst.derived_features("n"), worst.derived_features("log n")) == (EIGHTH, 1)
    plain = table_rows.only(table_rows.refined(2.0), "plain")[-1]
    assert (plain.derived_features("n"), plain.derived_rate("n")) == (HALF, -HALF)
    weighted = table_rows.only(table_rows.refined_lipschitz(2.0), "leverage")[-1]
    assert (weighted.derived_features("n"), weighted.at(100.0)) == (HALF, 0.01)
    geometric = table_rows.refined_lipschitz(2.0)[1]
    assert (geometric.derived_rate("n"), geometric.derived_rate("log n")) == (-1, 1)


def test_printed_decay_fails_for_the_eigenvalues_of_the_normalised_matrix() -> None:
    """So the two readings differ: at n = 300 and lambda = 1e-4 the dimension is 124, beyond the 100 of print."""
    values = from_values({"log of R_0 / lambda": torch.tensor([9.210340371976184], dtype=torch.float64)})
    dimension, printed = decay.polynomial_decay_of_the_kernel_matrix(Forall(values), t=1.0, n=300)
    normalised, corrected = decay.polynomial_decay(Forall(values), t=1.0, n=300)
    assert dimension < printed == pytest.approx(100.0)
    assert normalised.item() == pytest.approx(124.4, abs=0.1)
    assert printed < normalised < corrected == pytest.approx(157.08, abs=0.01)
