"""PAC-Bayes bounds on kernel alignment: KL and chi-square, their tuning, and where they say something."""

from bounds.pac_bayes.kullback_leibler import (
    averaged_first_order_kl_bound,
    first_order_kl_bound,
    printed_averaged_first_order_kl_bound,
    printed_first_order_kl_bound,
    printed_second_order_kl_bound,
    second_order_kl_bound,
)
from bounds.pac_bayes.landmark_union import (
    landmark_kl_bound,
    selected_landmark_kl_bound,
)
from bounds.pac_bayes.power_divergence import (
    alignment_variance_bound,
    chi_square_bound,
    logarithmic_chi_square_bound,
    one_sided_second_moment,
    power_divergence_bound,
    printed_alignment_variance_bound,
    printed_chi_square_bound,
    printed_power_divergence_bound,
)
from bounds.pac_bayes.tuning import (
    kl_bound_infimum,
    temperature_grid_size,
    tuned_inverse_temperature,
    tuned_kl_bound,
    tuned_power_divergence_bound,
)
from bounds.pac_bayes.vacuity import (
    informative_margin,
    largest_alignment_loss,
    smallest_informative_sample,
    uninformed_alignment_loss,
)

__all__ = [
    "alignment_variance_bound",
    "averaged_first_order_kl_bound",
    "chi_square_bound",
    "first_order_kl_bound",
    "informative_margin",
    "kl_bound_infimum",
    "landmark_kl_bound",
    "largest_alignment_loss",
    "logarithmic_chi_square_bound",
    "one_sided_second_moment",
    "power_divergence_bound",
    "printed_alignment_variance_bound",
    "printed_averaged_first_order_kl_bound",
    "printed_chi_square_bound",
    "printed_first_order_kl_bound",
    "printed_power_divergence_bound",
    "printed_second_order_kl_bound",
    "second_order_kl_bound",
    "selected_landmark_kl_bound",
    "smallest_informative_sample",
    "temperature_grid_size",
    "tuned_inverse_temperature",
    "tuned_kl_bound",
    "tuned_power_divergence_bound",
    "uninformed_alignment_loss",
]
