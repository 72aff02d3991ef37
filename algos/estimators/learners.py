"""The penalised learners of uarff, in scikit-learn's solvers: squared, hinge and logistic loss."""

from typing import Any

from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import LinearSVC

from algos.estimators._base import check_count, check_number, check_option

_LOSSES = ("squared", "hinge", "logistic")


def penalised_learner(
    loss: str, *, regularisation: float, sample_size: int, tolerance: float = 1e-6, max_iterations: int = 10_000
) -> Any:
    """Learner that minimises the mean loss plus a multiple of the squared norm, without intercept.

    ``min_b (1/n) sum_i loss(y_i, <b, z_i>) + lambda |b|^2``, in scikit-learn's units: a penalty ``n lambda`` for ridge
    regression, a cost ``C = 1 / (2 n lambda)`` for the hinge and logistic losses. With features that carry the factor
    ``1 / sqrt(s)``, as those of the transformers here, ``|b|^2`` is the paper's ``s |beta|^2``.

    Parameters
    ----------
    loss : {"squared", "hinge", "logistic"}
    regularisation : float, positive
        lambda.
    sample_size : int
        n, the number of training points; scikit-learn's own parameters do not scale with it.
    tolerance : float, positive
    max_iterations : int

    Returns
    -------
    Ridge, LinearSVC or LogisticRegression
        Not fitted; hinge and logistic learners take labels, of more than two classes one against the rest and by the
        multinomial loss.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Source: uarff eqs. 7 and 8.
    """
    check_option("loss", loss, _LOSSES)
    penalty = check_count("sample_size", sample_size) * check_number("regularisation", regularisation, positive=True)
    tolerance = check_number("tolerance", tolerance, positive=True)
    iterations = check_count("max_iterations", max_iterations)
    if loss == "squared":
        return Ridge(alpha=penalty, fit_intercept=False)
    options = {"C": 1 / (2 * penalty), "fit_intercept": False, "tol": tolerance, "max_iter": iterations}
    if loss == "hinge":
        return LinearSVC(loss="hinge", random_state=0, **options)
    return LogisticRegression(**options)
