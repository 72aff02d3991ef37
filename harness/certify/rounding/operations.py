"""Which of torch's operations round, and how: the table behind `harness.certify.rounding.tensors`."""

import functools
from typing import Any, NamedTuple


def names(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


EXACT = names(
    """
    view reshape expand transpose permute select slice unsqueeze squeeze detach clone copy alias t index gather
    where cat stack amax amin max min sort zeros ones full empty arange eye lift lift_fresh abs neg sign clamp
    clamp_min clamp_max floor ceil round trunc diagonal diagonal_copy as_strided unfold split split_with_sizes
    unbind flip roll repeat repeat_interleave eq lt gt le ge ne isfinite isnan isinf scatter topk kthvalue
    median nanmedian _unsafe_view fill set scalar_tensor broadcast_to maximum minimum fmax fmin relu threshold
    heaviside copysign frac fmod remainder diag_embed tril triu masked_fill masked_scatter masked_select
    index_select index_put _index_put_impl take take_along_dim argmax argmin argsort searchsorted
    bucketize unique _unique2 cummax cummin constant_pad_nd new_zeros new_ones new_empty new_full
    new_empty_strided zeros_like ones_like full_like empty_like empty_strided to view_as_real
    view_as_complex real imag conj _conj resolve_conj complex bernoulli rand randn normal uniform randint
    randperm multinomial exponential rand_like randn_like bitwise_and
    bitwise_or bitwise_not bitwise_xor aminmax _reshape_alias unsafe_split narrow swapaxes expand_as view_as
    hardtanh nan_to_num positive floor_divide ldexp
    """
)
"""Copies, choices, comparisons and counts: no rounding at all."""

CONTRACTIONS = names(
    """
    sum nansum mean dot vdot mv mm bmm addmm addmv baddbmm addbmm addr matmul cumsum logcumsumexp var
    std var_mean std_mean linalg_cross index_add scatter_add scatter_reduce convolution _trilinear trapezoid
    trace linalg_vecdot diff avg_pool2d avg_pool3d _embedding_bag
    _embedding_bag_forward_only segment_reduce index_reduce bincount
    """
)
"""Sums of many terms, also of products: rounding grows with the terms."""

ADDING = names("sum nansum mean cumsum trace diff index_add scatter_add segment_reduce index_reduce bincount")
"""Those of these that multiply nothing."""

SUMS = names("add sub rsub")
"""Those of two terms, elementwise."""

OF_ALL_ROWS = names("trace _embedding_bag _embedding_bag_forward_only segment_reduce index_reduce bincount")
"""Those of these sums that add up rows, too."""

NORMWISE = names(
    """
    linalg_cholesky_ex cholesky linalg_eigh _linalg_eigh _linalg_eigvals linalg_eig linalg_eigvals _linalg_svd
    svd linalg_qr geqrf linalg_householder_product linalg_lu_factor_ex linalg_lu _linalg_det _linalg_slogdet
    _linalg_solve_ex linalg_solve_triangular triangular_solve cholesky_solve cholesky_inverse linalg_inv_ex
    linalg_ldl_factor_ex linalg_ldl_solve linalg_lstsq linalg_pinv linalg_matrix_exp linalg_lu_solve _fft_r2c
    _fft_c2c _fft_c2r
    """
)
"""Factorisations, solves and transforms: backward stable relative to the norm of their input."""

INVERTING = dict.fromkeys(("linalg_inv_ex", "_linalg_solve_ex", "linalg_cholesky_ex", "_linalg_slogdet"), 0)
INVERTING |= dict.fromkeys(("linalg_solve_triangular", "linalg_lu_factor_ex", "linalg_ldl_factor_ex"), 0)
INVERTING |= dict.fromkeys(("cholesky_solve", "triangular_solve"), 1) | {"cholesky_inverse": 0}
"""Of those, the ones that say nothing of a singular matrix, and the place of that among their arguments."""

DISTANCES = names(
    """
    _euclidean_dist _cdist_forward
    """
)
"""Distances by expanding squares."""

SPECIAL = names(
    """
    lgamma digamma polygamma erfinv igamma igammac i0 mvlgamma special_ndtri special_zeta special_i0e special_i1
    special_i1e special_log_ndtr special_erfcx special_bessel_j0 special_bessel_j1 special_bessel_y0
    special_bessel_y1 special_modified_bessel_i0 special_modified_bessel_i1 special_modified_bessel_k0
    special_modified_bessel_k1 special_entr special_ndtr erf erfc
    special_chebyshev_polynomial_t special_chebyshev_polynomial_u special_chebyshev_polynomial_v
    special_chebyshev_polynomial_w special_shifted_chebyshev_polynomial_t special_shifted_chebyshev_polynomial_u
    special_shifted_chebyshev_polynomial_v special_shifted_chebyshev_polynomial_w special_hermite_polynomial_h
    special_hermite_polynomial_he special_laguerre_polynomial_l special_legendre_polynomial_p special_airy_ai
    """
)
"""Special functions, of which libraries promise less than a last place."""

ELEMENTARY = SPECIAL | names(
    """
    exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sigmoid atan2 pow
    softplus log_sigmoid_forward logit silu mish elu sinc xlogy special_xlog1py hypot
    """
)
"""Functions that saturate: that tanh(40) is 1.0, a short number made of a short one, does not make it exact."""

ROUGH = dict.fromkeys(
    names("special_bessel_j0 special_bessel_j1 special_bessel_y0 special_bessel_y1 special_airy_ai"), 1e-7
) | dict.fromkeys(names("igamma igammac polygamma"), 1e-10)
"""Functions whose kernels in torch are wrong by more than rounding, at most 1e-6 or 2e-9 of one: a share of that."""

WITH_POLES = names("div reciprocal rsqrt pow log log2 log10 log1p")
"""What gives an infinite number of finite ones."""

SWALLOWING = names("div reciprocal rsqrt pow atan atan2 tanh erf erfc special_ndtr")
"""What makes a finite number of an infinite one: 1 ** (1 / 0) is 1. A choice does not, nor does exp of log 0."""

BETWEEN = {
    **dict.fromkeys(("sigmoid", "_softmax", "special_ndtr", "igamma", "igammac"), (0.0, 1.0)),
    **dict.fromkeys(("tanh", "erf", "sin", "cos"), (-1.0, 1.0)),
    "erfc": (0.0, 2.0),
}
"""Between what such functions lie, however they round."""

GROWING = names("mul pow add sub sum prod cumsum cumprod mm bmm mv dot addmm neg")
"""Operations on whole numbers that overflow."""

OVERFLOWING = (GROWING - names("neg")) | names("rsub square addcmul exp exp2 expm1 sinh cosh baddbmm")
"""What is beyond the largest number where its operands are not: 1 / (1 + exp(1000)) is zero in float64 only."""


class Operation(NamedTuple):
    """An operation of torch: its name without what says that it works in place, whether it does, whether it rounds."""

    name: str
    in_place: bool
    exact: bool


@functools.cache
def operation(func: Any) -> Operation:
    """What torch calls `func`."""
    name: str = func._schema.name.split("::")[1]
    in_place = name.endswith("_") and not name.startswith("__")
    name = name.rstrip("_") if in_place else name
    return Operation(name, in_place, name in EXACT or func.is_view)
