"""Alien claims, known: martingales and random walks; see README.md."""

import torch

from harness import always, claim, every, expectation, grid, identity, tail


@claim(
    "walks/true-doob-cantelli",
    tail(),
    over=grid(n=[6]),
    cite="Doob 1953, maximal inequality, with the shift of Cantelli 1928",
)
def true_doob_cantelli(forall, draw, *, n):
    """P(max_k S_k >= t) <= V / (V + t^2) for S_k = sum_{i<=k} a_i e_i, V = |a|^2."""
    a, t = forall.ball("a", n), forall.interval("t", 0.05, 2.0)
    s = (a * draw.signs("e", n)).cumsum(-1)
    v = a.square().sum(-1)
    return s.amax(-1) >= t, v / (v + t**2)


@claim("walks/true-reflection", identity(), over=grid(n=[7]), cite="Feller 1968, III.7")
def true_reflection(forall, *, n):
    """P(max_{0<=k<=n} S_k >= m) = 2 P(S_n > m) + P(S_n = m), m = 0, 1, ..., 10."""
    m = forall.integers("m", 0, 10)
    s = every.signs(n, like=m).cumsum(-1)
    top, last = s.amax(-1).clamp_min(0.0), s[:, -1]
    left = (top[None] >= m[:, None]).double().mean(-1)
    return left, 2 * (last[None] > m[:, None]).double().mean(-1) + (last[None] == m[:, None]).double().mean(-1)


@claim(
    "walks/subtle-reflection-late",
    identity(),
    over=grid(n=[9]),
    expected="refuted",
    cite="Feller 1968, III.7, with the maximum from k = 1 on",
)
def subtle_reflection_late(forall, *, n):
    """P(max_{1<=k<=n} S_k >= m) = 2 P(S_n > m) + P(S_n = m), m = 0, 1, ..., 40."""
    m = forall.integers("m", 0, 40)
    s = every.signs(n, like=m).cumsum(-1)
    top, last = s.amax(-1), s[:, -1]
    left = (top[None] >= m[:, None]).double().mean(-1)
    return left, 2 * (last[None] > m[:, None]).double().mean(-1) + (last[None] == m[:, None]).double().mean(-1)


def step_matrix(p, size):
    q = torch.zeros(p.shape[0], size - 1, size - 1, dtype=p.dtype)
    for i in range(size - 1):
        if i + 1 < size - 1:
            q[:, i, i + 1] = p
        if i > 0:
            q[:, i, i - 1] = 1 - p
    return q


@claim(
    "walks/plain-duration",
    always(),
    over=grid(size=[10]),
    expected="refuted",
    cite="Feller 1968, XIV.3, the fair game taken for the longest one",
)
def plain_duration(forall, *, size):
    """The expected duration of the game from i = 1 is at most i (N - i) for every p."""
    p = forall.interval("p", 0.1, 0.9)
    q = step_matrix(p, size)
    one = torch.ones(p.shape[0], size - 1, dtype=p.dtype)
    h = torch.linalg.solve(torch.eye(size - 1, dtype=p.dtype) - q, one)
    return h[:, 0], float(size - 1)


@claim("walks/true-survival-mean", always(), over=grid(n=[1, 6]), cite="Harris 1963, chapter I (Markov's inequality)")
def true_survival_mean(forall, *, n):
    """P(Z_n > 0) <= m^n for a branching process with 0, 1 or 2 children."""
    p = forall.simplex("p", 3)
    q = torch.zeros_like(p[:, 0])
    for _ in range(n):
        q = p[:, 0] + p[:, 1] * q + p[:, 2] * q**2
    return 1 - q, (p[:, 1] + 2 * p[:, 2]) ** n


@claim("walks/true-branching-mean", expectation(range=(-8.0, 8.0)), cite="Harris 1963, chapter I")
def true_branching_mean(forall, draw):
    """E Z_3 = (2p)^3 for binary splitting (here <=)."""
    p = forall.interval("p", 0.0, 1.0)
    split = draw.bernoulli("split", p, 7)
    z1 = 2 * split[:, 0]
    live = torch.arange(2)[None, :] < z1[:, None]
    z2 = 2 * (split[:, 1:3] * live).sum(-1)
    live = torch.arange(4)[None, :] < z2[:, None]
    z3 = 2 * (split[:, 3:7] * live).sum(-1)
    return z3, (2 * p) ** 3


@claim(
    "walks/plain-wald-argmax",
    expectation(range=(-20.0, 20.0)),
    expected="refuted",
    cite="Wald 1944, with a time that is no stopping time",
)
def plain_wald_argmax(forall, draw):
    """E S_T <= (2p - 1) E T for T the time of the maximum of five steps."""
    p = forall.interval("p", 0.0, 1.0)
    s = (2 * draw.bernoulli("x", p, 5) - 1).cumsum(-1)
    top, time = s.max(-1)
    return top, (2 * p - 1) * (time + 1)


@claim("walks/true-wald", expectation(range=(-20.0, 20.0)), cite="Wald 1944")
def true_wald(forall, draw):
    """E S_T = (2p - 1) E T for T = min(first time at +2, 6), here as <=."""
    p = forall.interval("p", 0.0, 1.0)
    s = (2 * draw.bernoulli("x", p, 6) - 1).cumsum(-1)
    hit = s == 2
    hit[:, -1] = True
    time = hit.double().argmax(-1)
    return s.gather(-1, time[:, None])[:, 0], (2 * p - 1) * (time + 1)


@claim("walks/true-ballot", identity(), over=grid(n=[7, 8]), cite="Bertrand 1887; Feller 1968, III.1")
def true_ballot(forall, *, n):
    """n #{S_k > 0 for all k, a votes} = (2a - n)_+ C(n, a)."""
    a = forall.integers("a", 0, n)
    s = every.signs(n, like=a).cumsum(-1)
    ahead = (s > 0).all(-1)
    ends = s[:, -1][None] == (2 * a - n)[:, None]
    return n * (ahead[None] & ends).double().sum(-1), (2 * a - n).clamp_min(0.0) * ends.double().sum(-1)


PROOFS = {
    "walks/true-doob-cantelli": (
        "Doob: for every c > 0, P(max S_k >= t) <= P(max (S_k + c)^2 >= (t + c)^2) <= (V + c^2) / (t + c)^2; take c ="
        " V / t (V = 0 gives 0 on both sides)."
    ),
    "walks/true-reflection": (
        "Reflecting the walk after its first visit to m >= 1 pairs {max >= m, S_n < m} with {S_n > m}; at m = 0 both "
        "sides are 1 by symmetry of S_n."
    ),
    "walks/true-survival-mean": "Markov's inequality: P(Z_n >= 1) <= E Z_n = m^n.",
    "walks/true-branching-mean": (
        "Each of the Z_k particles splits in two with probability p by a coin of its own, so E Z_(k+1) = 2 p E Z_k."
    ),
    "walks/true-wald": (
        "T is a stopping time bounded by 6, so S_T - (2 p - 1) T has mean 0 (optional stopping); both means are equal."
    ),
    "walks/true-ballot": (
        "Bertrand: of the C(n, a) orders a share (a - b) / n, b = n - a, keeps a ahead throughout if a > b, and none "
        "does otherwise."
    ),
}

WITNESSES = {
    "walks/subtle-reflection-late": {
        "params": {"n": 9},
        "values": {"m": 0.0},
        "why": "m = 0, n = 9: P(some S_k >= 0, k = 1 ... 9) = 221/256 against 1 (enumeration).",
    },
    "walks/plain-duration": {
        "params": {"size": 10},
        "values": {"p": 0.6},
        "why": "p = 3/5: h_1 = 11.9608 > 9 by the closed form (fractions).",
    },
    "walks/plain-wald-argmax": {
        "params": {},
        "values": {"p": 0.5},
        "mean": 1.1875,
        "why": "p = 1/2: E S_T = E max_{1<=k<=5} S_k = 19/16 > 0 (enumeration).",
    },
}
