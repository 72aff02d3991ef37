"""Orderings between the bounds of `bounds.random_features.multinomial`."""

from bounds.random_features.multinomial import multinomial_box_probability, uniform_deviation_probability
from tests.bounds.orderings import STEP, Span, equal, ordered

DRAWS = Span(1, 40, whole=True)
ACCURACY = 1e-11


def _outside(s: int, p: float) -> float:
    """How far the probabilities of the whole simplex and of a single cell taking all counts are outside [0, 1]."""
    whole = multinomial_box_probability(s, [p / 2, p / 2, 1 - p], [0, 0, 0], [s, s, s])
    rare = multinomial_box_probability(s, [1 - p, p], [0, 0], [0, s])
    return max(whole - 1, -rare)


@equal(atol=ACCURACY, s=DRAWS, p=Span(0.0, 1.0))
def whole_simplex_has_probability_one(s, p):
    return multinomial_box_probability(s, [p / 2, p / 2, 1 - p], [0, 0, 0], [s, s, s]), 1.0


@ordered(rtol=0.0, p=Span(0.01, 0.99))
def probabilities_lie_between_zero_and_one(p):
    """A probability lies in [0, 1], whatever the rounding of the likeliest and of the rarest boxes."""
    return max(_outside(s, p) for s in range(2, 41, 6)), 0.0


@equal(atol=ACCURACY, s=DRAWS, p=Span(0.0, 1.0), share=Span(0.0, 1.0))
def complementary_boxes_have_probability_one(s, p, share):
    """One more than at most, or at most: probability one."""
    at_most = multinomial_box_probability(s, [p, 1 - p], [0, 0], [int(share * s), s])
    return at_most + multinomial_box_probability(s, [p, 1 - p], [int(share * s) + 1, 0], [s, s]), 1.0


@equal(atol=ACCURACY, s=DRAWS, p=Span(0.0, 1.0), share=Span(0.0, 1.0))
def bounds_on_one_of_two_cells_are_bounds_on_the_other(s, p, share):
    """Two cells: bounds on one are bounds on the other."""
    yield multinomial_box_probability(s, [p, 1 - p], [0, 0], [int(share * s), s])
    yield multinomial_box_probability(s, [p, 1 - p], [0, s - int(share * s)], [s, s])


@ordered(atol=ACCURACY, s=DRAWS, cells=Span(1, 6, whole=True), x=Span(0.0, 2.0), step=STEP)
def larger_deviation_is_rarer(s, cells, x, step):
    return uniform_deviation_probability(s, cells, step * x), uniform_deviation_probability(s, cells, x)


@equal(atol=ACCURACY, s=DRAWS, cells=Span(2, 6, whole=True))
def no_cell_can_be_off_by_more_than_n_1(s, cells):
    return uniform_deviation_probability(s, cells, cells - 1), 0.0
