#include "rl/audit.h"

#include "base/log.h"
#include "base/random.h"

namespace tritonrl::rl {
namespace {

constexpr std::uint64_t kStream = std::uint64_t{1} << 60;

}  // namespace

Audit::Audit(const AuditConfig& config, std::function<Judge&()> judge) : config_(config), judge_(std::move(judge)) {}

void Audit::check(std::int64_t step, std::span<Group> groups,
                  const std::function<std::shared_ptr<const task::Task>(const Sample&)>& task_of) {
  base::Random random(config_.seed, kStream + static_cast<std::uint64_t>(step));
  std::vector<Sample*> drawn;
  for (Group& group : groups) {
    for (Sample& sample : group.samples) {
      const bool chosen = random.uniform() < config_.share;
      // Without the gate there are rewards for what the verifier rejects, on purpose.
      if (chosen && group.judged && sample.outcome.correct && sample.outcome.valid) drawn.push_back(&sample);
    }
  }
  if (drawn.empty()) return;
  Judge& judge = judge_();
  for (const Sample* sample : drawn) {
    judge.submit(
        {.task = task_of(*sample), .sample = sample->response.index, .text = sample->response.text, .response = true});
  }
  const auto verdicts = judge.collect();
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    drawn[i]->audit = verdicts[i];
    if (verdicts[i].contains("error")) continue;
    ++checked_;
    if (verdicts[i].value("accepted", false)) continue;
    ++disagreed_;
    base::log::warning("audit: a rewarded kernel for {} fails the whole verifier ({})", task_of(*drawn[i])->id,
                       verdicts[i].value("reason", base::Json()).dump());
  }
}

void Audit::go_on_from(std::int64_t checked, std::int64_t disagreed) {
  checked_ = checked;
  disagreed_ = disagreed;
}

bool Audit::failed() const {
  return disagreed_ >= config_.least && static_cast<double>(disagreed_) > config_.most * static_cast<double>(checked_);
}

}  // namespace tritonrl::rl
