"""Risks with a Lipschitz loss; the approximation loss by maximising over the split of 2 lambda, in 50 digits."""

from mpmath import log, mpf, sqrt

RISKS = [(0.01, 1.0, 400, 0.1, 20.0, 4.0), (0.5, 1.4, 37, 0.01, 1.0, 0.3), (0.1, 1.2, 50, 0.2, 3.0, 2.0)]


def cases():
    for complexity, lipschitz in [(0.2, 3.0), (1.5, 0.25), (0.01, 20.0)]:
        value = mpf(complexity) * mpf(lipschitz)
        yield "composition_complexity", (complexity,), {"lipschitz": lipschitz}, value
        options = {"lipschitz": lipschitz, "convention": "absolute"}
        yield "composition_complexity", (complexity,), options, 2 * value
    for complexity, n, delta, span in [
        (0.2, 100, 0.05, 2.0),
        (0.0, 7, 0.5, 1.0),
        (3.0, 10**6, 1e-9, 0.125),
        (0.0, 1, 1 - 2**-53, 1.0),
        (0.0, 1, 5e-324, 1.0),
    ]:
        tail = mpf(span) * sqrt(-log(mpf(delta)) / 2 / n)
        yield "risk_deviation", (complexity, n, delta), {"loss_range": span}, 2 * mpf(complexity) + tail
        tail = mpf(span) * sqrt(8 * (log(2) - log(mpf(delta))) / n)
        options = {"loss_range": span, "convention": "absolute"}
        yield "risk_deviation", (complexity, n, delta), options, mpf(complexity) + tail
    yield "risk_deviation", (0.1, 50, 0.1), {}, mpf(0.1) * 2 + sqrt(log(1 / mpf(0.1)) / 100)
    for ridge in (0.02, 0.5, 1e-6):
        yield "printed_approximation_loss", (ridge,), {}, sqrt(2) * sqrt(mpf(ridge))
    for ridge, lipschitz in [(0.01, 20.0), (0.125, 1.0), (0.5, 1.0), (3.0, 0.25), (0.001, 0.5)]:
        yield "approximation_loss", (ridge,), {"lipschitz": lipschitz}, loss(ridge, lipschitz)
    for ridge, z, n, delta, lipschitz, rho in RISKS:
        options = {"lipschitz": lipschitz, "squared_radius": rho}
        value = risk(ridge, z, n, delta, lipschitz=lipschitz, rho=rho)
        yield "lipschitz_excess_risk_bound", (ridge, z, n, delta), options, value


def loss(ridge, lipschitz):
    """Largest L b + 2 lambda - b^2 over root-mean-square errors b with b^2 at most 2 lambda."""
    total = 2 * mpf(ridge)
    b = min(mpf(lipschitz) / 2, sqrt(total))
    return mpf(lipschitz) * b + total - b * b


def risk(ridge, z, n, delta, *, lipschitz, rho):
    complexity = mpf(lipschitz) * sqrt(mpf(rho)) * mpf(z) / sqrt(mpf(n))
    reach = mpf(lipschitz) * (sqrt(mpf(rho)) + 1) * mpf(z)  # |l(g) - l(g_H)|
    return loss(ridge, lipschitz) + 2 * complexity + 2 * reach * sqrt(-log(mpf(delta)) / 2 / n)
