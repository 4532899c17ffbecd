// train_speed PLAN.json: full-parameter training of one model: its losses and its speed, as one JSON object.
//   {"model": "DIR" or a config.json's object, "device": "cpu"|"cuda", "dtype": "bf16", "threads"?, "lr",
//    "batches": [[[ids of a text]...]...], "batch_tokens", "warm_up": steps, "steps", "recompute_layers"?,
//    "stochastic_rounding"?, "half_state"?, "trace"?: "FILE"}
// Step n learns from the texts of batch n, and after the last from the first again: each token but a text's first. The
// clock runs after the warm-up. "trace" writes the profiler's trace of one step more.
#include <ATen/Parallel.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <chrono>
#include <exception>
#include <iostream>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "bench/kernel_trace.h"
#include "bench/random_model.h"
#include "model/device_memory.h"
#include "train/learner.h"

namespace {

using namespace tritonrl;
using base::Json;

double now_s(at::Device device) {
  if (device.is_cuda()) c10::impl::VirtualGuardImpl(device.type()).synchronizeDevice(device.index());
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

using Texts = std::vector<train::TrainText>;

Texts texts_of(const Json& batch) {
  Texts texts;
  for (const Json& ids : batch) {
    texts.push_back({.token_ids = ids.get<std::vector<std::int32_t>>(), .prompt_tokens = 1});
  }
  return texts;
}

// Minus the mean log-probability of all scored tokens.
train::TokenObjective mean_loss(const Texts& texts) {
  double count = 0;
  for (const auto& text : texts) count += static_cast<double>(text.scored());
  return [count](const train::ScoredTokens& tokens, std::span<double> gradient) {
    double loss = 0;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      loss -= tokens.log_probs[i] / count;
      gradient[i] = -1 / count;
    }
    return loss;
  };
}

int speed(const std::string& file) {
  const Json plan = base::parse_json(base::read_file(file), {.file = file});
  if (plan.contains("threads")) at::set_num_threads(plan.at("threads").get<int>());
  auto model = bench::make_model(plan);
  const bool rounds = plan.value("stochastic_rounding", false);
  train::Learner learner(model,
                         {.batch_tokens = plan.at("batch_tokens").get<std::int64_t>(),
                          .recompute_layers = plan.value("recompute_layers", std::int64_t{0})},
                         {.half_weights = rounds ? train::HalfWeights::kStochastic : train::HalfWeights::kMasters,
                          .half_state = plan.value("half_state", false),
                          .seed = 1});
  std::vector<Texts> batches;
  for (const Json& batch : plan.at("batches")) batches.push_back(texts_of(batch));
  const auto lr = plan.at("lr").get<double>();
  const at::Device device = model.place().device;
  Json losses = Json::array();
  train::LearnReport last;
  const auto learn = [&](int steps) {
    for (int step = 0; step < steps; ++step) {
      const Texts& texts = batches[losses.size() % batches.size()];
      last = learner.learn(texts, mean_loss(texts), lr);
      losses.push_back(last.loss);
    }
  };
  learn(plan.at("warm_up").get<int>());
  const auto steps = plan.at("steps").get<int>();
  const double start = now_s(device);
  learn(steps);
  const double seconds = (now_s(device) - start) / steps;
  Json result = {{"parameters", model.config().parameters()},
                 {"losses", losses},
                 {"seconds", seconds},
                 {"tokens_per_second", static_cast<double>(last.tokens) / seconds},
                 {"flops", last.flops},
                 {"batches", last.batches}};
  if (device.is_cuda()) {
    // Freed memory stays with torch's allocator, so that what is taken is the most that there was.
    result["memory_bytes"] = model::device_memory_bytes(device) - model::free_memory_bytes(device);
  }
  if (plan.contains("trace")) {
    bench::KernelTrace trace(plan.at("trace").get<std::string>());
    trace.start();
    learn(1);
    now_s(device);
    trace.stop();
  }
  std::cout << result.dump() << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    base::check(argc == 2, "usage: train_speed PLAN.json");
    return speed(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << "train_speed: " << error.what() << '\n';
    return 3;
  }
}
