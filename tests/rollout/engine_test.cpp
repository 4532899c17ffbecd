#include "rollout/local_engine.h"

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/log_softmax.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "base/error.h"
#include "base/random.h"
#include "tests/tokenizer/small_tokenizer.h"

namespace tritonrl::rollout {
namespace {

using base::Random;
using tokenizer::TokenId;
using Ids = std::vector<TokenId>;

model::ModelConfig small_config(std::int64_t vocabulary = 97) {
  model::ModelConfig config;
  config.vocab_size = vocabulary;
  config.hidden_size = 40;
  config.intermediate_size = 56;
  config.layers = 2;
  config.heads = 6;
  config.kv_heads = 2;
  config.head_dim = 12;
  config.max_positions = 256;
  // Far from uniform, so that an error shows.
  config.initializer_range = 0.4;
  config.tied_embeddings = true;
  return config;
}

model::Qwen3 small_model() {
  at::set_num_threads(1);
  return model::Qwen3::random(small_config(), 1, {});
}

Ids random_ids(std::int64_t count, Random& random) {
  Ids ids(static_cast<std::size_t>(count));
  for (TokenId& id : ids) id = static_cast<TokenId>(random.below(97));
  return ids;
}

using Responses = std::map<std::pair<std::uint64_t, std::int32_t>, Response>;

Listener into(Responses& responses) {
  return {.on_response = [&responses](Response&& response) {
    const auto key = std::pair(response.request, response.index);
    EXPECT_TRUE(responses.emplace(key, std::move(response)).second);
  }};
}

Response answer(Engine& engine, Request request) {
  Responses responses;
  engine.submit(std::move(request), into(responses));
  engine.run();
  EXPECT_EQ(responses.size(), 1U);
  return responses.begin()->second;
}

// Logits [tokens, vocabulary] of the training forward pass.
at::Tensor plain_logits(const model::Qwen3& model, const Response& response) {
  std::vector<std::int64_t> text(response.prompt_ids.begin(), response.prompt_ids.end());
  text.insert(text.end(), response.token_ids.begin(), response.token_ids.end());
  const at::Tensor hidden = model.forward_packed(model::PackedBatch::of({text}, at::kCPU));
  const auto first = static_cast<std::int64_t>(response.prompt_ids.size()) - 1;
  return model.logits(hidden).narrow(0, first, static_cast<std::int64_t>(response.token_ids.size())).detach();
}

// The filters in their plainest form: sort, cut, normalise.
float log_prob_of(const at::Tensor& row, const Sampling& sampling, TokenId token) {
  if (sampling.temperature == 0) return 0;
  std::vector<std::pair<double, TokenId>> tokens;
  const auto* logits = row.const_data_ptr<float>();
  for (TokenId id = 0; id < row.size(0); ++id) {
    tokens.emplace_back(std::exp(static_cast<double>(logits[id]) / sampling.temperature), id);
  }
  std::ranges::sort(tokens, std::greater<>());
  if (sampling.top_k > 0) tokens.resize(std::min<std::size_t>(tokens.size(), static_cast<std::size_t>(sampling.top_k)));
  const auto total = [&] {
    double sum = 0;
    for (const auto& [weight, id] : tokens) sum += weight;
    return sum;
  };
  const double wanted = sampling.top_p * total();
  double sum = 0;
  std::size_t kept = 0;
  while (kept < tokens.size() && (sum < wanted - 1e-9 || kept == 0)) sum += tokens[kept++].first;
  tokens.resize(kept);
  std::erase_if(tokens, [&, least = sampling.min_p * tokens[0].first](const auto& one) { return one.first < least; });
  const auto found = std::ranges::find(tokens, token, &std::pair<double, TokenId>::second);
  return found == tokens.end() ? -INFINITY : static_cast<float>(std::log(found->first / total()));
}

// How far `log_prob` is from that. Where a filter cuts within a rounding error of a token, either side is right.
float gap_to(float log_prob, const at::Tensor& row, const Sampling& sampling, TokenId token) {
  float least = INFINITY;
  for (const float top : {1.0F, 1 - 1e-5F, 1 + 1e-5F}) {
    for (const float min : {1.0F, 1 - 1e-5F, 1 + 1e-5F}) {
      Sampling near = sampling;
      if (sampling.top_p < 1) near.top_p *= top;
      near.min_p *= min;
      least = std::min(least, std::abs(log_prob - log_prob_of(row, near, token)));
    }
  }
  return least;
}

void expect_equals_plain_forward(const model::Qwen3& model, const Response& response, const Sampling& sampling) {
  const at::Tensor logits = plain_logits(model, response);
  const at::Tensor log_probs = at::log_softmax(logits, -1);
  for (std::size_t i = 0; i < response.token_ids.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i);
    const TokenId token = response.token_ids[i];
    ASSERT_NEAR(response.raw_log_probs[i], log_probs[row][token].item<float>(), 1e-4);
    ASSERT_LT(gap_to(response.log_probs[i], logits[row], sampling, token), 1e-4);
    if (sampling.temperature == 0) {
      ASSERT_EQ(token, logits[row].argmax().item<std::int64_t>());
    }
  }
}

Sampling random_sampling(Random& random) {
  switch (random.below(5)) {
    case 0:
      return {.temperature = 0};
    case 1:
      return {};
    case 2:
      return {.temperature = 0.7F, .top_p = 0.9F};
    case 3:
      return {.temperature = 1.3F, .top_k = 5};
    default:
      return {.temperature = 0.9F, .top_p = 0.95F, .min_p = 0.02F, .top_k = 40};
  }
}

RolloutConfig random_config(Random& random, const model::Qwen3& model) {
  RolloutConfig config;
  config.page_size = random.between(1, 20);
  config.max_context = random.between(40, 160);
  config.max_sequences = random.between(1, 12);
  config.max_step_tokens = random.between(1, 64);
  config.read_late = random.below(2) == 0;
  const std::int64_t tokens = config.max_context + random.between(0, 200);  // little room: preemption
  const std::int64_t pages = (tokens + config.page_size - 1) / config.page_size + 1;
  config.memory_bytes = pages * config.page_size * model::cache_bytes_per_token(model.config(), model.place().dtype);
  return config;
}

Request random_request(Random& random, const RolloutConfig& config, const Ids& common) {
  Request request;
  const std::int64_t length = random.between(1, config.max_context - 2);
  Ids prompt(common.begin(), common.begin() + (random.below(2) == 0 ? 0 : random.between(0, length)));
  const Ids rest = random_ids(length - static_cast<std::int64_t>(prompt.size()), random);
  prompt.insert(prompt.end(), rest.begin(), rest.end());
  request.prompt = prompt;
  request.responses = static_cast<std::int32_t>(random.between(1, 5));
  request.max_tokens = static_cast<std::int32_t>(random.between(1, 24));
  request.sampling = random_sampling(random);
  if (random.below(2) == 0) request.stop_ids = random_ids(2, random);
  request.seed = random.next_u64();
  return request;
}

TEST(LocalEngine, EqualsThePlainForwardPassForRandomSchedules) {
  const auto model = small_model();
  const int schedules = std::getenv("SOAK") != nullptr ? 1000 : 50;
  std::int64_t preemptions = 0;
  std::int64_t reused = 0;
  for (int schedule = 0; schedule < schedules && !testing::Test::HasFailure(); ++schedule) {
    SCOPED_TRACE(testing::Message() << "schedule " << schedule);
    Random random(static_cast<std::uint64_t>(schedule), 1);
    const RolloutConfig config = random_config(random, model);
    LocalEngine engine(model, nullptr, config);
    const Ids common = random_ids(config.max_context, random);
    Responses responses;
    std::map<std::uint64_t, Request> requests;
    std::size_t expected = 0;
    for (int i = 0; i < 8; ++i) {
      const Request request = random_request(random, config, common);
      requests.emplace(engine.submit(request, into(responses)), request);
      expected += static_cast<std::size_t>(request.responses);
      for (std::uint64_t steps = random.below(6); steps > 0; --steps) engine.step();
    }
    engine.run();
    ASSERT_EQ(responses.size(), expected);
    for (const auto& [key, response] : responses) {
      expect_equals_plain_forward(model, response, requests.at(key.first).sampling);
    }
    EXPECT_EQ(engine.counts().pages_held, 0);
    preemptions += engine.counts().preemptions;
    reused += engine.counts().reused_tokens;
  }
  EXPECT_GT(preemptions, schedules / 4);
  EXPECT_GT(reused, schedules);
}

TEST(LocalEngine, GivesTheSameBitsAloneAndInAnyBatch) {
  const auto model = small_model();
  const int schedules = std::getenv("SOAK") != nullptr ? 200 : 15;
  for (int schedule = 0; schedule < schedules && !testing::Test::HasFailure(); ++schedule) {
    SCOPED_TRACE(testing::Message() << "schedule " << schedule);
    Random random(static_cast<std::uint64_t>(schedule), 2);
    const RolloutConfig config = random_config(random, model);
    const Ids common = random_ids(config.max_context, random);
    at::set_num_threads(1 + schedule % 2);
    LocalEngine crowded(model, nullptr, config);
    Responses responses;
    std::map<std::uint64_t, Request> requests;
    for (int i = 0; i < 8; ++i) {
      const Request request = random_request(random, config, common);
      requests.emplace(crowded.submit(request, into(responses)), request);
      for (std::uint64_t steps = random.below(4); steps > 0; --steps) crowded.step();
    }
    crowded.run();
    at::set_num_threads(1);
    for (const auto& [number, request] : requests) {
      LocalEngine quiet(model, nullptr, {.memory_bytes = 1 << 24, .max_context = config.max_context});
      Responses alone;
      quiet.submit(request, into(alone));
      quiet.run();
      for (const auto& [key, response] : alone) {
        const Response& other = responses.at({number, key.second});
        ASSERT_EQ(response.token_ids, other.token_ids);
        ASSERT_EQ(response.log_probs, other.log_probs);
        ASSERT_EQ(response.raw_log_probs, other.raw_log_probs);
        ASSERT_EQ(response.finish, other.finish);
      }
    }
  }
}

TEST(LocalEngine, KeepsToItsMemoryAndLeaksNoPageOverManyRequests) {
  const auto model = small_model();
  const int requests = std::getenv("SOAK") != nullptr ? 10'000 : 400;
  Random random(5);
  RolloutConfig config{.memory_bytes = 1 << 20, .max_context = 120, .max_sequences = 32};
  LocalEngine engine(model, nullptr, config);
  EXPECT_LE(engine.counts().cache_bytes, config.memory_bytes);
  int ended = 0;
  int expected = 0;
  for (int i = 0; i < requests; ++i) {
    Request request{.prompt = random_ids(random.between(1, 80), random),
                    .responses = static_cast<std::int32_t>(random.between(1, 3)),
                    .max_tokens = static_cast<std::int32_t>(random.between(1, 30)),
                    .seed = random.next_u64()};
    expected += request.responses;
    engine.submit(std::move(request), {.on_response = [&](Response&&) { ++ended; }});
    for (std::uint64_t steps = random.below(8); steps > 0; --steps) engine.step();
  }
  engine.run();
  EXPECT_EQ(ended, expected);
  EXPECT_EQ(engine.counts().pages_held, 0);
  EXPECT_LE(engine.counts().most_pages_held, engine.counts().pages);
}

TEST(LocalEngine, ReportsEachResponseWhenItEndsAndTakesNewOnesMeanwhile) {
  const auto model = small_model();
  LocalEngine engine(model, nullptr, {.memory_bytes = 1 << 22});
  std::vector<std::string> order;
  const auto listen = [&](const std::string& name) {
    return Listener{.on_response = [&order, name](Response&&) { order.push_back(name); }};
  };
  engine.submit({.prompt = Ids{1, 2, 3}, .max_tokens = 20}, listen("long"));
  engine.submit({.prompt = Ids{1, 2, 4}, .max_tokens = 3}, {.on_response = [&](Response&&) {
                  order.emplace_back("short");
                  engine.submit({.prompt = Ids{9}, .max_tokens = 2}, listen("added"));
                }});
  engine.run();
  EXPECT_EQ(order, (std::vector<std::string>{"short", "added", "long"}));
}

TEST(LocalEngine, StopsAtStopIdsAndAtItsLength) {
  const auto model = small_model();
  LocalEngine engine(model, nullptr, {.memory_bytes = 1 << 22});
  const Response all = answer(engine, {.prompt = Ids{5, 6}, .max_tokens = 30, .seed = 3});
  EXPECT_EQ(all.finish, Finish::kLength);
  ASSERT_EQ(all.token_ids.size(), 30U);
  const TokenId stop = all.token_ids[7];
  const auto first = std::ranges::find(all.token_ids, stop);
  const Response cut = answer(engine, {.prompt = Ids{5, 6}, .max_tokens = 30, .stop_ids = {stop}, .seed = 3});
  EXPECT_EQ(cut.finish, Finish::kStop);
  EXPECT_EQ(cut.token_ids, Ids(all.token_ids.begin(), first + 1));
  EXPECT_GT(cut.timing.end_s, 0);
  const Response end = answer(engine, {.prompt = Ids(250, 1), .max_tokens = 30});
  EXPECT_EQ(end.token_ids.size(), 6U);
  EXPECT_EQ(end.finish, Finish::kLength);
}

TEST(LocalEngine, StreamsTextAndStopsAtStopTexts) {
  at::set_num_threads(1);
  const auto tokenizer = tests::make(tests::small_definition());
  const auto model = model::Qwen3::random(small_config(256), 2, {});
  LocalEngine engine(model, &tokenizer, {.memory_bytes = 1 << 22});
  std::string streamed;
  Response whole;
  Request request{.prompt = "def f():", .max_tokens = 60, .seed = 8};
  engine.submit(request, {.on_response = [&](Response&& response) { whole = std::move(response); },
                          .on_text = [&](std::int32_t, std::string_view text) { streamed += text; }});
  engine.run();
  EXPECT_EQ(streamed, whole.text);
  EXPECT_EQ(whole.text, tokenizer.decode(whole.token_ids));
  EXPECT_EQ(whole.prompt_ids, tokenizer.encode("def f():"));

  // Bytes 20 to 22 of the sampled tokens, which need not be characters.
  request.stop_texts = {tokenizer.decode_bytes(std::span(whole.token_ids).subspan(20, 3))};
  const Response cut = answer(engine, request);
  EXPECT_EQ(cut.finish, Finish::kStop);
  EXPECT_LE(cut.token_ids.size(), 23U);
  EXPECT_TRUE(std::ranges::equal(cut.token_ids, std::span(whole.token_ids).first(cut.token_ids.size())));
  const auto bytes = tokenizer.decode_bytes(cut.token_ids);
  EXPECT_TRUE(bytes.ends_with(request.stop_texts[0]));
}

TEST(LocalEngine, DropsItsCacheAndTakesItBack) {
  const auto model = small_model();
  LocalEngine engine(model, nullptr, {.memory_bytes = 1 << 22});
  const Request request{.prompt = Ids(40, 7), .max_tokens = 10, .seed = 4};
  const Response before = answer(engine, request);
  engine.drop_cache();
  engine.take_cache();
  const Response after = answer(engine, request);
  EXPECT_EQ(before.token_ids, after.token_ids);
  EXPECT_EQ(before.raw_log_probs, after.raw_log_probs);
}

TEST(LocalEngine, SamplesFromWeightsThatChange) {
  const auto model = small_model();
  LocalEngine engine(model, nullptr, {.memory_bytes = 1 << 22});
  const Request request{.prompt = Ids(40, 7), .max_tokens = 4, .seed = 4};
  answer(engine, request);
  {
    const at::NoGradGuard no_gradients;
    model.parameters()[0].mul_(1.5);
  }
  engine.forget_prefixes();
  expect_equals_plain_forward(model, answer(engine, request), {});
}

// The engine computes from copies of the matrices, which no update tells it about.
TEST(LocalEngine, KeepsNothingOfWeightsWhileNothingIsUnderWay) {
  const auto model = small_model();
  LocalEngine engine(model, nullptr, {.memory_bytes = 1 << 22});
  Random random(3);
  answer(engine, {.prompt = random_ids(20, random), .max_tokens = 4, .seed = 4});
  const Request request{.prompt = random_ids(20, random), .max_tokens = 12, .seed = 4};
  for (const auto& parameter : model.parameters()) {
    Responses responses;
    engine.submit(request, into(responses));
    auto* weights = parameter.data_ptr<float>();  // past torch's count of changes
    for (std::int64_t i = 0; i < parameter.numel(); ++i) weights[i] *= 1 + 0.3F * static_cast<float>(random.normal());
    engine.forget_prefixes();
    engine.run();
    const Response& response = responses.begin()->second;
    expect_equals_plain_forward(model, response, {});
    LocalEngine fresh(model, nullptr, {.memory_bytes = 1 << 22});
    EXPECT_EQ(answer(fresh, request).raw_log_probs, response.raw_log_probs);
  }
}

TEST(LocalEngine, RefusesWhatItCannotDo) {
  const auto model = small_model();
  LocalEngine engine(model, nullptr, {.memory_bytes = 1 << 22});
  const auto refused = [&](Request request, const std::string& words) {
    try {
      engine.submit(std::move(request), {});
      ADD_FAILURE() << words;
    } catch (const base::InputError& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  refused({.prompt = Ids{}}, "empty");
  refused({.prompt = Ids{97}}, "token 97");
  refused({.prompt = Ids(256, 1)}, "the context ends at 256");
  refused({.prompt = Ids{1}, .sampling = {.top_p = 0}}, "top_p");
  refused({.prompt = Ids{1}, .sampling = {.temperature = NAN}}, "temperature");
  refused({.prompt = "text"}, "no tokenizer");
  refused({.prompt = Ids{1}, .stop_texts = {"x"}}, "no tokenizer");
  EXPECT_THROW(LocalEngine(model, nullptr, {.memory_bytes = 100}), base::InputError);
  LocalEngine narrow(model, nullptr,
                     {.memory_bytes = 40 * model::cache_bytes_per_token(model.config(), model::DType::kFloat32)});
  EXPECT_THROW(narrow.submit({.prompt = Ids(30, 1), .max_tokens = 100}, {}), base::InputError);
}

TEST(LocalEngine, SaysWhenTheModelIsBroken) {
  const auto model = small_model();
  {
    const at::NoGradGuard no_gradients;
    model.parameters()[0].fill_(NAN);
  }
  LocalEngine engine(model, nullptr, {.memory_bytes = 1 << 22});
  engine.submit({.prompt = Ids{1}, .max_tokens = 4}, {});
  EXPECT_THROW(engine.run(), base::HostError);
  EXPECT_EQ(engine.counts().pages_held, 0);
  EXPECT_FALSE(engine.step());
}

}  // namespace
}  // namespace tritonrl::rollout
