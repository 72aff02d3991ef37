"""Kernel alignment: its general form, and as an integral against the spectral measure."""

from torch import Tensor

from algos.fourier.sums import fourier_potential
from algos.kernel_learning.alignment import quadratic_alignment
from harness import Forall, claim, grid, identity
from harness.claims.nsrf import symbols
from harness.claims.nsrf.kernels import mixture_of_cosines

EXAMPLES = [
    {"n": 1, "d": 1, "frequencies": 1},
    {"n": 2, "d": 5, "frequencies": 4},
    {"n": 6, "d": 2, "frequencies": 4},
]


@claim(
    "nsrf/eq-4",
    identity(),
    over=EXAMPLES,
    cite="nsrf, equation (4)",
    sizes="d = 1, 2 and 5, at most six points, measures on one pair and on four pairs of frequencies",
)
def alignment_is_an_integral_of_the_potential(forall: Forall, *, n: int, d: int, frequencies: int):
    """Kernel alignment a'Y G Y a is the integral of the Fourier potential v_a against the kernel's spectral measure."""
    points = forall.ball("points", n, d)
    labels = forall.signs("labels", n)
    weights = forall.interval("weights", 0.0, 1.0, n)
    omega = forall.ball("omega", frequencies, d, radius=20.0)
    measure = forall.simplex("measure", frequencies)
    alignment = quadratic_alignment(mixture_of_cosines(points, omega, measure), labels * weights)
    return alignment, (measure * fourier_potential(points, omega, labels * weights)).sum(-1)


@claim(
    "nsrf/alignment-general",
    identity(),
    over=grid(n=[1, 3], frequencies=[1, 3]),
    reading="printed",
    expected="refuted",
    cite="nsrf, Section 2.2, alignment of arbitrary measures",
    quote=(
        "When P, Q are arbitrary measures on X, this definition generalizes to gamma_k(P, Q) = int int k dP^2 + "
        "int int k dQ^2 - int int k dP dQ."
    ),
    defect=symbols.GENERAL_ALIGNMENT,
)
def general_alignment_as_printed(forall: Forall, *, n: int, frequencies: int):
    """The integral in equation (4) is int k dP^2 + int k dQ^2 - int k dP dQ, for measures P and Q of the two classes.

    A misprint, in the paper or in our copy: the cross term needs the factor 2, as in y'Gy, which this formula
    generalises. With one point of each class at the same place the classes cancel, and the paper gives k(x, x). The
    paper goes on with (4), which is right.
    """
    return _general_alignment(forall, n, frequencies, cross=1)


@claim(
    "nsrf/alignment-general",
    identity(),
    over=grid(n=[1], d=[1, 5], frequencies=[3]) + grid(n=[3], d=[2], frequencies=[1, 3]),
    reading="corrected",
    cite="nsrf, Section 2.2, with the cross term twice",
    sizes="d = 1, 2 and 5; measures P and Q with one and three atoms, kernels of one and three pairs of frequencies",
)
def general_alignment(forall: Forall, *, n: int, d: int, frequencies: int):
    """The integral in equation (4) is int k dP^2 + int k dQ^2 - 2 int k dP dQ, for measures P and Q of the classes."""
    return _general_alignment(forall, n, frequencies, cross=2, d=d)


def _general_alignment(forall: Forall, n: int, frequencies: int, *, cross: int, d: int = 2) -> tuple[Tensor, Tensor]:
    """int lambda |int exp(i <w, x>) d(P - Q)|^2 and the three double integrals, P and Q with n atoms each."""
    points = forall.ball("points", 2 * n, d)
    masses = forall.interval("masses", 0.0, 1.0, 2 * n)
    omega = forall.ball("omega", frequencies, d, radius=20.0)
    measure = forall.simplex("measure", frequencies)
    gram = mixture_of_cosines(points, omega, measure)
    p, q = masses[..., :n], masses[..., n:]
    within = quadratic_alignment(gram[..., :n, :n], p) + quadratic_alignment(gram[..., n:, n:], q)
    between = (p * (gram[..., :n, n:] @ q.unsqueeze(-1)).squeeze(-1)).sum(-1)
    signed = masses * masses.new_tensor([1.0] * n + [-1.0] * n)
    return (measure * fourier_potential(points, omega, signed)).sum(-1), within - cross * between
