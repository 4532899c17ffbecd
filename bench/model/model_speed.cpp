// Training steps of a model on random tokens, timed: forward, backward and AdamW, as a trainer would take them.
//   model_speed MODEL_DIR SEQUENCES LENGTH STEPS THREADS
// Prints {"tokens_per_s", "forward_s", "backward_s", "optimizer_s", "loss"}; the first two steps do not count.
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros_like.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "model/qwen3.h"
#include "model/token_loss.h"

namespace {

using namespace tritonrl;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

class AdamW {
 public:
  explicit AdamW(const std::vector<at::Tensor>& parameters) : parameters_(parameters) {
    for (const auto& parameter : parameters) {
      first_.push_back(at::zeros_like(parameter, at::TensorOptions().requires_grad(false)));
      second_.push_back(at::zeros_like(parameter, at::TensorOptions().requires_grad(false)));
      steps_.push_back(at::ones({}, at::kFloat));
    }
  }

  void step() {
    const at::NoGradGuard no_gradients;
    std::vector<at::Tensor> gradients;
    for (const auto& parameter : parameters_) gradients.push_back(parameter.grad());
    at::_fused_adamw_(parameters_, gradients, first_, second_, {}, steps_, /*lr=*/1e-4, 0.9, 0.95, 0.01, 1e-8,
                      /*amsgrad=*/false, /*maximize=*/false);
    for (const auto& parameter : parameters_) parameter.mutable_grad() = at::Tensor();
    for (const auto& step : steps_) step.add_(1);
  }

 private:
  std::vector<at::Tensor> parameters_;
  std::vector<at::Tensor> first_;
  std::vector<at::Tensor> second_;
  std::vector<at::Tensor> steps_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fputs("usage: model_speed MODEL_DIR SEQUENCES LENGTH STEPS THREADS\n", stderr);
    return base::kExitBadInput;
  }
  try {
    const int sequences = std::atoi(argv[2]);
    const int length = std::atoi(argv[3]);
    const int steps = std::atoi(argv[4]);
    at::set_num_threads(std::atoi(argv[5]));
    const auto qwen = model::Qwen3::load(argv[1], {});
    AdamW optimizer(qwen.parameters());
    base::Random random(1);
    double forward = 0;
    double backward = 0;
    double optimize = 0;
    double loss_value = 0;
    constexpr int kWarmUp = 2;
    for (int step = 0; step < steps + kWarmUp; ++step) {
      if (step == kWarmUp) forward = backward = optimize = 0;
      std::vector<std::vector<std::int64_t>> texts(static_cast<std::size_t>(sequences));
      for (auto& text : texts) {
        for (int i = 0; i < length; ++i) {
          text.push_back(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(qwen.config().vocab_size))));
        }
      }
      const auto batch = model::PackedBatch::of(texts, at::kCPU);
      const double start = seconds();
      const at::Tensor hidden = qwen.forward_packed(batch);
      const at::Tensor loss = -model::token_loss(hidden, qwen.lm_head(), batch.token_ids.roll(-1)).log_probs.mean();
      const double after_forward = seconds();
      loss.backward();
      const double after_backward = seconds();
      optimizer.step();
      const double end = seconds();
      forward += after_forward - start;
      backward += after_backward - after_forward;
      optimize += end - after_backward;
      loss_value = loss.item<double>();
    }
    std::printf(
        "{\"tokens_per_s\": %.1f, \"forward_s\": %.4f, \"backward_s\": %.4f, \"optimizer_s\": %.4f, \"loss\": %.4f}\n",
        steps * static_cast<double>(sequences * length) / (forward + backward + optimize), forward / steps,
        backward / steps, optimize / steps, loss_value);
    return base::kExitDone;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "model_speed: %s\n", error.what());
    return base::exit_status(error);
  }
}
