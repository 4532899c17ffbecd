// engine_speed PLAN.json: the rollout engine's speed on one model, as one JSON object.
//   {"model": "DIR" or a config.json's object, "device": "cpu"|"cuda", "dtype": "bf16", "memory_bytes"?, "threads"?,
//    "runs": [{"name", "batch", "prompt", "output", "group"?, "temperature"?, "ids"?: true, "prompts"?: [[...]],
//              "trace"?: "FILE"}...],
//    "compare"?: tokens}
// "compare" draws so many tokens and gives their log-probabilities beside those of the training forward pass. "trace"
// writes the profiler's trace of eight decoding steps.
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <exception>
#include <iostream>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/random.h"
#include "bench/kernel_trace.h"
#include "bench/random_model.h"
#include "model/qwen3.h"
#include "model/token_loss.h"
#include "rollout/local_engine.h"

namespace {

using namespace tritonrl;
using base::Json;
using bench::KernelTrace;
using tokenizer::TokenId;

constexpr int kTracedSteps = 8;

std::vector<TokenId> random_prompt(std::int64_t count, std::int64_t vocabulary, base::Random& random) {
  std::vector<TokenId> ids(static_cast<std::size_t>(count));
  for (TokenId& id : ids) id = static_cast<TokenId>(random.below(static_cast<std::uint64_t>(vocabulary)));
  return ids;
}

Json measure(rollout::LocalEngine& engine, const model::Qwen3& model, const Json& run, std::uint64_t seed) {
  base::Random random(seed);
  const auto batch = run.at("batch").get<std::int32_t>();
  const auto group = run.value("group", 1);
  const auto output = run.at("output").get<std::int32_t>();
  std::vector<rollout::Response> responses;
  const auto before = engine.counts();
  const std::clock_t cpu_before = std::clock();
  for (std::int32_t first = 0; first < batch; first += group) {
    rollout::Request request{.responses = group, .max_tokens = output, .seed = seed};
    const auto at = static_cast<std::size_t>(first / group);
    request.prompt = run.contains("prompts")
                         ? run.at("prompts").at(at).get<std::vector<TokenId>>()
                         : random_prompt(run.at("prompt").get<std::int64_t>(), model.config().vocab_size, random);
    request.sampling.temperature = run.value("temperature", 1.0F);
    engine.submit(std::move(request),
                  {.on_response = [&](rollout::Response&& response) { responses.push_back(std::move(response)); }});
  }
  // A step counts as decoding where all sequences do, and did in the step before.
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](auto from, auto to) { return std::chrono::duration<double>(to - from).count(); };
  double decoding_s = 0;
  int decoding_steps = 0;
  bool decoded = false;
  std::optional<KernelTrace> trace;
  for (bool more = true; more;) {
    if (run.contains("trace") && decoding_steps == kTracedSteps && !trace) {
      trace.emplace(run.at("trace").get<std::string>());
      trace->start();
    }
    if (trace && decoding_steps == 2 * kTracedSteps) {
      trace->stop();
      break;
    }
    const auto computed = engine.counts().computed_tokens;
    const auto start = Clock::now();
    more = engine.step();
    const bool decodes = engine.counts().computed_tokens - computed == batch;
    if (decodes && decoded) {
      decoding_s += seconds(start, Clock::now());
      ++decoding_steps;
    }
    decoded = decodes;
  }
  engine.run();
  engine.forget_prefixes();
  double prefill_s = 0;
  double end_s = 0;
  double tokens = 0;
  for (const auto& response : responses) {
    prefill_s = std::max(prefill_s, response.timing.first_token_s);
    end_s = std::max(end_s, response.timing.end_s);
    tokens += static_cast<double>(response.token_ids.size());
  }
  const double cpu_s = static_cast<double>(std::clock() - cpu_before) / CLOCKS_PER_SEC;
  const double step_s = decoding_s / std::max(1, decoding_steps);
  const auto after = engine.counts();
  Json result = {{"name", run.at("name")},
                 {"batch", batch},
                 {"group", group},
                 {"seconds", end_s},
                 {"prefill_seconds", prefill_s},
                 {"tokens_per_second", tokens / end_s},
                 {"tokens_per_cpu_second", tokens / cpu_s},
                 {"decode_tokens_per_second", step_s > 0 ? batch / step_s : 0},
                 {"step_milliseconds", 1e3 * step_s},
                 {"decoding_steps", decoding_steps},
                 {"prompt_tokens_computed",
                  after.computed_tokens - before.computed_tokens - (static_cast<std::int64_t>(tokens) - batch)},
                 {"preemptions", after.preemptions - before.preemptions}};
  if (run.value("ids", false)) {
    std::ranges::sort(responses, {}, [](const auto& one) { return std::pair(one.request, one.index); });
    result["ids"] = Json::array();
    for (const auto& response : responses) result["ids"].push_back(response.token_ids);
  }
  return result;
}

Json compare(rollout::LocalEngine& engine, const model::Qwen3& model, std::int32_t tokens) {
  base::Random random(99);
  std::vector<rollout::Response> responses;
  for (int i = 0; i < 4; ++i) {
    engine.submit({.prompt = random_prompt(64, model.config().vocab_size, random), .max_tokens = tokens / 4, .seed = 7},
                  {.on_response = [&](rollout::Response&& response) { responses.push_back(std::move(response)); }});
  }
  engine.run();
  const at::NoGradGuard no_gradients;
  Json texts = Json::array();
  for (const auto& response : responses) {
    std::vector<std::int64_t> text(response.prompt_ids.begin(), response.prompt_ids.end());
    text.insert(text.end(), response.token_ids.begin(), response.token_ids.end());
    const auto batch = model::PackedBatch::of({text}, model.place().device);
    const auto first = static_cast<std::int64_t>(response.prompt_ids.size()) - 1;
    const auto length = static_cast<std::int64_t>(response.token_ids.size());
    const at::Tensor rows = model.forward_packed(batch).narrow(0, first, length);
    const at::Tensor targets = batch.token_ids.narrow(0, first + 1, length);
    const at::Tensor trained = model::token_loss(rows, model.lm_head(), targets).log_probs.cpu();
    const auto* training = trained.const_data_ptr<float>();
    texts.push_back({{"prompt", response.prompt_ids},
                     {"drawn", response.token_ids},
                     {"rollout", response.raw_log_probs},
                     {"training", std::vector<float>(training, training + length)}});
  }
  return texts;
}

int speed(const std::string& file) {
  const Json plan = base::parse_json(base::read_file(file), {.file = file});
  if (plan.contains("threads")) at::set_num_threads(plan.at("threads").get<int>());
  const auto model = bench::make_model(plan);
  std::int64_t context = 0;
  std::int64_t sequences = 1;
  for (const Json& run : plan.at("runs")) {
    context = std::max(context, run.at("prompt").get<std::int64_t>() + run.at("output").get<std::int64_t>());
    sequences = std::max(sequences, run.at("batch").get<std::int64_t>());
  }
  rollout::RolloutConfig config{.memory_fraction = 0.45, .max_context = context, .max_sequences = sequences};
  config.memory_bytes = plan.value("memory_bytes", std::int64_t{0});
  config.graphs = plan.value("graphs", true);
  rollout::LocalEngine engine(model, nullptr, config);
  Json results = {{"parameters", model.config().parameters()}, {"runs", Json::array()}};
  std::uint64_t seed = 1;
  for (Json run : plan.at("runs")) {
    // Graphs are recorded, and memory is taken, before the clock runs.
    Json warm_up = run;
    warm_up["output"] = std::min(8, run.at("output").get<int>());
    warm_up.erase("trace");
    measure(engine, model, warm_up, ++seed);
    results["runs"].push_back(measure(engine, model, run, ++seed));
  }
  if (plan.contains("compare")) results["texts"] = compare(engine, model, plan.at("compare").get<int>());
  std::cout << results.dump() << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    base::check(argc == 2, "usage: engine_speed PLAN.json");
    return speed(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << "engine_speed: " << error.what() << '\n';
    return 3;
  }
}
