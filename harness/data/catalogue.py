"""The catalogue: every public data set that the four papers use and that is not bundled with scikit-learn.

A checksum is given where it is published or was computed from the public file.
"""

from collections.abc import Mapping

from harness.data.adult import adult
from harness.data.advertisements import internet_advertisements
from harness.data.data_set import DataSet, PublicFile
from harness.data.digits import TRAINING, TRAINING_IMAGES, mnist, mnist_of_openml
from harness.data.images import cifar10
from harness.data.measurements import buzz, covtype, covtype_of_cache, weight_lifting
from harness.data.regression import cpu_act, kin8nm, last_column
from harness.data.sources import Download, Fetcher, OpenML
from harness.data.sparse_rows import cod_rna, farm_ads, reuters, reuters_of_cache
from harness.data.table import Table
from harness.errors import UsageError

_UCI = "https://archive.ics.uci.edu/static/public"
_LIBSVM = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary"

_ENTRIES = (
    DataSet(
        "mnist",
        title="MNIST",
        rows=70_000,
        columns=784,
        source=OpenML("mnist_784", 1, mnist_of_openml),
        files=(
            PublicFile(
                f"{{{TRAINING}}}-images-idx3-ubyte", "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"
            ),
            PublicFile(
                f"{{{TRAINING}}}-labels-idx1-ubyte", "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"
            ),
            PublicFile("t10k-images-idx3-ubyte", "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"),
            PublicFile("t10k-labels-idx1-ubyte", "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"),
        ),
        read=mnist,
        claims=(
            "lkrf/app-C-mnist",
            "lkrf/tab-4-mnist",
            "lkrf/tab-4-mnist-kernels",
            "nsrf/A.1-median-columns",
            "nsrf/A.1-median-mnist",
            "nsrf/A.1-mnist",
            "nsrf/A.1-starts-mnist",
            "nsrf/A.1-temperature-mnist",
            "nsrf/A.1-top-k-mnist",
            "nsrf/improves-columns",
            "nsrf/improves-mnist",
            "nsrf/robust-mnist",
            "nsrf/tab-1-mnist",
            "nsrf/tab-1-mnist-full",
            "pbrff/fig-5-full",
            "pbrff/fig-5-mnist",
            "pbrff/fig-6-others",
            "pbrff/tab-1-mnist",
            "pbrff/tab-1-mnist-full",
            "uarff/fig-2-mnist",
        ),
        options={TRAINING: "train"},
        training_rows={
            "nsrf/A.1-median-mnist": TRAINING_IMAGES,
            "nsrf/A.1-mnist": TRAINING_IMAGES,
            "nsrf/A.1-starts-mnist": TRAINING_IMAGES,
            "nsrf/A.1-top-k-mnist": TRAINING_IMAGES,
            "nsrf/robust-mnist": TRAINING_IMAGES,
            "nsrf/tab-1-mnist": TRAINING_IMAGES,
            "uarff/fig-2-mnist": TRAINING_IMAGES,
        },
    ),
    DataSet(
        "adult",
        title="UCI Adult",
        rows=48_842,
        columns=108,
        source=Download((f"{_UCI}/2/adult.zip",)),
        files=(
            PublicFile("adult.data", "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d"),
            PublicFile("adult.test", "a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05"),
        ),
        read=adult,
        claims=(
            "lkrf/fig-3-data",
            "lkrf/tab-2-adult",
            "lkrf/tab-4-adult",
            "lkrf/tab-4-adult-validated",
            "lkrf/tab-5-adult",
            "pbrff/fig-3",
            "pbrff/fig-6-others",
            "pbrff/tab-1-adult",
            "pbrff/tab-1-adult-full",
            "pbrff/tab-2-adult",
        ),
        megabytes=0.6,
    ),
    DataSet(
        "ads",
        title="Internet Advertisements",
        rows=3_279,
        columns=1_554,
        source=Download((f"{_UCI}/51/internet+advertisements.zip",)),
        files=(PublicFile("ad.data"),),
        read=internet_advertisements,
        claims=("lkrf/tab-4-ads", "pbrff/fig-2", "pbrff/fig-3", "pbrff/tab-1-ads", "pbrff/tab-1-full"),
    ),
    DataSet(
        "kin8nm",
        title="kin8nm",
        rows=8_192,
        columns=8,
        source=OpenML("kin8nm", 1, last_column),
        files=(PublicFile("kin8nm.csv"),),
        read=kin8nm,
        claims=(
            "uarff/app-F",
            "uarff/app-F-fewer",
            "uarff/app-F-tuned-kernel",
            "uarff/fig-2",
            "uarff/fig-2-significant",
            "uarff/fig-2-tuned-kernel",
        ),
    ),
    DataSet(
        "cpu_act",
        title="cpu_act",
        rows=8_192,
        columns=21,
        source=OpenML("cpu_act", 1, last_column),
        files=(PublicFile("cpu_act.csv"),),
        read=cpu_act,
        claims=("uarff/fig-2", "uarff/fig-2-significant", "uarff/fig-2-tuned-kernel"),
    ),
    DataSet(
        "cifar10",
        title="CIFAR-10",
        rows=60_000,
        columns=3_072,
        source=Download(("https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz",)),
        files=(
            PublicFile("cifar-10-binary.tar.gz", "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd"),
        ),
        read=cifar10,
        claims=(
            "nsrf/tab-1-cifar",
            "nsrf/tab-1-cifar-full",
            "nsrf/tab-1-stability",
            "nsrf/tab-1-100-auto-truck",
        ),
        megabytes=170,
    ),
    DataSet(
        "cod-rna",
        title="cod-rna",
        rows=331_152,
        columns=8,
        source=Download((f"{_LIBSVM}/cod-rna", f"{_LIBSVM}/cod-rna.t")),
        files=(PublicFile("cod-rna"), PublicFile("cod-rna.t")),
        read=cod_rna,
        claims=("uarff/app-F-classes", "uarff/fig-2-classes"),
    ),
    DataSet(
        "covtype",
        title="Covertype",
        rows=581_012,
        columns=54,
        source=Fetcher("fetch_covtype", "covertype/samples*", covtype_of_cache),
        files=(PublicFile("covtype.data", "614360d0257557dd1792834a85a1cdebfadc3c4f30b011d56afee7ffb5b15771"),),
        read=covtype,
        claims=("uarff/fig-2-classes",),
        megabytes=11,
    ),
    DataSet(
        "reuters",
        title="RCV1-v2 (Reuters)",
        rows=804_414,
        columns=47_236,
        source=Fetcher("fetch_rcv1", "RCV1/sample_topics*", reuters_of_cache),
        files=(
            PublicFile(
                "lyrl2004_vectors_train.dat", "5468f656d0ba7a83afc7ad44841cf9a53048a5c083eedc005dcdb5cc768924ae"
            ),
            PublicFile(
                "lyrl2004_vectors_test_pt0.dat", "ed40f7e418d10484091b059703eeb95ae3199fe042891dcec4be6696b9968374"
            ),
            PublicFile(
                "lyrl2004_vectors_test_pt1.dat", "87700668ae45d45d5ca1ef6ae9bd81ab0f5ec88cc95dcef9ae7838f727a13aa6"
            ),
            PublicFile(
                "lyrl2004_vectors_test_pt2.dat", "48143ac703cbe33299f7ae9f4995db49a258690f60e5debbff8995c34841c7f5"
            ),
            PublicFile(
                "lyrl2004_vectors_test_pt3.dat", "dfcb0d658311481523c6e6ca0c3f5a3e1d3d12cde5d7a8ce629a9006ec7dbb39"
            ),
            PublicFile("rcv1-v2.topics.qrels", "2a98e5e5d8b770bded93afc8930d88299474317fe14181aee1466cc754d0d1c1"),
        ),
        read=reuters,
        claims=("lkrf/fig-3-data", "lkrf/tab-4-other"),
        megabytes=656,
    ),
    DataSet(
        "buzz",
        title="Buzz in Social Media",
        rows=140_707,
        columns=77,
        source=Download((f"{_UCI}/248/buzz+in+social+media.zip",)),
        files=(PublicFile("Twitter-Absolute-Sigma-500.data"),),
        read=buzz,
        claims=("lkrf/fig-3-data", "lkrf/tab-4-other"),
    ),
    DataSet(
        "weight",
        title="Weight Lifting Exercises",
        rows=39_242,
        columns=53,
        source=Download(
            (
                "http://groupware.les.inf.puc-rio.br/static/WLE/"
                "WearableComputing_weight_lifting_exercises_biceps_curl_variations.csv",
            )
        ),
        files=(PublicFile("WearableComputing_weight_lifting_exercises_biceps_curl_variations.csv"),),
        read=weight_lifting,
        claims=("lkrf/tab-4-other",),
    ),
    DataSet(
        "farm",
        title="Farm Ads",
        rows=4_143,
        columns=54_877,
        source=Download((f"{_UCI}/218/farm+ads.zip",)),
        files=(PublicFile("farm-ads-vect"),),
        read=farm_ads,
        claims=("lkrf/tab-4-other", "pbrff/fig-3", "pbrff/fig-6-others", "pbrff/tab-1-farm", "pbrff/tab-1-full"),
    ),
)

DATA_SETS: Mapping[str, DataSet] = {entry.name: entry for entry in _ENTRIES}
"""The data sets by their names."""


def data_set(name: str) -> DataSet:
    """The entry of this name.

    Raises
    ------
    UsageError
        If there is none.
    """
    if name not in DATA_SETS:
        raise UsageError(f"there is no data set {name!r}; the catalogue has {', '.join(DATA_SETS)}.")
    return DATA_SETS[name]


def load(name: str) -> Table:
    """A data set of the catalogue, from the folder that TIGHTROPE_DATA names.

    Raises
    ------
    UsageError
        If it is not there, with the command that fetches it; or if what is there is damaged.
    """
    return data_set(name).load()


def required(name: str, pattern: str) -> Table:
    """A data set of the catalogue, for claims of this pattern.

    Raises
    ------
    SkipClaim
        If it is not there, with the command that fetches it.
    """
    return data_set(name).required(pattern)
