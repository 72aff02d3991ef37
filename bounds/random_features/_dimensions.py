"""The relation between the dimensions that feature counts are made of."""


def check_dominated(effective_dimension: float, sampling_dimension: float) -> None:
    """Refuse an effective dimension above the sampling dimension, but for rounding."""
    if effective_dimension > sampling_dimension * (1 + 1e-9):
        raise ValueError(
            f"effective_dimension = {effective_dimension} must be at most sampling_dimension = {sampling_dimension}: "
            "sample from an upper bound on the leverage scores."
        )
