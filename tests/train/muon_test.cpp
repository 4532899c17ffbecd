#include "train/muon.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tritonrl::train {
namespace {

at::Tensor drawn(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  at::manual_seed(seed);
  return at::randn({rows, columns});
}

// Every singular value of a wide, a tall and a square matrix, and the directions themselves.
TEST(Muon, MakesAMatrixAboutOrthogonalAndKeepsItsDirections) {
  for (const auto& [rows, columns] : {std::pair(16, 40), std::pair(40, 16), std::pair(12, 12)}) {
    const at::Tensor matrix = drawn(rows, columns, 7) * 1e-4;
    const at::Tensor made = orthogonalized(matrix);
    ASSERT_EQ(made.sizes(), matrix.sizes());
    const auto [u, s, vh] = at::linalg_svd(matrix, /*full_matrices=*/false);
    const at::Tensor seen = at::matmul(at::matmul(u.t(), made), vh.t());  // diagonal where directions are kept
    const at::Tensor values = seen.diagonal();
    EXPECT_LT((seen - at::diag(values)).abs().max().item<double>(), 1e-3);
    EXPECT_LT(values.max().item<double>(), 1.3);
    // Very small ones are not lifted in five steps.
    EXPECT_GT(values.masked_select(s > 0.05 * s.max()).min().item<double>(), 0.6);
  }
}

TEST(Muon, LeavesNoGradientAsNothing) {
  const at::Tensor made = orthogonalized(at::zeros({4, 6}));
  EXPECT_EQ(made.abs().max().item<double>(), 0);
}

TEST(Muon, StepsAreAsLongAsThoseOfAdamW) {
  for (const auto& [rows, columns] : {std::pair(64, 64), std::pair(32, 96), std::pair(96, 32)}) {
    const at::Tensor weights = at::zeros({rows, columns});
    muon_update(weights, drawn(rows, columns, 3), at::zeros({rows, columns}), {rows}, 0.01, {});
    const double length = weights.square().mean().sqrt().item<double>();
    EXPECT_NEAR(length, 0.2 * 0.01, 0.2 * 0.2 * 0.01) << rows << " x " << columns;
  }
}

TEST(Muon, MovesStackedMatricesEachByItself) {
  const at::Tensor gradient = drawn(24, 10, 5);
  const at::Tensor stacked = at::ones({24, 10});
  muon_update(stacked, gradient, at::zeros({24, 10}), {8, 16}, 0.1, {.weight_decay = 0.5});
  std::int64_t first = 0;
  for (const std::int64_t rows : {8, 16}) {
    const at::Tensor alone = at::ones({rows, 10});
    muon_update(alone, gradient.narrow(0, first, rows), at::zeros({rows, 10}), {rows}, 0.1, {.weight_decay = 0.5});
    EXPECT_TRUE(at::equal(stacked.narrow(0, first, rows), alone));
    first += rows;
  }
}

// Gradients that point elsewhere each time cancel out in the mean; one that stays does not.
TEST(Muon, FollowsTheMeanOfGradients) {
  const at::Tensor lasting = drawn(8, 8, 1);
  const at::Tensor weights = at::zeros({8, 8});
  const at::Tensor mean = at::zeros({8, 8});
  for (int step = 0; step < 40; ++step) {
    muon_update(weights, lasting + 3 * drawn(8, 8, 2) * (step % 2 == 0 ? 1 : -1), mean, {8}, 1e-3, {});
  }
  const at::Tensor expected = mean - lasting * (1 - std::pow(0.95, 40));
  EXPECT_LT(expected.norm().item<double>(), 0.15 * lasting.norm().item<double>());
}

}  // namespace
}  // namespace tritonrl::train
