#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "apps/run_commands.h"
#include "base/error.h"
#include "base/file.h"
#include "eval/report.h"

namespace tritonrl::apps {
namespace {

struct ReportOptions {
  std::vector<std::string> runs;
  std::vector<std::string> evaluations;
  std::string out;
};

int report(const ReportOptions& options) {
  const std::vector<std::filesystem::path> runs(options.runs.begin(), options.runs.end());
  const std::filesystem::path out =
      options.out.empty() ? runs.front() / "report.html" : std::filesystem::path(options.out);
  base::write_file_atomically(out, eval::report_page(runs, {options.evaluations.begin(), options.evaluations.end()}));
  std::cout << out.string() << '\n';
  return base::kExitDone;
}

}  // namespace

void add_report_command(CLI::App& program, Run& run) {
  auto options = std::make_shared<ReportOptions>();
  auto* command = program.add_subcommand("report", "Write one HTML page about a run, or several compared.");
  command->add_option("RUN_DIR", options->runs, "Run folders")->required();
  command
      ->add_option("--eval", options->evaluations, "The --out of an evaluation to show, besides those in a run's eval/")
      ->allow_extra_args(false);
  command->add_option("--out", options->out, "The page; default report.html in the first folder");
  command->footer("Example: tritonrl report runs/rl");
  command->callback([&run, options] { run = [options] { return report(*options); }; });
}

}  // namespace tritonrl::apps
