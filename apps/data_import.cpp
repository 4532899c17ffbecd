#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "apps/api_key.h"
#include "apps/data_command.h"
#include "apps/harness_place.h"
#include "apps/verifier_setup.h"
#include "base/error.h"
#include "data/importer.h"

namespace tritonrl::apps {
namespace {

struct ImportOptions {
  data::ImportConfig import;
  std::string device = "auto";
  unsigned jobs = 0;
  double reference_seconds = 20;
  std::string adviser;  // its endpoint
  std::string adviser_model;
  bool json = false;
};

void print_report(const data::ImportConfig& config, const data::ImportReport& report) {
  std::cout << fmt::format("{} rows: {} imported, {} dropped, {} not tried\n", report.rows, report.imported.size(),
                           report.dropped.size(), report.not_tried);
  for (const auto& [level, count] : report.imported_by_level())
    std::cout << fmt::format("  level {:<24} {}\n", level, count);
  for (const auto& [reason, count] : report.dropped_by_reason()) {
    std::cout << fmt::format("  dropped: {:<21} {}\n", reason, count);
  }
  std::cout << fmt::format("tasks   {}\nreport  {}.report.json\n", config.out.string(), config.out.string());
}

int import_tasks(ImportOptions options) {
  const HarnessPlace place = find_harness();
  options.import.rows = {.python = place.python, .harness = place.package};
  verify::VerifierConfig setup = local_verifier(options.device);
  if (options.jobs != 0) setup.jobs = options.jobs;
  setup.reference_seconds = options.reference_seconds;
  verify::Verifier verifier(std::move(setup));
  std::optional<data::Adviser> adviser;
  if (!options.adviser.empty()) {
    endpoint::Client client({.url = options.adviser, .api_key = api_key()});
    if (options.adviser_model.empty()) options.adviser_model = client.models().front();
    options.import.adviser = &adviser.emplace(std::move(client), options.adviser_model);
  }
  const auto report = data::import_tasks(options.import, verifier);
  if (options.json) {
    std::cout << base::json_line(report.json()) << '\n';
  } else {
    print_report(options.import, report);
  }
  if (report.not_tried > 0) {
    throw base::HostError(fmt::format("{} tasks were not tried: {}; what is done is kept, a rerun tries them again",
                                      report.not_tried, report.machine_failure));
  }
  return base::kExitDone;
}

}  // namespace

void add_import_command(CLI::App& parent, Run& run) {
  auto options = std::make_shared<ImportOptions>();
  auto* command = parent.add_subcommand(
      "import", "Bring tasks in: run each, keep those that can judge, name their sizes, label their level.");
  command
      ->add_option("SOURCE", options->import.source,
                   "A KernelBench folder; .parquet or .jsonl of KernelBook or our own")
      ->required();
  command->add_option("--out", options->import.out, "The suite to write, a .jsonl file")->required();
  command->add_option("--against", options->import.against, "Suites whose tasks must not be among the imported");
  command->add_option("--variants", options->import.variants, "Other sizes a task, at most");
  command->add_flag("--ranks", options->import.ranks,
                    "Also each task with inputs of one axis more or less, where that runs");
  command->add_flag("--relabel", options->import.relabel, "Count operators for levels that rows give, too");
  command->add_flag("--keep-duplicates", options->import.keep_duplicates,
                    "Keep tasks that are the same but for names and sizes");
  command->add_flag(
      "--one-a-graph", options->import.one_a_graph,
      "Drop tasks that apply an earlier one's operators, too: other constants and dimensions, other words");
  command->add_option("--device", options->device, "Where references run")
      ->check(CLI::IsMember({"auto", "cuda", "cpu"}));
  command->add_option("--jobs", options->jobs, "Tasks at a time (default: as many as cores)");
  command
      ->add_option("--reference-seconds", options->reference_seconds, "Seconds that one step of a reference may take")
      ->check(CLI::PositiveNumber);
  command->add_option("--adviser", options->adviser, "An endpoint whose model labels levels and proposes sizes");
  command->add_option("--adviser-model", options->adviser_model, "Default: the first that the server lists");
  command->add_flag("--json", options->json, "The report as one JSON object");
  command->footer("Example: tritonrl data import examples/data/own_tasks.jsonl --out build/own.jsonl");
  command->callback([&run, options] { run = [options] { return import_tasks(*options); }; });
}

}  // namespace tritonrl::apps
