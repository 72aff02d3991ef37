"""Features of a kernel whose spectrum is chosen round by round in the margin game, as a transformer."""

import math
from copy import copy
from typing import Annotated, Any, Self, TypeAlias

import numpy as np
import torch
from numpy.typing import ArrayLike
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_is_fitted
from torch import Tensor

from algos._domains import AnyDevice, HarmonicDegree, Starts
from algos.best_response.ascent import AscentPeaks
from algos.best_response.harmonic import HarmonicPeaks, ZonalPeaks
from algos.best_response.lattice import LatticePeaks
from algos.best_response.planar import PlanarPeaks
from algos.estimators._base import Array, RandomState, TensorTransformer, TwoMasses, array
from algos.margin_game.certificate import FeaturePlayer, game_certificate
from algos.margin_game.game import MarginGame, play_margin_game
from algos.margin_game.measure import dual_measure
from algos.margin_game.online import StepRule, adagrad_norm_step, decreasing_step
from algos.sphere.harmonics import harmonic_pairs
from signatures.checked import acceptors
from signatures.domains import Options, Plain
from signatures.numbers import PositiveFloat, Size

BoxSize: TypeAlias = Annotated[float, Plain("(0, 1e100]", "squares of the weights are taken, and their sums")]
"""Box of dual weights."""


class NotSoRandomFeatures(TensorTransformer):
    """Features of the kernel that the margin game of a support vector machine selects: one strategy a round.

    Each round looks for the peak of the potential of the current dual weights, ``v(w) = |sum_i y_i a_i phi_w(x_i)|^2``,
    adds it to the kernel, and takes one step of projected gradient ascent in the weights. Two classes.

    Parameters
    ----------
    domain : {"euclidean", "sphere", "zonal"}
        Frequencies, features ``cos <w, x>`` and ``sin <w, x>``; pairs (l, +-m) of spherical harmonics, d = 3, which see
        the third axis as special; degrees l with the whole kernel ``P_l(<x, x'>)``, any d >= 2, invariant to rotations.
        The last two use directions only.
    n_rounds : int
        T.
    C : float
        Positive. Box of the dual weights.
    step : {"adagrad", "theory"} or float
        ``D / sqrt(2 sum_s |g_s|^2)``; ``D / (G sqrt t)`` with the true diameter ``D = C
        sqrt(2 m)`` and gradient bound ``G = sqrt(n) (1 + 2 mass C m)``, m points in the smaller class; a number eta,
        for ``eta / sqrt t``.
    mass : {1, 2}
        Of a pure strategy; 2 is printed, and is the game in the box 2 C.
    scaling : {"kernel", "raw"}
        "kernel": masses of sum one, so that the machine on top has the kernel of the game and belongs in the same box
        C. "raw": every round's features with weight one, as the paper concatenates them; the box C then is the box
        ``n_rounds C`` of the game. Equal rounds are merged, with the square root of their number as weight.
    peaks : {"auto", "lattice", "planar", "ascent"}
        How to find peaks over frequencies: the fast Fourier transform, for integers; a grid and Newton steps, for d =
        2; parallel ascents, any d. "auto" takes the first that fits. No part on spheres.
    radius : float
        Positive. Bound of ``|w_j|`` for "planar".
    n_starts, n_steps : int
        Ascents of each round, and steps of each, for "ascent".
    lengthscale : float or None
        Positive. The starts of "ascent" are those of a Gaussian kernel of this length scale, by default the median
        distance.
    degree : int
        Largest degree on spheres.
    certify : bool
        Whether to enclose the value of the game, at the price of a quadratic program.
    random_state : int, RandomState or None
        Starts of the ascents; nothing else is random.
    device : str, torch.device or None
        Where to compute; None is the CPU. The game is played in double precision. Starts are drawn on the device.

    Attributes
    ----------
    frequencies_ : ndarray (m, d)
        "euclidean": distinct frequencies, one of w and -w.
    indices_ : ndarray (m, 2)
        Pairs (l, m), "sphere"; (m, 1) degrees, "zonal".
    masses_ : ndarray (m,)
        Of sum one.
    values_, gaps_ : ndarray (n_rounds,)
        Potentials v_t of the answers, and bounds of sup v - v_t (infinite for "ascent").
    game_ : MarginGame
        Everything else about the run.
    value_bounds_ : tuple of float
        (lower, upper), with `certify`: the value of the game in the box ``mass C``, and the payoff that the kernel
        concedes, lie between them; the difference bounds how far the kernel is from the best of all.
    classes_ : ndarray (2,)
        The second counts as +1.

    Notes
    -----
    Columns: all cosines, then all sines; all real parts, then the imaginary parts of m > 0; the features of one degree
    after the other, cosine and sine for d = 2, the 2l + 1 real harmonics for d = 3, landmarks among the training points
    for d > 3 (exact between any point and a training point, and everywhere once n exceeds the number of harmonics).

    Figure 1 of the paper is ``NotSoRandomFeatures(n_rounds=1000, step=1e-4, scaling="raw")`` on the windmill and
    ``NotSoRandomFeatures("sphere", n_rounds=100, step=1e-3, scaling="raw")`` on the checkerboard, n = 2000 each, with a
    linear machine of C = 1 and a free bias on top: ``SVC(kernel="linear")``, or faster ``SVC(kernel="precomputed")`` on
    inner products. `truncated` gives accuracies after fewer rounds from the same run.

    References
    ----------
    nsrf Algorithm 2; mass 1, the exact projection, exact peaks and the zonal kernels are corrections.
    """

    frequencies_: Array
    indices_: Array
    masses_: Array
    values_: Array
    gaps_: Array
    game_: MarginGame
    value_bounds_: tuple[float, float]

    def __init__(
        self,
        domain: Annotated[str, Options(("euclidean", "sphere", "zonal"))] = "euclidean",
        *,
        n_rounds: Size = 100,
        C: BoxSize = 1.0,
        step: str | float = "adagrad",
        mass: TwoMasses = 1,
        scaling: Annotated[str, Options(("kernel", "raw"))] = "kernel",
        peaks: Annotated[str, Options(("auto", "lattice", "planar", "ascent"))] = "auto",
        radius: PositiveFloat = 40.0,
        n_starts: Starts = 30,
        n_steps: Size = 25,
        lengthscale: PositiveFloat | None = None,
        degree: HarmonicDegree = 31,
        certify: bool = False,
        random_state: RandomState = None,
        device: AnyDevice = None,
    ) -> None:
        self.domain = domain
        self.n_rounds = n_rounds
        self.C = C
        self.step = step
        self.mass = mass
        self.scaling = scaling
        self.peaks = peaks
        self.radius = radius
        self.n_starts = n_starts
        self.n_steps = n_steps
        self.lengthscale = lengthscale
        self.degree = degree
        self.certify = certify
        self.random_state = random_state
        self.device = device

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags

    @property
    def _n_features_out(self) -> int:
        if self.domain == "euclidean":
            return 2 * len(self.masses_)
        if self.domain == "sphere":
            return len(self.masses_) + int((self.indices_[:, 1] > 0).sum())
        return sum(kernel.rank for kernel in self._maps.values())

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Play the game."""
        given = self._checked_parameters()
        rounds, box = given.n_rounds, given.C
        points, codes = self._checked_sample(X, y)
        if len(self.classes_) != 2:
            raise ValueError(f"y has {len(self.classes_)} classes, but a margin lies between two: select two of them")
        points, labels = points.double(), (2 * codes - 1).double()
        player = self._player(points, given)
        step = _step(given, len(labels), int(codes.bincount().min()))
        self.game_ = play_margin_game(player, labels, box, rounds=rounds, step=step, mass=given.mass)
        if self.certify:
            certificate = game_certificate(self.game_, player, scale=given.mass)
            self.value_bounds_ = (certificate.lower, certificate.upper)
        self._every_map = {}
        if isinstance(player, ZonalPeaks):
            self._every_map = {ell: player.map(ell) for ell in set(self.game_.indices[:, 0].tolist())}
        return self._keep(rounds)

    def transform(self, X: ArrayLike) -> Array:
        """Weighted features (n, n_out), whose inner products are the kernel, or `n_rounds` times it if "raw"."""
        points = self._checked_points(X)
        masses = self.masses_ * (len(self.values_) if self.scaling == "raw" else 1)
        roots = self._tensor(np.sqrt(masses)).to(points)
        if self.domain == "zonal":
            blocks = [root * kernel(points) for root, kernel in zip(roots, self._maps.values(), strict=True)]
            return array(torch.cat(blocks, -1))
        if self.domain == "sphere":
            indices = self._tensor(self.indices_)
            real, imaginary = (roots.unsqueeze(-1) * harmonic_pairs(points, indices)).unbind(-1)
            return array(torch.cat([real, imaginary[:, indices[:, 1] > 0]], -1))
        phases = points @ self._tensor(self.frequencies_).to(points).mT
        return array(torch.cat([roots * phases.cos(), roots * phases.sin()], -1))

    def truncated(self, n_rounds: int) -> Self:
        """The transformer that fewer rounds of the same run give, as if fitted with that `n_rounds`; uncertified."""
        check_is_fitted(self)
        shorter = copy(self)
        shorter.__dict__.pop("value_bounds_", None)
        shorter.n_rounds = acceptors(type(self).__init__)["n_rounds"](n_rounds)
        return shorter._keep(shorter.n_rounds)

    def _keep(self, rounds: int) -> Self:
        """Set what the first rounds of the run give."""
        measure = dual_measure(self.game_, rounds)
        names = array(measure.indices)
        if self.domain == "euclidean":
            self.frequencies_ = names
        else:
            self.indices_ = names
        self._maps = {ell: self._every_map[ell] for ell in names[:, 0].tolist()} if self.domain == "zonal" else {}
        self.masses_ = array(measure.masses)
        self.values_, self.gaps_ = array(self.game_.values[:rounds]), array(self.game_.gaps[:rounds])
        return self

    def _player(self, points: Tensor, given: Any) -> FeaturePlayer:
        if given.domain == "euclidean":
            return self._frequency_player(points, given)
        degree, width = given.degree, points.shape[1]
        if given.domain == "sphere":
            if width != 3:
                raise ValueError(f"n_features = {width}, but pairs of harmonics need 3: choose the domain 'zonal'")
            return HarmonicPeaks(points, degree)
        if width < 2:
            raise ValueError(f"n_features = {width}, but spheres need 2 at least: choose the domain 'euclidean'")
        return ZonalPeaks(points, degree)

    def _frequency_player(self, points: Tensor, given: Any) -> FeaturePlayer:
        width, peaks = points.shape[1], given.peaks
        if peaks == "lattice" or (peaks == "auto" and width == 1 and bool((points == points.round()).all())):
            return LatticePeaks(points)
        if peaks == "planar" or (peaks == "auto" and width == 2):
            return PlanarPeaks(points, radius=given.radius)
        generator = torch.Generator(points.device).manual_seed(self._generators()[1].initial_seed())
        return AscentPeaks(
            points, generator=generator, starts=given.n_starts, steps=given.n_steps, lengthscale=given.lengthscale
        )


def _step(given: Any, count: int, minority: int) -> StepRule:
    """The step rule of a sample with so many points, and so many in its smaller class."""
    diameter = given.C * math.sqrt(2 * minority)
    if not isinstance(given.step, str):
        return decreasing_step(Plain("(0, inf)").acceptor("step")(given.step))
    if Options(("adagrad", "theory")).acceptor("step")(given.step) == "adagrad":
        return adagrad_norm_step(diameter)
    return decreasing_step(diameter / (math.sqrt(count) * (1 + 2 * given.mass * given.C * minority)))
