"""One module for each kind of statement: its rules, its judge, its wording and its plot.

| kind | statement | what decides |
|---|---|---|
| `identity` | lhs = rhs for all inputs | relative error over random, adversarial and degenerate inputs |
| `always` | lhs <= rhs for all inputs | one replayed counterexample refutes |
| `high_probability` | for all inputs, P(lhs <= rhs) >= 1 - delta | Bernoulli e-processes both ways |
| `expectation` | for all inputs, E lhs <= E rhs | betting e-processes both ways |
| `tail` | for all inputs, P(event) <= p, where p may depend on the inputs | betting e-processes both ways |
| `rate` | E lhs decays at least as fast as n^exponent | slope interval of a fit with a correction term |
| `up_to_constant` | there is a C with lhs <= C rhs for every n | whether a bounded curve describes the largest ratios |
| `reproduction` | a table or figure of a paper | our number beside the paper's |
| `untestable` | cannot be evaluated | SKIPPED with the reason |
| `broken` | a claim of a file that cannot be made | ERROR with the reason |
"""

from harness.kinds.comparison import Always, Identity, always, identity
from harness.kinds.constant import UpToConstant, up_to_constant
from harness.kinds.decay import Rate, rate
from harness.kinds.mean import Expectation, expectation
from harness.kinds.probability import HighProbability, high_probability
from harness.kinds.table import Reproduction, reproduction
from harness.kinds.tail import Tail, tail
from harness.kinds.unjudged import Broken, Untestable, untestable
from harness.language.kind import Kind

__all__ = [
    "Always",
    "Broken",
    "Expectation",
    "HighProbability",
    "Identity",
    "Kind",
    "Rate",
    "Reproduction",
    "Tail",
    "Untestable",
    "UpToConstant",
    "always",
    "expectation",
    "high_probability",
    "identity",
    "rate",
    "reproduction",
    "tail",
    "untestable",
    "up_to_constant",
]
