#include <fmt/format.h>

#include <charconv>
#include <iostream>
#include <memory>
#include <string>

#include "apps/data_command.h"
#include "apps/verifier_setup.h"
#include "base/error.h"
#include "base/text.h"
#include "data/curator.h"

namespace tritonrl::apps {
namespace {

struct CurateOptions {
  data::CurateConfig curate;
  std::string keep = "correct";
  std::string levels;
  std::string prompt = "training";
  std::string device = "auto";
  std::string depth = "full";
  unsigned jobs = 0;
  bool json = false;
};

// "1:0.7,2:0.3"
std::map<int, double> shares_of(const std::string& text) {
  std::map<int, double> shares;
  for (const std::string_view part : base::split(text, ',')) {
    int level = 0;
    double share = 0;
    const std::size_t colon = part.find(':');
    const auto whole = [](std::string_view number, auto& value) {
      const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
      return error == std::errc() && end == number.data() + number.size();
    };
    const bool read = colon != std::string_view::npos && whole(part.substr(0, colon), level) &&
                      whole(part.substr(colon + 1), share) && share >= 0;
    if (!read) throw base::InputError({}, fmt::format("--levels {} gives no shares", text), "write 1:0.7,2:0.3");
    shares[level] = share;
  }
  return shares;
}

void print_report(const data::CurateConfig& config, const data::CurateReport& report) {
  std::cout << fmt::format("{} samples: {} kept\n", report.rows, report.kept);
  for (const auto& [level, count] : report.kept_by_level) std::cout << fmt::format("  level {:<24} {}\n", level, count);
  for (const auto& [reason, count] : report.dropped) std::cout << fmt::format("  dropped: {:<21} {}\n", reason, count);
  std::cout << fmt::format("samples  {}\n", config.out.string());
}

int curate(CurateOptions options) {
  options.curate.keep = data::keep_named(options.keep).value_or(data::Keep::kCorrect);
  options.curate.prompt = task::prompt_named(options.prompt);
  if (!options.levels.empty()) options.curate.shares = shares_of(options.levels);
  verify::VerifierConfig setup = local_verifier(options.device);
  setup.depth = verify::depth_named(options.depth);
  if (options.jobs != 0) setup.jobs = options.jobs;
  verify::Verifier verifier(std::move(setup));
  const auto report = data::curate(options.curate, verifier);
  if (options.json) {
    std::cout << base::json_line(report.json()) << '\n';
  } else {
    print_report(options.curate, report);
  }
  if (report.not_judged > 0) {
    throw base::HostError(fmt::format("{} samples were not judged: {}; verdicts are kept, a rerun judges the rest",
                                      report.not_judged, report.machine_failure));
  }
  return base::kExitDone;
}

}  // namespace

void add_data_curate(CLI::App& data, Run& run) {
  auto options = std::make_shared<CurateOptions>();
  auto* command =
      data.add_subcommand("curate", "Judge samples and keep the good ones, with prompt, verdict and provenance.");
  command->add_option("SAMPLES", options->curate.samples, "JSONL: {\"task\", \"sample\", \"response\"} a line")
      ->required();
  command->add_option("--tasks", options->curate.tasks, "The suite that they are for")->required();
  command->add_option("--out", options->curate.out, "What is kept, a .jsonl file")->required();
  command->add_option("--keep", options->keep, "all, valid, correct, or best: the fastest correct one of a task")
      ->check(CLI::IsMember({"all", "valid", "correct", "best"}));
  command->add_option("--levels", options->levels, "Shares of levels in what is kept, such as 1:0.7,2:0.3");
  command->add_option("--prompt", options->prompt, "What rows ask for: training, evaluation or bare")
      ->check(CLI::IsMember({"training", "evaluation", "bare"}));
  command->add_flag("--keep-duplicates", options->curate.keep_duplicates,
                    "Keep code that differs in names and layout only");
  command->add_option("--seed", options->curate.seed, "Chooses where a level has too many");
  command->add_option("--device", options->device, "Where candidates run")
      ->check(CLI::IsMember({"auto", "cuda", "cpu"}));
  command->add_option("--depth", options->depth, "full, or train: as steps of RL judge")
      ->check(CLI::IsMember({"full", "train"}));
  command->add_option("--jobs", options->jobs, "Candidates at a time (default: as many as cores)");
  command->add_flag("--json", options->json, "The report as one JSON object");
  command->footer(
      "Example: tritonrl data curate examples/data/traces.jsonl --tasks examples/data/own_tasks.jsonl "
      "--out build/curated.jsonl");
  command->callback([&run, options] { run = [options] { return curate(*options); }; });
}

}  // namespace tritonrl::apps
