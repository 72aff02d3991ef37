"""Figure 1: rates of the excess risk of ridge regression on spline features."""

from torch import Tensor

from algos.spline import spline_excess_risk, spline_kernel, spline_ridge_coefficients
from bounds.leverage import PRINTED_THEOREM_CONSTANT, feature_count
from bounds.rates import spline_effective_dimension
from harness import Draw, claim, grid, rate

_CURVES = grid(n=[64, 128, 256, 512, 1024, 2048, 4096, 8192], smoothness=[2.55, 5.0])


@claim("uarff/fig-1-half", rate("n", exponent=-1 / 2), over=_CURVES, cite="uarff, Figure 1", title="lambda = n^-1/2")
def excess_risk_with_the_square_root_regulariser(draw: Draw, *, n: int, smoothness: float):
    """With lambda = n^-1/2 the excess risk on spline features decays at least as fast as n^-1/2."""
    return _spline_excess_risk(draw, n, n**-0.5, smoothness)


@claim("uarff/fig-1-third", rate("n", exponent=-1 / 3), over=_CURVES, cite="uarff, Figure 1", title="lambda = n^-1/3")
def excess_risk_with_the_cube_root_regulariser(draw: Draw, *, n: int, smoothness: float):
    """With lambda = n^-1/3 the excess risk on spline features decays at least as fast as n^-1/3."""
    return _spline_excess_risk(draw, n, n ** (-1 / 3), smoothness)


def _spline_excess_risk(draw: Draw, n: int, regularisation: float, smoothness: float) -> Tensor:
    """Exact excess risk of ridge regression on spline features of order 2, as many as Corollary 10 asks for.

    Inputs and features are uniform; y is normal with mean k_t(x, 0.3) and standard deviation 1/2, delta is 0.1. Uniform
    features are leverage sampling here, by translation invariance.
    """
    dimension = spline_effective_dimension(2, regularisation)
    centres = draw.uniform("features", feature_count(dimension, dimension, 0.1, constant=PRINTED_THEOREM_CONSTANT))
    points = draw.uniform("points", n)
    targets = spline_kernel(points - 0.3, smoothness) + 0.5 * draw.normal("noise", n)
    coefficients = spline_ridge_coefficients(points, centres, targets, order=2, ridge=n * regularisation)
    return spline_excess_risk(coefficients, centres, order=2, smoothness=smoothness, origin=0.3)
