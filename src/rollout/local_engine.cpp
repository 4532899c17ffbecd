#include "rollout/local_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <unordered_map>
#include <utility>

#include "base/config.h"
#include "base/error.h"
#include "model/device_error.h"
#include "model/device_memory.h"
#include "rollout/cache_size.h"
#include "rollout/model_runner.h"
#include "rollout/scheduler.h"
#include "rollout/stop_text.h"

namespace tritonrl::rollout {
namespace {

using Clock = std::chrono::steady_clock;
using tokenizer::TokenId;

// A response on its way: what it is so far, and its text.
struct Draft {
  Response response;
  StopText text;
  std::uint64_t seed = 0;
};

struct Group {
  Request request;
  Listener listener;
  Clock::time_point submitted;
  std::vector<Draft> drafts = {};
  std::size_t open = 0;
};

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void say(const Group& group, Draft& draft, const std::string& text) {
  if (text.empty()) return;
  draft.response.text += text;
  if (group.listener.on_text) group.listener.on_text(draft.response.index, text);
}

// Neighbouring seeds and responses give streams that have nothing to do with each other.
std::uint64_t seed_of(std::uint64_t seed, std::int32_t index) {
  std::uint64_t mixed = seed + 0x9e3779b97f4a7c15U * (static_cast<std::uint64_t>(index) + 1);
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31U);
}

[[noreturn]] void refuse(const std::string& problem, const std::string& advice = {}) {
  throw base::InputError({.file = "request"}, problem, advice);
}

void check_sampling(const Request& request) {
  const Sampling& sampling = request.sampling;
  if (request.responses < 1) refuse("asks for no response");
  if (request.max_tokens < 1) refuse("max_tokens must be at least 1");
  if (!(sampling.temperature >= 0) || !std::isfinite(sampling.temperature)) refuse("temperature must not be negative");
  if (!(sampling.top_p > 0 && sampling.top_p <= 1)) refuse("top_p must be above 0 and at most 1");
  if (!(sampling.min_p >= 0 && sampling.min_p <= 1)) refuse("min_p must be between 0 and 1");
  if (sampling.top_k < 0) refuse("top_k must not be negative");
  if (std::ranges::any_of(request.stop_texts, &std::string::empty)) refuse("a stop text is empty");
}

}  // namespace

struct LocalEngine::Parts {
  const model::Qwen3& model;
  const tokenizer::Tokenizer* tokenizer;
  RolloutConfig config;
  Scheduler scheduler;
  ModelRunner runner;
  std::unordered_map<std::uint64_t, Group> groups = {};
  std::deque<Step> under_way = {};  // run, and not collected
  std::uint64_t requests = 0;
  RolloutCounts counts = {};

  Step schedule();
  void run(const Step& step);
  void sample(const Step& step);
  void collect();
  // Forgets everything under way, after a failure.
  void settle();

  std::optional<Finish> take(const Draw& draw, const StepTokens& tokens, std::size_t place);
  void end(const Draw& draw, Finish finish);
  std::vector<TokenId> ids_of(const Prompt& prompt) const;
  std::int32_t tokens_to_draw(const std::vector<TokenId>& prompt, std::int32_t wanted) const;
};

LocalEngine::LocalEngine(const model::Qwen3& model, const tokenizer::Tokenizer* tokenizer,
                         const RolloutConfig& config) {
  const auto& place = model.place();
  const RolloutConfig full = resolved(config, model.config(), place.device.is_cpu());
  const std::int64_t pages = cache_pages(full, model.config(), place.dtype, model::device_memory_bytes(place.device));
  parts_.reset(new Parts{
      .model = model,
      .tokenizer = tokenizer,
      .config = full,
      .scheduler = Scheduler({.pages = static_cast<std::int32_t>(pages),
                              .page_size = static_cast<std::int32_t>(full.page_size),
                              .max_step_tokens = static_cast<std::int32_t>(full.max_step_tokens),
                              .max_sequences = static_cast<std::int32_t>(full.max_sequences)}),
      .runner = ModelRunner(model, {.pages = pages,
                                    .page_size = full.page_size,
                                    .max_context = full.max_context,
                                    .max_sequences = full.max_sequences,
                                    .graphs = full.graphs}),
  });
  parts_->counts.pages = pages;
  parts_->counts.cache_bytes = pages * full.page_size * model::cache_bytes_per_token(model.config(), place.dtype);
}

LocalEngine::~LocalEngine() = default;

bool LocalEngine::step() {
  Parts& engine = *parts_;
  try {
    Step step = engine.schedule();
    const bool more = step.tokens() > 0;
    model::during("rollout", [&] {
      if (more) {
        engine.run(step);
        engine.sample(step);
        engine.under_way.push_back(std::move(step));
      }
      const std::size_t unread = more && *engine.config.read_late ? 1 : 0;
      while (engine.under_way.size() > unread) engine.collect();
    });
  } catch (const std::exception&) {
    engine.settle();
    throw;
  }
  if (!engine.groups.empty()) return true;
  engine.runner.rest();
  return false;
}

Step LocalEngine::Parts::schedule() {
  Step step = scheduler.schedule();
  counts.steps += step.tokens() > 0 ? 1 : 0;
  counts.computed_tokens += step.tokens();
  counts.drawn_tokens += static_cast<std::int64_t>(step.draws.size());
  return step;
}

void LocalEngine::Parts::run(const Step& step) { runner.run(step); }

void LocalEngine::Parts::sample(const Step& step) {
  std::vector<DrawOptions> options;
  options.reserve(step.draws.size());
  for (const Draw& draw : step.draws) {
    const Group& group = groups.at(draw.sequence->request);
    const auto index = static_cast<std::size_t>(draw.sequence->index);
    options.push_back({.sampling = group.request.sampling, .seed = group.drafts[index].seed});
  }
  runner.sample(step, options);
}

void LocalEngine::Parts::collect() {
  const Step step = std::move(under_way.front());
  under_way.pop_front();
  const StepTokens tokens = runner.read();
  for (std::size_t i = 0; i < step.draws.size(); ++i) {
    const Draw& draw = step.draws[i];
    // It ended in the step before, which was read after this one had started.
    if (draw.sequence->finished) continue;
    if (!std::isfinite(tokens.raw_log_probs[i])) throw base::HostError("the model gave logits that are not finite");
    if (const auto finish = take(draw, tokens, i)) end(draw, *finish);
  }
}

// The token goes to its response, which may end with it.
std::optional<Finish> LocalEngine::Parts::take(const Draw& draw, const StepTokens& tokens, std::size_t place) {
  Sequence& sequence = *draw.sequence;
  const TokenId token = tokens.token_ids[place];
  scheduler.append(sequence, token);
  Group& group = groups.at(sequence.request);
  Draft& draft = group.drafts[static_cast<std::size_t>(sequence.index)];
  Response& response = draft.response;
  if (response.token_ids.empty()) response.timing.first_token_s = seconds_since(group.submitted);
  response.token_ids.push_back(token);
  response.log_probs.push_back(tokens.log_probs[place]);
  response.raw_log_probs.push_back(tokens.raw_log_probs[place]);
  if (std::ranges::find(group.request.stop_ids, token) != group.request.stop_ids.end()) return Finish::kStop;
  if (tokenizer != nullptr) {
    say(group, draft, draft.text.push(tokenizer->bytes_of(token)));
    if (draft.text.stopped()) return Finish::kStop;
  }
  const bool full = static_cast<std::int32_t>(response.token_ids.size()) == sequence.max_tokens;
  return full ? std::optional(Finish::kLength) : std::nullopt;
}

void LocalEngine::Parts::end(const Draw& draw, Finish finish) {
  scheduler.finish(draw.sequence);
  const std::uint64_t number = draw.sequence->request;
  Group& group = groups.at(number);
  Draft& draft = group.drafts[static_cast<std::size_t>(draw.sequence->index)];
  if (tokenizer != nullptr) say(group, draft, draft.text.finish());
  draft.response.finish = finish;
  draft.response.timing.end_s = seconds_since(group.submitted);
  const auto on_response = group.listener.on_response;
  Response response = std::move(draft.response);
  if (--group.open == 0) groups.erase(number);
  if (on_response) on_response(std::move(response));
}

void LocalEngine::Parts::settle() {
  for (const auto& sequence : scheduler.sequences()) scheduler.finish(sequence);
  while (!under_way.empty()) {
    under_way.pop_front();
    runner.forget();
  }
  groups.clear();
  runner.rest();
}

std::uint64_t LocalEngine::submit(Request request, Listener listener) {
  Parts& engine = *parts_;
  check_sampling(request);
  if (engine.tokenizer == nullptr && !request.stop_texts.empty()) refuse("has stop texts, but there is no tokenizer");
  const std::vector<TokenId> prompt = engine.ids_of(request.prompt);
  const std::int32_t max_tokens = engine.tokens_to_draw(prompt, request.max_tokens);

  const std::uint64_t number = ++engine.requests;
  Group& group = engine.groups[number];
  group = {.request = std::move(request), .listener = std::move(listener), .submitted = Clock::now()};
  for (std::int32_t index = 0; index < group.request.responses; ++index) {
    group.drafts.push_back({.response = {.request = number, .index = index, .prompt_ids = prompt},
                            .text = StopText(group.request.stop_texts),
                            .seed = seed_of(group.request.seed, index)});
  }
  group.open = group.drafts.size();
  const auto at_once = static_cast<std::int32_t>(engine.config.max_sequences);
  for (std::int32_t first = 0; first < group.request.responses; first += at_once) {
    const std::int32_t count = std::min(at_once, group.request.responses - first);
    std::vector<std::shared_ptr<Sequence>> sequences;
    for (std::int32_t index = first; index < first + count; ++index) {
      sequences.push_back(std::make_shared<Sequence>(Sequence{.request = number,
                                                              .index = index,
                                                              .token_ids = prompt,
                                                              .prompt_tokens = static_cast<std::int32_t>(prompt.size()),
                                                              .max_tokens = max_tokens}));
    }
    sequences.front()->followers.assign(sequences.begin() + 1, sequences.end());
    engine.scheduler.add(sequences.front());
  }
  return number;
}

std::vector<TokenId> LocalEngine::Parts::ids_of(const Prompt& prompt) const {
  std::vector<TokenId> ids;
  if (const auto* given = std::get_if<std::vector<TokenId>>(&prompt)) {
    ids = *given;
  } else {
    if (tokenizer == nullptr) refuse("the prompt is text, but there is no tokenizer", "give token ids");
    const auto* chat = std::get_if<Chat>(&prompt);
    const std::string text = chat == nullptr ? std::get<std::string>(prompt)
                                             : tokenizer::render_chat(chat->messages, {.thinking = chat->thinking});
    ids = tokenizer->encode(text, "prompt");
  }
  if (ids.empty()) refuse("the prompt is empty");
  const std::int64_t vocabulary = model.config().vocab_size;
  for (const TokenId id : ids) {
    if (id < 0 || id >= vocabulary) refuse(fmt::format("token {} is none of the model's {}", id, vocabulary));
  }
  return ids;
}

std::int32_t LocalEngine::Parts::tokens_to_draw(const std::vector<TokenId>& prompt, std::int32_t wanted) const {
  const auto length = static_cast<std::int64_t>(prompt.size());
  if (length >= config.max_context) {
    refuse(fmt::format("the prompt has {} tokens; the context ends at {}", length, config.max_context));
  }
  const std::int64_t count = std::min<std::int64_t>(wanted, config.max_context - length);
  const std::int64_t held = std::int64_t{scheduler.pages().pages()} * config.page_size;
  if (length + count > held) {
    refuse(fmt::format("prompt and response may take {} tokens; the cache holds {}", length + count, held),
           "raise rollout.memory_fraction, or ask for fewer tokens");
  }
  return static_cast<std::int32_t>(count);
}

void LocalEngine::drop_cache() {
  base::check(parts_->groups.empty(), "the cache is dropped while responses are under way");
  parts_->scheduler.forget_prefixes();
  parts_->runner.drop_cache();
}

void LocalEngine::take_cache() { parts_->runner.take_cache(); }

void LocalEngine::forget_prefixes() { parts_->scheduler.forget_prefixes(); }

RolloutCounts LocalEngine::counts() const {
  RolloutCounts counts = parts_->counts;
  const Scheduler& scheduler = parts_->scheduler;
  counts.reused_tokens = scheduler.reused_tokens();
  counts.preemptions = scheduler.preemptions();
  counts.most_pages_held = scheduler.most_pages_held();
  counts.pages_held = counts.pages - scheduler.pages().available();
  return counts;
}

}  // namespace tritonrl::rollout
