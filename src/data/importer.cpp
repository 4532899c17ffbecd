#include "data/importer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/append_log.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/progress.h"
#include "data/recorded_graph.h"
#include "data/size_variants.h"
#include "task/literal_sizes.h"
#include "task/rank_variants.h"
#include "task/task_row.h"

namespace tritonrl::data {
namespace {

using base::Json;

std::filesystem::path beside(const std::filesystem::path& file, std::string_view suffix) {
  return file.string() + std::string(suffix);
}

// What a reference's failure is counted as.
std::string reason_of_failure(std::string_view message) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kSigns = {{
      {"ModuleNotFoundError", "missing-package"},
      {"ImportError", "missing-package"},
      {"forbidden call: socket", "needs-network"},
      {"forbidden call: connect", "needs-network"},
      {"URLError", "needs-network"},
      {"ConnectionError", "needs-network"},
      {"gaierror", "needs-network"},
      {"Network is unreachable", "needs-network"},
      {"no answer within", "never-ends"},
      {"time limit", "never-ends"},
      {"memory limit", "too-large"},
      {"can't allocate memory", "too-large"},
  }};
  for (const auto& [sign, reason] : kSigns) {
    if (message.find(sign) != std::string_view::npos) return std::string(reason);
  }
  return "broken";
}

// One task on its way in: as it came, and with its literal sizes as dimensions where it had none.
struct Arriving {
  task::Task task;
  base::Place where;
  bool of_other_rank = false;  // than the row that it was made from
  std::vector<task::LiteralSize> literals;

  explicit Arriving(task::Task given, bool derived = false)
      : task(std::move(given)), where(task.where), of_other_rank(derived) {
    if (task.dims.empty()) literals = task::find_literal_sizes(task);
  }

  std::shared_ptr<const task::Task> to_survey() const {
    return std::make_shared<task::Task>(literals.empty() ? task : task::with_named_sizes(task, literals));
  }
};

// Sizes in the order of the source, in JSON, and back.
Json literals_json(const std::vector<task::LiteralSize>& sizes) {
  Json array = Json::array();
  for (const auto& size : sizes) array.push_back({size.name, size.value, size.literal.begin, size.literal.end});
  return array;
}

std::vector<task::LiteralSize> literals_of(const Json& array) {
  std::vector<task::LiteralSize> sizes;
  for (const Json& each : array) {
    sizes.push_back({.name = each.at(0).get<std::string>(),
                     .value = each.at(1).get<std::int64_t>(),
                     .literal = {.begin = each.at(2).get<std::uint32_t>(), .end = each.at(3).get<std::uint32_t>()}});
  }
  return sizes;
}

// Tries sizes: which literals belong together, then which other sizes the reference takes.
Json explore(const Arriving& arriving, const verify::RunsAt& runs, const ImportConfig& config) {
  task::Task named = arriving.task;
  std::vector<task::LiteralSize> coupled;
  if (!arriving.literals.empty()) {
    coupled = couple_sizes(arriving.literals, runs);
    named = task::with_named_sizes(arriving.task, coupled);
  }
  // `runs` knows every literal by a name of its own: a coupled size moves all of its literals.
  const auto runs_named = [&](const task::Variant& variant) {
    if (coupled.empty()) return runs(variant);
    task::Variant each;
    for (const auto& dimension : variant) {
      for (const auto& shared : coupled) {
        if (shared.name != dimension.name) continue;
        const auto own = std::ranges::find(arriving.literals, shared.literal.begin,
                                           [](const task::LiteralSize& size) { return size.literal.begin; });
        each.push_back({.name = own->name, .value = dimension.value});
      }
    }
    return runs(each);
  };
  Json explored = {{"literals", literals_json(coupled)}, {"variants", Json::array()}};
  std::vector<task::Variant> proposed;
  if (config.adviser != nullptr) {
    if (const auto level = config.adviser->level(named)) explored["level"] = *level;
    proposed = config.adviser->sizes(named);
  }
  if (named.dims.empty()) return explored;
  for (const auto& variant : find_variants(named, runs_named, config.variants, proposed)) {
    Json sizes = Json::object();
    for (const auto& dimension : variant) sizes[dimension.name] = dimension.value;
    explored["variants"].push_back(std::move(sizes));
  }
  return explored;
}

// What a survey's report makes of a task.
std::variant<task::Task, Problem> settle(const Arriving& arriving, const Json& report, bool relabel) {
  if (report.contains("error")) {
    const auto message = report.at("error").get<std::string>();
    return Problem{.reason = reason_of_failure(message), .message = message};
  }
  if (!report.at("admitted").get<bool>()) {
    const auto reason = report.at("reason").get<std::string>();
    const auto message = report.at("message").get<std::string>();
    return Problem{.reason = reason == "broken" ? reason_of_failure(message) : reason, .message = message};
  }
  task::Task task = arriving.task;
  const Json& explored = report.at("explored");
  task = task::with_named_sizes(std::move(task), literals_of(explored.at("literals")));
  for (const Json& sizes : explored.at("variants")) {
    task::Variant variant;
    for (const auto& [name, value] : sizes.items())
      variant.push_back({.name = name, .value = value.get<std::int64_t>()});
    if (std::ranges::find(task.variants, variant) == task.variants.end()) task.variants.push_back(std::move(variant));
  }
  const task::OperatorGraph graph = graph_of_recording(report.at("operators"));
  task.graph = graph.text();
  if (relabel || task.level == 0)
    task.level = explored.value("level", std::max(1, graph.level()));  // moving data is one, too
  return task;
}

bool is_machine_failure(const Json& report) {
  return report.contains("error") && report.value("fault", "machine") != "task";
}

// Surveys of tasks, those too that an earlier, killed import made.
class Surveys {
 public:
  Surveys(const std::filesystem::path& file, const ImportConfig& config)
      : config_(config), log_(file, [this](const Json& row) {
          if (row.contains("key")) known_[row.at("key").get<std::string>()] = row.at("report");
        }) {}

  // Reports in the order of the tasks. What the machine failed at is in them, and not kept.
  std::vector<Json> run(std::vector<Arriving>& tasks, verify::Verifier& verifier, const std::string& label) {
    const std::string adviser = config_.adviser == nullptr ? "" : config_.adviser->model();
    std::vector<std::string> keys;
    std::vector<std::size_t> open;
    for (std::size_t n = 0; n < tasks.size(); ++n) {
      keys.push_back(
          base::sha256_hex(fmt::format("{} {} {}", config_.variants, adviser, task::task_row(tasks[n].task))));
      if (!known_.contains(keys.back())) open.push_back(n);
    }
    std::vector<verify::SurveyRequest> requests;
    for (const std::size_t n : open) {
      const Arriving& arriving = tasks[n];
      requests.push_back({.task = arriving.to_survey(), .explore = [&arriving, this](const verify::RunsAt& runs) {
                            return explore(arriving, runs, config_);
                          }});
    }
    base::Progress progress(label, tasks.size());
    progress.advance(tasks.size() - open.size());
    std::map<std::string, Json> failed;
    verifier.survey(requests, [&](std::size_t index, const Json& report) {
      const std::string& key = keys[open[index]];
      if (is_machine_failure(report)) {
        failed[key] = report;
      } else {
        log_.add({{"key", key}, {"report", report}});
        known_[key] = report;
      }
      progress.advance();
    });
    progress.finish();
    std::vector<Json> reports;
    for (const std::string& key : keys) {
      reports.push_back(failed.contains(key) && !known_.contains(key) ? failed[key] : known_[key]);
    }
    return reports;
  }

  void remove() { log_.remove(); }

 private:
  const ImportConfig& config_;
  std::map<std::string, Json> known_;
  base::AppendLog log_;
};

// The tasks of suites that must stay out, with what they compute.
TaskIndex index_of(const ImportConfig& config, Surveys& surveys, verify::Verifier& verifier) {
  TaskIndex index;
  for (const auto& path : config.against) {
    std::vector<Arriving> unknown;
    for (TaskRow& row : read_task_rows(path, config.rows)) {
      auto* task = std::get_if<task::Task>(&row.content);
      if (task == nullptr) continue;
      if (task->graph.empty()) {
        unknown.emplace_back(std::move(*task));
      } else {
        index.add(fmt::format("{}:{}", path.string(), task->id), *task);
      }
    }
    const auto reports = surveys.run(unknown, verifier, "survey " + path.filename().string());
    for (std::size_t n = 0; n < unknown.size(); ++n) {
      task::Task task = unknown[n].task;
      if (reports[n].contains("operators")) task.graph = graph_of_recording(reports[n].at("operators")).text();
      index.add(fmt::format("{}:{}", path.string(), task.id), task);
    }
  }
  return index;
}

void drop_overlap(ImportReport& report, const base::Place& where, const Overlap& overlap, std::string reason) {
  report.dropped.push_back({.id = overlap.task,
                            .where = where,
                            .problem = {.reason = std::move(reason),
                                        .message = fmt::format("the same {} as {}", overlap.by, overlap.with)}});
  report.overlaps.push_back(overlap);
}

void write_results(const ImportConfig& config, const ImportReport& report) {
  std::string rows;
  for (const auto& task : report.imported) rows += task::task_row(task) + '\n';
  base::write_file_atomically(config.out, rows);
  base::write_file_atomically(beside(config.out, ".report.json"), report.json().dump(2) + '\n');
}

}  // namespace

ImportReport import_tasks(const ImportConfig& config, verify::Verifier& verifier) {
  ImportReport report;
  auto rows = read_task_rows(config.source, config.rows);
  report.rows = rows.size();
  std::vector<Arriving> arriving;
  Surveys surveys(beside(config.out, ".part"), config);
  const TaskIndex reserved = index_of(config, surveys, verifier);
  TaskIndex seen;
  for (TaskRow& row : rows) {
    if (const auto* problem = std::get_if<Problem>(&row.content)) {
      report.dropped.push_back({.id = row.id, .where = row.where, .problem = *problem});
      continue;
    }
    auto& task = std::get<task::Task>(row.content);
    if (const auto overlap = reserved.find_by_tree(task)) {
      drop_overlap(report, row.where, *overlap, "contaminated");
    } else if (const auto twin = seen.find_by_tree(task); twin && !config.keep_duplicates) {
      drop_overlap(report, row.where, *twin, "duplicate");
    } else {
      seen.add(task.id, task);
      if (config.ranks) {
        for (auto& other : task::with_other_ranks(task)) arriving.emplace_back(std::move(other), true);
      }
      arriving.emplace_back(std::move(task));
    }
  }
  const auto surveyed = surveys.run(arriving, verifier, "import");
  TaskIndex by_graph;
  for (std::size_t n = 0; n < arriving.size(); ++n) {
    if (is_machine_failure(surveyed[n])) {
      ++report.not_tried;
      report.machine_failure = surveyed[n].at("error").get<std::string>();
      continue;
    }
    auto settled = settle(arriving[n], surveyed[n], config.relabel);
    if (auto* problem = std::get_if<Problem>(&settled)) {
      if (arriving[n].of_other_rank) continue;  // nobody asked for it by name
      report.dropped.push_back({.id = arriving[n].task.id, .where = arriving[n].where, .problem = std::move(*problem)});
      continue;
    }
    auto& task = std::get<task::Task>(settled);
    const auto twin = arriving[n].of_other_rank ? std::nullopt : by_graph.find(task);
    if (const auto overlap = reserved.find(task)) {
      drop_overlap(report, arriving[n].where, *overlap, "contaminated");
    } else if (twin && config.one_a_graph) {
      drop_overlap(report, arriving[n].where, *twin, "duplicate");
    } else {
      if (twin && twin->by == "graph") report.overlaps.push_back(*twin);
      if (!arriving[n].of_other_rank) by_graph.add(task.id, task);
      report.of_other_rank += arriving[n].of_other_rank ? 1 : 0;
      report.imported.push_back(std::move(task));
    }
  }
  write_results(config, report);
  if (report.not_tried == 0) surveys.remove();
  return report;
}

std::map<std::string, std::size_t> ImportReport::dropped_by_reason() const {
  std::map<std::string, std::size_t> counts;
  for (const auto& each : dropped) ++counts[each.problem.reason];
  return counts;
}

std::map<int, std::size_t> ImportReport::imported_by_level() const {
  std::map<int, std::size_t> counts;
  for (const auto& task : imported) ++counts[task.level];
  return counts;
}

Json ImportReport::json() const {
  Json levels = Json::object();
  for (const auto& [level, count] : imported_by_level()) levels[std::to_string(level)] = count;
  Json problems = Json::array();
  for (const auto& each : dropped) {
    problems.push_back({{"id", each.id},
                        {"where", each.where.text()},
                        {"reason", each.problem.reason},
                        {"message", each.problem.message}});
  }
  Json same = Json::array();
  for (const auto& each : overlaps) same.push_back({{"task", each.task}, {"with", each.with}, {"by", each.by}});
  return {{"rows", rows},           {"imported", imported.size()},
          {"levels", levels},       {"dropped", dropped_by_reason()},
          {"problems", problems},   {"overlaps", same},
          {"not_tried", not_tried}, {"of_other_rank", of_other_rank}};
}

}  // namespace tritonrl::data
