"""The falsehood zoo: every planted false claim, with its size and what theory says about it."""

from harness.zoo.entries import Falsehood
from harness.zoo.falsehoods_expectation import EXPECTATION
from harness.zoo.falsehoods_identities import IDENTITIES
from harness.zoo.falsehoods_needles import NEEDLES
from harness.zoo.falsehoods_probability import PROBABILITY
from harness.zoo.falsehoods_rates import RATES
from harness.zoo.inequalities import INEQUALITIES

FACTORS = (2.0, 1.25, 1.1, 1.001)
FALSEHOODS: tuple[Falsehood, ...] = (
    *(inequality.falsehood(factor) for factor in FACTORS for inequality in INEQUALITIES),
    *PROBABILITY,
    *EXPECTATION,
    *IDENTITIES,
    *RATES,
    *NEEDLES,
)
