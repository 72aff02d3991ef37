"""Orderings between the bounds of `bounds.complexity.local_rademacher`."""

from bounds.complexity import local_rademacher
from tests.bounds.orderings import COUNT, STEP, Span, equal, ordered

POSITIVE = Span(1e-2, 1e2, "log")


@ordered(radius=Span(0.0, 2.0), step=STEP)
def truncated_trace_grows_with_the_radius_up_to_the_trace(radius, step):
    yield local_rademacher.truncated_trace([1.5, 0.5, 0.1], radius)
    yield min(local_rademacher.truncated_trace([1.5, 0.5, 0.1], step * radius), 2.1)


@equal(trace=POSITIVE, n=COUNT)
def definition_1_doubles_the_local_complexity(trace, n):
    return local_rademacher.local_complexity(trace, n), 2 * local_rademacher.printed_local_complexity(trace, n)


@ordered(n=Span(3, 10**6, "log", whole=True), a=POSITIVE, e=POSITIVE, b=Span(0.0, 10.0))
def fixed_point_lies_below_its_bound(n, a, e, b):
    yield local_rademacher.fixed_point([0.5, 0.2, 1e-3], n, scale=a, truncation=e, offset=b)
    yield local_rademacher.fixed_point_bound([0.5, 0.2, 1e-3], n, scale=a, truncation=e, offset=b)


@equal(n=Span(3, 10**6, "log", whole=True), e=POSITIVE)
def corrected_bound_contains_the_printed_one(n, e):
    """The corrected bound with a = 1/sqrt 2 and b = 0 is the printed one."""
    yield local_rademacher.fixed_point_bound([0.5, 0.2, 1e-3], n, scale=0.5**0.5, truncation=e)
    yield local_rademacher.printed_fixed_point_bound([0.5, 0.2, 1e-3], n, constant=e)
