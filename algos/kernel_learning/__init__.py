"""Kernels learnt from data: alignment, weights of features, posteriors over frequencies, landmarks."""

from algos.kernel_learning.alignment import (
    binary_alignment_loss,
    label_alignment_loss,
    label_alignment_variance,
    landmark_alignment_loss,
    multiclass_alignment_loss,
    pairwise_alignment_loss,
    per_point_alignment_loss,
    quadratic_alignment,
    u_statistic_variance,
)
from algos.kernel_learning.greedy_kernel import (
    chi_square_alignment_weights,
    pseudo_bayesian_weights,
    sample_frequencies,
)
from algos.kernel_learning.joint_kernel import (
    JointKernel,
    joint_kernel_ridge,
)
from algos.kernel_learning.landmarks import (
    kmeans_landmarks,
    random_landmarks,
    similarity_map,
    stratified_landmarks,
)
from algos.kernel_learning.learned_similarities import pseudo_bayesian_similarities
from algos.kernel_learning.pseudo_posterior import (
    chi_square_divergence,
    conjugate_norm,
    effective_sample_size,
    gibbs_posterior,
    kl_divergence,
    log_moment,
)
from algos.kernel_learning.sphere import (
    SpherePopulation,
    radial_label_transform,
    sphere_alignment,
    sphere_ball_maximum,
)
from algos.kernel_learning.weights import (
    alignment_u_statistic,
    alignment_vector,
    class_targets,
    learned_kernel,
    reweighted_features,
    sampled_features,
    support,
)

__all__ = [
    "JointKernel",
    "SpherePopulation",
    "alignment_u_statistic",
    "alignment_vector",
    "binary_alignment_loss",
    "chi_square_alignment_weights",
    "chi_square_divergence",
    "class_targets",
    "conjugate_norm",
    "effective_sample_size",
    "gibbs_posterior",
    "joint_kernel_ridge",
    "kl_divergence",
    "kmeans_landmarks",
    "label_alignment_loss",
    "label_alignment_variance",
    "landmark_alignment_loss",
    "learned_kernel",
    "log_moment",
    "multiclass_alignment_loss",
    "pairwise_alignment_loss",
    "per_point_alignment_loss",
    "pseudo_bayesian_similarities",
    "pseudo_bayesian_weights",
    "quadratic_alignment",
    "radial_label_transform",
    "random_landmarks",
    "reweighted_features",
    "sample_frequencies",
    "sampled_features",
    "similarity_map",
    "sphere_alignment",
    "sphere_ball_maximum",
    "stratified_landmarks",
    "support",
    "u_statistic_variance",
]
