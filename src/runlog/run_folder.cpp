#include "runlog/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace tritonrl::runlog {
namespace {

namespace fs = std::filesystem;

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw base::InputError({.file = path.string()}, "cannot make this folder: " + error.message());
}

// The step of "step-000012" + suffix; nothing for any other name.
std::optional<std::int64_t> step_of(std::string_view name, std::string_view suffix) {
  constexpr std::string_view kPrefix = "step-";
  if (!name.starts_with(kPrefix) || !name.ends_with(suffix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  name.remove_suffix(suffix.size());
  std::int64_t step = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), step);
  if (name.empty() || error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return step;
}

std::vector<std::int64_t> steps_in(const fs::path& folder, std::string_view suffix) {
  std::vector<std::int64_t> steps;
  std::error_code none_yet;
  for (const auto& entry : fs::directory_iterator(folder, none_yet)) {
    if (const auto step = step_of(entry.path().filename().string(), suffix)) steps.push_back(*step);
  }
  std::ranges::sort(steps);
  return steps;
}

// What a kill left of files that were being written.
void remove_drafts(const fs::path& folder) {
  std::vector<fs::path> drafts;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.') && name.ends_with(".tmp")) drafts.push_back(entry.path());
  }
  for (const fs::path& draft : drafts) fs::remove(draft);
}

}  // namespace

RunFolder::RunFolder(fs::path path) : path_(std::move(path)) {
  make_folder(path_ / "samples");
  make_folder(path_ / "checkpoints");
  lock_.reset(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!lock_ || ::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0) {
    throw base::InputError({.file = path_.string()}, "another process is at work in this run's folder",
                           "wait for it, end it, or choose another folder");
  }
}

fs::path RunFolder::samples(std::int64_t step) const { return samples_file(path_, step); }

fs::path RunFolder::checkpoint(std::int64_t step) const {
  return path_ / "checkpoints" / fmt::format("step-{:06}", step);
}

std::vector<std::int64_t> RunFolder::checkpoints() const { return steps_in(path_ / "checkpoints", ""); }

void RunFolder::forget_after(std::int64_t step) const {
  for (const fs::path& folder : {path_, path_ / "samples"}) remove_drafts(folder);
  for (const std::int64_t known : sample_steps(path_)) {
    if (known > step) fs::remove(samples(known));
  }
  std::vector<fs::path> unwanted;
  for (const auto& entry : fs::directory_iterator(path_ / "checkpoints")) {
    const auto known = step_of(entry.path().filename().string(), "");
    if (!known || *known > step) unwanted.push_back(entry.path());
  }
  for (const auto& entry : unwanted) fs::remove_all(entry);
}

std::vector<std::int64_t> sample_steps(const fs::path& run) { return steps_in(run / "samples", ".jsonl"); }

fs::path samples_file(const fs::path& run, std::int64_t step) {
  return run / "samples" / fmt::format("step-{:06}.jsonl", step);
}

}  // namespace tritonrl::runlog
