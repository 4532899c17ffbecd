#include "data/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "analysis/response.h"
#include "base/error.h"
#include "data/bar_chart.h"
#include "data/recorded_graph.h"
#include "task/operator_graph.h"
#include "task/prompt.h"
#include "task/suite.h"

namespace tritonrl::data {
namespace {

using base::Json;

constexpr std::size_t kMostRowBytes = std::size_t{64} << 20;

std::string text_at(const Json& row, const char* key) {
  const auto found = row.find(key);
  return found != row.end() && found->is_string() ? found->get<std::string>() : std::string();
}

struct TaskFacts {
  int level = 0;
  std::string family;
};

class Counting {
 public:
  explicit Counting(const std::filesystem::path& tasks) {
    if (tasks.empty()) return;
    const auto suite = task::Suite::open(tasks);
    for (const auto& entry : suite.entries()) {
      facts_[entry.id] = {.level = entry.level,
                          .family = main_family(task::OperatorGraph::parse(suite.load(entry).graph))};
    }
  }

  void count(const Json& row) {
    if (!row.is_object()) {
      ++found_.bad_rows;
      return;
    }
    ++found_.rows;
    count_task(row);
    count_texts(row);
    count_faults(row);
    count_verdict(row);
  }

  Statistics take() { return std::move(found_); }

 private:
  void count_task(const Json& row) {
    const auto known = facts_.find(text_at(row, "task"));
    const auto level = row.find("level");
    if (level != row.end() && level->is_number_integer()) {
      ++found_.levels[level->dump()];
    } else if (known != facts_.end()) {
      ++found_.levels[std::to_string(known->second.level)];
    }
    std::string family = text_at(row, "family");
    if (const auto from = row.find("provenance"); family.empty() && from != row.end() && from->is_object()) {
      family = text_at(*from, "family");
    }
    if (family.empty())
      family =
          known != facts_.end() ? known->second.family : main_family(task::OperatorGraph::parse(text_at(row, "graph")));
    if (!family.empty()) ++found_.families[family];
  }

  void count_texts(const Json& row) {
    const auto add = [&](const char* name, std::string_view text) {
      if (!text.empty()) found_.lengths[name].add(task::count_pieces(text));
    };
    if (row.contains("source")) add("reference", text_at(row, "source"));
    if (row.contains("verdict")) add("prompt", text_at(row, "prompt"));  // elsewhere it is a digest
    const std::string response = text_at(row, "response");
    if (response.empty()) return;
    const auto split = analysis::split_response(response, "ModelNew");
    add("response", response);
    add("plan", split.plan.of(response));
    if (split.code) add("code", split.code->of(response));
  }

  void count_faults(const Json& row) {
    auto faults = row.find("faults");
    if (const auto from = row.find("provenance"); faults == row.end() && from != row.end() && from->is_object()) {
      faults = from->find("faults");
      if (faults == from->end()) return;
    } else if (faults == row.end()) {
      return;
    }
    if (!faults->is_array()) return;
    if (faults->empty()) ++found_.faults["none"];
    for (const Json& fault : *faults) {
      ++found_.faults[fault.is_string() ? fault.get<std::string>()
                                        : text_at(fault.is_object() ? fault : Json::object(), "kind")];
    }
  }

  void count_verdict(const Json& row) {
    const auto verdict = row.find("verdict");
    const Json& judged = verdict != row.end() && verdict->is_object() ? *verdict : row;
    if (!judged.contains("accepted")) return;
    ++found_.verdicts[judged.at("accepted") == Json(true) ? "accepted" : text_at(judged, "reason")];
  }

  std::map<std::string, TaskFacts> facts_;
  Statistics found_;
};

std::vector<Bar> bars_of(const Counts& counts, std::size_t most) {
  std::vector<Bar> bars;
  for (const auto& [name, count] : counts) bars.push_back({.label = name, .value = static_cast<double>(count)});
  std::ranges::stable_sort(bars, std::greater<>(), &Bar::value);
  if (bars.size() > most) {
    double rest = 0;
    for (std::size_t n = most - 1; n < bars.size(); ++n) rest += bars[n].value;
    bars.resize(most - 1);
    bars.push_back({.label = "all others", .value = rest});
  }
  return bars;
}

}  // namespace

double Lengths::mean() const {
  if (pieces_.empty()) return 0;
  return static_cast<double>(std::accumulate(pieces_.begin(), pieces_.end(), std::size_t{0})) /
         static_cast<double>(pieces_.size());
}

std::size_t Lengths::quantile(double share) const {
  if (pieces_.empty()) return 0;
  std::ranges::sort(pieces_);
  const double at = share * static_cast<double>(pieces_.size() - 1);
  return pieces_[static_cast<std::size_t>(at + 0.5)];
}

std::vector<std::pair<std::string, std::size_t>> Lengths::histogram(std::size_t bins) const {
  const std::size_t width = quantile(1) / bins + 1;
  std::vector<std::pair<std::string, std::size_t>> counts;
  for (std::size_t n = 0; n < bins; ++n) counts.emplace_back(fmt::format("{}-{}", n * width, (n + 1) * width - 1), 0);
  for (const std::size_t each : pieces_) ++counts[each / width].second;
  return counts;
}

Statistics count_rows(const std::filesystem::path& file, const std::filesystem::path& tasks) {
  Counting counting(tasks);
  base::JsonLines lines(file, kMostRowBytes);
  std::size_t bad_line = 0;
  for (;;) {
    try {
      const auto line = lines.next();
      if (!line) break;
      counting.count(line->value);
    } catch (const base::InputError& error) {
      if (error.where().line == 0 || error.where().line == bad_line) throw;
      bad_line = error.where().line;
      counting.count(Json());
    }
  }
  Statistics statistics = counting.take();
  if (statistics.rows == 0) {
    throw base::InputError({.file = file.string()}, "there is no row in it",
                           "give tasks or samples, one JSON object a line");
  }
  return statistics;
}

Json Statistics::json() const {
  Json texts = Json::object();
  for (const auto& [name, each] : lengths) {
    texts[name] = {{"count", each.count()},
                   {"mean", each.mean()},
                   {"median", each.quantile(0.5)},
                   {"p90", each.quantile(0.9)},
                   {"largest", each.quantile(1.0)}};
  }
  return {{"rows", rows},     {"bad_rows", bad_rows}, {"levels", levels}, {"families", families},
          {"faults", faults}, {"verdicts", verdicts}, {"lengths", texts}};
}

std::string statistics_page(const Statistics& statistics, const std::string& title) {
  std::vector<BarChart> charts;
  const auto add = [&](std::string name, std::vector<Bar> bars) {
    if (!bars.empty()) charts.push_back({.title = std::move(name), .bars = std::move(bars)});
  };
  add("levels", bars_of(statistics.levels, 20));
  add("families", bars_of(statistics.families, 30));
  add("verdicts", bars_of(statistics.verdicts, 30));
  add("faults", bars_of(statistics.faults, 30));
  for (const auto& [name, lengths] : statistics.lengths) {
    std::vector<Bar> bars;
    for (const auto& [label, count] : lengths.histogram(12)) {
      bars.push_back({.label = label, .value = static_cast<double>(count)});
    }
    add(fmt::format("length of {}, in pieces (median {}, mean {:.0f})", name, lengths.quantile(0.5), lengths.mean()),
        std::move(bars));
  }
  return chart_page(title, fmt::format("{} rows, {} bad", statistics.rows, statistics.bad_rows), charts);
}

}  // namespace tritonrl::data
