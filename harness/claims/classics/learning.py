"""Finite classes, shattering, Rademacher averages, margins, PAC-Bayes, compression, stability, surrogate losses."""

import math

import torch

from harness import always, claim, every, expectation, grid, high_probability

GAUSSIAN = "Hoeffding's inequality against Gaussian tails, and a union over hypotheses"


@claim(
    "classics/consistent-learner",
    high_probability("delta"),
    cite="Shalev-Shwartz and Ben-David 2014, Corollary 2.3",
    restricts="independent hypotheses of one risk, up to twice the bound",
    sharp=0.8,
    over=grid(k=[8], n=[100], delta=[0.05]),
)
def consistent_learner(forall, draw, *, k, n, delta):
    """A hypothesis without an error on n examples has an error of at most log(k / delta) / n, for all of k at once."""
    bound = math.log(k / delta) / n
    risk = bound * forall.interval("share", 0.0, 2.0)
    consistent = (draw.bernoulli("errors", risk, k, n) == 0.0).all(-1).any(-1)
    return torch.where(consistent, risk, 0.0), bound


@claim(
    "classics/finite-class",
    high_probability("delta"),
    cite="Shalev-Shwartz and Ben-David 2014, Corollary 4.6; Mohri et al. 2018, Theorem 2.13",
    restricts="independent hypotheses, close to the worst ones",
    trivial=1.0,
    sharp=GAUSSIAN,
    over=grid(k=[8], n=[50], delta=[0.05]),
)
def finite_class(forall, draw, *, k, n, delta):
    """|risk - empirical risk| <= sqrt(log(2 k / delta) / (2 n)) for all of k hypotheses."""
    risk = forall.interval("risk", 0.0, 1.0, k)
    gap = risk - draw.bernoulli("errors", risk, k, n).mean(-1)
    return gap.abs().amax(-1), math.sqrt(math.log(2.0 * k / delta) / (2.0 * n))


@claim("classics/pajor", always(), cite="Pajor 1985; Sauer 1972 and Shelah 1972 follow", sharp=0.8)
def pajor(forall):
    """A family of sets has at most as many members as it shatters sets: here subsets of three points."""
    member = forall.integers("member", 0, 1, 8)
    shattered = torch.zeros_like(member[:, 0])
    for s in range(8):
        traces = [[a for a in range(8) if a & s == t] for t in range(8) if t & s == t]
        shattered = shattered + torch.stack([member[:, sets].amax(-1) for sets in traces]).amin(0)
    return member.sum(-1), shattered


@claim(
    "classics/vapnik-chervonenkis",
    high_probability("delta"),
    cite="Vapnik and Chervonenkis 1971; Devroye, Gyorfi, Lugosi 1996, Theorem 12.5",
    restricts="intervals on the line and the uniform law",
    trivial=1.0,
    unnoticed="symmetrisation and the union bound cost a factor of about ten",
    sharp="symmetrisation and the union bound cost a factor of about ten",
    over=grid(n=[600], delta=[0.05]),
)
def vapnik_chervonenkis(draw, *, n, delta):
    """sup |P_n(A) - P(A)| <= sqrt(32 log(8 s(n) / delta) / n), s(n) the number of subsets cut out by intervals."""
    x = draw.uniform("x", n).sort(-1).values
    rank = torch.arange(n + 1, device=x.device) / n
    supremum = (rank[1:] - x).amax(-1) + (x - rank[:-1]).amax(-1)
    return supremum, math.sqrt(32.0 * math.log(8.0 * (n * (n + 1) / 2 + 1) / delta) / n)


@claim(
    "classics/symmetrisation",
    always(),
    cite="Gine and Zinn 1984; Koltchinskii 2011, Theorem 2.1",
    sharp="the factor 2 is reached in the limit of rare, large values, and for classes that are large",
    over=grid(k=[3], n=[3]),
)
def symmetrisation(forall, *, k, n):
    """E sup_f (P f - P_n f) <= 2 E sup_f (1/n) sum e_i f(x_i)."""
    p, f = forall.simplex("p", 3), forall.interval("f", 0.0, 1.0, k, 3)
    x, signs = every.vectors(3, n, like=p).long(), every.signs(n, like=p)
    weights, values = p[:, x].prod(-1), f[:, :, x]
    gap = (f * p[:, None, :]).sum(-1, keepdim=True) - values.mean(-1)
    average = (values @ signs.mT / n).amax(1).mean(-1)
    return (weights * gap.amax(1)).sum(-1), 2.0 * (weights * average).sum(-1)


@claim(
    "classics/rademacher-risk",
    high_probability("delta"),
    cite="Bartlett and Mendelson 2002, Theorem 8; Mohri et al. 2018, Theorem 3.3",
    restricts="three functions of a variable with three values; ten examples, for which the bound exceeds one",
    sharp=GAUSSIAN,
    over=grid(k=[3], n=[10], delta=[0.5]),
)
def rademacher_risk(forall, draw, *, k, n, delta):
    """P f <= P_n f + 2 R_n + 3 sqrt(log(2/delta) / (2 n)) for all f with values in [0, 1]."""
    p, f = forall.simplex("p", 3), forall.interval("f", 0.0, 1.0, k, 3)
    x = draw.categorical("x", p, n).long()
    values = f[0][:, x].movedim(0, 1)
    complexity = (values @ every.signs(n, like=f).mT / n).amax(1).mean(-1)
    gap = ((f * p[:, None, :]).sum(-1) - values.mean(-1)).amax(-1)
    return gap, 2.0 * complexity + 3.0 * math.sqrt(math.log(2.0 / delta) / (2.0 * n))


@claim(
    "classics/massart-finite-class", always(), cite="Massart 2000, Lemma 5.2", sharp=0.8, over=grid(n=[1, 4], k=[2, 4])
)
def massart_finite_class(forall, *, n, k):
    """E max_j <e, a_j> <= max_j |a_j| sqrt(2 log k) for random signs e and k vectors."""
    a = forall.ball("a", k, n)
    return (every.signs(n, like=a) @ a.mT).amax(-1).mean(-1), a.norm(dim=-1).amax(-1) * math.sqrt(2.0 * math.log(k))


@claim("classics/contraction", always(), cite="Ledoux and Talagrand 1991, Theorem 4.12; Meir and Zhang 2003", sharp=0.8)
def contraction(forall):
    """E sup_t sum e_i f_i(t_i) <= E sup_t sum e_i t_i for 1-Lipschitz f_i, t in a set of three points."""
    t = forall.interval("t", -1.0, 1.0, 3, 2)
    f = torch.stack([forall.lipschitz(f"f{i}", t[:, :, i]) for i in range(2)], -1)
    left, right = ((values @ every.signs(2, like=t).mT).amax(1).mean(-1) for values in (f, t))
    return left, right


@claim("classics/contraction-absolute", always(), cite="Ledoux and Talagrand 1991, Theorem 4.12", sharp=0.8)
def contraction_absolute(forall):
    """E sup_t |sum e_i f_i(t_i)| <= 2 E sup_t |sum e_i t_i| for 1-Lipschitz f_i with f_i(0) = 0."""
    t = forall.interval("t", -1.0, 1.0, 2, 2)
    points = torch.cat([t, torch.zeros_like(t[:, :1])], 1)
    f = torch.stack([forall.lipschitz(f"f{i}", points[:, :, i]) for i in range(2)], -1)
    signs = every.signs(2, like=t)
    left, right = ((s @ signs.mT).abs().amax(1).mean(-1) for s in (f[:, :2] - f[:, 2:], t))
    return left, 2.0 * right


@claim("classics/linear-class", always(), cite="Mohri et al. 2018, Theorem 5.10", sharp=0.8, over=grid(n=[2, 4]))
def linear_class(forall, *, n):
    """E |sum e_i x_i| <= sqrt(sum |x_i|^2): the Rademacher average of linear functions of norm one."""
    x = forall.ball("x", n, 2)
    return (every.signs(n, like=x) @ x).norm(dim=-1).mean(-1), x.square().sum((-1, -2)).sqrt()


@claim("classics/kahane-khinchin", always(), cite="Latala and Oleszkiewicz 1994", sharp=0.8, over=grid(n=[2, 4]))
def kahane_khinchin(forall, *, n):
    """sqrt(sum |x_i|^2) <= sqrt(2) E |sum e_i x_i|: the Rademacher average of linear functions from below."""
    x = forall.ball("x", n, 2)
    return x.square().sum((-1, -2)).sqrt(), math.sqrt(2.0) * (every.signs(n, like=x) @ x).norm(dim=-1).mean(-1)


@claim(
    "classics/margin",
    high_probability("delta"),
    cite="Koltchinskii and Panchenko 2002; Mohri et al. 2018, Corollary 5.11",
    restricts="laws with four atoms in the plane",
    trivial=1.0,
    sharp="symmetrisation, contraction and the ramp each lose a factor",
    over=grid(n=[100], delta=[0.05], rho=[0.5]),
)
def margin(forall, draw, within, *, n, delta, rho):
    """P(y <w, x> <= 0) <= mean ramp loss + 2 / (rho sqrt(n)) + sqrt(log(1/delta) / (2 n)) for all |w| <= 1."""
    points, p = forall.ball("yx", 4, 2), forall.simplex("p", 4)
    counts = draw.multinomial("counts", n, p)
    scores = (points @ within.ball("w", 2)[:, :, None]).squeeze(-1)
    ramp = (counts * (1.0 - scores / rho).clamp(0.0, 1.0)).sum(-1) / n
    return (p * (scores <= 0.0)).sum(-1) - ramp, 2.0 / (rho * math.sqrt(n)) + math.sqrt(-math.log(delta) / (2 * n))


@claim(
    "classics/mcallester",
    high_probability("delta"),
    cite="McAllester 2003, Theorem 1, with the constant of Maurer 2004",
    restricts="independent hypotheses",
    trivial=1.0,
    sharp=GAUSSIAN,
    over=grid(k=[3], n=[50], delta=[0.05]),
)
def mcallester(forall, draw, within, *, k, n, delta):
    """Q risk <= Q empirical risk + sqrt((KL(Q, P) + log(2 sqrt(n) / delta)) / (2 n)) for all posteriors Q."""
    risk, prior = forall.interval("risk", 0.0, 1.0, k), forall.simplex("prior", k)
    gap = risk - draw.bernoulli("errors", risk, k, n).mean(-1)
    q = within.simplex("Q", k)
    divergence = (q.xlogy(q) - q.xlogy(prior)).sum(-1)
    return (q * gap).sum(-1), ((divergence + math.log(2.0 * math.sqrt(n) / delta)) / (2.0 * n)).sqrt()


@claim(
    "classics/maurer",
    high_probability("delta"),
    cite="Seeger 2002; Maurer 2004, Theorem 5",
    restricts="independent hypotheses",
    sharp="the factor 2 sqrt(n) inside the logarithm is an upper bound of a sum",
    over=grid(k=[3], n=[20], delta=[0.05]),
)
def maurer(forall, draw, within, *, k, n, delta):
    """n kl(Q empirical risk, Q risk) - KL(Q, P) <= log(2 sqrt(n) / delta) for all posteriors Q, n >= 8."""
    risk, prior = forall.interval("risk", 0.01, 0.99, k), forall.simplex("prior", k)
    found = draw.bernoulli("errors", risk, k, n).mean(-1)
    q = within.simplex("Q", k)
    a, b = (q * found).sum(-1), (q * risk).sum(-1)
    divergence = a.xlogy(a) - a.xlogy(b) + (1.0 - a).xlogy(1.0 - a) - (1.0 - a).xlogy(1.0 - b)
    return n * divergence - (q.xlogy(q) - q.xlogy(prior)).sum(-1), math.log(2.0 * math.sqrt(n) / delta)


@claim(
    "classics/catoni",
    high_probability("delta"),
    cite="Catoni 2003; Alquier 2024, Theorem 2.1",
    restricts="independent hypotheses; the supremum over posteriors in closed form",
    sharp="Markov's inequality on an exponential moment",
    over=grid(k=[3], n=[50], delta=[0.05], strength=[20.0]),
)
def catoni(forall, draw, *, k, n, delta, strength):
    """s (Q risk - Q empirical risk) - KL(Q, P) <= s^2 / (8 n) + log(1/delta) for all posteriors Q."""
    risk, prior = forall.interval("risk", 0.0, 1.0, k), forall.simplex("prior", k)
    gap = risk - draw.bernoulli("errors", risk, k, n).mean(-1)
    return (prior * (strength * gap).exp()).sum(-1).log(), strength**2 / (8.0 * n) + math.log(1.0 / delta)


@claim(
    "classics/compression",
    high_probability("delta"),
    cite="Littlestone and Warmuth 1986; Floyd and Warmuth 1995, Theorem 6",
    restricts="thresholds, compressed to one example, and the uniform law",
    trivial=1.0,
    sharp="a union bound over which example is kept",
    over=grid(n=[30], delta=[0.05]),
)
def compression(forall, draw, *, n, delta):
    """A hypothesis made of one of n examples and consistent with the others errs at most log(n / delta) / (n - 1)."""
    threshold = forall.interval("threshold", 0.0, 0.5)
    x = draw.uniform("x", n)
    smallest = torch.where(x >= threshold, x, 1.0).amin(-1)
    return smallest - threshold, math.log(n / delta) / (n - 1)


@claim(
    "classics/stability",
    expectation(range=(-3.0, 8.0)),
    cite="Bousquet and Elisseeff 2002; Shalev-Shwartz and Ben-David 2014, Corollary 13.6",
    restricts="the linear loss <w, x> with |x| <= 1, where the learner has a closed form",
    unnoticed="the bound is four times the variance of the mean for linear losses",
    sharp="stability is used twice as often as needed for linear losses",
    over=grid(n=[4], ridge=[0.5]),
)
def stability(forall, draw, *, n, ridge):
    """E (risk - empirical risk) <= 2 / (ridge n) for argmin of mean loss + ridge |w|^2, convex 1-Lipschitz losses."""
    law = forall.law("P", low=-1.0)
    mean = draw.law("x", law, n).mean(-1)
    w = -mean / (2.0 * ridge)
    return w * (law.mean - mean), 2.0 / (ridge * n)


@claim("classics/cover-hart", always(), cite="Cover and Hart 1967, (11)", sharp=0.8, over=grid(atoms=[2, 3]))
def cover_hart(forall, *, atoms):
    """E 2 c (1 - c) <= 2 R (1 - R) for R = E min(c, 1 - c): nearest neighbours err at most twice as often as Bayes."""
    law = forall.law("P", atoms=atoms)
    bayes = law.expect(lambda c: torch.minimum(c, 1.0 - c))
    return law.expect(lambda c: 2.0 * c * (1.0 - c)), 2.0 * bayes * (1.0 - bayes)


@claim("classics/plug-in", always(), cite="Devroye, Gyorfi, Lugosi 1996, Theorem 2.2", sharp=0.8)
def plug_in(forall):
    """Excess risk of the plug-in rule <= 2 E |estimate - probability|."""
    law, estimate = forall.law("P", atoms=3), forall.interval("estimate", 0.0, 1.0, 3)
    wrong = (estimate > 0.5) != (law.atoms > 0.5)
    excess = law.expect(lambda c: wrong * (2.0 * c - 1.0).abs())
    return excess, 2.0 * law.expect(lambda c: (estimate - c).abs())


@claim("classics/hinge", always(), cite="Zhang 2004; Bartlett, Jordan, McAuliffe 2006, Example 3", sharp=0.8)
def hinge(forall):
    """Excess risk of sign(f) <= excess hinge risk of f."""
    law, f = forall.law("P", atoms=3), forall.interval("f", -2.0, 2.0, 3)
    excess = law.expect(lambda c: ((f > 0.0) != (c > 0.5)) * (2.0 * c - 1.0).abs())
    loss = law.expect(lambda c: c * (1.0 - f).clamp_min(0.0) + (1.0 - c) * (1.0 + f).clamp_min(0.0))
    return excess, loss - law.expect(lambda c: 2.0 * torch.minimum(c, 1.0 - c))
