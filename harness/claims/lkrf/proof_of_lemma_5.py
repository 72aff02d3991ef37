"""Steps in the proofs of Lemmas 5 and 7: the tail of S_N(eta), the cover of an interval, the recursion below (19)."""

import math

import torch

from algos.divergence_ball.exact import divergence_ball_dual
from bounds.divergence_ball.sampling import c_rho_order, dual_threshold_bound
from harness import Forall, always, claim, grid, identity
from harness.claims.lkrf.beds import at_worst_level
from harness.claims.lkrf.multinomial_laws import all_counts


@claim(
    "lkrf/lem-5-tail",
    always(),
    over=grid(k=[2], N=[1], atoms=[3], rho=[1.0]) + grid(k=[4], N=[3], atoms=[2], rho=[10.0]),
    cite="lkrf, proof of Lemma 5: the tail of S_N(eta)",
    sizes="k = 2 and 4; N = 1 and 3; distributions on two and three points of [-1, 1]; rho = 1 and 10; |eta| <= 5",
    unnoticed="C_rho,k is more than twice the Lipschitz constant times the range of Z: .37 of it is reached",
)
def dual_objective_of_a_sample_concentrates(forall: Forall, *, k: int, N: int, atoms: int, rho: float):
    """P(|S_N(eta) - E S_N(eta)| >= d) <= 2 exp(-N d^2/(2 C_rho,k^2 M^2)) for every fixed eta and every d >= 0.

    By enumeration of all samples, M = 1; compared at the level where deviation and bound come closest.
    """
    law, places = forall.simplex("law", atoms), forall.interval("Z", -1.0, 1.0, atoms)
    eta = forall.interval("eta", -5.0, 5.0)
    counts, chances = all_counts(law, N)
    values = divergence_ball_dual(places.unsqueeze(-2), eta.unsqueeze(-1), rho, order=k, base=counts / N)
    deviation = (values - (chances * values).sum(-1, keepdim=True)).abs()
    constant = c_rho_order(torch.tensor(rho, dtype=torch.float64), order=k).item()

    def bound(delta: float) -> float:
        return float(constant * math.sqrt(2 * math.log(2 / delta) / N))

    return at_worst_level(deviation, chances, bound, numerator=2)


@claim(
    "lkrf/lem-5-cover",
    always(),
    over=grid(k=[2, 10]),
    cite="lkrf, proof of Lemma 5: the cover of U",
    sizes="k = 2 and 10; rho from 1e-3 to 1e3, epsilon up to the length of U",
)
def cover_of_an_interval(forall: Forall, *, k: int):
    """An interval of length M (1 + c_rho,k) has an epsilon-cover of at most M (1 + c_rho,k)/epsilon points.

    As long as epsilon is at most that length, as epsilon = M (1 + c_rho,k)/N is. Left: the fewest, one for each 2
    epsilon; M = 1.
    """
    rho = 10 ** forall.interval("log10 rho", -3.0, 3.0)
    length = 1 + dual_threshold_bound(rho, order=k)
    epsilon = length / 10 ** forall.interval("log10 of length/epsilon", 0.0, 4.0)
    return torch.ceil(length / (2 * epsilon) - 1e-9), length / epsilon


@claim(
    "lkrf/eq-19",
    always(),
    over=grid(p=[1.5], n=[2], atoms=[3]) + grid(p=[5.0], n=[10], atoms=[2]),
    cite="lkrf, equation (19)",
    sizes="p = 1.5 and 5; n = 2 and 10; distributions on two and three points of [0, 1]",
)
def power_mean_by_cauchy_schwarz(forall: Forall, *, p: float, n: int, atoms: int):
    """||Z||_p - Y <= ((p-1)/(p sqrt n)) sd(Z^p/E Z^p) (E (S - ||Z||_p)^2)^(1/2), Y = E S, S = (mean Z_i^p)^(1/p).

    The display before (19); with E (S^2 + ||Z||_p^2) for the last mean, which is at least as large, it is (19). The
    closer of the two is judged, by enumeration.
    """
    law = forall.simplex("law", atoms)
    powers = forall.interval("Z", 0.0, 1.0, atoms) ** p
    mean = (law * powers).sum(-1)
    forall.assume(mean > 1e-6)
    norm = mean ** (1 / p)
    counts, chances = all_counts(law, n)
    means = (powers.unsqueeze(-2) * counts / n).sum(-1) ** (1 / p)
    spread = ((law * powers**2).sum(-1) - mean**2).clamp(min=0).sqrt() / mean
    distance = (chances * (means - norm.unsqueeze(-1)) ** 2).sum(-1).clamp(min=0).sqrt()
    return norm - (chances * means).sum(-1), (p - 1) / (p * n**0.5) * spread * distance


@claim(
    "lkrf/eq-19-recursion",
    identity(),
    over=grid(i=[0, 3]),
    cite="lkrf, below (19): the recursion t_i",
    sizes="i = 0 and 3; A up to 10, B up to 3",
)
def recursion_of_the_exponents(forall: Forall, *, i: int):
    """Y >= A - 2 A B^(a_i) put into C <= 2 A^2 - 2 A Y, and that into Y >= A - B sqrt C, is t_(i+1), a_i = 2 - 2^(-i).

    As equalities; A is the unit in which all are measured. In the limit the exponent is 2: lkrf/lem-7-2.
    """
    a, b = forall.interval("A", 0.0, 10.0), forall.interval("B", 0.0, 3.0)
    y = a - 2 * a * b ** (2 - 0.5**i)
    c = 2 * a**2 - 2 * a * y
    after = a - b * torch.where(c > 0, c.clamp(min=1e-300).sqrt(), 0.0)
    return after + 100, a - 2 * a * b ** (2 - 0.5 ** (i + 1)) + 100
