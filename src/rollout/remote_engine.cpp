#include "rollout/remote_engine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>
#include <variant>

#include "base/error.h"

namespace tritonrl::rollout {
namespace {

using Clock = std::chrono::steady_clock;
using endpoint::ChatFailure;
using endpoint::Completion;

// One response to ask for.
struct Job {
  std::uint64_t request = 0;
  std::int32_t index = 0;
  endpoint::CompletionRequest asking;
  Clock::time_point submitted;
  bool watched = false;  // its text is shown as it comes, and can not be taken back
};

// What a worker has to say: a piece of text, or the end.
struct News {
  std::uint64_t request = 0;
  std::int32_t index = 0;
  std::variant<std::string, Response, ChatFailure> what;
};

struct Group {
  Listener listener;
  std::int32_t open = 0;
};

const char* role_name(tokenizer::Role role) {
  switch (role) {
    case tokenizer::Role::kSystem:
      return "system";
    case tokenizer::Role::kUser:
      return "user";
    case tokenizer::Role::kAssistant:
      return "assistant";
    case tokenizer::Role::kTool:
      return "tool";
  }
  base::bug("a role that is none");
}

endpoint::CompletionRequest asking_of(const Request& request, const RemoteConfig& config, std::int32_t index) {
  const Sampling& sampling = request.sampling;
  endpoint::CompletionRequest asking{.model = config.model,
                                     .prompt = std::string(),
                                     .max_tokens = request.max_tokens,
                                     .temperature = sampling.temperature,
                                     .top_p = sampling.top_p};
  if (const auto* ids = std::get_if<std::vector<tokenizer::TokenId>>(&request.prompt)) {
    asking.prompt = *ids;
  } else if (const auto* text = std::get_if<std::string>(&request.prompt)) {
    asking.prompt = *text;
  } else {
    std::vector<endpoint::Message> messages;
    for (const auto& message : std::get<Chat>(request.prompt).messages) {
      messages.push_back({.role = role_name(message.role), .content = message.content});
    }
    asking.prompt = std::move(messages);
  }
  if (sampling.min_p > 0) asking.min_p = sampling.min_p;
  if (sampling.top_k > 0) asking.top_k = sampling.top_k;
  // Servers take it as a signed number.
  asking.seed = (request.seed + static_cast<std::uint64_t>(index)) & 0x7fffffffU;
  asking.stop = request.stop_texts;
  asking.stop_ids = request.stop_ids;
  asking.details = config.tokens;
  return asking;
}

Response response_of(const Job& job, Completion completion) {
  Response response{.request = job.request, .index = job.index};
  response.prompt_ids = std::move(completion.prompt_ids);
  response.token_ids = std::move(completion.token_ids);
  response.raw_log_probs = std::move(completion.log_probs);
  const auto& asking = job.asking;
  const bool as_it_is = asking.temperature == 1 && asking.top_p == 1 && !asking.min_p && !asking.top_k;
  if (as_it_is) response.log_probs = response.raw_log_probs;
  response.text = endpoint::response_text(
      {.text = std::move(completion.text), .reasoning = std::move(completion.reasoning), .finish = completion.finish});
  response.finish = completion.finish == "length" ? Finish::kLength : Finish::kStop;
  return response;
}

}  // namespace

struct RemoteEngine::Parts {
  RemoteConfig config;
  endpoint::Client client;
  std::unordered_map<std::uint64_t, Group> groups = {};  // of the thread that steps
  std::uint64_t requests = 0;

  std::mutex mutex = {};  // for the four below
  std::condition_variable changed = {};
  std::deque<Job> jobs = {};
  std::deque<News> news = {};
  bool closing = false;
  std::atomic<bool> cancelled = false;
  std::vector<std::thread> workers = {};

  void work();
  void tell(News one);
  void answer(const Job& job);
  // What is under way ends, and nobody hears of it.
  void stop();
};

RemoteEngine::RemoteEngine(RemoteConfig config) {
  const endpoint::Client client(config.client);
  if (config.model.empty()) {
    const auto names = client.models();
    if (names.size() != 1) {
      throw base::InputError({.file = config.client.url},
                             fmt::format("offers several models: {}", fmt::join(names, ", ")), "name one");
    }
    config.model = names[0];
  }
  parts_.reset(new Parts{.config = std::move(config), .client = client});
}

RemoteEngine::~RemoteEngine() { parts_->stop(); }

std::uint64_t RemoteEngine::submit(Request request, Listener listener) {
  Parts& parts = *parts_;
  const std::uint64_t number = ++parts.requests;
  const bool watched = listener.on_text != nullptr;
  parts.groups[number] = {.listener = std::move(listener), .open = request.responses};
  const std::lock_guard lock(parts.mutex);
  for (std::int32_t index = 0; index < request.responses; ++index) {
    parts.jobs.push_back({.request = number,
                          .index = index,
                          .asking = asking_of(request, parts.config, index),
                          .submitted = Clock::now(),
                          .watched = watched});
  }
  while (parts.workers.size() < std::min<std::size_t>(parts.config.concurrency, parts.jobs.size())) {
    parts.workers.emplace_back([&parts] { parts.work(); });
  }
  parts.changed.notify_all();
  return number;
}

bool RemoteEngine::step() {
  Parts& parts = *parts_;
  if (parts.groups.empty()) return false;
  std::unique_lock lock(parts.mutex);
  parts.changed.wait(lock, [&] { return !parts.news.empty(); });
  News news = std::move(parts.news.front());
  parts.news.pop_front();
  lock.unlock();

  Group& group = parts.groups.at(news.request);
  if (const auto* text = std::get_if<std::string>(&news.what)) {
    if (group.listener.on_text) group.listener.on_text(news.index, *text);
  } else if (auto* response = std::get_if<Response>(&news.what)) {
    const auto on_response = group.listener.on_response;
    if (--group.open == 0) parts.groups.erase(news.request);
    if (on_response) on_response(std::move(*response));
  } else {
    const auto& failure = std::get<ChatFailure>(news.what);
    parts.stop();
    const std::string message = fmt::format("{}: {}", parts.config.client.url, failure.message);
    if (failure.kind == ChatFailure::Kind::kRefused || failure.kind == ChatFailure::Kind::kDenied) {
      throw base::InputError({.file = parts.config.client.url}, failure.message);
    }
    throw base::HostError(message, base::Retry::kYes);
  }
  return !parts.groups.empty();
}

void RemoteEngine::Parts::work() {
  while (true) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return closing || !jobs.empty(); });
    if (closing) return;
    const Job job = std::move(jobs.front());
    jobs.pop_front();
    lock.unlock();
    answer(job);
  }
}

void RemoteEngine::Parts::answer(const Job& job) {
  double first_s = 0;
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - job.submitted).count(); };
  const std::function<void(std::string_view)> on_text = [&](std::string_view text) {
    if (first_s == 0) first_s = seconds();
    tell({.request = job.request, .index = job.index, .what = std::string(text)});
  };
  News end{.request = job.request, .index = job.index, .what = ChatFailure{}};
  try {
    auto answered = client.complete(job.asking, {.on_text = job.watched ? on_text : nullptr, .cancelled = &cancelled});
    if (auto* completion = std::get_if<Completion>(&answered)) {
      Response response = response_of(job, std::move(*completion));
      response.timing = {.first_token_s = first_s, .end_s = seconds()};  // the first is 0 where nobody watched
      end.what = std::move(response);
    } else {
      end.what = std::get<ChatFailure>(std::move(answered));
    }
  } catch (const std::exception& error) {
    end.what = ChatFailure{.message = error.what(), .wait_s = {}};
  }
  tell(std::move(end));
}

void RemoteEngine::Parts::tell(News one) {
  const std::lock_guard lock(mutex);
  news.push_back(std::move(one));
  changed.notify_all();
}

void RemoteEngine::Parts::stop() {
  cancelled = true;
  {
    const std::lock_guard lock(mutex);
    closing = true;
    changed.notify_all();
  }
  for (std::thread& worker : workers) worker.join();
  workers.clear();
  jobs.clear();
  news.clear();
  groups.clear();
  closing = false;
  cancelled = false;
}

}  // namespace tritonrl::rollout
