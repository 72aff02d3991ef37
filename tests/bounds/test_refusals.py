"""Arguments that contradict each other are refused by name.

Values just outside the declared ranges, and absurd ones of everything: `tests/conformance`.
"""

import re

import pytest

from bounds.complexity import local_rademacher, spectral_class
from bounds.margin_game import online, sign_patterns
from bounds.pac_bayes import tuning, vacuity
from bounds.random_features import feature_counts, leverage, multinomial, ridge_risk, spectra

POWER = {"sample_size": 340, "delta": 0.05, "labels": "binary"}
REFUSED = [
    (lambda: local_rademacher.fixed_point([0.1, 0.2], 5), "must be sorted"),
    (lambda: local_rademacher.fixed_point([0.2, 0.1], 1), "2 eigenvalues for n = 1"),
    (lambda: spectral_class.uniform_spectral_margin_excess(1.0, 4.0, 2.1, 10, delta=0.1), "margin = 2.1"),
    (lambda: online.gradient_norm(1.0, 4, 2, mass=3), "mass = 3"),
    (lambda: sign_patterns.log_sign_patterns(12, 3), "points = 12"),
    (lambda: tuning.tuned_power_divergence_bound(0.3, [], orders=[], **POWER), "has 0 entries"),
    (lambda: tuning.tuned_power_divergence_bound(0.3, [0.1, 0.2], orders=[2.0], **POWER), "match them"),
    (lambda: vacuity.uninformed_alignment_loss([0.5, 0.4]), "probabilities"),
    (
        lambda: feature_counts.plain_feature_count(50.0, 0.1, feature_bound=1.0, regularisation=0.1),
        "effective_dimension = 50.0",
    ),
    (lambda: leverage.feature_count(1.0, 2.0, 0.1, constant=5.0), "effective_dimension = 2.0"),
    (
        lambda: feature_counts.lower_tail_feature_count(1.0, 2.0, 0.5),
        "effective_dimension = 2.0 must be at most sampling_dimension = 1.0",
    ),
    (lambda: multinomial.multinomial_box_probability(1, [1.0], [0, 0], [1]), "match them"),
    (lambda: multinomial.multinomial_box_probability(1, [0.5, 0.6], [0, 0], [1, 1]), "probabilities"),
    (lambda: multinomial.multinomial_box_probability(1, [], [], []), "probabilities"),
    (lambda: ridge_risk.empirical_risk_excess_constant(2.0), "multiple is 2.0"),
    (lambda: spectra.harmonic_effective_dimension(10, 1e-9), "regularisation = 1e-09"),
]


@pytest.mark.parametrize(("call", "said"), REFUSED)
def test_is_refused_by_name(call, said) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        call()


def test_the_last_values_inside_are_accepted() -> None:
    assert sign_patterns.log_sign_patterns(13, 3) > 0
    assert spectral_class.uniform_spectral_margin_excess(1.0, 4.0, 2.0, 10, delta=0.1) > 0
