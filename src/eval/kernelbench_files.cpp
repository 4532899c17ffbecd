#include "eval/kernelbench_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "analysis/response.h"
#include "base/error.h"
#include "base/file.h"
#include "verify/kernelbench_run.h"

namespace tritonrl::eval {
namespace {

using base::Json;

bool is_number(std::string_view text) {
  return !text.empty() && text.size() < 9 && std::ranges::all_of(text, [](char c) { return '0' <= c && c <= '9'; });
}

// Number by task id; KernelBench's own where all have one.
std::map<std::string, std::string> problem_numbers(const std::vector<const verify::Candidate*>& candidates) {
  std::map<std::string, std::string> numbers;
  std::set<std::string> taken;
  bool own = true;
  for (const auto* candidate : candidates) {
    const std::string& id = candidate->task->id;
    if (numbers.contains(id)) continue;
    const std::string tail = id.substr(id.rfind('/') + 1);
    own = own && is_number(tail) && taken.insert(tail).second;
    numbers[id] = tail;
  }
  if (own) return numbers;
  std::size_t place = 0;
  for (auto& [id, number] : numbers) number = std::to_string(++place);
  return numbers;
}

std::string code_of(const verify::Candidate& candidate) {
  if (!candidate.response) return candidate.text;
  const auto split = analysis::split_response(candidate.text, "ModelNew");
  return split.code ? std::string(split.code->of(candidate.text)) : std::string();
}

void write_level(const std::filesystem::path& folder, int level,
                 const std::vector<const verify::Candidate*>& candidates, const std::vector<Json>& verdicts) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw base::InputError({.file = folder.string()}, "cannot make this folder: " + error.message());
  const auto numbers = problem_numbers(candidates);
  std::vector<verify::Candidate> numbered;
  for (const auto* candidate : candidates) {
    const std::string& number = numbers.at(candidate->task->id);
    auto task = std::make_shared<task::Task>(*candidate->task);
    task->id = fmt::format("level{}/{}", level, number);
    numbered.push_back({.task = std::move(task), .sample = candidate->sample, .text = {}, .response = false});
    const auto name = fmt::format("level_{}_problem_{}_sample_{}_kernel.py", level, number, candidate->sample);
    base::write_file_atomically(folder / name, code_of(*candidate));
  }
  verify::write_eval_results(folder, numbered, verdicts);
  Json problems = Json::object();
  for (const auto& [id, number] : numbers) problems[number] = id;
  base::write_file_atomically(folder / "problems.json", problems.dump(2) + "\n");
}

}  // namespace

void write_kernelbench_files(const std::filesystem::path& folder, const std::vector<verify::Candidate>& candidates,
                             const std::vector<Json>& verdicts) {
  std::map<int, std::vector<const verify::Candidate*>> levels;
  std::map<int, std::vector<Json>> of_level;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    levels[candidates[i].task->level].push_back(&candidates[i]);
    of_level[candidates[i].task->level].push_back(verdicts[i]);
  }
  for (const auto& [level, members] : levels) {
    write_level(folder / fmt::format("level{}", level), level, members, of_level.at(level));
  }
}

}  // namespace tritonrl::eval
