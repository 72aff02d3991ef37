"""The Python interface."""

from concurrent.futures import ThreadPoolExecutor

from harness import always, check, claim
from harness.verdict import Status


def test_threads_judge_one_after_another() -> None:
    """They share the default dtype of torch, which a judgement sets: bodies were said to have changed it."""

    @claim("api/threads", always())
    def variance(forall):
        """p (1 - p) <= 1/4."""
        p = forall.interval("p", 0.0, 1.0)
        return p * (1 - p), 0.25

    with ThreadPoolExecutor(4) as threads:
        verdicts = list(threads.map(lambda _: check(variance, effort="quick"), range(4)))
    assert {verdict.status for verdict in verdicts} == {Status.PROVED}
