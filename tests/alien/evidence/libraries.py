"""Evidence for `libraries`: `python tests/alien/evidence/libraries.py`, by the checks of `programs.py`.

The probability of the t-test is a share among four million samples.
"""

import math

from programs import main
from scipy import integrate, stats


def wilson():
    """P(Wilson's interval misses 0.0178), by the score test itself: |k - n p| > z sqrt(n p (1 - p))."""
    p, z = 0.0178, stats.norm.ppf(0.975)
    missed = (k for k in range(11) if abs(k - 10 * p) > z * math.sqrt(10 * p * (1 - p)))
    return sum(math.comb(10, k) * p**k * (1 - p) ** (10 - k) for k in missed)


def gumbel():
    """The mean of a Gumbel variable at log 3, held in [-6, 8], less log 3 + 1/2: the integral of its tails."""
    middle = math.log(3.0)

    def below(t):
        return math.exp(-math.exp(-(t - middle)))

    above = integrate.quad(lambda t: 1.0 - below(t), 0.0, 8.0, epsabs=1e-13)[0]
    return above - integrate.quad(below, -6.0, 0.0, epsabs=1e-13)[0] - middle - 0.5


EXACT = {"subtle-wilson": wilson(), "plain-t-test": 0.1414, "plain-gumbel": gumbel()}

if __name__ == "__main__":
    main("libraries", EXACT)
