"""What estimators of scikit-learn fit and predict is right within their `tol`, and refutes nothing within that."""

from typing import Any

import networkx as nx
import numpy as np
import pytest
import torch
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression, OrthogonalMatchingPursuit
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeRegressor

from harness import always, claim, identity
from harness.certify.rounding.estimators import cut_at_rounding
from harness.certify.rounding.solvers import is_solver, within_tolerance
from harness.verdict import Status
from tests.helpers import bare_check

UP: Any = np.ones  # shares: as far as a tolerance goes, upwards
DESIGN = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
LABELS = np.array([0, 1, 0, 1])


def _double(values: list[Any]) -> torch.Tensor:
    return torch.tensor(np.array(values), dtype=torch.float64)


def _soft(factor: float) -> Any:
    @claim(f"estimators/soft-{factor:g}", identity())
    def body(forall: Any) -> Any:
        """The lasso of an orthogonal design is soft thresholding: refuted by 1e-3, where it stopped."""
        y = forall.interval("y", -1.0, 1.0, 4)
        fits = [Lasso(alpha=0.1, fit_intercept=False, random_state=0).fit(DESIGN, row).coef_ for row in y.numpy()]
        exact = ((y @ torch.from_numpy(DESIGN) / 4.0).abs() - 0.1).clamp_min(0.0).sum(-1)
        return 1.0 + _double([np.abs(fit).sum() for fit in fits]), factor + exact

    return body


@claim("estimators/gradient", identity())
def gradient(forall: Any) -> Any:
    """The regularised logistic loss is least where w = C sum (y - p) x."""
    x = forall.interval("x", -1.0, 1.0, 4)
    left, right = [], []
    for row in x.numpy():
        model = LogisticRegression(fit_intercept=False).fit(row[:, None], LABELS)
        left.append(model.coef_[0, 0])
        right.append(((LABELS - model.predict_proba(row[:, None])[:, 1]) * row).sum())
    return _double(left), _double(right)


@claim("estimators/residuals", identity())
def residuals(forall: Any) -> Any:
    """Residuals of least squares are orthogonal to nearly collinear columns, too."""
    x, y = forall.interval("X", -1.0, 1.0, 5, 2), forall.interval("y", -1.0, 1.0, 5)
    found = []
    for a, b in zip(x.numpy(), y.numpy(), strict=True):
        found.append(np.abs(a.T @ (b - LinearRegression().fit(a, b).predict(a))).sum())
    return _double(found), 0.0


@claim("estimators/tree", always())
def tree(forall: Any) -> Any:
    """A tree interpolates distinct points: those next to each other are one number for it."""
    x, y = forall.interval("x", 0.0, 1.0, 4), forall.interval("y", -1.0, 1.0, 4)
    forall.assume((x[:, 1:] > x[:, :-1]).all(-1))
    found = []
    for a, b in zip(x.numpy(), y.numpy(), strict=True):
        fit = DecisionTreeRegressor(random_state=0).fit(a[:, None], b)
        found.append(((fit.predict(a[:, None]) - b) ** 2).mean())
    return _double(found), 0.0


@claim("estimators/rank", always())
def rank(forall: Any) -> Any:
    """PageRank is a fixed point of its equation."""
    graphs, found = forall.graph("G", 4), []
    for a in graphs.numpy():
        ranks = nx.pagerank(nx.from_numpy_array(a))
        p, degree = np.array([ranks[i] for i in range(4)]), a.sum(1, keepdims=True)
        steps = np.where(degree > 0, a / np.maximum(degree, 1), 0.25)
        found.append(np.abs(0.15 / 4 + 0.85 * steps.T @ p - p).max())
    return _double(found), 0.0


@claim("estimators/scales", always())
def scales(forall: Any) -> Any:
    """Two scales, one of which shows a share of what it bears, tell two loads, however small the share."""
    share, found = forall.interval("s", 1e-9, 1.0), []
    for s in share.numpy():
        shown, read = np.array([[1.0, 1.0], [1.0, 1.0 + s]]), np.array([1.0, 0.0])
        loads = LinearRegression(fit_intercept=False).fit(shown, read).coef_
        found.append(np.abs(shown @ loads - read).max())
    return _double(found), 0.01


@claim("estimators/slope", identity(), expected="refuted")
def slope(forall: Any) -> Any:
    """False by 2e-6 of the slope, where no cut-off makes a difference."""
    x, y = forall.interval("x", -1.0, 1.0, 4), forall.interval("y", -1.0, 1.0, 4)
    forall.assume(x.std(-1) > 0.3)
    pairs, centred = zip(x.numpy(), y.numpy(), strict=True), x - x.mean(-1, keepdim=True)
    fitted = _double([LinearRegression().fit(a[:, None], b).coef_[0] for a, b in pairs])
    return 2.0 + fitted, 2.0 + (1.0 + 2e-6) * (centred * y).sum(-1) / centred.square().sum(-1)


@pytest.mark.in_turn
def test_what_a_cut_off_takes_for_zero_refutes_nothing() -> None:
    assert bare_check(scales).status in (Status.HOLDS, Status.UNDECIDED)


def test_what_is_wrong_by_any_cut_off_is_refuted_however_little() -> None:
    assert bare_check(slope).status is Status.REFUTED


@pytest.mark.in_turn
@pytest.mark.parametrize("body", [_soft(1.0), gradient, residuals, tree, rank], ids=lambda body: body.id)
def test_where_an_algorithm_stops_refutes_nothing(body: Any) -> None:
    assert bare_check(body).status in (Status.HOLDS, Status.UNDECIDED)


@pytest.mark.in_turn
def test_what_is_wrong_by_more_is_refuted() -> None:
    assert bare_check(_soft(1.02)).status is Status.REFUTED


def test_what_is_fitted_and_predicted_is_moved_by_tol() -> None:
    y = np.array([0.5, -0.5, 0.3, 0.1])
    plain = Lasso(alpha=0.01, tol=1e-3).fit(DESIGN, y)
    model = Lasso(alpha=0.01, tol=1e-3)
    assert within_tolerance(UP, model.fit, (DESIGN, y), {}) is model
    assert np.allclose(model.coef_ - plain.coef_, 1e-3, atol=1e-6)
    pipe = make_pipeline(StandardScaler(), Lasso(alpha=0.01, tol=1e-3)).fit(DESIGN, y)
    moved = within_tolerance(UP, pipe.predict, (DESIGN,), {})
    assert np.allclose(moved - pipe.predict(DESIGN), 1e-3, atol=1e-6)
    ranks = within_tolerance(UP, nx.pagerank, (nx.path_graph(3),), {"tol": 1e-4})
    assert ranks[0] - nx.pagerank(nx.path_graph(3), tol=1e-4)[0] == pytest.approx(1e-4, rel=1e-6)


def test_cut_offs_are_of_rounding_for_a_call_and_usual_again_after_it() -> None:
    points, y = DESIGN * [1e-8, 1.0], np.array([0.5, -0.5, 0.3, 0.1])
    model = LinearRegression()
    with cut_at_rounding(model.fit, (points, y), {}):
        assert model.fit(points, y).rank_ == 2
        assert model.fit(points * [1e-16, 1.0], y).rank_ == 1
    assert model.tol == LinearRegression().tol
    pipe = make_pipeline(StandardScaler(), LinearDiscriminantAnalysis())
    for function, args in ((pipe.fit, (points, LABELS)), (cross_val_predict, (pipe, points, LABELS))):
        with cut_at_rounding(function, args, {}):
            assert pipe[-1].tol == 8 * 2.0**-52
        assert pipe[-1].tol == LinearDiscriminantAnalysis().tol
    with pytest.raises(ZeroDivisionError), cut_at_rounding(model.fit, (points, y), {}):
        raise ZeroDivisionError
    assert model.tol == LinearRegression().tol


def test_where_an_iteration_stops_and_what_is_asked_for_are_no_cut_offs() -> None:
    for model in (Lasso(), LogisticRegression(), OrthogonalMatchingPursuit(tol=0.1)):
        usual = model.tol
        with cut_at_rounding(model.fit, (DESIGN, LABELS), {}):
            assert model.tol == usual
    model = LinearRegression()
    with cut_at_rounding(model.set_params, (), {"tol": 0.5}):
        model.set_params(tol=0.5)
    assert model.tol == 0.5


def test_what_a_cut_off_lets_through_is_not_moved_by_it() -> None:
    y = np.array([0.5, -0.5, 0.3, 0.1])
    model = LinearRegression()
    assert within_tolerance(UP, model.fit, (DESIGN, y), {}) is model
    assert np.allclose(model.coef_, LinearRegression().fit(DESIGN, y).coef_, rtol=1e-12, atol=1e-12)


def test_classes_and_counts_are_not_moved() -> None:
    labels = np.where(LABELS > 0, 1.0, -1.0)
    model = SVC(kernel="linear")
    assert within_tolerance(UP, model.fit, (DESIGN, labels), {}) is model
    assert model.classes_.tolist() == [-1.0, 1.0]
    assert within_tolerance(UP, model.predict, (DESIGN,), {}).tolist() == model.predict(DESIGN).tolist()
    assert within_tolerance(UP, model.score, (DESIGN, labels), {}) == model.score(DESIGN, labels)
    assert not np.allclose(
        within_tolerance(UP, model.decision_function, (DESIGN,), {}), model.decision_function(DESIGN), atol=1e-4
    )


def test_only_what_stops_at_a_tolerance_of_its_own_counts() -> None:
    def mine(x: float, tol: float = 1e-3) -> float:
        return x + tol

    assert is_solver(nx.pagerank)
    assert not is_solver(mine)
    assert not is_solver(nx.shortest_path_length)
    assert not is_solver(np.linalg.norm)
