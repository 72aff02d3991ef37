"""Ranges that all bounds over divergence balls share."""


def check_order(order: float) -> None:
    """Raise ValueError unless the divergence t^k - 1 is one of the paper's."""
    if not order >= 2:
        raise ValueError(f"order = {order} must be at least 2: the paper's divergences are f(t) = t^k - 1 with k >= 2.")


def check_delta(delta: float) -> None:
    """Raise ValueError unless delta is a probability of failure."""
    if not 0 < delta < 1:
        raise ValueError(f"delta = {delta} must lie in (0, 1): it is a probability of failure.")


def check_count(count: int) -> None:
    """Raise ValueError unless there is a feature."""
    if not count >= 1:
        raise ValueError(f"count = {count} is no number of sampled features: give at least 1.")


def check_pairs(n: int) -> None:
    """Raise ValueError unless the sample holds a pair."""
    if not n >= 2:
        raise ValueError(f"n = {n} points hold no pair, of which a U-statistic is the mean: give at least 2.")


def check_positive_radius(rho: object) -> None:
    """Raise ValueError for a plain number that is no positive radius; arrays and tensors pass."""
    if isinstance(rho, int | float) and not rho > 0:
        raise ValueError(f"rho = {rho} must be positive: the constant is infinite for a ball of one point.")
