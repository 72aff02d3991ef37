"""Data sets published in the sparse format of SVMlight and LIBSVM: one row a line, `label index:value ...`."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.datasets import load_svmlight_file
from sklearn.utils import Bunch

from harness.data.folder import read_lines
from harness.data.table import Table, binary_labels, dense, stacked
from harness.errors import UsageError

COD_RNA_COLUMNS, FARM_COLUMNS, REUTERS_COLUMNS = 8, 54_877, 47_236
REUTERS_TRAINING = 23_149
"""The first documents, which are the published training set."""
TOPIC = "CCAT"
"""Corporate and industrial news: the topic that lkrf predicts."""


def cod_rna(paths: Sequence[Path]) -> Table:
    """Non-coding RNA (LIBSVM cod-rna): 59,535 training and 271,617 test rows of 8 features, labels -1 and +1.

    Raises
    ------
    UsageError
        If a file is damaged.
    """
    training, test = (svmlight(path, columns=COD_RNA_COLUMNS) for path in paths)
    both = stacked(training, test)
    return Table(dense(both.points), both.targets, both.tested)


def farm_ads(paths: Sequence[Path]) -> Table:
    """UCI Farm Ads: 4143 x 54,877, sparse; labels -1 (rejected by the owner of the page) and +1 (accepted).

    Raises
    ------
    UsageError
        If the file is damaged.
    """
    (path,) = paths
    return svmlight(path, columns=FARM_COLUMNS)


def reuters(paths: Sequence[Path]) -> Table:
    """RCV1-v2: is a document of Reuters about corporate or industrial matters (CCAT)? 804,414 x 47,236, sparse.

    The paths are those of the training vectors, the four parts of the test vectors, and the topics.

    Raises
    ------
    UsageError
        If a file is damaged.
    """
    *vectors, topics = paths
    known = np.array(list(_documents(topics)))
    training, *tested = (svmlight(path, columns=REUTERS_COLUMNS) for path in vectors)
    points = sparse.vstack([part.points for part in tested], format="csr")
    both = stacked(training, Table(points, np.concatenate([part.targets for part in tested])))
    return Table(both.points, binary_labels(np.isin(both.targets, known)), both.tested)


def _documents(path: Path) -> Iterable[int]:
    """Numbers of the documents with the topic."""
    for line in read_lines(path):
        match line.split():
            case [topic, number, _] if number.isdigit():
                if topic == TOPIC:
                    yield int(number)
            case []:
                pass
            case _:
                raise UsageError(f"{path} holds the line {line!r}, not 'topic document 1'; fetch the file again.")


def reuters_of_cache(fetched: Bunch) -> Table:
    """The same from what scikit-learn's `fetch_rcv1` returns."""
    topic = list(fetched.target_names).index(TOPIC)
    about = np.asarray(fetched.target[:, [topic]].todense()).ravel() > 0
    return Table(sparse.csr_matrix(fetched.data), binary_labels(about), len(about) - REUTERS_TRAINING)


def svmlight(path: Path, *, columns: int) -> Table:
    """A file of SVMlight or LIBSVM, decompressed where its name ends in .gz or .bz2.

    Raises
    ------
    UsageError
        If the file is damaged, empty or has larger indices.
    """
    try:
        points, targets = load_svmlight_file(str(path), n_features=columns, zero_based="auto")
    except (OSError, EOFError, ValueError) as error:
        raise UsageError(f"{path} cannot be read ({error}); fetch the file again.") from error
    if not len(targets):
        raise UsageError(f"{path} contains no rows; fetch the file again.")
    return Table(sparse.csr_matrix(points), targets)
