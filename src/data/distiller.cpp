#include "data/distiller.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "base/append_log.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/progress.h"
#include "task/suite.h"

namespace tritonrl::data {
namespace {

using base::Json;
using endpoint::ChatAnswer;
using endpoint::ChatFailure;

// So many requests in a row without an answer, each tried several times, and the endpoint counts as gone.
constexpr std::size_t kGivenUp = 8;

struct Wanted {
  const task::Suite::Entry* task = nullptr;
  std::int64_t sample = 0;
};

// One run: what is there, what is asked, what came.
class Distillation {
 public:
  Distillation(const DistillConfig& config, const endpoint::Client& client)
      : config_(config),
        client_(client),
        suite_(task::Suite::open(config.tasks)),
        recipe_(base::sha256_hex(task::make_prompt({}, config.prompt)).substr(0, 16)),
        log_(config.out, [this](const Json& row) { remember(row); }) {
    report_.tasks = suite_.entries().size();
    for (const auto& entry : suite_.entries()) {
      for (std::int64_t sample = 0; sample < config.traces; ++sample) {
        if (known_.contains({entry.id, sample})) {
          ++report_.kept;
        } else {
          wanted_.push_back({.task = &entry, .sample = sample});
        }
      }
    }
  }

  DistillReport run() {
    base::Progress progress("distill", wanted_.size() + report_.kept);
    progress.advance(report_.kept);
    {
      std::vector<std::jthread> threads;
      const std::size_t count = std::clamp<std::size_t>(wanted_.size(), 1, std::max(1U, config_.concurrency));
      for (std::size_t n = 0; n < count; ++n) threads.emplace_back([&] { work(progress); });
    }
    progress.finish();
    if (stopped_) std::rethrow_exception(stopped_);
    return report_;
  }

 private:
  void remember(const Json& row) {
    if (!row.is_object() || !row.contains("task") || !row.contains("sample") ||
        row.value("model", "") != config_.asking.model || row.value("prompt", "") != recipe_) {
      throw base::InputError({.file = config_.out.string()},
                             "holds samples of another model or prompt, or something else",
                             "choose another file with --out");
    }
    known_.emplace(row.at("task").get<std::string>(), row.at("sample").get<std::int64_t>());
  }

  void work(base::Progress& progress) {
    for (std::size_t n = next_++; n < wanted_.size(); n = next_++) {
      try {
        ask(wanted_[n]);
      } catch (...) {
        stop(std::current_exception());
      }
      progress.advance();
      const std::scoped_lock lock(mutex_);
      if (stopped_) return;
    }
  }

  void stop(std::exception_ptr why) {
    const std::scoped_lock lock(mutex_);
    if (!stopped_) stopped_ = std::move(why);
  }

  void ask(const Wanted& wanted) {
    const std::string prompt = task::make_prompt(suite_.load(*wanted.task), config_.prompt);
    endpoint::ChatRequest request = config_.asking;
    request.messages = {{.role = "user", .content = prompt}};
    const auto said = client_.ask(request);
    if (const auto* answer = std::get_if<ChatAnswer>(&said)) {
      keep(wanted, prompt, *answer);
    } else {
      count(std::get<ChatFailure>(said));
    }
  }

  void keep(const Wanted& wanted, const std::string& prompt, const ChatAnswer& answer) {
    const std::string response = endpoint::response_text(answer);
    const auto prompt_tokens =
        answer.counted ? answer.prompt_tokens : static_cast<std::int64_t>(task::count_pieces(prompt));
    const auto response_tokens =
        answer.counted ? answer.completion_tokens : static_cast<std::int64_t>(task::count_pieces(response));
    log_.add({{"task", wanted.task->id},
              {"sample", wanted.sample},
              {"response", response},
              {"finish", answer.finish},
              {"model", config_.asking.model},
              {"prompt", recipe_},
              {"temperature", config_.asking.temperature},
              {"top_p", config_.asking.top_p},
              {"prompt_tokens", prompt_tokens},
              {"response_tokens", response_tokens},
              {"counted_by", answer.counted ? "server" : "pieces"}});
    const std::scoped_lock lock(mutex_);
    ++report_.answered;
    report_.prompt_tokens += prompt_tokens;
    report_.response_tokens += response_tokens;
    report_.counted_by_server = report_.counted_by_server && answer.counted;
    in_a_row_ = 0;
  }

  void count(const ChatFailure& failure) {
    if (failure.kind == ChatFailure::Kind::kDenied) {
      throw base::InputError({.file = client_.config().url}, failure.message,
                             "check the URL, --model and the key in TRITONRL_API_KEY");
    }
    const std::scoped_lock lock(mutex_);
    ++report_.failed[failure.message];
    if (failure.kind != ChatFailure::Kind::kRefused && ++in_a_row_ >= kGivenUp && !stopped_) {
      stopped_ = std::make_exception_ptr(base::HostError(
          fmt::format("{} gave no answer to {} requests in a row ({}); what was answered is kept, a rerun goes on",
                      client_.config().url, in_a_row_, failure.message),
          base::Retry::kYes));
    }
  }

  const DistillConfig& config_;
  const endpoint::Client& client_;
  task::Suite suite_;
  std::string recipe_;  // of the prompt, its task left out
  std::set<std::pair<std::string, std::int64_t>> known_;
  std::vector<Wanted> wanted_;
  DistillReport report_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::size_t in_a_row_ = 0;
  std::exception_ptr stopped_;
  base::AppendLog log_;
};

}  // namespace

DistillReport distill(const DistillConfig& config, const endpoint::Client& client) {
  return Distillation(config, client).run();
}

std::size_t DistillReport::failures() const {
  std::size_t sum = 0;
  for (const auto& [reason, count] : failed) sum += count;
  return sum;
}

Json DistillReport::json() const {
  return {{"tasks", tasks},
          {"answered", answered},
          {"kept", kept},
          {"failed", failed},
          {"prompt_tokens", prompt_tokens},
          {"response_tokens", response_tokens},
          {"counted_by", counted_by_server ? "server" : "pieces"}};
}

}  // namespace tritonrl::data
