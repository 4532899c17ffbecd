#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "apps/training/commands.h"
#include "apps/training/model_samples.h"
#include "apps/verifier_setup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/progress.h"
#include "eval/comparison.h"
#include "eval/kernelbench_files.h"
#include "eval/scores.h"
#include "task/suite.h"

namespace tritonrl::apps {
namespace {

namespace fs = std::filesystem;
using base::Json;

struct EvalOptions {
  std::string suite;
  std::string samples;
  ModelSampling model;
  std::vector<std::int64_t> ks = {1, 5, 10};
  std::string out;
  std::string against;
  std::string best_known;
  std::string device = "auto";
  unsigned jobs = 0;
  bool json = false;
};

// Tasks of the suite, each loaded once.
class Shelf {
 public:
  explicit Shelf(const std::string& suite) : suite_(task::Suite::open(suite)) {}

  std::shared_ptr<const task::Task> get(const std::string& id) {
    auto& task = tasks_[id];
    if (!task) task = std::make_shared<task::Task>(suite_.load(suite_.find(id)));
    return task;
  }
  std::vector<std::shared_ptr<const task::Task>> all() {
    std::vector<std::shared_ptr<const task::Task>> tasks;
    for (const auto& entry : suite_.entries()) tasks.push_back(get(entry.id));
    return tasks;
  }

 private:
  task::Suite suite_;
  std::map<std::string, std::shared_ptr<const task::Task>> tasks_;
};

std::vector<verify::Candidate> read_samples(const std::string& file, Shelf& shelf) {
  std::vector<verify::Candidate> candidates;
  std::map<std::string, std::int64_t> count;
  base::JsonLines rows(file, std::size_t{64} << 20);
  while (const auto row = rows.next()) {
    base::JsonFields fields(row->value, row->where);
    const std::string id = fields.text("task");
    const auto code = fields.optional_text("code");
    const std::int64_t next = count[id]++;
    candidates.push_back({.task = shelf.get(id),
                          .sample = fields.optional_integer("sample").value_or(next),
                          .text = code ? *code : fields.text("response"),
                          .response = !code});
  }
  if (candidates.empty()) throw base::InputError({.file = file}, "there is no sample in it");
  return candidates;
}

// In full, and past rejections: "correct if functionality were not checked" is one of the figures.
std::vector<Json> judge(const EvalOptions& options, const std::vector<verify::Candidate>& candidates) {
  verify::VerifierConfig config = local_verifier(options.device);
  config.stop_at_rejection = false;
  if (options.jobs > 0) config.jobs = options.jobs;
  verify::Verifier verifier(config);
  base::Progress progress("verify", candidates.size());
  std::vector<Json> verdicts(candidates.size());
  verifier.judge(candidates, [&](std::size_t n, const Json& verdict) {
    verdicts[n] = verdict;
    progress.advance();
  });
  return verdicts;
}

std::string verdict_rows(const std::vector<verify::Candidate>& candidates, const std::vector<Json>& verdicts) {
  std::string rows;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    Json row = verdicts[i];
    row["task"] = candidates[i].task->id;
    row["level"] = candidates[i].task->level;
    rows += base::json_line(row) + '\n';
  }
  return rows;
}

// verdicts.jsonl of an earlier evaluation, or its folder.
eval::JudgedTasks read_verdicts(const std::string& path) {
  const fs::path file = fs::is_directory(path) ? fs::path(path) / "verdicts.jsonl" : fs::path(path);
  std::vector<eval::JudgedSample> samples;
  base::JsonLines rows(file, std::size_t{64} << 20);
  while (const auto row = rows.next()) {
    if (row->value.contains("error")) continue;
    samples.push_back(eval::judged_sample(row->value, row->value.value("level", 0), row->where));
  }
  return eval::by_task(samples);
}

std::map<std::string, double> best_speedups(const std::string& path) {
  std::map<std::string, double> best;
  if (path.empty()) return best;
  for (const auto& [task, samples] : read_verdicts(path)) {
    for (const auto& sample : samples) {
      if (sample.correct) best[task] = std::max(best[task], sample.speedup);
    }
  }
  return best;
}

std::string interval_text(const eval::Interval& interval) {
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", interval.value, interval.low, interval.high);
}

using Levels = std::vector<std::pair<std::string, eval::Scores>>;

void print_scores(const Levels& levels) {
  std::cout << fmt::format("{:<20}", "");
  for (const auto& [name, scores] : levels)
    std::cout << fmt::format("{:<24}", fmt::format("{} ({} tasks)", name, scores.tasks));
  std::cout << '\n';
  for (const auto& [figure, all] : levels.front().second.figures) {
    std::cout << fmt::format("{:<20}", figure);
    for (const auto& [name, scores] : levels) {
      const eval::Interval* found = scores.find(figure);
      std::cout << fmt::format("{:<24}", found == nullptr ? "" : interval_text(*found));
    }
    std::cout << '\n';
  }
  std::vector<std::pair<std::string, std::int64_t>> rules(levels.front().second.failures.begin(),
                                                          levels.front().second.failures.end());
  std::ranges::stable_sort(rules, std::greater(), &std::pair<std::string, std::int64_t>::second);
  for (const auto& [rule, count] : rules) std::cout << fmt::format("rejected: {:<40} {}\n", rule, count);
}

void print_differences(const std::vector<std::pair<std::string, eval::Difference>>& differences) {
  std::cout << "\nagainst, by task\n";
  for (const auto& [name, found] : differences) {
    std::cout << fmt::format("{:<20}{:+.3f} [{:+.3f}, {:+.3f}]  {:.3f} -> {:.3f}\n", name, found.gain.value,
                             found.gain.low, found.gain.high, found.first, found.second);
  }
}

Json report_json(const EvalOptions& options, const Levels& levels,
                 const std::vector<std::pair<std::string, eval::Difference>>& differences, std::size_t not_judged) {
  Json report = {{"suite", options.suite}, {"not_judged", not_judged}, {"levels", Json::object()}};
  for (const auto& [name, scores] : levels) report["levels"][name] = scores.json();
  if (options.samples.empty()) report["sampling"] = options.model.json();
  for (const auto& [name, found] : differences) {
    report["against"][name] = {{"first", found.first},
                               {"second", found.second},
                               {"gain", found.gain.value},
                               {"low", found.gain.low},
                               {"high", found.gain.high}};
  }
  return report;
}

int evaluate(const EvalOptions& options) {
  Shelf shelf(options.suite);
  const auto best_known = best_speedups(options.best_known);
  const auto earlier = options.against.empty() ? eval::JudgedTasks() : read_verdicts(options.against);
  if (!options.out.empty()) {
    std::error_code error;
    fs::create_directories(options.out, error);
    if (error) throw base::InputError({.file = options.out}, "cannot make this folder: " + error.message());
  }
  const auto candidates = options.samples.empty() ? sample_model(options.model, shelf.all(), options.out)
                                                  : read_samples(options.samples, shelf);
  const auto verdicts = judge(options, candidates);

  std::vector<eval::JudgedSample> samples;
  std::size_t not_judged = 0;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i].contains("error")) {
      ++not_judged;
    } else {
      samples.push_back(eval::judged_sample(verdicts[i], candidates[i].task->level, candidates[i].task->where));
    }
  }
  const auto tasks = eval::by_task(samples);
  const eval::ScoreConfig config{.ks = options.ks, .best_known = best_known};
  const Levels levels = eval::score_by_level(tasks, config);
  const auto differences =
      earlier.empty() ? std::vector<std::pair<std::string, eval::Difference>>() : eval::compare(earlier, tasks, config);
  const Json report = report_json(options, levels, differences, not_judged);
  if (!options.out.empty()) {
    base::write_file_atomically(fs::path(options.out) / "verdicts.jsonl", verdict_rows(candidates, verdicts));
    base::write_file_atomically(fs::path(options.out) / "eval.json", report.dump(2) + "\n");
    eval::write_kernelbench_files(fs::path(options.out) / "kernelbench", candidates, verdicts);
  }
  if (options.json) {
    std::cout << report.dump(2) << '\n';
  } else {
    print_scores(levels);
    if (!differences.empty()) print_differences(differences);
  }
  if (not_judged > 0) {
    throw base::HostError(fmt::format("{} of {} samples could not be judged; run it again: what was judged is known",
                                      not_judged, verdicts.size()));
  }
  return base::kExitDone;
}

}  // namespace

void add_eval_command(CLI::App& program, Run& run) {
  auto options = std::make_shared<EvalOptions>();
  auto* command = program.add_subcommand("eval", "Judge a model, or samples of one, on a suite of tasks.");
  command->add_option("--suite", options->suite, "A folder of tasks or a JSONL file")->required();
  auto* source = command->add_option_group("source", "What is judged");
  source->add_option("--samples", options->samples, "JSONL of samples: task and response, or code");
  source->add_option("--model", options->model.folder, "A model in Hugging Face's layout");
  source->require_option(1);
  command->add_option("-n", options->model.samples, "Samples a task")->check(CLI::PositiveNumber);
  command->add_option("-k", options->ks, "For pass@k; those above the samples of a task are left out")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  command->add_option("--temperature", options->model.temperature, "Of the model's sampling")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--max-tokens", options->model.max_tokens, "Of a response")->check(CLI::PositiveNumber);
  command->add_option("--prompt", options->model.prompt, "What the model is asked: evaluation, training or bare")
      ->check(CLI::IsMember({"evaluation", "training", "bare"}));
  command->add_option("--seed", options->model.seed, "Of the model's sampling");
  command->add_option("--out", options->out, "A folder: samples, verdicts, eval.json, and KernelBench's files");
  command->add_option("--against", options->against, "The --out of another evaluation: compare by task");
  command->add_option("--best-known", options->best_known,
                      "The --out of an evaluation of known schedules: report the share of each task's best speedup");
  command->add_option("--device", options->device, "Where kernels run")->check(CLI::IsMember({"auto", "cuda", "cpu"}));
  command->add_option("--jobs", options->jobs, "Candidates judged at a time");
  command->add_flag("--json", options->json, "One JSON document instead of a table");
  command->footer("Example: tritonrl eval --suite tasks.jsonl --samples samples.jsonl -k 1,5");
  command->callback([&run, options] { run = [options] { return evaluate(*options); }; });
}

}  // namespace tritonrl::apps
