#include "verify/kernelbench_run.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"

namespace tritonrl::verify {
namespace {

using base::Json;

constexpr std::size_t kMostBytes = std::size_t{16} << 20;

struct KernelFile {
  int level = 0;
  int problem = 0;
  int sample = 0;
  std::filesystem::path path;
};

bool take_text(std::string_view& name, std::string_view text) {
  if (!name.starts_with(text)) return false;
  name.remove_prefix(text.size());
  return true;
}

bool take_number(std::string_view& name, int& number) {
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || number < 0) return false;
  name.remove_prefix(static_cast<std::size_t>(end - name.data()));
  return true;
}

std::optional<KernelFile> kernel_file(const std::filesystem::path& path) {
  const std::string whole = path.filename().string();
  std::string_view name = whole;
  KernelFile file{.path = path};
  if (take_text(name, "level_") && take_number(name, file.level) && take_text(name, "_problem_") &&
      take_number(name, file.problem) && take_text(name, "_sample_") && take_number(name, file.sample) &&
      name == "_kernel.py") {
    return file;
  }
  return std::nullopt;
}

Json result_row(const Candidate& candidate, const Json& verdict) {
  Json metadata = {{"tritonrl", {{"accepted", verdict.at("accepted")}, {"stage", verdict.at("stage")}}}};
  if (!verdict.at("reason").is_null()) metadata["tritonrl"]["reason"] = verdict.at("reason");
  Json row = {{"sample_id", candidate.sample},
              {"compiled", verdict.at("compiled") == true},
              {"correctness", verdict.at("accepted")},
              {"metadata", std::move(metadata)},
              {"runtime", -1.0},
              {"runtime_stats", Json::object()}};
  if (const Json& speedup = verdict.at("speedup"); speedup.is_object()) {
    const double ms = speedup.at("candidate_us").get<double>() / 1000.0;
    row["runtime"] = ms;
    row["runtime_stats"] = {{"mean", ms},
                            {"std", 0.0},
                            {"min", ms},
                            {"max", ms},
                            {"num_trials", 1},
                            {"hardware", verdict.at("provenance").at("profile")},
                            {"device", speedup.at("kind")}};
    row["metadata"]["tritonrl"]["speedup"] = speedup;
  }
  return row;
}

// "23" of "level1/23".
std::string problem_of(const std::string& task_id) { return task_id.substr(task_id.rfind('/') + 1); }

}  // namespace

std::vector<Candidate> read_run(const std::filesystem::path& folder,
                                const std::function<std::shared_ptr<const task::Task>(const std::string&)>& task_of) {
  std::error_code error;
  std::vector<KernelFile> files;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (auto file = kernel_file(at->path())) files.push_back(*std::move(file));
  }
  if (error) throw base::InputError({.file = folder.string()}, "the run folder cannot be read: " + error.message());
  if (files.empty()) {
    throw base::InputError({.file = folder.string()}, "there is no level_L_problem_P_sample_S_kernel.py in it",
                           "give a run folder of KernelBench's");
  }
  std::ranges::sort(files, {}, [](const KernelFile& file) { return std::tie(file.level, file.problem, file.sample); });
  if (files.front().level != files.back().level) {
    throw base::InputError({.file = folder.string()},
                           fmt::format("it holds kernels of levels {} and {}", files.front().level, files.back().level),
                           "a run of KernelBench's is about one level: its results do not name it");
  }
  std::vector<Candidate> candidates;
  for (const auto& file : files) {
    candidates.push_back({.task = task_of(fmt::format("level{}/{}", file.level, file.problem)),
                          .sample = file.sample,
                          .text = base::read_file(file.path, kMostBytes),
                          .response = false});
  }
  return candidates;
}

void write_eval_results(const std::filesystem::path& folder, const std::vector<Candidate>& candidates,
                        const std::vector<Json>& verdicts) {
  Json results = Json::object();
  for (std::size_t n = 0; n < verdicts.size(); ++n) {
    if (verdicts[n].contains("error")) continue;
    results[problem_of(candidates[n].task->id)].push_back(result_row(candidates[n], verdicts[n]));
  }
  base::write_file_atomically(folder / "eval_results.json", results.dump(2) + "\n");
}

}  // namespace tritonrl::verify
