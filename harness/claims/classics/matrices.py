"""Spectra of sums, products and perturbations; random matrices; graphs and permutations through their matrices."""

import math

import torch

from harness import always, claim, every, grid, identity, tail


@claim("classics/weyl", always(), cite="Weyl 1912; Bhatia 1997, Corollary III.2.6", sharp=0.8, over=grid(n=[2, 3]))
def weyl(forall, *, n):
    """max_i |lambda_i(A + B) - lambda_i(A)| <= |B|."""
    a, b = forall.symmetric("A", n), forall.symmetric("B", n)
    moved = torch.linalg.eigvalsh(a + b) - torch.linalg.eigvalsh(a)
    return moved.abs().amax(-1), torch.linalg.eigvalsh(b).abs().amax(-1)


@claim("classics/hoffman-wielandt", always(), cite="Hoffman and Wielandt 1953, Theorem 1", sharp=0.8, over=grid(n=[3]))
def hoffman_wielandt(forall, *, n):
    """sum_i (lambda_i(A) - lambda_i(B))^2 <= |A - B|_F^2."""
    a, b = forall.symmetric("A", n), forall.symmetric("B", n)
    apart = torch.linalg.eigvalsh(a) - torch.linalg.eigvalsh(b)
    return apart.square().sum(-1), (a - b).square().sum((-1, -2))


@claim("classics/davis-kahan", always(), cite="Davis and Kahan 1970, the sin theta theorem", sharp=0.8)
def davis_kahan(forall):
    """sin(angle of the top eigenvectors of A and A + B) (lambda_1(A) - lambda_2(A + B)) <= |B|."""
    a, b = forall.spectrum("A", [0.0, 0.0, 1.0]), forall.symmetric("B", 3)
    values, vectors = torch.linalg.eigh(a + b)
    top = torch.linalg.eigh(a).eigenvectors[..., -1:]
    sine = (vectors[..., :-1].mT @ top).norm(dim=(-1, -2))
    return sine * (1.0 - values[..., -2]).clamp_min(0.0), torch.linalg.eigvalsh(b).abs().amax(-1)


@claim("classics/davis-kahan-gap", always(), cite="Yu, Wang, Samworth 2015, Corollary 1", sharp=0.8)
def davis_kahan_gap(forall):
    """sin(angle of the top eigenvectors of A and A + B) (lambda_1(A) - lambda_2(A)) <= 2 |B|."""
    a, b = forall.spectrum("A", [0.0, 1.0]), forall.symmetric("B", 2)
    bottom, top = torch.linalg.eigh(a + b).eigenvectors[..., 0], torch.linalg.eigh(a).eigenvectors[..., -1]
    return (bottom * top).sum(-1).abs(), 2.0 * torch.linalg.eigvalsh(b).abs().amax(-1)


@claim("classics/golden-thompson", always(), cite="Golden 1965; Thompson 1965", sharp=0.8, over=grid(n=[2, 3]))
def golden_thompson(forall, *, n):
    """tr exp(A + B) <= tr(exp(A) exp(B)) for symmetric A and B."""
    a, b = forall.symmetric("A", n, radius=2.0), forall.symmetric("B", n, radius=2.0)
    left = torch.linalg.eigvalsh(a + b).exp().sum(-1)
    return left, (torch.linalg.matrix_exp(a) * torch.linalg.matrix_exp(b)).sum((-1, -2))


@claim("classics/von-neumann-trace", always(), cite="von Neumann 1937; Mirsky 1975", sharp=0.8, over=grid(n=[2, 3]))
def von_neumann_trace(forall, *, n):
    """|tr(A B)| <= sum_i s_i(A) s_i(B), the singular values in order."""
    a, b = forall.interval("A", -1.0, 1.0, n, n), forall.interval("B", -1.0, 1.0, n, n)
    return (a @ b).diagonal(dim1=-2, dim2=-1).sum(-1).abs(), (torch.linalg.svdvals(a) * torch.linalg.svdvals(b)).sum(-1)


@claim("classics/root-continuity", always(), cite="Bhatia 1997, Theorem X.1.1", sharp=0.8)
def root_continuity(forall):
    """|A^(1/2) - B^(1/2)| <= |A - B|^(1/2) for positive semi-definite A and B."""
    a, b = forall.psd("A", 2), forall.psd("B", 2)
    (s, u), (r, v) = torch.linalg.eigh(a), torch.linalg.eigh(b)
    apart = (u * s.clamp_min(0.0).sqrt()[:, None]) @ u.mT - (v * r.clamp_min(0.0).sqrt()[:, None]) @ v.mT
    return torch.linalg.eigvalsh(apart).abs().amax(-1), torch.linalg.eigvalsh(a - b).abs().amax(-1).sqrt()


@claim("classics/cauchy-interlacing", always(), cite="Bhatia 1997, Corollary III.1.5", sharp=0.8, over=grid(n=[3, 4]))
def cauchy_interlacing(forall, *, n):
    """The spread of the eigenvalues of a principal submatrix is at most that of the matrix."""
    a = forall.symmetric("A", n)
    inner, outer = torch.linalg.eigvalsh(a[:, 1:, 1:]), torch.linalg.eigvalsh(a)
    return inner[:, -1] - inner[:, 0], outer[:, -1] - outer[:, 0]


@claim("classics/schur-product", always(), cite="Schur 1911, Theorem VII", sharp=0.8, over=grid(n=[2, 3]))
def schur_product(forall, *, n):
    """lambda_min(A) min_i b_ii <= lambda_min(A o B) for the entrywise product of positive semi-definite matrices."""
    a, b = forall.psd("A", n, trace=1.0), forall.psd("B", n, trace=1.0)
    smallest = b.diagonal(dim1=-2, dim2=-1).amin(-1)
    return torch.linalg.eigvalsh(a)[:, 0] * smallest, torch.linalg.eigvalsh(a * b)[:, 0]


@claim("classics/hadamard-determinant", always(), cite="Hadamard 1893", sharp=0.8, over=grid(n=[2, 3]))
def hadamard_determinant(forall, *, n):
    """|det A| <= product of the norms of the rows."""
    a = forall.interval("A", -1.0, 1.0, n, n)
    return torch.linalg.det(a).abs(), a.norm(dim=-1).prod(-1)


@claim("classics/sylvester-determinant", identity(), cite="Sylvester 1851", sharp="an identity")
def sylvester_determinant(forall):
    """det(I + A B) = det(I + B A) for A of shape 2 x 3 and B of shape 3 x 2."""
    a, b = forall.interval("A", -1.0, 1.0, 2, 3), forall.interval("B", -1.0, 1.0, 3, 2)
    two, three = torch.eye(2, device=a.device), torch.eye(3, device=a.device)
    return torch.linalg.det(two + a @ b), torch.linalg.det(three + b @ a)


@claim("classics/eckart-young", always(), cite="Eckart and Young 1936; Mirsky 1960", sharp=0.8)
def eckart_young(forall):
    """sum_{i > 1} s_i(A)^2 <= |A - u v'|_F^2: no matrix of rank one comes closer than the singular values say."""
    a, u, v = forall.interval("A", -1.0, 1.0, 2, 2), forall.sphere("u", 2), forall.ball("v", 2, radius=2.0)
    return torch.linalg.svdvals(a)[:, 1] ** 2, (a - u[:, :, None] * v[:, None, :]).square().sum((-1, -2))


@claim(
    "classics/matrix-rademacher",
    always(),
    cite="Tropp 2015, Theorem 4.6.1",
    sharp=0.8,
    over=grid(terms=[1, 3], d=[2]),
)
def matrix_rademacher(forall, *, terms, d):
    """E lambda_max(sum e_i A_i) <= sqrt(2 |sum A_i^2| log d) for random signs e and symmetric A_i."""
    a = torch.stack([forall.symmetric(f"A{i}", d) for i in range(terms)], 1)
    values = torch.linalg.eigvalsh(torch.einsum("si,bijk->bsjk", every.signs(terms, like=a), a))
    variance = torch.linalg.eigvalsh((a @ a).sum(1))[:, -1]
    return values[..., -1].mean(-1), (2.0 * math.log(d) * variance).sqrt()


@claim(
    "classics/matrix-bernstein",
    tail(),
    cite="Tropp 2015, Theorem 6.6.1",
    restricts="matrices that occur with probability p",
    sharp="the dimension before the exponential, and thin tails",
    over=grid(terms=[6], d=[2]),
)
def matrix_bernstein(forall, draw, *, terms, d):
    """P(lambda_max(sum X_i) >= t) <= d exp(-t^2 / (2 (v + L t / 3))), v = |sum E X_i^2|, lambda_max(X_i) <= L."""
    a, p = forall.interval("A", -1.0, 1.0, terms, d, d), forall.interval("p", 0.05, 0.95)
    a, t = (a + a.mT) / 2.0, forall.interval("t", 0.0, 6.0)
    v = p * (1.0 - p) * torch.linalg.eigvalsh((a @ a).sum(1))[:, -1]
    largest = torch.maximum(p, 1.0 - p) * torch.linalg.eigvalsh(a).abs().amax((-1, -2))
    total = ((draw.bernoulli("b", p, terms) - p)[:, :, None, None] * a).sum(1)
    return torch.linalg.eigvalsh(total)[:, -1] >= t, d * torch.exp(-(t**2) / (2.0 * (v + largest * t / 3.0)))


@claim(
    "classics/matrix-chernoff",
    tail(),
    cite="Tropp 2015, Theorem 5.1.1",
    restricts="projections on lines, each present with probability p",
    sharp="the dimension before the exponential, and thin tails",
    over=grid(terms=[6], d=[2]),
)
def matrix_chernoff(forall, draw, *, terms, d):
    """P(lambda_max(S) >= (1 + c) mu) <= d (e^c / (1 + c)^(1 + c))^mu, S a sum of psd X_i <= 1, mu = lambda_max(E S)."""
    a, p, c = forall.sphere("a", terms, d), forall.interval("p", 0.02, 0.9), forall.interval("c", 0.0, 8.0)
    lines = a[:, :, :, None] * a[:, :, None, :]
    mu = p * torch.linalg.eigvalsh(lines.sum(1))[:, -1]
    total = (draw.bernoulli("b", p, terms)[:, :, None, None] * lines).sum(1)
    exponent = mu * (c - (1.0 + c) * torch.log1p(c))
    return torch.linalg.eigvalsh(total)[:, -1] >= (1.0 + c) * mu, d * torch.exp(exponent)


@claim(
    "classics/davidson-szarek",
    tail(),
    cite="Davidson and Szarek 2001, Theorem II.13",
    sharp="sharp to first order in large matrices; fluctuations are smaller than the bound on them",
    over=grid(n=[8], d=[1, 2]),
)
def davidson_szarek(forall, draw, *, n, d):
    """P(s_max(G) >= sqrt(n) + sqrt(d) + t) <= exp(-t^2 / 2) for an n x d matrix of standard normal numbers."""
    t, g = forall.interval("t", 0.0, 3.0), draw.normal("G", n, d)
    top = torch.linalg.eigvalsh(g.mT @ g)[:, -1].clamp_min(0.0).sqrt()
    return top >= math.sqrt(n) + math.sqrt(d) + t, torch.exp(-(t**2) / 2.0)


@claim("classics/maximal-degree", always(), cite="Brouwer and Haemers 2012, Proposition 3.1.2", sharp=0.8)
def maximal_degree(forall):
    """The largest eigenvalue of a graph is at most its largest degree."""
    graph = forall.graph("G", 5)
    return torch.linalg.eigvalsh(graph)[:, -1], graph.sum(-1).amax(-1)


@claim("classics/anderson-morley", always(), cite="Anderson and Morley 1985, Theorem 2", sharp=0.8)
def anderson_morley(forall):
    """The largest Laplacian eigenvalue is at most the largest sum of the degrees at the ends of an edge."""
    graph = forall.graph("G", 5)
    degree = graph.sum(-1)
    ends = (graph * (degree[:, :, None] + degree[:, None, :])).amax((-1, -2))
    return torch.linalg.eigvalsh(torch.diag_embed(degree) - graph)[:, -1], ends


@claim(
    "classics/rearrangement",
    always(),
    cite="Hardy, Littlewood, Polya 1952, Theorem 368",
    sharp=0.8,
    over=grid(n=[2, 5]),
)
def rearrangement(forall, *, n):
    """sum a_i b_pi(i) <= sum of the products of the sorted numbers."""
    a, b = forall.interval("a", -1.0, 1.0, n), forall.interval("b", -1.0, 1.0, n)
    order = forall.permutation("pi", n)
    return (a * b.gather(-1, order)).sum(-1), (a.sort(-1).values * b.sort(-1).values).sum(-1)


@claim("classics/diaconis-graham", always(), cite="Diaconis and Graham 1977", sharp=0.8, over=grid(n=[3, 6]))
def diaconis_graham(forall, *, n):
    """Spearman's footrule is at most twice the number of inversions: sum |pi(i) - i| <= 2 I(pi)."""
    order = forall.permutation("pi", n).double()
    inversions = torch.triu(order[:, :, None] > order[:, None, :]).sum((-1, -2))
    return (order - torch.arange(n, device=order.device)).abs().sum(-1), 2.0 * inversions


@claim("classics/ky-fan", always(), cite="Fan 1949, Theorem 1", sharp=0.8, over=grid(n=[3], k=[1, 2]))
def ky_fan(forall, *, n, k):
    """The sum of k diagonal entries in any orthonormal basis <= the sum of the k largest eigenvalues, A >= 0."""
    a, q = forall.psd("A", n, trace=1.0), forall.orthogonal("Q", n)
    diagonal = (q * (a @ q)).sum(-2)
    return diagonal[:, :k].sum(-1), torch.linalg.eigvalsh(a)[:, n - k :].sum(-1)


@claim(
    "classics/nuclear-norm",
    always(),
    cite="von Neumann 1937; Horn and Johnson 2013, section 7.4",
    sharp=0.8,
    over=grid(n=[2, 3]),
)
def nuclear_norm(forall, *, n):
    """|tr(Q' A)| <= sum of the singular values of A for orthogonal Q."""
    a, q = forall.interval("A", -1.0, 1.0, n, n), forall.orthogonal("Q", n)
    return (q * a).sum((-1, -2)).abs(), torch.linalg.svdvals(a).sum(-1)
