"""Both zoos in full: the sample that `tightrope check --self-test` judges, and all the others."""

from harness.selftest.entries import Falsehood, Truth
from harness.selftest.falsehoods import FACTORS as SAMPLED_FACTORS
from harness.selftest.falsehoods import FALSEHOODS as SAMPLED_FALSEHOODS
from harness.selftest.truths import INEQUALITIES as SAMPLED_INEQUALITIES
from harness.selftest.truths import TRUTHS as SAMPLED_TRUTHS
from tests.statistical.zoo import identities, inequalities, means, needles, rates, tails, truths

FACTORS = (2.0, 1.25, 1.1, 1.001)
OTHER_FACTORS = [factor for factor in FACTORS if factor not in SAMPLED_FACTORS]
INEQUALITIES = [*SAMPLED_INEQUALITIES, *inequalities.INEQUALITIES]
FALSEHOODS: tuple[Falsehood, ...] = (
    *SAMPLED_FALSEHOODS,
    *(tight.falsehood(factor) for factor in OTHER_FACTORS for tight in SAMPLED_INEQUALITIES),
    *(tight.falsehood(factor) for factor in FACTORS for tight in inequalities.INEQUALITIES),
    *tails.TAILS,
    *means.MEANS,
    *identities.IDENTITIES,
    *rates.RATES,
    *needles.NEEDLES,
)
TRUTHS: tuple[Truth, ...] = (
    *SAMPLED_TRUTHS,
    *(tight.truth() for tight in inequalities.INEQUALITIES),
    *truths.INEQUALITIES,
    *truths.TAILS,
    *truths.MEANS,
    *truths.RATES,
)
