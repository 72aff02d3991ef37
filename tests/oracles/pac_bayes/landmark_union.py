"""Donsker and Varadhan around each centre, Hoeffding's lemma for the mean over the others, one event per candidate."""

import itertools

from mpmath import log, mpf

POINTS = list(itertools.product([(0.0, 0.0), (0.3, 0.5)], [2, 3, 340], [0.05], [0.25, 30.0], [1, 34]))


def cases():
    for (loss, kl), n, delta, t, count in POINTS:
        options = {"sample_size": n, "delta": delta, "inverse_temperature": t}
        for position, others in (("inside", n - 1), ("outside", n)):
            value = loss + gap(kl, others, count / mpf(delta), t)
            yield "landmark_kl_bound", (loss, kl), options | {"landmarks": count, "position": position}, value
        events = n * count  # a centre for each point, in each setting
        value = loss + gap(kl, n - 1, events / mpf(delta), t)
        yield "selected_landmark_kl_bound", (loss, kl), options | {"settings": count}, value
    plain = {"sample_size": 5, "delta": 0.1, "inverse_temperature": 2.0}
    yield "landmark_kl_bound", (0.2, 0.4), plain | {"landmarks": 2}, mpf(0.2) + gap(0.4, 4, mpf(20), 2)
    yield "selected_landmark_kl_bound", (0.2, 0.4), plain, mpf(0.2) + gap(0.4, 4, mpf(50), 2)


def gap(kl, others, inverse_delta, t):
    """A mean of k independent losses of range one has log E exp(t D) <= t^2 / (8 k)."""
    log_moment = mpf(t) ** 2 / (8 * others)
    return (mpf(kl) + log_moment + log(inverse_delta)) / t
