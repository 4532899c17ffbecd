#include "rl/audit.h"

#include <cmath>

#include "base/log.h"
#include "base/random.h"

namespace tritonrl::rl {
namespace {

constexpr std::uint64_t kStream = std::uint64_t{1} << 60;

// The lower end of Wilson's 95 % interval of a share.
double lower_end(double hits, double all) {
  constexpr double kZ = 1.96;
  const double share = hits / all;
  const double middle = share + kZ * kZ / (2 * all);
  const double width = kZ * std::sqrt(share * (1 - share) / all + kZ * kZ / (4 * all * all));
  return (middle - width) / (1 + kZ * kZ / all);
}

}  // namespace

Audit::Audit(const AuditConfig& config, std::function<Judge&()> judge) : config_(config), judge_(std::move(judge)) {}

void Audit::check(std::int64_t step, std::span<const Group> groups,
                  const std::function<std::shared_ptr<const task::Task>(const Sample&)>& task_of) {
  base::Random random(config_.seed, kStream + static_cast<std::uint64_t>(step));
  std::vector<verify::Candidate> drawn;
  for (const Group& group : groups) {
    for (const Sample& sample : group.samples) {
      const bool chosen = random.uniform() < config_.share;
      if (!chosen || !group.judged || !sample.outcome.correct) continue;
      drawn.push_back(
          {.task = task_of(sample), .sample = sample.response.index, .text = sample.response.text, .response = true});
    }
  }
  if (drawn.empty()) return;
  Judge& judge = judge_();
  for (const verify::Candidate& candidate : drawn) judge.submit(candidate);
  const auto verdicts = judge.collect();
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i].contains("error")) continue;
    ++checked_;
    if (verdicts[i].value("accepted", false)) continue;
    ++disagreed_;
    base::log::warning("audit: a rewarded kernel for {} fails the whole verifier ({})", drawn[i].task->id,
                       verdicts[i].value("reason", base::Json()).dump());
  }
}

void Audit::go_on_from(std::int64_t checked, std::int64_t disagreed) {
  checked_ = checked;
  disagreed_ = disagreed;
}

bool Audit::failed() const {
  return checked_ > 0 && lower_end(static_cast<double>(disagreed_), static_cast<double>(checked_)) > config_.most;
}

}  // namespace tritonrl::rl
