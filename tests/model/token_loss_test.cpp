#include "model/token_loss.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

namespace tritonrl::model {
namespace {

struct Case {
  at::Tensor hidden;
  at::Tensor head;
  at::Tensor targets;
};

Case random_case() {
  return {.hidden = at::randn({37, 24}).requires_grad_(),
          .head = (at::randn({131, 24}) / 3).detach().requires_grad_(),
          .targets = at::randint(131, {37}, at::kLong)};
}

// Through all logits at once, by ATen alone.
TokenLoss plain_loss(const Case& on, double temperature) {
  const at::Tensor all = (at::linear(on.hidden, on.head) / temperature).log_softmax(-1);
  return {.log_probs = all.gather(1, on.targets.unsqueeze(1)).squeeze(1), .entropy = -(all * all.exp()).sum(-1)};
}

double largest_difference(const at::Tensor& a, const at::Tensor& b) { return (a - b).abs().max().item<double>(); }

TEST(TokenLoss, IsTheSoftmaxWhateverTheChunks) {
  for (const double temperature : {1.0, 0.6}) {
    for (const std::size_t chunk_bytes : {std::size_t{1}, std::size_t{5000}, std::size_t{1} << 20}) {
      const Case on = random_case();
      const TokenLoss ours = token_loss(on.hidden, on.head, on.targets,
                                        {.temperature = temperature, .entropy = true, .chunk_bytes = chunk_bytes});
      const TokenLoss plain = plain_loss(on, temperature);
      EXPECT_LT(largest_difference(ours.log_probs, plain.log_probs), 1e-5);
      EXPECT_LT(largest_difference(ours.entropy, plain.entropy), 1e-5);

      const at::Tensor weights = at::randn({37});
      const at::Tensor entropy_weights = at::randn({37});
      const auto gradients = [&](const TokenLoss& loss) {
        on.hidden.mutable_grad() = at::Tensor();
        on.head.mutable_grad() = at::Tensor();
        ((loss.log_probs * weights).sum() + (loss.entropy * entropy_weights).sum()).backward();
        return std::pair(on.hidden.grad().clone(), on.head.grad().clone());
      };
      const auto [our_hidden, our_head] = gradients(ours);
      const auto [hidden, head] = gradients(plain);
      EXPECT_LT(largest_difference(our_hidden, hidden), 2e-5);
      EXPECT_LT(largest_difference(our_head, head), 5e-5);
    }
  }
}

TEST(TokenLoss, GivesNoEntropyUnlessAsked) {
  const Case on = random_case();
  EXPECT_FALSE(token_loss(on.hidden, on.head, on.targets).entropy.defined());
}

TEST(TokenLoss, HoldsForLogitsFarApart) {
  Case on = random_case();
  on.hidden = (on.hidden * 100).detach();
  const TokenLoss ours = token_loss(on.hidden, on.head, on.targets, {.entropy = true});
  const TokenLoss plain = plain_loss(on, 1);
  EXPECT_LT(largest_difference(ours.log_probs, plain.log_probs), 1e-3);
  EXPECT_LT(largest_difference(ours.entropy, plain.entropy), 1e-4);
}

}  // namespace
}  // namespace tritonrl::model
