"""Tiny copies of the public data sets, in the formats in which they are published."""

import gzip
import io
import json
import struct
import tarfile
import zipfile
from pathlib import Path

import joblib
import numpy as np
from scipy import sparse

API = "openml/openml.org/api/v1/json/data"


def idx(array) -> bytes:
    array = np.asarray(array, dtype=np.uint8)
    return bytes([0, 0, 8, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape) + array.tobytes()


def packed(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(content if isinstance(content, bytes) else json.dumps(content).encode()))


def openml_cache(folder: Path, name: str, arff: str, number: int = 17) -> Path:
    """What `fetch_openml(name, version=1)` leaves behind; the ARFF file."""
    url = f"https://www.openml.org/data/v1/download/99/{name}.arff"
    packed(folder / f"{API}/list/data_name/{name}/limit/2/data_version/1.gz", {"data": {"dataset": [{"did": number}]}})
    packed(folder / f"{API}/{number}.gz", {"data_set_description": {"url": url, "file_id": "99"}})
    path = folder / f"openml/openml.org/data/v1/download/99/{name}.arff.gz"
    packed(path, arff.encode())
    return path


def svmlight(rows: np.ndarray, labels) -> str:
    """Zeros are left out, and the first column is number 1."""
    lines = []
    for row, label in zip(rows, labels, strict=True):
        lines.append(f"{label:g} " + " ".join(f"{k + 1}:{x:g}" for k, x in enumerate(row) if x))
    return "\n".join(lines) + "\n"


def tar(members: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as archive:
        archive.addfile(folder_of("batches"))
        for name, data in members.items():
            entry = tarfile.TarInfo(f"batches/{name}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return content.getvalue()


def folder_of(name: str) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type = tarfile.DIRTYPE
    return entry


def zipped(members: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.mkdir("folder")
        for name, data in members.items():
            archive.writestr(f"folder/{name}", data)
    return content.getvalue()


def cifar(per_class: int = 2, classes: int = 10) -> bytes:
    """Six batches with the same number of images of each class; a class is told by its shades."""
    generator = np.random.default_rng(0)
    labels = np.repeat(np.arange(classes, dtype=np.uint8), per_class)

    def batch() -> bytes:
        pixels = generator.integers(0, 8, (len(labels), 3072)) + (np.arange(3072) * (labels[:, None] + 1)) % 240
        return np.hstack([labels[:, None], pixels.astype(np.uint8)]).tobytes()

    return tar({name: batch() for name in (*(f"data_batch_{k}.bin" for k in range(1, 6)), "test_batch.bin")})


def covtype_cache(folder: Path, points: np.ndarray, classes: np.ndarray) -> None:
    """What `fetch_covtype` leaves behind."""
    (folder / "covertype").mkdir()
    joblib.dump(points, folder / "covertype" / "samples_py3", compress=9)
    joblib.dump(classes, folder / "covertype" / "targets_py3", compress=9)


def reuters_cache(folder: Path, points: np.ndarray, topics: np.ndarray, names: list[str]) -> None:
    """What `fetch_rcv1` leaves behind."""
    (folder / "RCV1").mkdir()
    for name, content in (
        ("samples", sparse.csr_matrix(points)),
        ("sample_id", np.arange(len(points), dtype=np.uint32)),
        ("sample_topics", sparse.csr_matrix(topics)),
        ("topics_names", np.array(names, dtype=object)),
    ):
        joblib.dump(content, folder / "RCV1" / f"{name}_py3.pkl", compress=9)
