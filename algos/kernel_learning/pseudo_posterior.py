"""Gibbs posteriors over finitely many hypotheses, their divergences from the prior, and suprema over all posteriors."""

import math

import torch
from torch import Tensor

from algos._domains import Law, NonNegativeBatch, OrderAboveOne, Values
from algos._ratios import log_near_one, rounds, uniform_like
from signatures.checked import checked


@checked
def gibbs_posterior(losses: Values, inverse_temperature: NonNegativeBatch, *, prior: Law | None = None) -> Tensor:
    """Minimiser over q of ``E_q loss + KL(q || p) / tau``: the pseudo-posterior ``q ~ p exp(-tau loss)``.

    Losses are shifted by their minimum over the prior's support, so that no exponential overflows at any finite tau;
    entries far from the minimum underflow to zero. tau = 0 returns the prior.

    Parameters
    ----------
    losses : Tensor (*batch, N)
    inverse_temperature : float or Tensor broadcastable to (*batch)
        Finite and non-negative.
    prior : Tensor (*batch, N), optional
        Probabilities; uniform by default.

    Returns
    -------
    Tensor (*batch, N)
        Probabilities.

    Raises
    ------
    ValueError
        If the inverse temperature is negative or not finite.

    References
    ----------
    pbrff eq. 11 (tau = t / 2), eqs. 12 and 19 (tau = t = beta sqrt(n)).
    """
    tau = torch.as_tensor(inverse_temperature, dtype=losses.dtype, device=losses.device)
    if not bool((tau >= 0).all() and tau.isfinite().all()):
        raise ValueError(f"inverse_temperature is {inverse_temperature}, but it is finite and non-negative: choose one")
    supported = losses if prior is None else losses.masked_fill(prior == 0, math.inf)
    shifted = losses - supported.amin(-1, keepdim=True)
    exponent = -tau.unsqueeze(-1) * shifted
    if prior is not None:
        present = prior > 0
        exponent = torch.where(present, exponent + torch.where(present, prior, 1).log(), -math.inf)
    return exponent.softmax(-1)


@checked
def kl_divergence(posterior: Law, prior: Law | None = None) -> Tensor:
    """Kullback-Leibler divergence ``KL(q || p) = sum q log(q / p)``, with ``0 log 0 = 0``.

    Infinite where q charges an atom that p does not; between 0 and log N for the uniform prior.

    Parameters
    ----------
    posterior, prior : Tensor (*batch, N)
        Probabilities; the prior is uniform by default.

    Returns
    -------
    Tensor (*batch)
        Non-negative.

    References
    ----------
    pbrff Section 3.1.
    """
    if prior is None:
        apart = torch.xlogy(posterior, posterior * posterior.shape[-1])
    else:
        apart = torch.xlogy(posterior, posterior) - torch.xlogy(posterior, prior)
    if rounds(posterior):
        near, log_ratio = log_near_one(posterior, uniform_like(posterior) if prior is None else prior)
        apart = torch.where(near, posterior * log_ratio, apart)
    return apart.sum(-1).clamp_min(0)


@checked
def chi_square_divergence(posterior: Law, prior: Law | None = None) -> Tensor:
    """Chi-square divergence ``sum (q - p)^2 / p``; infinite where q charges an atom that p does not.

    Between 0 and N - 1 for the uniform prior. This is D_mu of pbrff at mu = 2.

    Parameters
    ----------
    posterior, prior : Tensor (*batch, N)
        Probabilities; the prior is uniform by default.

    Returns
    -------
    Tensor (*batch)
        Non-negative.

    References
    ----------
    pbrff Section 5.2.
    """
    if prior is None:
        atoms = posterior.shape[-1]
        return atoms * (posterior - 1 / atoms).square().sum(-1)
    present = prior > 0
    relative = (posterior - prior).square() / torch.where(present, prior, 1)
    return torch.where(present | (posterior == 0), relative, math.inf).sum(-1)


@checked
def effective_sample_size(posterior: Law) -> Tensor:
    """Number of equally weighted atoms with the same sum of squares, ``1 / sum q^2``.

    Parameters
    ----------
    posterior : Tensor (*batch, N)
        Probabilities.

    Returns
    -------
    Tensor (*batch)
        Between 1 and N; ``N / (1 + chi_square_divergence(q))`` for the uniform prior.

    References
    ----------
    Kish 1965.
    """
    return 1 / posterior.square().sum(-1)


@checked
def log_moment(values: Values, *, prior: Law | None = None) -> Tensor:
    """Supremum over all posteriors of ``E_q v - KL(q || p)``, that is ``log E_p exp(v)``.

    Turns "for all q" of a Kullback-Leibler bound into one number (Donsker-Varadhan). The maximiser is
    ``gibbs_posterior(-v, 1)``.

    Parameters
    ----------
    values : Tensor (*batch, N)
    prior : Tensor (*batch, N), optional
        Probabilities; uniform by default.

    Returns
    -------
    Tensor (*batch)

    References
    ----------
    The step behind pbrff Theorems 1 and 3.
    """
    if not rounds(values):
        weighed = values if prior is None else values + prior.log()
        return weighed.logsumexp(-1) - (math.log(values.shape[-1]) if prior is None else 0.0)
    masses = uniform_like(values).expand(values.shape[-1:]) if prior is None else prior
    supported = values.masked_fill(masses == 0, -math.inf)
    top = supported.detach().amax(-1, keepdim=True)
    top = torch.where(top > -math.inf, top, 0)
    moment = (masses * (supported - top).exp()).sum(-1)
    excess = (masses * torch.expm1(supported - top)).sum(-1) + (0 if prior is None else prior.sum(-1) - 1)
    near = torch.log1p(excess.clamp(-0.75, 1))
    return top.squeeze(-1) + torch.where((moment > 0.5) & (excess <= 1), near, moment.log())


@checked
def conjugate_norm(values: Values, order: OrderAboveOne, *, prior: Law | None = None) -> Tensor:
    """Supremum over all posteriors of ``E_q v / (D_mu(q || p) + 1)^(1 / mu)`` where it is positive, and 0 otherwise.

    Equal to ``(E_p v_+^mu')^(1 / mu')`` with the conjugate exponent ``mu' = mu / (mu - 1)`` and
    ``D_mu(q || p) = E_p (dq / dp)^mu - 1`` (Hoelder; attained by ``q ~ p v_+^(mu' - 1)``). Turns "for all q" of an
    f-divergence bound into one number.

    Parameters
    ----------
    values : Tensor (*batch, N)
    order : float
        mu > 1; 2 is the chi-square divergence.
    prior : Tensor (*batch, N), optional
        Probabilities; uniform by default.

    Returns
    -------
    Tensor (*batch)
        Non-negative.

    Raises
    ------
    ValueError
        If ``order`` <= 1.

    References
    ----------
    The step behind pbrff Theorem 4, whose eq. 14 prints the moment of order mu instead of mu'.
    """
    if not order > 1:
        raise ValueError(f"order is {order}, but the divergence needs mu > 1: use log_moment for mu = 1")
    conjugate = order / (order - 1)
    positive = values.clamp_min(0) if prior is None else torch.where(prior > 0, values.clamp_min(0), 0)
    largest = positive.amax(-1, keepdim=True)
    scaled = (positive / torch.where(largest > 0, largest, 1)) ** conjugate
    mean = scaled.mean(-1) if prior is None else (prior * scaled).sum(-1)
    return largest.squeeze(-1) * mean ** (1 / conjugate)
