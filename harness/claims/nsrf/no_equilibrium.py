"""Section 3.2 without a bandwidth: a game on the line that has a value and no equilibrium, by exact arithmetic."""

import itertools

from harness import always, claim, grid
from harness.claims.nsrf import defects


@claim(
    "nsrf/equilibrium",
    always(),
    over=grid(modulus=[2, 8]),
    reading="printed",
    expected="refuted",
    cite="nsrf, Section 3.2: there exists a Nash equilibrium, on Omega = R^d without a bandwidth",
    quote=(
        "Finally, since the objective is linear in lambda and concave in alpha, there exists a Nash equilibrium "
        "(lambda*, alpha*) for this game, from which lambda* gives the margin-maximizing kernel."
    ),
    defect=defects.EQUILIBRIUM,
)
def equilibrium_as_printed(*, modulus: int):
    """Some odd p, q make p (sqrt 2 - 1) = q (sqrt 3 - 1), as an equilibrium at 1, sqrt 2, sqrt 3 needs; modulo 2^k.

    Labels + - -, C = 1, any symmetric probability measure on R as lambda. The weights a = (1/2, 1/4, 1/4) are in K,
    with 1.a = 1 and v_a <= 1, so F(a, lambda) = 1 - (integral of v_a)/2 >= 1/2. The three points are linearly
    independent over the rationals, so by Kronecker's theorem some w bring exp(i w x_i) as near as wanted to y_i, and F
    of their pairs to 1.a - (1.a)^2/2 <= 1/2, uniformly on K: inf over lambda of max over a of F is 1/2. In an
    equilibrium max over a of F(., lambda*) is at most this, so F(a, lambda*) = 1/2, and v_a = 1 lambda*-almost
    everywhere. Let w be such a frequency: |exp(i w)/2 - exp(i w sqrt 2)/4 - exp(i w sqrt 3)/4| = 1, so all three terms
    have one phase, and w (sqrt 2 - 1) = q pi, w (sqrt 3 - 1) = p pi with odd p and q: p (sqrt 2 - 1) = q (sqrt 3 - 1),
    or, with r = p - q, r + q sqrt 3 - p sqrt 2 = 0. Then the product of its four conjugates, the integer
    (r^2 + 3 q^2 - 2 p^2)^2 - 12 q^2 r^2, is 0. But it is odd: r is even, 3 q^2 - 2 p^2 odd.

    Compared are 1, the least number of pairs of odd residues modulo 2 or 8 that such p and q would leave, and the
    number of those for which the integer is 0 modulo 2 or 8. There is no maximal pair +-w for these weights either, nor
    a margin-maximizing kernel. With a compact set of frequencies the sentence is true: nsrf/equilibrium[corrected].
    """
    odd = range(1, modulus, 2)
    return 1, sum(norm(p, q) % modulus == 0 for p, q in itertools.product(odd, odd))


def norm(p: int, q: int) -> int:
    """The product of r +- q sqrt 3 +- p sqrt 2, r = p - q, over the four choices of signs."""
    r = p - q
    return (r**2 + 3 * q**2 - 2 * p**2) ** 2 - 12 * q**2 * r**2
