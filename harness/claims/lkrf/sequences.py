"""Sequences over four letters with two planted motifs, and their k-grams by position: the setting of Section 4.2."""

import itertools
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.sparse import csr_array

LETTERS = "ACGT"
LENGTH = 81
LONGEST = 5
MOTIFS = ("GGTTG", "GTTGG")
"""The 5-grams whose prefixes the caption of Figure 2 finds selected."""

PLACES = (60, 61, 62, 63, 64)
"""Indices, counted from 0, at one of which a motif begins; the paper's circled features lie at 60 to 64."""


@dataclass(frozen=True)
class Sequences:
    """k-grams (n, d) as sparse zeros and ones, labels (n,)."""

    features: csr_array
    labels: NDArray[np.float64]


def dimension(length: int = LENGTH, longest: int = LONGEST) -> int:
    """Number of k-grams by position, sum over k of 4^k (length + 1 - k)."""
    return sum(_grams(k) * (length + 1 - k) for k in range(1, longest + 1))


def column(gram: str, place: int) -> int:
    """Column of a k-gram at a position: k-grams are ordered by k, then position, then alphabetically."""
    code = sum(LETTERS.index(letter) * _grams(j) for j, letter in enumerate(reversed(gram)))
    return dimension(longest=len(gram) - 1) + place * _grams(len(gram)) + code


def motif_sequences(count: int, *, share: float, generator: torch.Generator) -> Sequences:
    """Uniform random sequences, half of them positive; a positive one carries a motif with chance `share`.

    Which of the two motifs, and where in `PLACES`, is uniformly random.
    """
    letters = torch.randint(len(LETTERS), (count, LENGTH), generator=generator).numpy()
    positive, planted = torch.rand((2, count), dtype=torch.float64, generator=generator).numpy()
    variants = list(itertools.product(MOTIFS, PLACES))
    which = torch.randint(len(variants), (count,), generator=generator).numpy()
    labels = np.where(positive < 0.5, 1.0, -1.0)
    for index, (motif, place) in enumerate(variants):
        rows = (labels > 0) & (planted < share) & (which == index)
        letters[rows, place : place + len(motif)] = [LETTERS.index(letter) for letter in motif]
    return Sequences(k_grams(letters), labels)


def k_grams(letters: NDArray[np.int64]) -> csr_array:
    """Indicators of every k-gram at every position, k = 1, ..., 5: letters (n, 81) in 0..3 give (n, 105476)."""
    count, blocks, codes = len(letters), [], np.zeros_like(letters)
    for k in range(1, LONGEST + 1):
        places = LENGTH + 1 - k
        codes = codes[:, :places] * len(LETTERS) + letters[:, k - 1 :]
        blocks.append(dimension(longest=k - 1) + np.arange(places) * _grams(k) + codes)
    columns = np.concatenate(blocks, axis=1)
    starts = np.arange(count + 1) * columns.shape[1]
    return csr_array((np.ones(columns.size), columns.ravel(), starts), shape=(count, dimension()))


def _grams(k: int) -> int:
    """Number of k-grams, 4^k."""
    number: int = len(LETTERS) ** k
    return number
