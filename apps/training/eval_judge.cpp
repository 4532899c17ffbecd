#include "apps/training/eval_judge.h"

#include <fmt/format.h>

#include <utility>

#include "apps/verifier_setup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/progress.h"

namespace tritonrl::apps {
namespace {

namespace fs = std::filesystem;
using base::Json;

verify::VerifierConfig verifier_config(const std::string& device, unsigned jobs, verify::Depth depth) {
  verify::VerifierConfig config = local_verifier(device);
  config.depth = depth;
  config.stop_at_rejection = depth == verify::Depth::kTrain;
  if (jobs > 0) config.jobs = jobs;
  return config;
}

}  // namespace

EvalJudge::EvalJudge(const std::string& device, unsigned jobs, verify::Depth depth)
    : config_(verifier_config(device, jobs, depth)), verifier_(std::make_unique<verify::Verifier>(config_)) {}

Judged EvalJudge::judge(std::vector<verify::Candidate> candidates) {
  Judged judged{.candidates = std::move(candidates)};
  judged.verdicts.resize(judged.candidates.size());
  if (!verifier_) verifier_ = std::make_unique<verify::Verifier>(config_);
  {
    base::Progress progress("verify", judged.candidates.size());
    verifier_->judge(judged.candidates, [&](std::size_t n, const Json& verdict) {
      judged.verdicts[n] = verdict;
      progress.advance();
    });
  }
  if (config_.device == "cuda") verifier_.reset();
  std::vector<eval::JudgedSample> samples;
  for (std::size_t i = 0; i < judged.verdicts.size(); ++i) {
    const Json& verdict = judged.verdicts[i];
    const task::Task& task = *judged.candidates[i].task;
    if (!verdict.contains("error")) {
      samples.push_back(eval::judged_sample(verdict, task.level, task.where));
      continue;
    }
    ++judged.not_judged;
    if (verdict.value("fault", "machine") == "machine") ++judged.machine_failures;
    base::log::warning("{} #{}: {}", task.id, judged.candidates[i].sample, verdict.value("error", ""));
  }
  judged.tasks = eval::by_task(samples);
  return judged;
}

void Judged::require_all() const {
  if (machine_failures == 0) return;
  throw base::HostError(fmt::format("{} of {} samples could not be judged; run it again: what was judged is known",
                                    machine_failures, verdicts.size()));
}

void Judged::write_verdicts(const fs::path& folder) const {
  std::string rows;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    Json row = verdicts[i];
    row["task"] = candidates[i].task->id;
    row["level"] = candidates[i].task->level;
    rows += base::json_line(row) + '\n';
  }
  base::write_file_atomically(folder / "verdicts.jsonl", rows);
}

}  // namespace tritonrl::apps
