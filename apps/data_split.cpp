#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "apps/data_command.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "data/split.h"
#include "task/suite.h"

namespace tritonrl::apps {
namespace {

constexpr std::size_t kMostRowBytes = std::size_t{64} << 20U;

struct SplitOptions {
  std::string tasks;
  std::string samples;  // optional
  std::filesystem::path out;
  data::SplitConfig split;
  bool json = false;
};

std::string rows_of(const std::vector<task::Task>& tasks) {
  std::string rows;
  for (const auto& task : tasks) rows += task::task_row(task) + '\n';
  return rows;
}

// PART.samples.jsonl for each part: the rows, as they are, of the samples whose task is in it.
void part_samples(const SplitOptions& options, const std::map<std::string, std::string_view>& part_of) {
  std::map<std::string_view, std::string> rows = {{"train", ""}, {"dev", ""}, {"test", ""}};
  base::JsonLines lines(options.samples, kMostRowBytes);
  while (const auto row = lines.next()) {
    const std::string task = base::JsonFields(row->value, row->where).text("task");
    const auto part = part_of.find(task);
    if (part == part_of.end()) {
      throw base::InputError(row->where, fmt::format("{} is a sample of no task in {}", task, options.tasks),
                             "give the samples of these tasks");
    }
    rows[part->second] += base::json_line(row->value) + '\n';
  }
  for (const auto& [part, text] : rows)
    base::write_file_atomically(options.out / fmt::format("{}.samples.jsonl", part), text);
}

int split(const SplitOptions& options) {
  if (options.split.dev_share + options.split.test_share >= 1) {
    throw base::InputError({}, "dev and test together take everything", "make --dev and --test smaller");
  }
  const auto suite = task::Suite::open(options.tasks);
  std::vector<task::Task> tasks;
  for (const auto& entry : suite.entries()) tasks.push_back(suite.load(entry));
  const auto parts = data::split_tasks(std::move(tasks), options.split);

  std::vector<task::Task> test;
  std::string slices;
  for (const auto& each : parts.test) {
    test.push_back(each.task);
    slices += base::json_line({{"task", each.task.id}, {"slices", each.slices}}) + '\n';
  }
  std::filesystem::create_directories(options.out);
  base::write_file_atomically(options.out / "train.jsonl", rows_of(parts.train));
  base::write_file_atomically(options.out / "dev.jsonl", rows_of(parts.dev));
  base::write_file_atomically(options.out / "test.jsonl", rows_of(test));
  base::write_file_atomically(options.out / "test.slices.jsonl", slices);
  if (!options.samples.empty()) {
    std::map<std::string, std::string_view> part_of;
    for (const auto& task : parts.train) part_of[task.id] = "train";
    for (const auto& task : parts.dev) part_of[task.id] = "dev";
    for (const auto& task : test) part_of[task.id] = "test";
    part_samples(options, part_of);
  }
  const base::Json counts = parts.json();
  if (options.json) {
    std::cout << base::json_line(counts) << '\n';
    return base::kExitDone;
  }
  for (const char* part : {"train", "dev", "test"})
    std::cout << fmt::format("{:<6} {}\n", part, counts.at(part).dump());
  for (const auto& [slice, count] : counts.at("test_slices").items()) {
    std::cout << fmt::format("  test: {:<20} {}\n", slice, count.dump());
  }
  return base::kExitDone;
}

}  // namespace

void add_data_split(CLI::App& data, Run& run) {
  auto options = std::make_shared<SplitOptions>();
  auto* command = data.add_subcommand("split", "Split tasks into train, dev and test, without a task in common.");
  command->add_option("TASKS", options->tasks, "A suite that `import` or `make` wrote")->required();
  command->add_option("--out", options->out, "A folder: train.jsonl, dev.jsonl, test.jsonl, test.slices.jsonl")
      ->required();
  command->add_option("--samples", options->samples,
                      "JSONL of the tasks' samples: parted likewise, PART.samples.jsonl");
  command->add_option("--dev", options->split.dev_share, "Share of dev")->check(CLI::Range(0.0, 1.0));
  command->add_option("--test", options->split.test_share, "Share of test")->check(CLI::Range(0.0, 1.0));
  command->add_option("--seed", options->split.seed, "The same seed makes the same parts");
  command->add_flag("--json", options->json, "The counts as one JSON object");
  command->footer("Example: tritonrl data split examples/data/own_tasks.jsonl --out build/parts");
  command->callback([&run, options] { run = [options] { return split(*options); }; });
}

}  // namespace tritonrl::apps
