#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "apps/run_commands.h"
#include "base/error.h"
#include "base/file.h"
#include "eval/arm.h"
#include "eval/arm_section.h"
#include "eval/report.h"

namespace tritonrl::apps {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::vector<std::string> runs;
  std::vector<std::string> evaluations;
  std::vector<std::string> arms;
  std::string out;
};

fs::path page_of(const ReportOptions& options) {
  if (!options.out.empty()) return options.out;
  if (!options.runs.empty()) return fs::path(options.runs.front()) / "report.html";
  throw base::InputError({.file = "--out"}, "is missing, and there is no run's folder to write to",
                         "say where the page goes: --out arms.html");
}

void write(const fs::path& file, const std::string& content) {
  base::write_file_atomically(file, content);
  std::cout << file.string() << '\n';
}

int report(const ReportOptions& options) {
  if (options.runs.empty() && options.arms.empty()) {
    throw base::InputError({.file = "RUN_DIR"}, "is missing", "name a run's folder, or arms with --arm");
  }
  const fs::path page = page_of(options);
  std::vector<eval::ArmConfig> configs;
  configs.reserve(options.arms.size());
  for (const std::string& text : options.arms) configs.push_back(eval::parse_arm(text));
  const auto arms = eval::compare_arms(configs);
  write(page, eval::report_page({options.runs.begin(), options.runs.end()},
                                {options.evaluations.begin(), options.evaluations.end()}, arms));
  if (!options.runs.empty()) {
    write(page.parent_path() / "curves.svg", eval::curves_svg({options.runs.begin(), options.runs.end()}));
  }
  if (!arms.empty()) {
    write(page.parent_path() / "arms.json", eval::arms_json(arms).dump(2) + "\n");
    write(page.parent_path() / "arms.svg", eval::arms_svg(arms));
  }
  return base::kExitDone;
}

}  // namespace

void add_report_command(CLI::App& program, Run& run) {
  auto options = std::make_shared<ReportOptions>();
  auto* command =
      program.add_subcommand("report", "Write one HTML page about a run, several compared, or an experiment's arms.");
  command->add_option("RUN_DIR", options->runs, "Run folders; curves.svg is written beside the page");
  command
      ->add_option("--eval", options->evaluations, "The --out of an evaluation to show, besides those in a run's eval/")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--arm", options->arms,
          "NAME=DIR,DIR...: an experiment's arm, the --out of an evaluation a seed, each made with --against or "
          "written DIR:AGAINST; arms.json and arms.svg are written beside the page")
      ->allow_extra_args(false);
  command->add_option("--out", options->out, "The page; default report.html in the first run's folder");
  command->footer("Example: tritonrl report runs/rl");
  command->callback([&run, options] { run = [options] { return report(*options); }; });
}

}  // namespace tritonrl::apps
