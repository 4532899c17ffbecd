#include "data/curator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <set>
#include <utility>

#include "analysis/response.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "base/progress.h"
#include "base/random.h"
#include "data/recorded_graph.h"
#include "task/fingerprint.h"
#include "task/suite.h"

namespace tritonrl::data {
namespace {

using base::Json;

constexpr std::size_t kMostRowBytes = std::size_t{16} << 20;
constexpr std::string_view kEntry = "ModelNew";

// A sample on its way.
struct Sample {
  Json row;
  std::shared_ptr<const task::Task> task;
  std::string response;
  Json verdict;

  bool is(const char* what) const { return verdict.value(what, Json()) == Json(true); }
  double speedup() const {
    const auto found = verdict.find("speedup");
    return found != verdict.end() && found->is_object() ? found->value("value", 0.0) : 0.0;
  }
};

// Tasks of the suite, each loaded once.
class Shelf {
 public:
  explicit Shelf(const std::filesystem::path& path) : suite_(task::Suite::open(path)) {
    for (const auto& entry : suite_.entries()) entries_.emplace(entry.id, &entry);
  }

  // nullptr: there is none of that id.
  std::shared_ptr<const task::Task> find(const std::string& id) {
    const auto entry = entries_.find(id);
    if (entry == entries_.end()) return nullptr;
    auto& task = loaded_[id];
    if (!task) task = std::make_shared<task::Task>(suite_.load(*entry->second));
    return task;
  }

 private:
  task::Suite suite_;
  std::map<std::string, const task::Suite::Entry*> entries_;
  std::map<std::string, std::shared_ptr<const task::Task>> loaded_;
};

class Curation {
 public:
  Curation(const CurateConfig& config, verify::Verifier& verifier) : config_(config), verifier_(verifier) {}

  CurateReport run() {
    read();
    judge();
    choose();
    if (!config_.keep_duplicates) drop_duplicates();
    if (config_.keep == Keep::kBest) keep_best();
    if (!config_.shares.empty()) balance();
    write();
    return std::move(report_);
  }

 private:
  void read() {
    Shelf shelf(config_.tasks);
    base::JsonLines lines(config_.samples, kMostRowBytes);
    std::size_t bad_line = 0;
    for (;;) {
      try {
        auto line = lines.next();
        if (!line) break;
        ++report_.rows;
        take(std::move(line->value), shelf);
      } catch (const base::InputError& error) {
        if (error.where().line == 0 || error.where().line == bad_line) throw;
        bad_line = error.where().line;
        ++report_.rows;
        ++report_.dropped["bad-row"];
      }
    }
    if (report_.rows == 0) {
      throw base::InputError({.file = config_.samples.string()}, "there is no sample in it",
                             "give one JSON object a line");
    }
  }

  void take(Json row, Shelf& shelf) {
    const bool sample = row.is_object() && row.contains("task") && row["task"].is_string() &&
                        row.contains("response") && row["response"].is_string();
    auto task = sample ? shelf.find(row["task"].get<std::string>()) : nullptr;
    if (task == nullptr) {
      ++report_.dropped[sample ? "unknown-task" : "bad-row"];
      return;
    }
    auto response = row["response"].get<std::string>();
    samples_.push_back(
        {.row = std::move(row), .task = std::move(task), .response = std::move(response), .verdict = {}});
  }

  void judge() {
    std::vector<verify::Candidate> candidates;
    for (const Sample& sample : samples_) {
      const auto number = sample.row.find("sample");
      const bool numbered = number != sample.row.end() && number->is_number_integer();
      candidates.push_back({.task = sample.task,
                            .sample = numbered ? number->get<std::int64_t>() : 0,
                            .text = sample.response,
                            .response = true});
    }
    base::Progress progress("verify", candidates.size());
    verifier_.judge(candidates, [&](std::size_t n, const Json& verdict) {
      samples_[n].verdict = verdict;
      progress.advance();
    });
  }

  std::string why_not(const Sample& sample) const {
    if (sample.verdict.contains("error")) return "not-judged";
    const Json reason = sample.verdict.value("reason", Json());
    const std::string rule = reason.is_string() ? reason.get<std::string>() : "rejected";
    const bool code = analysis::split_response(sample.response, kEntry).code.has_value();
    if (!code) return rule;
    switch (config_.keep) {
      case Keep::kAll:
        return {};
      case Keep::kValid:
        return sample.is("valid") ? "" : rule;
      case Keep::kCorrect:
      case Keep::kBest:
        return sample.is("accepted") ? "" : rule;
    }
    base::bug("every policy was named");
  }

  void choose() {
    for (Sample& sample : samples_) {
      if (sample.verdict.contains("error")) {
        const bool ours = sample.verdict.value("fault", "machine") != "task";
        ++report_.dropped[ours ? "not-judged" : "broken-task"];
        report_.not_judged += ours ? 1 : 0;
        if (ours) report_.machine_failure = sample.verdict.at("error").get<std::string>();
        continue;
      }
      const Json reason = sample.verdict.value("reason", Json());
      ++report_.verdicts[reason.is_string() ? reason.get<std::string>() : "accepted"];
      if (const std::string why = why_not(sample); !why.empty()) {
        ++report_.dropped[why];
      } else {
        kept_.push_back(&sample);
      }
    }
  }

  // Of the same task, the same code but for names and layout.
  void drop_duplicates() {
    std::set<std::string> seen;
    std::erase_if(kept_, [&](const Sample* sample) {
      const auto split = analysis::split_response(sample->response, kEntry);
      const std::string code(split.code->of(sample->response));
      const bool fresh = seen.insert(sample->task->id + '\n' + task::code_fingerprint(code, kEntry)).second;
      report_.dropped["duplicate"] += fresh ? 0 : 1;
      return !fresh;
    });
    if (report_.dropped["duplicate"] == 0) report_.dropped.erase("duplicate");
  }

  void keep_best() {
    std::map<std::string, const Sample*> best;
    for (const Sample* sample : kept_) {
      const Sample*& known = best[sample->task->id];
      if (known == nullptr || sample->speedup() > known->speedup()) known = sample;
    }
    std::erase_if(kept_, [&](const Sample* sample) {
      const bool slower = best[sample->task->id] != sample;
      if (slower) ++report_.dropped["slower"];
      return slower;
    });
  }

  // As many as the scarcest level allows for these shares; which ones, the seed decides.
  void balance() {
    double sum = 0;
    for (const auto& [level, share] : config_.shares) sum += share;
    std::map<int, std::vector<const Sample*>> by_level;
    for (const Sample* sample : kept_) by_level[sample->task->level].push_back(sample);
    double total = static_cast<double>(kept_.size());
    for (const auto& [level, share] : config_.shares) {
      if (share > 0) total = std::min(total, static_cast<double>(by_level[level].size()) * sum / share);
    }
    std::set<const Sample*> chosen;
    for (auto& [level, samples] : by_level) {
      const auto share = config_.shares.find(level);
      const double part = share == config_.shares.end() ? 0 : share->second / sum;
      base::Random random(config_.seed, static_cast<std::uint64_t>(level));
      random.shuffle(std::span(samples));
      const auto count = std::min(samples.size(), static_cast<std::size_t>(std::llround(total * part)));
      chosen.insert(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(count));
    }
    std::erase_if(kept_, [&](const Sample* sample) {
      const bool surplus = !chosen.contains(sample);
      if (surplus) ++report_.dropped["level-surplus"];
      return surplus;
    });
  }

  Json row_of(const Sample& sample) const {
    const std::string prompt = task::make_prompt(*sample.task, config_.prompt);
    Json verdict = Json::object();
    for (const char* key : {"accepted", "stage", "reason", "valid", "compiled", "correct", "general", "speedup"}) {
      if (sample.verdict.contains(key)) verdict[key] = sample.verdict.at(key);
    }
    Json provenance = {{"samples", config_.samples.filename().string()},
                       {"origin", sample.task->origin},
                       {"family", main_family(task::OperatorGraph::parse(sample.task->graph))},
                       {"device", sample.verdict.value("device", "")},
                       {"verifier", sample.verdict.value("provenance", Json::object())}};
    for (const char* key : {"model", "temperature", "top_p", "family", "seed", "faults"}) {
      if (sample.row.contains(key)) provenance[key] = sample.row.at(key);
    }
    return {{"task", sample.task->id},
            {"level", sample.task->level},
            {"sample", sample.row.value("sample", Json(0))},
            {"prompt", prompt},
            {"response", sample.response},
            {"prompt_tokens", task::count_pieces(prompt)},
            {"response_tokens", task::count_pieces(sample.response)},
            {"verdict", std::move(verdict)},
            {"provenance", std::move(provenance)}};
  }

  void write() {
    std::string rows;
    for (const Sample* sample : kept_) {
      rows += base::json_line(row_of(*sample)) + '\n';
      ++report_.kept_by_level[sample->task->level];
    }
    report_.kept = kept_.size();
    base::write_file_atomically(config_.out, rows);
  }

  const CurateConfig& config_;
  verify::Verifier& verifier_;
  std::vector<Sample> samples_;
  std::vector<const Sample*> kept_;
  CurateReport report_;
};

}  // namespace

std::optional<Keep> keep_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Keep>, 4> kNames = {
      {{"all", Keep::kAll}, {"valid", Keep::kValid}, {"correct", Keep::kCorrect}, {"best", Keep::kBest}}};
  for (const auto& [known, keep] : kNames) {
    if (known == name) return keep;
  }
  return std::nullopt;
}

CurateReport curate(const CurateConfig& config, verify::Verifier& verifier) { return Curation(config, verifier).run(); }

Json CurateReport::json() const {
  Json levels = Json::object();
  for (const auto& [level, count] : kept_by_level) levels[std::to_string(level)] = count;
  return {{"rows", rows},         {"kept", kept},       {"levels", levels},
          {"verdicts", verdicts}, {"dropped", dropped}, {"not_judged", not_judged}};
}

}  // namespace tritonrl::data
