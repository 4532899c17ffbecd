#include "recipe/stage_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/progress.h"

namespace tritonrl::recipe {
namespace {

namespace fs = std::filesystem;

fs::path record_of(const Recipe& recipe, const Stage& stage) {
  return recipe.folder / "stages" / (stage.name + ".json");
}

struct Record {
  std::string digest;
  bool done = false;
};

Record read_record(const fs::path& path) {
  if (!fs::exists(path)) return {};
  const auto json = base::parse_json(base::read_file(path), {.file = path.string(), .line = 1});
  return {.digest = json.value("digest", ""), .done = json.value("done", false)};
}

void write_record(const fs::path& path, const Record& record) {
  base::write_file_atomically(path, base::json_line({{"digest", record.digest}, {"done", record.done}}) + "\n");
}

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw base::InputError({.file = path.string()}, "cannot make this folder: " + error.message());
}

class StageRun {
 public:
  StageRun(const Recipe& recipe, const RunnerParts& parts)
      : recipe_(recipe), parts_(parts), states_(recipe.stages.size(), State::kWaiting) {
    for (const Stage& stage : recipe.stages) digests_.push_back(digest_of(stage));
  }

  int run() {
    make_folder(recipe_.folder / "stages");
    std::vector<std::jthread> others;
    for (unsigned n = 1; n < parts_.jobs; ++n) others.emplace_back([this] { work(); });
    work();
    others.clear();
    if (failure_) std::rethrow_exception(failure_);
    return status_;
  }

 private:
  enum class State : std::uint8_t { kWaiting, kRunning, kDone };

  std::string digest_of(const Stage& stage) const {
    std::string all = parts_.version + '\n' + stage.name + '\n' + stage.config;
    for (const auto& argument : stage.arguments) all += '\0' + argument;
    for (const std::size_t needed : stage.after) all += '\0' + digests_[needed];
    return base::sha256_hex(all);
  }

  void work() {
    while (const auto stage = next()) {
      bool done = false;
      int status = base::kExitDone;
      try {
        status = run_one(*stage);
        done = status == base::kExitDone && !parts_.stopped();
      } catch (...) {
        const std::scoped_lock lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
      }
      const std::scoped_lock lock(mutex_);
      states_[*stage] = done ? State::kDone : State::kWaiting;
      ended_ = ended_ || !done;
      if (status_ == base::kExitDone) status_ = status;
      changed_.notify_all();
    }
  }

  // The first stage that has all it needs; waits for one, as long as one may come.
  std::optional<std::size_t> next() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (ended_) return std::nullopt;
      bool some_run = false;
      for (std::size_t i = 0; i < states_.size(); ++i) {
        some_run = some_run || states_[i] == State::kRunning;
        if (states_[i] != State::kWaiting) continue;
        const auto done = [&](std::size_t needed) { return states_[needed] == State::kDone; };
        if (!std::ranges::all_of(recipe_.stages[i].after, done)) continue;
        states_[i] = State::kRunning;
        return i;
      }
      if (!some_run) return std::nullopt;
      changed_.wait(lock);
    }
  }

  int run_one(std::size_t number) {
    const Stage& stage = recipe_.stages[number];
    const std::string title = fmt::format("stage {}/{} {}", number + 1, recipe_.stages.size(), stage.name);
    const fs::path record = record_of(recipe_, stage);
    const Record known = read_record(record);
    if (known.digest == digests_[number] && known.done) {
      say(title + ": done before");
      return base::kExitDone;
    }
    if (known.digest != digests_[number]) fs::remove_all(recipe_.out_of(stage));
    make_folder(recipe_.out_of(stage));
    if (!stage.config.empty()) base::write_file_atomically(recipe_.config_of(stage), stage.config);
    write_record(record, {.digest = digests_[number], .done = false});
    say(title);
    const auto start = std::chrono::steady_clock::now();
    const fs::path log = parts_.jobs > 1 ? recipe_.log_of(stage) : fs::path();
    const int status = parts_.run(stage.arguments, log);
    if (status != base::kExitDone && !log.empty()) {
      say(fmt::format("{} ended with status {}: {} says why", title, status, log.string()));
    }
    if (status != base::kExitDone || parts_.stopped()) return status;
    write_record(record, {.digest = digests_[number], .done = true});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    say(fmt::format("{}: {}", title, base::duration_text(seconds)));
    return status;
  }

  void say(const std::string& line) {
    const std::scoped_lock lock(mutex_);
    parts_.say(line);
  }

  const Recipe& recipe_;
  const RunnerParts& parts_;
  std::vector<std::string> digests_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<State> states_;
  bool ended_ = false;  // no stage is begun any more
  int status_ = base::kExitDone;
  std::exception_ptr failure_;
};

}  // namespace

int run_stages(const Recipe& recipe, const RunnerParts& parts) { return StageRun(recipe, parts).run(); }

}  // namespace tritonrl::recipe
