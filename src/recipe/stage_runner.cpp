#include "recipe/stage_runner.h"

#include <fmt/format.h>

#include <chrono>

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

std::string digest_of(const Stage& stage, const std::string& before) {
  std::string all = before + '\n' + stage.name + '\n' + stage.config;
  for (const auto& argument : stage.arguments) all += '\0' + argument;
  return base::sha256_hex(all);
}

}  // namespace

int run_stages(const Recipe& recipe, const RunnerParts& parts) {
  make_folder(recipe.folder / "stages");
  std::string digest = parts.version;
  for (std::size_t i = 0; i < recipe.stages.size(); ++i) {
    const Stage& stage = recipe.stages[i];
    const std::string title = fmt::format("stage {}/{} {}", i + 1, recipe.stages.size(), stage.name);
    digest = digest_of(stage, digest);
    const fs::path record = record_of(recipe, stage);
    const Record known = read_record(record);
    if (known.digest == digest && known.done) {
      parts.say(title + ": done before");
      continue;
    }
    if (known.digest != digest) fs::remove_all(recipe.out_of(stage));
    make_folder(recipe.out_of(stage));
    if (!stage.config.empty()) base::write_file_atomically(recipe.config_of(stage), stage.config);
    write_record(record, {.digest = digest, .done = false});
    parts.say(title);
    const auto start = std::chrono::steady_clock::now();
    const int status = parts.run(stage.arguments);
    if (status != 0) return status;
    if (parts.stopped()) return base::kExitDone;
    write_record(record, {.digest = digest, .done = true});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    parts.say(fmt::format("{}: {}", title, base::duration_text(seconds)));
  }
  return base::kExitDone;
}

}  // namespace tritonrl::recipe
