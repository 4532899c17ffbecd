#include "rl/judge.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/log.h"

namespace tritonrl::rl {
namespace {

using base::Json;

// A candidate and the place of its verdict.
using Numbered = std::pair<std::size_t, verify::Candidate>;

bool machine_failed(const Json& verdict) {
  return verdict.contains("error") && verdict.value("fault", "machine") == "machine";
}

verify::VerifierConfig config_for(verify::VerifierConfig config, Purpose purpose) {
  const bool training = purpose == Purpose::kTraining;
  config.depth = training ? verify::Depth::kTrain : verify::Depth::kFull;
  config.draw = training ? "" : "not for training";
  return config;
}

verify::VerifierCosts sum(verify::VerifierCosts a, const verify::VerifierCosts& b) {
  a.judged += b.judged;
  a.from_cache += b.from_cache;
  a.seconds += b.seconds;
  return a;
}

}  // namespace

struct VerifierJudge::Parts {
  verify::VerifierConfig config;
  PatienceConfig patience;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Numbered> waiting;
  std::vector<Json> verdicts;
  std::size_t judged = 0;
  verify::VerifierCosts costs;
  std::exception_ptr failure;
  bool resting = false;  // asked to, and not done
  bool ending = false;
  std::thread thread;
  // Of the thread alone.
  std::unique_ptr<verify::Verifier> verifier;
  verify::VerifierCosts of_earlier;  // verifiers

  // Judges what waits, all of it at once, until told to end.
  void work() {
    try {
      start();
      for (;;) {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return ending || resting || !waiting.empty(); });
        if (ending) return;
        if (resting) {
          retire();
          resting = false;
          changed.notify_all();
          continue;
        }
        std::deque<Numbered> batch = std::exchange(waiting, {});
        lock.unlock();
        judge(std::move(batch));
      }
    } catch (...) {
      const std::scoped_lock lock(mutex);
      failure = std::current_exception();
      changed.notify_all();
    }
  }

  void judge(std::deque<Numbered> batch) {
    double wait_s = patience.first_wait_s;
    for (std::int64_t attempt = 1;; ++attempt) {
      std::string problem;
      batch = left_after_trying(std::move(batch), problem);
      if (batch.empty()) return;
      if (attempt == patience.tries) throw base::HostError("the verifier fails: " + problem, base::Retry::kYes);
      base::log::warning("{} responses could not be judged ({}); tries again in {} s", batch.size(), problem, wait_s);
      if (told_to_end_within(wait_s)) return;
      wait_s *= 2;
      retire();
    }
  }

  void retire() {
    if (verifier) of_earlier = sum(of_earlier, verifier->costs());
    verifier.reset();
  }

  // Empty, or why there is no verifier.
  std::string start() {
    try {
      if (!verifier) verifier = std::make_unique<verify::Verifier>(config);
    } catch (const base::HostError& error) {
      return error.what();
    }
    return "";
  }

  std::deque<Numbered> left_after_trying(std::deque<Numbered> batch, std::string& problem) {
    problem = start();
    if (!verifier) return batch;
    std::vector<verify::Candidate> candidates;
    for (const auto& [number, candidate] : batch) candidates.push_back(candidate);
    std::deque<Numbered> left;
    verifier->judge(candidates, [&](std::size_t n, const Json& verdict) {
      if (machine_failed(verdict)) {
        problem = verdict.at("error").get<std::string>();
        left.push_back(batch[n]);
        return;
      }
      const std::scoped_lock lock(mutex);
      verdicts[batch[n].first] = verdict;
      ++judged;
      costs = sum(of_earlier, verifier->costs());
      changed.notify_all();
    });
    return left;
  }

  bool told_to_end_within(double seconds) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return ending; });
  }
};

VerifierJudge::VerifierJudge(verify::VerifierConfig config, Purpose purpose, PatienceConfig patience)
    : parts_(std::make_unique<Parts>()) {
  parts_->config = config_for(std::move(config), purpose);
  parts_->patience = patience;
  parts_->thread = std::thread([parts = parts_.get()] { parts->work(); });
}

VerifierJudge::~VerifierJudge() {
  {
    const std::scoped_lock lock(parts_->mutex);
    parts_->ending = true;
    parts_->changed.notify_all();
  }
  parts_->thread.join();
}

void VerifierJudge::submit(verify::Candidate candidate) {
  const std::scoped_lock lock(parts_->mutex);
  parts_->waiting.emplace_back(parts_->verdicts.size(), std::move(candidate));
  parts_->verdicts.emplace_back();
  parts_->changed.notify_all();
}

std::vector<Json> VerifierJudge::collect() {
  std::unique_lock lock(parts_->mutex);
  parts_->changed.wait(lock, [&] { return parts_->failure || parts_->judged == parts_->verdicts.size(); });
  if (parts_->failure) std::rethrow_exception(parts_->failure);
  parts_->judged = 0;
  return std::exchange(parts_->verdicts, {});
}

void VerifierJudge::rest() {
  if (parts_->config.device != "cuda") return;
  std::unique_lock lock(parts_->mutex);
  parts_->resting = true;
  parts_->changed.notify_all();
  parts_->changed.wait(lock, [&] { return parts_->failure || !parts_->resting; });
}

verify::VerifierCosts VerifierJudge::costs() const {
  const std::scoped_lock lock(parts_->mutex);
  return parts_->costs;
}

}  // namespace tritonrl::rl
