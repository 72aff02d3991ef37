"""Both zoos in full: the sample that `tightrope check --self-test` judges, and all the others."""

from harness.selftest import falsehoods, truths
from harness.selftest.entries import Falsehood, Truth
from tests.statistical.zoo import identities, inequalities, means, needles, rates, tails
from tests.statistical.zoo import truths as more_truths

INEQUALITIES = [*truths.INEQUALITIES, *inequalities.INEQUALITIES]
FACTORS = (2.0, 1.25, 1.1, 1.001)
FALSEHOODS: tuple[Falsehood, ...] = (
    *falsehoods.FALSEHOODS,
    *(tight.falsehood(factor) for factor in FACTORS for tight in inequalities.INEQUALITIES),
    *(
        tight.falsehood(factor)
        for factor in FACTORS
        if factor not in falsehoods.FACTORS
        for tight in truths.INEQUALITIES
    ),
    *tails.TAILS,
    *means.MEANS,
    *identities.IDENTITIES,
    *rates.RATES,
    *needles.NEEDLES,
)
TRUTHS: tuple[Truth, ...] = (
    *truths.TRUTHS,
    *(tight.truth() for tight in inequalities.INEQUALITIES),
    *more_truths.INEQUALITIES,
    *more_truths.TAILS,
    *more_truths.MEANS,
    *more_truths.RATES,
)
