"""The penalised learners of uarff, in scikit-learn's solvers: squared, hinge and logistic loss."""

import math
from typing import Annotated, Any

from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import LinearSVC

from signatures.checked import checked
from signatures.domains import Options, shown
from signatures.numbers import Count, PositiveFloat, Size


@checked
def penalised_learner(
    loss: Annotated[str, Options(("squared", "hinge", "logistic"))],
    *,
    regularisation: PositiveFloat,
    sample_size: Count,
    tolerance: PositiveFloat = 1e-6,
    max_iterations: Size = 10_000,
) -> Any:
    """Learner that minimises the mean loss plus a multiple of the squared norm, without intercept.

    ``min_b (1/n) sum_i loss(y_i, <b, z_i>) + lambda |b|^2``, in scikit-learn's units: a penalty ``n lambda`` for ridge
    regression, a cost ``C = 1 / (2 n lambda)`` for the hinge and logistic losses. With features that carry the factor
    ``1 / sqrt(s)``, as those of the transformers here, ``|b|^2`` is the paper's ``s |beta|^2``.

    Parameters
    ----------
    loss : {"squared", "hinge", "logistic"}
    regularisation : float
        Positive. lambda.
    sample_size : int
        n, the number of training points; scikit-learn's own parameters do not scale with it.
    tolerance : float
        Positive.
    max_iterations : int

    Returns
    -------
    Ridge, LinearSVC or LogisticRegression
        Not fitted; hinge and logistic learners take labels, of more than two
        classes one against the rest and by the multinomial loss.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    References
    ----------
    uarff eqs. 7 and 8.
    """
    penalty = sample_size * regularisation
    if not 0 < 1 / (2 * penalty) < math.inf:
        raise ValueError(f"regularisation = {regularisation} and sample_size = {shown(sample_size)} leave float64.")
    if loss == "squared":
        return Ridge(alpha=penalty, fit_intercept=False)
    options = {"C": 1 / (2 * penalty), "fit_intercept": False, "tol": tolerance, "max_iter": max_iterations}
    if loss == "hinge":
        return LinearSVC(loss="hinge", random_state=0, **options)
    return LogisticRegression(**options)
