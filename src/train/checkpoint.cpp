#include "train/checkpoint.h"

#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "base/error.h"
#include "base/file.h"
#include "model/qwen3.h"
#include "train/optimizer.h"

namespace tritonrl::train {
namespace {

namespace fs = std::filesystem;

constexpr int kVersion = 1;
constexpr const char* kUnfinished = ".unfinished";

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw base::HostError::from_errno("make " + path.string(), error.value());
}

void sync_folder(const fs::path& path) {
  const base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd || ::fsync(fd.get()) != 0) throw base::HostError::from_errno("write " + path.string(), errno);
}

void fill(const fs::path& folder, const fs::path& tokenizer, const model::Qwen3& model, const Optimizer& optimizer,
          const base::Json& counters) {
  make_folder(folder / "trainer");
  model.save(folder, model.place().dtype);
  copy_tokenizer(tokenizer, folder);
  optimizer.save(folder / "trainer");
  const base::Json state = {{"version", kVersion}, {"updates", optimizer.updates()}, {"counters", counters}};
  base::write_file_atomically(folder / "trainer" / "state.json", state.dump(2) + "\n");
}

}  // namespace

void copy_tokenizer(const fs::path& from, const fs::path& to) {
  for (const char* name : {"tokenizer.json", "tokenizer_config.json", "generation_config.json"}) {
    if (fs::exists(from / name)) base::write_file_atomically(to / name, base::read_file(from / name));
  }
}

void write_checkpoint(const fs::path& folder, const fs::path& tokenizer, const model::Qwen3& model,
                      const Optimizer& optimizer, const base::Json& counters) {
  const fs::path draft = folder.string() + kUnfinished;
  std::error_code ignored;
  fs::remove_all(draft, ignored);
  try {
    fill(draft, tokenizer, model, optimizer, counters);
    sync_folder(draft);
    fs::remove_all(folder);
    fs::rename(draft, folder);
    sync_folder(folder.parent_path());
  } catch (...) {
    fs::remove_all(draft, ignored);
    throw;
  }
}

base::Json read_checkpoint(const fs::path& folder, Optimizer& optimizer) {
  const fs::path file = folder / "trainer" / "state.json";
  const base::Json state = base::parse_json(base::read_file(file), {.file = file.string(), .line = 1});
  base::JsonFields fields(state, {.file = file.string()});
  if (fields.integer("version") != kVersion) {
    throw base::InputError({.file = file.string()}, "is of another version of this program",
                           "start a new run from its weights");
  }
  const base::Json* counters = fields.optional_value("counters");
  if (counters == nullptr) fields.refuse("counters", "is missing");
  optimizer.load(folder / "trainer", fields.integer("updates"));
  return *counters;
}

}  // namespace tritonrl::train
