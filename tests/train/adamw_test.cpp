#include "train/adamw.h"

#include <ATen/Functions.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "tests/base/temporary_folder.h"

namespace tritonrl::train {
namespace {

at::Tensor parameter(std::initializer_list<double> values, at::ScalarType type = at::kFloat) {
  at::Tensor tensor = at::empty({1, static_cast<std::int64_t>(values.size())}, at::kDouble);
  std::copy(values.begin(), values.end(), tensor.mutable_data_ptr<double>());
  return tensor.to(type).requires_grad_(true);
}

void set_gradient(at::Tensor& tensor, double value) { tensor.mutable_grad() = at::full_like(tensor.detach(), value); }

TEST(AdamW, FollowsItsEquations) {
  at::Tensor weights = parameter({0.5, -2});
  AdamW optimizer({weights}, {.beta1 = 0.9, .beta2 = 0.99, .weight_decay = 0.1, .clip_norm = 0});
  double expected = 0.5;
  double m = 0;
  double v = 0;
  for (int step = 1; step <= 5; ++step) {
    const double gradient = 0.3 * step - 0.7;
    set_gradient(weights, gradient);
    EXPECT_NEAR(optimizer.update(0.01).gradient_norm, std::abs(gradient) * std::sqrt(2.0), 1e-6);
    m = 0.9 * m + 0.1 * gradient;
    v = 0.99 * v + 0.01 * gradient * gradient;
    expected -= 0.01 * 0.1 * expected;
    expected -= 0.01 * (m / (1 - std::pow(0.9, step))) / (std::sqrt(v / (1 - std::pow(0.99, step))) + 1e-8);
    EXPECT_NEAR(weights.select(0, 0).select(0, 0).item<double>(), expected, 1e-6);
  }
  EXPECT_FALSE(weights.grad().defined());
}

TEST(AdamW, ClipsByTheNormOfAllGradients) {
  at::Tensor a = parameter({0});
  at::Tensor b = parameter({0});
  AdamW clipped({a, b}, {.beta1 = 0, .beta2 = 0, .eps = 1, .clip_norm = 1});
  set_gradient(a, 30);
  set_gradient(b, 40);
  EXPECT_NEAR(clipped.update(1).gradient_norm, 50, 1e-4);
  EXPECT_NEAR(a.item<double>(), -0.6 / 1.6, 1e-5);
  EXPECT_NEAR(b.item<double>(), -0.8 / 1.8, 1e-5);
}

TEST(AdamW, SkipsWhatIsNotFinite) {
  at::Tensor weights = parameter({1});
  AdamW optimizer({weights}, {});
  set_gradient(weights, std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(optimizer.update(1).skipped);
  EXPECT_EQ(weights.item<double>(), 1);
  EXPECT_EQ(optimizer.updates(), 0);
}

TEST(AdamW, KeepsSmallUpdatesOfHalfWeightsInTheirMasters) {
  at::Tensor weights = parameter({1}, at::kBFloat16);
  AdamW optimizer({weights}, {.clip_norm = 0});
  for (int step = 0; step < 100; ++step) {
    set_gradient(weights, 1);
    optimizer.update(1e-4);
  }
  EXPECT_NEAR(weights.item<double>(), 0.99, 0.004);
}

TEST(AdamW, RoundsHalfWeightsSoThatTheirMeanIsRight) {
  at::Tensor weights = at::ones({64, 64}, at::kBFloat16).requires_grad_(true);
  AdamW optimizer({weights}, {.clip_norm = 0, .half_weights = HalfWeights::kStochastic, .seed = 5});
  for (int step = 0; step < 50; ++step) {
    set_gradient(weights, 1);
    optimizer.update(1e-4);
  }
  EXPECT_NEAR(weights.to(at::kDouble).mean().item<double>(), 0.995, 2e-4);
}

TEST(AdamW, GoesOnFromWhatWasSaved) {
  for (const auto half : {HalfWeights::kMasters, HalfWeights::kStochastic}) {
    const tests::TemporaryFolder folder;
    at::Tensor weights = at::linspace(-1, 1, 64).reshape({8, 8}).to(at::kBFloat16).requires_grad_(true);
    AdamW optimizer({weights}, {.half_weights = half, .seed = 9});
    const auto advance = [](AdamW& target, at::Tensor& tensor, int steps) {
      for (int step = 0; step < steps; ++step) {
        set_gradient(tensor, 0.1 * (step + 1));
        target.update(1e-2);
      }
    };
    advance(optimizer, weights, 3);
    optimizer.save(folder.path());
    at::Tensor copy = weights.detach().clone().requires_grad_(true);
    AdamW resumed({copy}, {.half_weights = half, .seed = 9});
    resumed.load(folder.path(), optimizer.updates());
    advance(optimizer, weights, 3);
    advance(resumed, copy, 3);
    EXPECT_TRUE(at::equal(weights.detach(), copy.detach()));
    at::Tensor other = parameter({1, 2, 3});
    AdamW stranger({other}, {});
    EXPECT_THROW(stranger.load(folder.path(), 3), base::InputError);
  }
}

}  // namespace
}  // namespace tritonrl::train
