"""Alien claims, known: what functions of libraries return (3); see README.md."""

import torch
from torch import distributions as laws
from torch.nn import functional

from harness import claim, expectation, grid, rate, up_to_constant


@claim("libraries/plain-gumbel", expectation(range=(-9.0, 9.0)), expected="refuted", cite="Gumbel 1935")
def gumbel(forall, draw):
    """The maximum of x_i plus standard Gumbel noise has a mean of at most logsumexp x + 1/2."""
    x = forall.interval("x", -1.0, 1.0, 3)
    g = draw.sample("g", laws.Gumbel(torch.zeros((), dtype=torch.float64), torch.ones((), dtype=torch.float64)), 3)
    best = (x + g).amax(-1).clamp(-6.0, 8.0)
    return best, torch.logsumexp(x, -1) + 0.5


@claim(
    "libraries/true-median-rate", rate("n", -0.5), cite="Serfling 1980, 2.3.3", over=grid(n=[9, 17, 33, 65, 129, 257])
)
def median_rate(draw, *, n):
    """The median of n normal numbers is off by order n^-1/2."""
    return draw.normal("x", n).median(-1).values.abs()


@claim(
    "libraries/true-condition", up_to_constant("n"), cite="Strang and MacNamara 2014", over=grid(n=[3, 6, 12, 24, 48])
)
def laplacian(forall, *, n):
    """|x|^2 <= C n^2 x'Lx for the matrix of second differences."""
    x = forall.sphere("x", n)
    ends = functional.pad(x, (1, 1))
    return x.square().sum(-1), n**2 * ends.diff(dim=-1).square().sum(-1)


@claim(
    "libraries/plain-condition",
    up_to_constant("n"),
    over=grid(n=[3, 6, 12, 24, 48]),
    expected="refuted",
    cite="Strang and MacNamara 2014",
)
def laplacian_linear(forall, *, n):
    """|x|^2 <= C n x'Lx for the matrix of second differences."""
    x = forall.sphere("x", n)
    ends = functional.pad(x, (1, 1))
    return x.square().sum(-1), n * ends.diff(dim=-1).square().sum(-1)


PROOFS = {
    "libraries/true-median-rate": (
        "The median is asymptotically normal, and its absolute value is uniformly integrable."
    ),
    "libraries/true-condition": "The least eigenvalue is 4 sin^2(pi / (2 n + 2)), at least 4 / (n + 1)^2.",
}


WITNESSES = {
    "libraries/plain-gumbel": {
        "params": {},
        "values": {"x": [0.0, 0.0, 0.0]},
        "mean": 0.07620953016535181,
        "why": "Euler's constant exceeds one half",
    },
    "libraries/plain-condition": {
        "params": [{"n": 3}, {"n": 6}, {"n": 12}, {"n": 24}, {"n": 48}],
        "values": [
            {"x": [0.49999999999999994, 0.7071067811865475, 0.5]},
            {
                "x": [
                    0.23192061392432986,
                    0.417906505941275,
                    0.5211208891696024,
                    0.5211208891696024,
                    0.41790650594127504,
                    0.23192061392432992,
                ]
            },
            {
                "x": [
                    0.09386732631620592,
                    0.1822794248207625,
                    0.26009810571348724,
                    0.32280083012029087,
                    0.3667435436137798,
                    0.389372455410977,
                    0.389372455410977,
                    0.3667435436137798,
                    0.3228008301202909,
                    0.26009810571348724,
                    0.18227942482076273,
                    0.0938673263162059,
                ]
            },
            {
                "x": [
                    0.035449591744542784,
                    0.07034012225071448,
                    0.1041213470098401,
                    0.1362605159275428,
                    0.16625077511098138,
                    0.19361916025752066,
                    0.2179340555843189,
                    0.23881200066705802,
                    0.2559237378399034,
                    0.26899940478558293,
                    0.2778327904253385,
                    0.2822845869908223,
                    0.2822845869908223,
                    0.27783279042533854,
                    0.268999404785583,
                    0.25592373783990335,
                    0.238812000667058,
                    0.2179340555843189,
                    0.1936191602575207,
                    0.1662507751109814,
                    0.13626051592754276,
                    0.10412134700984016,
                    0.0703401222507146,
                    0.03544959174454286,
                ]
            },
            {
                "x": [
                    0.012944139148707408,
                    0.02583508805314364,
                    0.0386198750391605,
                    0.05124596467470422,
                    0.06366147364917464,
                    0.07581538397307733,
                    0.08765775262188578,
                    0.09913991676264193,
                    0.11021469371997494,
                    0.12083657485983489,
                    0.13096191259423173,
                    0.14054909973853677,
                    0.1495587404843288,
                    0.15795381228522148,
                    0.16569981799044772,
                    0.1727649276010517,
                    0.17912010906618223,
                    0.18473924758201687,
                    0.18959925290309268,
                    0.1936801542250775,
                    0.19696518224908868,
                    0.19944083809033922,
                    0.201096948747951,
                    0.2019267089079972,
                    0.2019267089079972,
                    0.201096948747951,
                    0.19944083809033925,
                    0.19696518224908868,
                    0.19368015422507753,
                    0.1895992529030927,
                    0.18473924758201687,
                    0.17912010906618223,
                    0.17276492760105172,
                    0.1656998179904477,
                    0.1579538122852215,
                    0.1495587404843288,
                    0.1405490997385368,
                    0.13096191259423184,
                    0.12083657485983491,
                    0.11021469371997494,
                    0.09913991676264199,
                    0.08765775262188581,
                    0.0758153839730774,
                    0.06366147364917477,
                    0.05124596467470422,
                    0.03861987503916055,
                    0.025835088053143652,
                    0.012944139148707474,
                ]
            },
        ],
        "why": "1 / (n lambda) for the least eigenvalue",
    },
}
