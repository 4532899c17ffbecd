#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "apps/api_key.h"
#include "apps/training/commands.h"
#include "apps/training/eval_judge.h"
#include "apps/training/eval_result.h"
#include "apps/training/plan_swaps.h"
#include "apps/training/sampler.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "eval/kernelbench_files.h"
#include "eval/temperature_choice.h"
#include "task/suite.h"

namespace tritonrl::apps {
namespace {

namespace fs = std::filesystem;
using base::Json;
using Tasks = std::vector<std::shared_ptr<const task::Task>>;

struct EvalOptions {
  std::string suite;
  std::string samples;
  SamplerConfig sampler;
  std::int64_t samples_a_task = 10;
  std::vector<double> temperatures = {1};
  std::string choose_on;
  std::int64_t choose_n = 0;
  std::string choose_device;
  std::vector<std::int64_t> ks = {1, 5, 10};
  std::string out;
  BackgroundConfig background;
  PlanSwapConfig swaps;
  std::string device = "auto";
  std::string depth = "full";
  unsigned jobs = 0;
  bool known_schedules = false;
  std::string solved_in;
  bool json = false;

  std::int64_t choose_samples() const { return choose_n > 0 ? choose_n : samples_a_task; }
  // Of known schedules speed is all that is asked.
  verify::Depth judged_at() const { return known_schedules ? verify::Depth::kTrain : verify::depth_named(depth); }
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
  Tasks all() {
    Tasks tasks;
    for (const auto& entry : suite_.entries()) tasks.push_back(get(entry.id));
    return tasks;
  }

 private:
  task::Suite suite_;
  std::map<std::string, std::shared_ptr<const task::Task>> tasks_;
};

// Tasks with a correct sample in an evaluation's folder; nothing where there is no folder.
std::optional<std::set<std::string>> tasks_solved_in(const std::string& folder) {
  if (folder.empty()) return std::nullopt;
  std::set<std::string> solved;
  for (const auto& [task, samples] : eval::read_verdicts(folder)) {
    if (std::ranges::any_of(samples, &eval::JudgedSample::correct)) solved.insert(task);
  }
  if (solved.empty()) {
    base::log::warning("{} solved no task: schedules of all are judged", folder);
    return std::nullopt;
  }
  return solved;
}

// `only`: samples of these tasks.
std::vector<verify::Candidate> read_samples(const std::string& file, Shelf& shelf,
                                            const std::optional<std::set<std::string>>& only) {
  std::vector<verify::Candidate> candidates;
  std::map<std::string, std::int64_t> count;
  base::JsonLines rows(file, std::size_t{64} << 20);
  while (const auto row = rows.next()) {
    base::JsonFields fields(row->value, row->where);
    const std::string id = fields.text("task");
    if (only && !only->contains(id)) continue;
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

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw base::InputError({.file = folder.string()}, "cannot make this folder: " + error.message());
}

void write_evaluation(const fs::path& folder, const Judged& judged, const Json& report) {
  judged.write_verdicts(folder);
  base::write_file_atomically(folder / "eval.json", report.dump(2) + "\n");
  eval::write_kernelbench_files(folder / "kernelbench", judged.candidates, judged.verdicts);
}

// A folder in --out, made; empty where there is no --out.
std::string folder_in(const std::string& out, const std::string& name) {
  if (out.empty()) return out;
  const fs::path folder = fs::path(out) / name;
  make_folder(folder);
  return folder.string();
}

std::string temperature_name(double temperature) { return fmt::format("temperature-{:g}", temperature); }

int evaluate_samples(const EvalOptions& options, const Background& background) {
  Shelf shelf(options.suite);
  const auto candidates = read_samples(options.samples, shelf, tasks_solved_in(options.solved_in));
  const Judged judged = EvalJudge(options.device, options.jobs, options.judged_at()).judge(candidates);
  const EvalResult result = result_of(judged, background, options.ks);
  Json report = {{"suite", options.suite}, {"samples", options.samples}};
  report.update(result.json());
  if (!options.out.empty()) write_evaluation(options.out, judged, report);
  std::cout << (options.json ? report.dump(2) + "\n" : result.table());
  judged.require_all();
  return base::kExitDone;
}

// Those of --choose-on. None may be a task that counts.
Tasks dev_tasks(const EvalOptions& options, const Tasks& tasks) {
  if (options.choose_on.empty()) return {};
  std::set<std::string> sources;
  for (const auto& task : tasks) sources.insert(task->source);
  Tasks dev = Shelf(options.choose_on).all();
  for (const auto& task : dev) {
    if (!sources.contains(task->source)) continue;
    throw base::InputError({.file = options.choose_on}, fmt::format("{} is a task of {}, too", task->id, options.suite),
                           "choose on tasks that do not count: `tritonrl data split` makes a dev part");
  }
  return dev;
}

// A model's evaluation: model and verifier are there once, for all temperatures and both suites.
class ModelEvaluation {
 public:
  ModelEvaluation(const EvalOptions& options, const Background& background)
      : options_(options),
        background_(background),
        tasks_(Shelf(options.suite).all()),
        dev_tasks_(dev_tasks(options, tasks_)),
        swapper_(options.swaps.cases > 0 ? std::optional(PlanSwapper(options.swaps)) : std::nullopt),
        judge_(options.device, options.jobs, options.judged_at()),
        sampler_(options.sampler) {
    if (!options.choose_device.empty()) dev_judge_.emplace(options.choose_device, options.jobs, options.judged_at());
  }

  eval::TemperatureChoice choose() {
    std::map<double, eval::JudgedTasks> found;
    for (const double temperature : options_.temperatures) {
      base::log::info("dev suite at temperature {:g}", temperature);
      const std::string folder = folder_in(options_.out, "dev/" + temperature_name(temperature));
      EvalJudge& judge = dev_judge_ ? *dev_judge_ : judge_;
      const Judged judged = judge.judge(sampler_.sample(dev_tasks_, {options_.choose_samples(), temperature}, folder));
      judged.require_all();
      if (!folder.empty()) judged.write_verdicts(folder);
      found[temperature] = judged.tasks;
    }
    return eval::choose_temperature(found, {.ks = options_.ks});
  }

  // At one temperature, in `folder`; `extra` goes into its eval.json. A machine's failure is reported at the end.
  std::pair<Json, std::string> at(double temperature, const std::string& folder, const Json& extra) {
    base::log::info("suite at temperature {:g}", temperature);
    const Judged judged = judge_.judge(sampler_.sample(tasks_, {options_.samples_a_task, temperature}, folder));
    const EvalResult result = result_of(judged, background_, options_.ks);
    Json report = {{"suite", options_.suite}, {"sampling", options_.sampler.json()}};
    report["sampling"]["samples"] = options_.samples_a_task;
    report["sampling"]["temperature"] = temperature;
    report.update(extra);
    report.update(result.json());
    std::string table = result.table();
    if (swapper_) {
      const PlanSwaps swaps = swapper_->swap(judged.candidates, sampler_, temperature, folder);
      report["plan_swaps"] = swaps.json();
      table += '\n' + swaps.table();
    }
    if (!folder.empty()) write_evaluation(folder, judged, report);
    if (judged.machine_failures > 0) failed_ = judged;
    return {std::move(report), std::move(table)};
  }

  void require_all_judged() const { failed_.require_all(); }

 private:
  const EvalOptions& options_;
  const Background& background_;
  Tasks tasks_;
  Tasks dev_tasks_;
  std::optional<PlanSwapper> swapper_;
  EvalJudge judge_;
  std::optional<EvalJudge> dev_judge_;  // where it is another's device
  Sampler sampler_;
  Judged failed_;
};

int evaluate_model(const EvalOptions& options, const Background& background) {
  ModelEvaluation evaluation(options, background);
  Json report;
  std::string table;
  if (!options.choose_on.empty()) {
    const auto choice = evaluation.choose();
    Json extra = {{"choice", {{"suite", options.choose_on}, {"samples", options.choose_samples()}}}};
    extra["choice"].update(choice.json());
    std::tie(report, table) = evaluation.at(choice.chosen, options.out, extra);
    table = choice_table(choice) + '\n' + table;
  } else if (options.temperatures.size() == 1) {
    std::tie(report, table) = evaluation.at(options.temperatures.front(), options.out, Json::object());
  } else {
    report = {{"suite", options.suite}, {"temperatures", Json::array()}};
    for (const double temperature : options.temperatures) {
      const std::string folder = folder_in(options.out, temperature_name(temperature));
      const auto [one, rows] = evaluation.at(temperature, folder, Json::object());
      report["temperatures"].push_back(one);
      table += fmt::format("{}temperature {:g}\n{}", table.empty() ? "" : "\n", temperature, rows);
    }
    if (!options.out.empty()) {
      base::write_file_atomically(fs::path(options.out) / "eval.json", report.dump(2) + "\n");
    }
  }
  std::cout << (options.json ? report.dump(2) + "\n" : table);
  evaluation.require_all_judged();
  return base::kExitDone;
}

void check(const EvalOptions& options) {
  if (!options.choose_on.empty() && !options.samples.empty()) {
    throw base::InputError({.file = "--choose-on"}, "is for a model that is sampled", "give --model or --endpoint");
  }
  if (options.known_schedules && options.samples.empty()) {
    throw base::InputError({.file = "--known-schedules"}, "is for --samples", "a model is always judged in full");
  }
  if (!options.solved_in.empty() && !options.known_schedules) {
    throw base::InputError({.file = "--solved-in"}, "is for --known-schedules", "a share of the samples is no score");
  }
  if (options.swaps.cases > 0 && (options.sampler.model.empty() || options.swaps.schedules.empty())) {
    throw base::InputError({.file = "--plan-swaps"}, "needs --model and --schedules");
  }
  std::set<double> seen;
  for (const double temperature : options.temperatures) {
    if (!seen.insert(temperature).second) {
      throw base::InputError({.file = "--temperature"}, fmt::format("{:g} stands there twice", temperature));
    }
  }
  for (const auto& [option, given] :
       {std::pair("--choose-n", options.choose_n > 0), std::pair("--choose-device", !options.choose_device.empty())}) {
    if (given && options.choose_on.empty())
      throw base::InputError({.file = option}, "says nothing without --choose-on");
  }
}

// What `tritonrl data split` writes beside a test part.
std::string slices_beside(const fs::path& suite) {
  fs::path file = suite;
  file.replace_extension(".slices.jsonl");
  return suite.extension() == ".jsonl" && fs::exists(file) ? file.string() : "";
}

int evaluate(EvalOptions options) {
  check(options);
  if (options.background.slices.empty()) options.background.slices = slices_beside(options.suite);
  options.sampler.remote.client.api_key = api_key();
  const Background background = read_background(options.background);
  if (!options.out.empty()) make_folder(options.out);
  return options.samples.empty() ? evaluate_model(options, background) : evaluate_samples(options, background);
}

}  // namespace

void add_eval_command(CLI::App& program, Run& run) {
  auto options = std::make_shared<EvalOptions>();
  auto* command = program.add_subcommand("eval", "Judge a model here, a server's, or samples, on a suite of tasks.");
  command->add_option("--suite", options->suite, "A folder of tasks or a JSONL file")->required();
  auto* source = command->add_option_group("source", "What is judged");
  source->add_option("--samples", options->samples, "JSONL of samples: task and response, or code");
  source->add_option("--model", options->sampler.model, "A model in Hugging Face's layout");
  source->add_option("--endpoint", options->sampler.remote.client.url,
                     "http://HOST:PORT/v1 of an OpenAI-compatible server; a key comes from TRITONRL_API_KEY");
  source->require_option(1);
  command->add_option("--endpoint-model", options->sampler.remote.model, "Default: the only one that the server has");
  command->add_option("--concurrency", options->sampler.remote.concurrency, "Requests to the server at a time")
      ->check(CLI::PositiveNumber);
  command->add_option("-n", options->samples_a_task, "Samples a task")->check(CLI::PositiveNumber);
  command->add_option("-k", options->ks, "For pass@k; those above the samples of a task are left out")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--temperature", options->temperatures,
                   "Of the model's sampling; of several the suite is evaluated at each, or at the best on --choose-on")
      ->delimiter(',')
      ->check(CLI::NonNegativeNumber);
  command->add_option("--choose-on", options->choose_on,
                      "A dev suite: the temperature with the most correct samples there is the model's; on a tie the "
                      "highest");
  command->add_option("--choose-n", options->choose_n, "Samples a task of the dev suite; default: as -n")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--choose-device", options->choose_device,
                   "Where kernels of the dev suite run, for their speed does not count; default: as --device")
      ->check(CLI::IsMember({"auto", "cuda", "cpu"}));
  command->add_option("--max-tokens", options->sampler.max_tokens, "Of a response")->check(CLI::PositiveNumber);
  command
      ->add_option("--memory-fraction", options->sampler.memory_fraction,
                   "Of the model's device, for keys and values; less where several evaluations share it")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--prompt", options->sampler.prompt, "What the model is asked: evaluation, training or bare")
      ->check(CLI::IsMember({"evaluation", "training", "bare"}));
  command->add_option("--seed", options->sampler.seed, "Of the model's sampling");
  command->add_option("--out", options->out, "A folder: samples, verdicts, eval.json, and KernelBench's files");
  command->add_option("--against", options->background.against, "The --out of another evaluation: compare by task");
  command->add_option(
      "--best-known", options->background.best_known,
      "The --out of an evaluation of known schedules: report the share of each task's best speedup, that of "
      "what is compared included");
  command->add_option("--slices", options->background.slices,
                      "JSONL of tasks and the slices that they are in, each reported apart; default: "
                      "SUITE.slices.jsonl where that is");
  command
      ->add_option("--plan-swaps", options->swaps.cases,
                   "So many times, put another schedule into the model's own plan and count where the code follows it")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--schedules", options->swaps.schedules,
                      "For --plan-swaps: samples whose plans decide what is valid for a task, of the embedded teacher");
  command->add_option("--device", options->device, "Where kernels run")->check(CLI::IsMember({"auto", "cuda", "cpu"}));
  command->add_option("--depth", options->depth, "full, or train: as steps of RL judge, which end at a rejection")
      ->check(CLI::IsMember({"full", "train"}));
  command->add_option("--jobs", options->jobs, "Candidates judged at a time");
  command->add_flag("--known-schedules", options->known_schedules,
                    "With --samples, for --best-known later: depth train, since their speed is all that is asked");
  command->add_option("--solved-in", options->solved_in,
                      "With --known-schedules: the --out of an evaluation; only schedules of tasks that it solved are "
                      "judged, since speeds are compared on no others");
  command->add_flag("--json", options->json, "One JSON document instead of a table");
  command->footer("Example: tritonrl eval --suite tasks.jsonl --samples samples.jsonl -k 1,5");
  command->callback([&run, options] { run = [options] { return evaluate(*options); }; });
}

}  // namespace tritonrl::apps
