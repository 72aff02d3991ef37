"""Divergences between finite distributions, entropies, and what they say about tests and channels."""

import math

import torch

from harness import always, claim, grid, identity


@claim("classics/pinsker", always(), cite="Pinsker 1964; Csiszar 1967", sharp=0.8, over=grid(k=[2, 4]))
def pinsker(forall, *, k):
    """2 TV^2 <= KL(P, Q)."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    return (p - q).abs().sum(-1) ** 2 / 2.0, (p.xlogy(p) - p.xlogy(q)).sum(-1)


@claim("classics/bretagnolle-huber", always(), cite="Bretagnolle and Huber 1979", sharp=0.8, over=grid(k=[2, 3]))
def bretagnolle_huber(forall, *, k):
    """TV <= sqrt(1 - exp(-KL(P, Q)))."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    divergence = (p.xlogy(p) - p.xlogy(q)).sum(-1)
    return (p - q).abs().sum(-1) / 2.0, (-torch.expm1(-divergence)).clamp_min(0.0).sqrt()


@claim("classics/le-cam-lower", always(), cite="Le Cam 1973; Tsybakov 2009, Lemma 2.3", sharp=0.8, over=grid(k=[2, 3]))
def le_cam_lower(forall, *, k):
    """H^2 / 2 <= TV for H^2 = sum (sqrt(p) - sqrt(q))^2."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    return (p.sqrt() - q.sqrt()).square().sum(-1) / 2.0, (p - q).abs().sum(-1) / 2.0


@claim("classics/le-cam-upper", always(), cite="Le Cam 1973; Tsybakov 2009, Lemma 2.3", sharp=0.8, over=grid(k=[2, 3]))
def le_cam_upper(forall, *, k):
    """TV <= H sqrt(1 - H^2 / 4)."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    squared = (p.sqrt() - q.sqrt()).square().sum(-1)
    return (p - q).abs().sum(-1) / 2.0, (squared * (1.0 - squared / 4.0)).sqrt()


@claim("classics/hellinger-kl", always(), cite="Tsybakov 2009, Lemma 2.4", sharp=0.8, over=grid(k=[2, 3]))
def hellinger_kl(forall, *, k):
    """H^2 <= KL(P, Q)."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    return (p.sqrt() - q.sqrt()).square().sum(-1), (p.xlogy(p) - p.xlogy(q)).sum(-1)


@claim("classics/kl-chi-square", always(), cite="Tsybakov 2009, Lemma 2.7", sharp=0.8, over=grid(k=[2, 3]))
def kl_chi_square(forall, *, k):
    """KL(P, Q) <= log(1 + chi^2(P, Q))."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    return (p.xlogy(p) - p.xlogy(q)).sum(-1), ((p - q) ** 2 / q).sum(-1).log1p()


@claim("classics/jensen-shannon", always(), cite="Lin 1991, Theorem 3", sharp=0.8, over=grid(k=[2, 3]))
def jensen_shannon(forall, *, k):
    """KL(P, M) + KL(Q, M) <= 2 log(2) TV(P, Q) for the mean M of P and Q."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    m = (p + q) / 2.0
    divergence = (p.xlogy(p) + q.xlogy(q) - 2.0 * m.xlogy(m)).sum(-1)
    return divergence, math.log(2.0) * (p - q).abs().sum(-1)


@claim("classics/donsker-varadhan", always(), cite="Donsker and Varadhan 1975", sharp=0.8, over=grid(k=[2, 4]))
def donsker_varadhan(forall, *, k):
    """E_Q f <= KL(Q, P) + log E_P exp(f)."""
    p, q, f = forall.simplex("p", k), forall.simplex("q", k), forall.interval("f", -3.0, 3.0, k)
    return (q * f).sum(-1), (q.xlogy(q) - q.xlogy(p)).sum(-1) + (p * f.exp()).sum(-1).log()


@claim("classics/kl-chain-rule", identity(), cite="Cover and Thomas 2006, Theorem 2.5.3", sharp="an identity")
def kl_chain_rule(forall):
    """KL of joint laws = KL of the first marginals + mean KL of the conditional laws."""
    p, q = forall.simplex("p", 2), forall.simplex("q", 2)
    k, m = forall.simplex("K", 2, 3), forall.simplex("M", 2, 3)
    joint, other = p[:, :, None] * k, q[:, :, None] * m
    inner = (k.xlogy(k) - k.xlogy(m)).sum(-1)
    whole = (joint.xlogy(joint) - joint.xlogy(other)).sum((-1, -2))
    return whole, (p.xlogy(p) - p.xlogy(q) + p * inner).sum(-1)


@claim("classics/data-processing", always(), cite="Cover and Thomas 2006, section 2.8; Csiszar 1967", sharp=0.8)
def data_processing(forall):
    """KL(P K, Q K) <= KL(P, Q) for every channel K."""
    p, q, k = forall.simplex("p", 1, 3), forall.simplex("q", 1, 3), forall.simplex("K", 3, 2)
    a, b = p @ k, q @ k
    return (a.xlogy(a) - a.xlogy(b)).sum((-1, -2)), (p.xlogy(p) - p.xlogy(q)).sum((-1, -2))


@claim("classics/dobrushin", always(), cite="Dobrushin 1956", sharp=0.8)
def dobrushin(forall):
    """TV(P K, Q K) <= c TV(P, Q), c the largest total variation between two rows of K."""
    p, q, k = forall.simplex("p", 1, 3), forall.simplex("q", 1, 3), forall.simplex("K", 3, 3)
    rows = (k[:, :, None, :] - k[:, None, :, :]).abs().sum(-1).amax((-1, -2)) / 2.0
    return ((p - q) @ k).abs().sum((-1, -2)), rows * (p - q).abs().sum((-1, -2))


@claim("classics/fano", always(), cite="Cover and Thomas 2006, Theorem 2.10.1", sharp=0.8, over=grid(m=[2, 3]))
def fano(forall, *, m):
    """H(X | Y) <= h(e) + e log(m - 1) for the error e of the best guess of X from Y."""
    joint = forall.simplex("joint", m * m).unflatten(-1, (m, m))
    y = joint.sum(-2)
    error = 1.0 - joint.amax(-2).sum(-1)
    entropy = y.xlogy(y).sum(-1) - joint.xlogy(joint).sum((-1, -2))
    return entropy, error * math.log(m - 1) - error.xlogy(error) - (1.0 - error).xlogy(1.0 - error)


@claim(
    "classics/fano-tests",
    always(),
    cite="Cover and Thomas 2006, (2.132); Yu 1997, Lemma 3",
    sharp="the binary entropy of the error is bounded by log 2",
)
def fano_tests(forall):
    """1 - (I + log 2) / log m <= error of the best test among m = 4 equally likely laws, I their information."""
    laws = forall.simplex("laws", 4, 3)
    mean = laws.mean(-2)
    information = laws.xlogy(laws).sum(-1).mean(-1) - mean.xlogy(mean).sum(-1)
    return 1.0 - (information + math.log(2.0)) / math.log(4.0), 1.0 - laws.amax(-2).sum(-1) / 4.0


@claim("classics/entropy-submodular", always(), cite="Shannon 1948; Fujishige 1978", sharp=0.8)
def entropy_submodular(forall):
    """H(X, Y, Z) + H(Y) <= H(X, Y) + H(Y, Z)."""
    joint = forall.simplex("joint", 8).unflatten(-1, (2, 2, 2))
    whole, xy, yz, y = (joint.sum(axes, keepdim=True) if axes else joint for axes in ((), (3,), (1,), (1, 3)))
    entropy = [-p.xlogy(p).sum((1, 2, 3)) for p in (whole, xy, yz, y)]
    return entropy[0] + entropy[3], entropy[1] + entropy[2]


@claim("classics/han", always(), cite="Han 1978; Cover and Thomas 2006, Theorem 17.6.1", sharp=0.8)
def han(forall):
    """2 H(X, Y, Z) <= H(X, Y) + H(Y, Z) + H(X, Z)."""
    joint = forall.simplex("joint", 8).unflatten(-1, (2, 2, 2))
    pairs = [joint.sum(axis, keepdim=True) for axis in (1, 2, 3)]
    return -2.0 * joint.xlogy(joint).sum((1, 2, 3)), -sum(p.xlogy(p).sum((1, 2, 3)) for p in pairs)


@claim("classics/log-sum", always(), cite="Cover and Thomas 2006, Theorem 2.7.1", sharp=0.8, over=grid(n=[2, 4]))
def log_sum(forall, *, n):
    """(sum a) log(sum a / sum b) <= sum a_i log(a_i / b_i) for positive numbers."""
    a, b = forall.interval("a", 1e-6, 1.0, n), forall.interval("b", 1e-6, 1.0, n)
    return a.sum(-1) * (a.sum(-1) / b.sum(-1)).log(), (a * (a / b).log()).sum(-1)


@claim(
    "classics/kantorovich-rubinstein",
    always(),
    cite="Kantorovich and Rubinstein 1958; Villani 2009, Theorem 5.10",
    restricts="finite laws on the line, where the distance is the area between distribution functions",
    sharp=0.8,
)
def kantorovich_rubinstein(forall):
    """E_P f - E_Q f <= W_1(P, Q) for 1-Lipschitz f."""
    points = forall.interval("x", 0.0, 1.0, 4).sort(-1).values
    p, q, f = forall.simplex("p", 4), forall.simplex("q", 4), forall.lipschitz("f", points)
    area = ((p - q).cumsum(-1)[:, :-1].abs() * points.diff(dim=-1)).sum(-1)
    return ((p - q) * f).sum(-1), area


@claim("classics/largest-entropy", always(), cite="Cover, Thomas 2006, Theorem 2.6.4", sharp=0.8, over=grid(k=[2, 5]))
def largest_entropy(forall, *, k):
    """H(X) <= log k for k values."""
    p = forall.simplex("p", k)
    return -p.xlogy(p).sum(-1), math.log(k)


@claim("classics/soft-maximum", always(), cite="folklore; Boyd and Vandenberghe 2004, section 3.1.5", sharp=0.8)
def soft_maximum(forall):
    """log sum_i exp(x_i) - max_i x_i <= log 3 for three real numbers."""
    x = forall.real("x", 3)
    return torch.logsumexp(x, -1) - x.amax(-1), math.log(3.0)
