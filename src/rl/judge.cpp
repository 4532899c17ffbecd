#include "rl/judge.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/log.h"

namespace tritonrl::rl {
namespace {

using base::Json;

bool machine_failed(const Json& verdict) {
  return verdict.contains("error") && verdict.value("fault", "machine") != "task";
}

}  // namespace

struct VerifierJudge::Parts {
  verify::VerifierConfig config;
  PatienceConfig patience;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::pair<std::size_t, verify::Candidate>> waiting;
  std::vector<Json> verdicts;
  std::size_t judged = 0;
  verify::VerifierCosts costs;
  std::exception_ptr failure;
  bool ending = false;
  std::thread thread;

  // Judges what waits, all of it at once, until told to end.
  void work() {
    try {
      verify::Verifier verifier(config);
      for (;;) {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return ending || !waiting.empty(); });
        if (ending) return;
        std::deque<std::pair<std::size_t, verify::Candidate>> batch = std::exchange(waiting, {});
        lock.unlock();
        judge(verifier, std::move(batch));
      }
    } catch (...) {
      const std::scoped_lock lock(mutex);
      failure = std::current_exception();
      changed.notify_all();
    }
  }

  void judge(verify::Verifier& verifier, std::deque<std::pair<std::size_t, verify::Candidate>> batch) {
    double wait_s = patience.first_wait_s;
    for (int attempt = 1; !batch.empty(); ++attempt) {
      std::vector<verify::Candidate> candidates;
      for (const auto& [number, candidate] : batch) candidates.push_back(candidate);
      std::deque<std::pair<std::size_t, verify::Candidate>> again;
      std::string reason;
      verifier.judge(candidates, [&](std::size_t n, const Json& verdict) {
        if (machine_failed(verdict)) {
          reason = verdict.at("error").get<std::string>();
          again.push_back(batch[n]);
          return;
        }
        const std::scoped_lock lock(mutex);
        verdicts[batch[n].first] = verdict;
        ++judged;
        costs = verifier.costs();
        changed.notify_all();
      });
      if (!again.empty()) {
        if (attempt == patience.tries) throw base::HostError("the verifier fails: " + reason, base::Retry::kYes);
        base::log::warning("{} responses could not be judged ({}); tries again in {} s", again.size(), reason, wait_s);
        std::this_thread::sleep_for(std::chrono::duration<double>(wait_s));
        wait_s *= 2;
      }
      batch = std::move(again);
    }
  }
};

VerifierJudge::VerifierJudge(verify::VerifierConfig config, PatienceConfig patience)
    : parts_(std::make_unique<Parts>()) {
  parts_->config = std::move(config);
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

verify::VerifierCosts VerifierJudge::costs() const {
  const std::scoped_lock lock(parts_->mutex);
  return parts_->costs;
}

}  // namespace tritonrl::rl
