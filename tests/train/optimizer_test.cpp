#include "train/optimizer.h"

#include <ATen/Context.h>
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

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

TEST(Optimizer, FollowsTheEquationsOfAdamW) {
  at::Tensor weights = parameter({0.5, -2});
  Optimizer optimizer({weights}, {.beta1 = 0.9, .beta2 = 0.99, .weight_decay = 0.1, .clip_norm = 0});
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

TEST(Optimizer, ClipsByTheNormOfAllGradients) {
  at::Tensor a = parameter({0});
  at::Tensor b = parameter({0});
  Optimizer clipped({a, b}, {.beta1 = 0, .beta2 = 0, .eps = 1, .clip_norm = 1});
  set_gradient(a, 30);
  set_gradient(b, 40);
  EXPECT_NEAR(clipped.update(1).gradient_norm, 50, 1e-4);
  EXPECT_NEAR(a.item<double>(), -0.6 / 1.6, 1e-5);
  EXPECT_NEAR(b.item<double>(), -0.8 / 1.8, 1e-5);
}

TEST(Optimizer, SkipsWhatIsNotFinite) {
  at::Tensor weights = parameter({1});
  Optimizer optimizer({weights}, {});
  set_gradient(weights, std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(optimizer.update(1).skipped);
  EXPECT_EQ(weights.item<double>(), 1);
  EXPECT_EQ(optimizer.updates(), 0);
}

TEST(Optimizer, KeepsSmallUpdatesOfHalfWeightsInTheirMasters) {
  at::Tensor weights = parameter({1}, at::kBFloat16);
  Optimizer optimizer({weights}, {.clip_norm = 0});
  for (int step = 0; step < 100; ++step) {
    set_gradient(weights, 1);
    optimizer.update(1e-4);
  }
  EXPECT_NEAR(weights.item<double>(), 0.99, 0.004);
}

TEST(Optimizer, MovesHalfWeightsWithMastersOnAGpuAsOnACpu) {
  if (!at::globalContext().hasCUDA()) GTEST_SKIP() << "there is no GPU that torch can use";
  const std::vector<at::Device> devices{at::kCPU, at::kCUDA};
  const at::Tensor first = at::randn({513, 300}).to(at::kBFloat16);
  const at::Tensor norms = at::rand({512}).to(at::kBFloat16);
  std::vector<std::vector<at::Tensor>> parameters;
  std::vector<std::unique_ptr<Optimizer>> optimizers;
  for (const at::Device device : devices) {
    // Copies, on the CPU too: updates and clipping change what they are given.
    parameters.push_back({first.clone().to(device).requires_grad_(), norms.clone().to(device).requires_grad_()});
    optimizers.push_back(std::make_unique<Optimizer>(parameters.back(), UpdateConfig{.weight_decay = 0.01}));
  }
  for (int step = 0; step < 30; ++step) {
    const std::vector<at::Tensor> gradients{at::randn_like(first, at::kFloat).to(at::kBFloat16),
                                            at::randn_like(norms, at::kFloat).to(at::kBFloat16)};
    for (std::size_t d = 0; d < devices.size(); ++d) {
      for (std::size_t p = 0; p < gradients.size(); ++p) {
        parameters[d][p].mutable_grad() = gradients[p].clone().to(devices[d]);
      }
      optimizers[d]->update(1e-2);
    }
  }
  for (std::size_t p = 0; p < 2; ++p) {
    const at::Tensor cpu = parameters[0][p].detach().to(at::kFloat);
    const at::Tensor moved = (cpu - (p == 0 ? first : norms).to(at::kFloat)).norm();
    const at::Tensor apart = (parameters[1][p].detach().cpu().to(at::kFloat) - cpu).norm();
    EXPECT_GT(moved.item<double>(), 1);
    EXPECT_LT(apart.item<double>(), 0.01 * moved.item<double>());
  }
}

TEST(Optimizer, ShowsUpdatesOfTwinsThatAreLessThanRoundingCutsOff) {
  for (const auto dtype : {at::kBFloat16, at::kHalf}) {
    at::Tensor weights = at::ones({256, 256}, dtype).requires_grad_(true);
    Optimizer optimizer({weights}, {.clip_norm = 0});
    EXPECT_EQ(weights.to(at::kDouble).mean().item<double>(), 1);
    for (int step = 0; step < 4; ++step) {
      set_gradient(weights, 1);
      optimizer.update(5e-5);
    }
    EXPECT_NEAR(weights.to(at::kDouble).mean().item<double>(), 1 - 4 * 5e-5, 4e-5);
  }
}

TEST(Optimizer, GivesWeightsBackWhoseTwinsHaveNotMoved) {
  const at::Tensor first = at::cat({at::randn({300}).mul(3e-3), at::zeros({5}), at::ones({5}), at::full({2}, -1e-39)});
  for (const auto dtype : {at::kBFloat16, at::kHalf}) {
    at::Tensor weights = first.to(dtype).requires_grad_(true);
    Optimizer optimizer({weights}, {.clip_norm = 0});
    set_gradient(weights, 0);
    optimizer.update(1e-3);
    EXPECT_TRUE(at::equal(weights.detach(), first.to(dtype)));
  }
}

TEST(Optimizer, RoundsHalfWeightsSoThatTheirMeanIsRight) {
  for (const bool half_state : {false, true}) {
    at::Tensor weights = at::ones({64, 64}, at::kBFloat16).requires_grad_(true);
    Optimizer optimizer(
        {weights}, {.clip_norm = 0, .half_weights = HalfWeights::kStochastic, .half_state = half_state, .seed = 5});
    for (int step = 0; step < 50; ++step) {
      set_gradient(weights, 1);
      optimizer.update(1e-4);
    }
    EXPECT_NEAR(weights.to(at::kDouble).mean().item<double>(), 0.995, 2e-4);
  }
}

TEST(Optimizer, ClipsHalfWeightsAsItDoesFullOnes) {
  at::Tensor half = at::zeros({64, 64}, at::kBFloat16).requires_grad_(true);
  at::Tensor full = at::zeros({64, 64}).requires_grad_(true);
  Optimizer rounding({half}, {.beta1 = 0, .beta2 = 0, .eps = 1, .half_weights = HalfWeights::kStochastic});
  Optimizer exact({full}, {.beta1 = 0, .beta2 = 0, .eps = 1});
  set_gradient(half, 2);
  set_gradient(full, 2);
  EXPECT_NEAR(rounding.update(1).gradient_norm, exact.update(1).gradient_norm, 1e-3);
  EXPECT_NEAR(half.to(at::kDouble).mean().item<double>(), full.mean().item<double>(), 1e-5);
}

// In bf16, 1 + 1/512 is 1.
TEST(Optimizer, LosesNoSmallGradientInALargeSum) {
  for (const auto half : {HalfWeights::kMasters, HalfWeights::kStochastic}) {
    at::Tensor weights = at::ones({64, 64}, at::kBFloat16).requires_grad_(true);
    Optimizer optimizer({weights}, {.clip_norm = 0, .half_weights = half, .seed = 5});
    for (int batch = 0; batch <= 512; ++batch) {
      set_gradient(weights, batch == 0 ? 1.0 : 1.0 / 512);
      optimizer.gather_gradients();
    }
    EXPECT_NEAR(optimizer.update(0).gradient_norm / 64, 2, half == HalfWeights::kMasters ? 1e-6 : 2e-2);
    EXPECT_FALSE(weights.grad().defined());
    set_gradient(weights, 3);
    EXPECT_NEAR(optimizer.update(0).gradient_norm / 64, 3, 1e-6) << "the sum is gone";
  }
}

TEST(Optimizer, LeavesGradientsOfFullWeightsToAddUpThemselves) {
  at::Tensor weights = parameter({0, 0});
  Optimizer optimizer({weights}, {.clip_norm = 0});
  set_gradient(weights, 3);
  optimizer.gather_gradients();
  EXPECT_TRUE(weights.grad().defined());
  EXPECT_NEAR(optimizer.update(0).gradient_norm, 3 * std::sqrt(2.0), 1e-6);
}

TEST(Optimizer, GoesOnFromWhatWasSaved) {
  using enum HalfWeights;
  for (const auto& [half, half_state] : {std::pair(kMasters, false), {kStochastic, false}, {kStochastic, true}}) {
    for (const auto rule : {UpdateRule::kAdamW, UpdateRule::kMuon}) {
      const tests::TemporaryFolder folder;
      const UpdateConfig config{.rule = rule, .half_weights = half, .half_state = half_state, .seed = 9};
      at::Tensor weights = at::linspace(-1, 1, 64).reshape({8, 8}).to(at::kBFloat16).requires_grad_(true);
      Optimizer optimizer({weights}, config, {{3, 5}});
      const auto advance = [](Optimizer& target, at::Tensor& tensor, int steps) {
        for (int step = 0; step < steps; ++step) {
          set_gradient(tensor, 0.1 * (step + 1));
          target.update(1e-2);
        }
      };
      advance(optimizer, weights, 3);
      optimizer.save(folder.path());
      at::Tensor copy = weights.detach().clone().requires_grad_(true);
      Optimizer resumed({copy}, config, {{3, 5}});
      resumed.load(folder.path(), optimizer.updates());
      advance(optimizer, weights, 3);
      advance(resumed, copy, 3);
      EXPECT_TRUE(at::equal(weights.detach(), copy.detach()));
      at::Tensor other = parameter({1, 2, 3});
      Optimizer stranger({other}, {});
      EXPECT_THROW(stranger.load(folder.path(), 3), base::InputError);
    }
  }
}

TEST(Optimizer, RefusesTheStateOfAnotherType) {
  const tests::TemporaryFolder folder;
  at::Tensor weights = at::ones({4, 4}, at::kBFloat16).requires_grad_(true);
  Optimizer full({weights}, {.half_weights = HalfWeights::kStochastic});
  full.save(folder.path());
  Optimizer half({weights}, {.half_weights = HalfWeights::kStochastic, .half_state = true});
  EXPECT_THROW(half.load(folder.path(), 0), base::InputError);
}

TEST(Optimizer, RefusesTheStateOfAnotherRule) {
  const tests::TemporaryFolder folder;
  at::Tensor weights = at::ones({4, 4}).requires_grad_(true);
  Optimizer muon({weights}, {.rule = UpdateRule::kMuon}, {{4}});
  muon.save(folder.path());
  Optimizer adamw({weights}, {}, {{4}});
  EXPECT_THROW(adamw.load(folder.path(), 0), base::InputError);
}

// An orthogonal step does not depend on how long the gradient is, AdamW's on the element's own history.
TEST(Optimizer, MovesMatricesByMuonAndTheRestByAdamW) {
  at::Tensor matrix = at::zeros({2, 2}).requires_grad_(true);
  at::Tensor norm = at::zeros({2}).requires_grad_(true);
  Optimizer optimizer({matrix, norm}, {.rule = UpdateRule::kMuon, .clip_norm = 0}, {{2}, {}});
  matrix.mutable_grad() = at::eye(2) * 1e-3;
  norm.mutable_grad() = at::ones({2}) * 1e-3;
  optimizer.update(0.1);
  const double expected = -0.1 * 0.2 * std::sqrt(2.0);
  EXPECT_NEAR(matrix.select(0, 0).select(0, 0).item<double>(), expected, 0.3 * -expected);
  EXPECT_NEAR(matrix.select(0, 0).select(0, 1).item<double>(), 0, 1e-6);
  EXPECT_NEAR(norm.select(0, 0).item<double>(), -0.1, 1e-4);
}

}  // namespace
}  // namespace tritonrl::train
