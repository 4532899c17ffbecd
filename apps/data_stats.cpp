#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include "apps/data_command.h"
#include "base/error.h"
#include "base/file.h"
#include "data/statistics.h"

namespace tritonrl::apps {
namespace {

struct StatsOptions {
  std::filesystem::path file;
  std::filesystem::path tasks;
  std::filesystem::path html;
  bool json = false;
};

void print_counts(const char* what, const data::Counts& counts) {
  std::size_t sum = 0;
  for (const auto& [name, count] : counts) sum += count;
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater<>(), &std::pair<std::string, std::size_t>::second);
  for (const auto& [name, count] : sorted) {
    std::cout << fmt::format("{:<9} {:<28} {:>8}  {:5.1f} %\n", what, name, count,
                             100.0 * static_cast<double>(count) / static_cast<double>(sum));
  }
}

int stats(const StatsOptions& options) {
  const auto found = data::count_rows(options.file, options.tasks);
  if (!options.html.empty()) {
    base::write_file_atomically(options.html, data::statistics_page(found, options.file.filename().string()));
  }
  if (options.json) {
    std::cout << base::json_line(found.json()) << '\n';
    return base::kExitDone;
  }
  std::cout << fmt::format("rows      {}, {} bad\n", found.rows, found.bad_rows);
  print_counts("level", found.levels);
  print_counts("family", found.families);
  print_counts("verdict", found.verdicts);
  print_counts("fault", found.faults);
  for (const auto& [name, lengths] : found.lengths) {
    std::cout << fmt::format("length    {:<28} {:>8}  mean {:.0f}, median {}, 90 % below {}, largest {} pieces\n", name,
                             lengths.count(), lengths.mean(), lengths.quantile(0.5), lengths.quantile(0.9),
                             lengths.quantile(1));
  }
  if (!options.html.empty()) std::cout << fmt::format("plots     {}\n", options.html.string());
  return base::kExitDone;
}

}  // namespace

void add_data_stats(CLI::App& data, Run& run) {
  auto options = std::make_shared<StatsOptions>();
  auto* command = data.add_subcommand("stats", "Count tasks or samples: lengths, levels, families, faults, verdicts.");
  command->add_option("FILE", options->file, "Tasks, samples, curated samples or verdicts, .jsonl")->required();
  command->add_option("--tasks", options->tasks, "The suite that samples are for: their levels and families");
  command->add_option("--html", options->html, "A page with plots to write");
  command->add_flag("--json", options->json, "One JSON object");
  command->footer("Example: tritonrl data stats examples/data/own_tasks.jsonl");
  command->callback([&run, options] { run = [options] { return stats(*options); }; });
}

}  // namespace tritonrl::apps
