#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "apps/command.h"
#include "apps/verifier_setup.h"
#include "apps/verify_report.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/progress.h"
#include "task/suite.h"
#include "verify/kernelbench_run.h"
#include "verify/verifier.h"

namespace tritonrl::apps {
namespace {

using base::Json;

constexpr std::size_t kMostResponseBytes = std::size_t{16} << 20;

struct VerifyConfig {
  std::string task;
  std::string kernel;
  std::string response;
  std::string samples;
  std::string run;
  std::string device = "auto";
  std::string depth = "full";
  std::string policy = "strict";
  std::string entry = "ModelNew";
  std::string after_reject = "stop";
  std::string sandbox = "require";
  std::string cache;
  std::string profile = "h200";
  unsigned jobs = 0;
  double candidate_seconds = 0;
  double reference_seconds = 0;
  bool no_static = false;
  bool json = false;
  bool jsonl = false;
};

verify::VerifierConfig verifier_config(const VerifyConfig& config) {
  verify::VerifierConfig made = local_verifier(config.device);
  made.depth = verify::depth_named(config.depth);
  made.policy = analysis::policy_named(config.policy).value_or(analysis::Policy::kStrict);
  made.entry = config.entry;
  made.static_layers = !config.no_static;
  made.stop_at_rejection = config.after_reject == "stop";
  made.enforcement = config.sandbox == "best" ? sandbox::Enforcement::kBest : sandbox::Enforcement::kRequire;
  if (config.jobs != 0) made.jobs = config.jobs;
  if (config.candidate_seconds > 0) made.command_seconds = config.candidate_seconds;
  if (config.reference_seconds > 0) made.reference_seconds = config.reference_seconds;
  made.profile = config.profile;
  if (!config.cache.empty()) made.cache = config.cache;
  if (config.cache == "none") made.cache.reset();
  return made;
}

// Tasks by what people call them, each loaded once.
class TaskShelf {
 public:
  // `argument` is --task: a task, or the suite that rows name tasks of.
  explicit TaskShelf(std::string argument) : argument_(std::move(argument)) {}

  std::shared_ptr<const task::Task> get(const std::string& id) {
    auto& task = tasks_[id];
    if (!task) task = std::make_shared<task::Task>(load(id));
    return task;
  }

 private:
  task::Task load(const std::string& id) const {
    if (id.empty()) return task::load_task(argument_);
    if (argument_.empty()) return task::load_task(id);
    if (std::filesystem::is_directory(argument_) || argument_.ends_with(".jsonl")) {
      const auto suite = task::Suite::open(argument_);
      return suite.load(suite.find(id));
    }
    return task::load_task(argument_);
  }

  std::string argument_;
  std::map<std::string, std::shared_ptr<const task::Task>> tasks_;
};

std::vector<verify::Candidate> read_samples(const VerifyConfig& config, TaskShelf& tasks) {
  std::vector<verify::Candidate> candidates;
  base::JsonLines rows(config.samples);
  while (const auto row = rows.next()) {
    base::JsonFields fields(row->value, row->where);
    const std::string id = fields.text("task");
    verify::Candidate candidate;
    candidate.sample = fields.optional_integer("sample").value_or(static_cast<std::int64_t>(candidates.size()));
    const auto code = fields.optional_text("code");
    candidate.text = code ? *code : fields.text("response");
    candidate.response = !code;
    try {
      candidate.task = tasks.get(id);
    } catch (const base::InputError& error) {
      throw base::InputError(row->where, error.what());
    }
    candidates.push_back(std::move(candidate));
  }
  if (candidates.empty()) {
    throw base::InputError({.file = config.samples}, "there is no sample in it", "give one JSON object a line");
  }
  return candidates;
}

std::vector<verify::Candidate> read_candidates(const VerifyConfig& config, TaskShelf& tasks) {
  if (!config.samples.empty()) return read_samples(config, tasks);
  if (!config.run.empty()) return verify::read_run(config.run, [&](const std::string& id) { return tasks.get(id); });
  verify::Candidate candidate;
  candidate.task = tasks.get("");
  candidate.response = config.kernel.empty();
  candidate.text = base::read_file(candidate.response ? config.response : config.kernel, kMostResponseBytes);
  return {std::move(candidate)};
}

int verify_candidates(const VerifyConfig& config) {
  TaskShelf tasks(config.task);
  const auto candidates = read_candidates(config, tasks);
  verify::Verifier verifier(verifier_config(config));
  base::ProgressConfig bar;
  if (candidates.size() == 1) bar.quiet_s = 30;  // the start of a fork server takes two seconds, and is not worth a bar
  base::Progress progress("verify", candidates.size(), bar);
  const base::Terminal terminal = base::Terminal::of(STDOUT_FILENO);
  std::vector<Json> verdicts;
  std::size_t rejected = 0;
  std::size_t failed = 0;
  bool machine_failed = false;
  verifier.judge(candidates, [&](std::size_t index, const Json& verdict) {
    const bool error = verdict.contains("error");
    failed += error ? 1 : 0;
    machine_failed = machine_failed || (error && verdict.at("fault") != "task");
    rejected += !error && !verdict.at("accepted").get<bool>() ? 1 : 0;
    if (config.json || config.jsonl) {
      std::cout << base::json_line(verdict) << '\n' << std::flush;
    } else {
      print_verdict(std::cout, candidates[index], verdict, terminal);
    }
    if (!config.run.empty()) verdicts.push_back(verdict);
    progress.advance();
  });
  progress.finish();
  if (!config.run.empty()) verify::write_eval_results(config.run, candidates, verdicts);
  if (!config.json && !config.jsonl && candidates.size() > 1) {
    std::cout << fmt::format("{} candidates: {} accepted, {} rejected, {} not judged\n", candidates.size(),
                             candidates.size() - rejected - failed, rejected, failed);
  }
  if (const std::string why = verifier.cache_failure(); !why.empty()) {
    throw base::HostError(why + "; all verdicts were told, a rerun computes those again that were not kept");
  }
  if (machine_failed) return base::kExitHostFailed;
  if (failed > 0) return base::kExitBadInput;
  return rejected > 0 ? base::kExitRejected : base::kExitDone;
}

void check_usage(const VerifyConfig& config) {
  const int sources = static_cast<int>(!config.kernel.empty()) + static_cast<int>(!config.response.empty()) +
                      static_cast<int>(!config.samples.empty()) + static_cast<int>(!config.run.empty());
  if (sources != 1) {
    throw base::InputError({}, "verify takes one of --kernel, --response, --samples and --run",
                           "tritonrl verify --task task.py --kernel kernel.py");
  }
  if (config.task.empty() && config.samples.empty()) {
    throw base::InputError({}, "no task was given", "add --task TASK: a file, SUITE:ID or FILE.jsonl#ID");
  }
}

}  // namespace

void add_verify_command(CLI::App& program, Run& run) {
  auto config = std::make_shared<VerifyConfig>();
  CLI::App* command = program.add_subcommand("verify", "Judge kernels: compile, run, compare, probe, time");
  command->add_option("--task", config->task,
                      "A task: a file, SUITE:ID or FILE.jsonl#ID; for --samples and --run a suite");
  command->add_option("--kernel", config->kernel, "A Python file that defines the entry");
  command->add_option("--response", config->response, "A model's response");
  command->add_option("--samples", config->samples, "JSONL: {\"task\", \"sample\", \"response\" or \"code\"} a line");
  command->add_option("--run", config->run, "A KernelBench run folder; eval_results.json is written into it");
  command->add_option("--device", config->device, "Where candidates run")
      ->check(CLI::IsMember({"auto", "cuda", "cpu"}));
  command->add_option("--depth", config->depth, "full, or train: fewer shapes and inputs, for RL steps")
      ->check(CLI::IsMember({"full", "train"}));
  command->add_option("--policy", config->policy, "What torch may do beside kernels")
      ->check(CLI::IsMember({"strict", "core", "any"}));
  command->add_option("--entry", config->entry, "The class to judge");
  command->add_option("--after-reject", config->after_reject, "Whether later layers run after a rejection")
      ->check(CLI::IsMember({"stop", "continue"}));
  command->add_option("--sandbox", config->sandbox, "require: refuse without a kernel facility; best: run and say so")
      ->check(CLI::IsMember({"require", "best"}));
  command->add_option("--jobs", config->jobs, "Candidates at a time (default: as many as cores)");
  command
      ->add_option("--candidate-seconds", config->candidate_seconds,
                   "Seconds that one call of a candidate may take (default: 8)")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--reference-seconds", config->reference_seconds,
                   "Seconds that one step of a reference may take (default: 60)")
      ->check(CLI::PositiveNumber);
  command->add_option("--cache", config->cache, "Folder of known verdicts, or none");
  command->add_option("--device-profile", config->profile, "The GPU that speed is modelled for");
  command->add_flag("--no-static", config->no_static, "Leave the static layers out, to see what the others find");
  command->add_flag("--json,--jsonl", config->jsonl, "One JSON verdict a line");
  command->footer(
      "Example: tritonrl verify --task examples/verify/softmax.py --kernel examples/verify/softmax_kernel.py");
  command->callback([config, &run] {
    run = [config] {
      check_usage(*config);
      return verify_candidates(*config);
    };
  });
}

}  // namespace tritonrl::apps
