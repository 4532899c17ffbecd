#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "task/task.h"

namespace tritonrl::task {

// Many tasks: a folder with level1/, level2/... of KernelBench files, one such folder, a flat folder of .py files, or
// a JSONL file. Opening lists and checks names, fields and types; a reference's text is judged when it is loaded.
// Ids: level1/23 for level1/23_Softmax.py, the name without .py in a flat folder, "id" in JSONL.
class Suite {
 public:
  struct Entry {
    std::string id;
    int level = 0;
    std::string name;                // "Softmax" for level1/23_Softmax.py; otherwise the id
    base::Place where;               // the file, or the row
    std::uint64_t offset_bytes = 0;  // of the row
  };

  // InputError for what is no suite, holds no task, has a bad row, or gives two tasks one id.
  static Suite open(const std::filesystem::path& path);
  // The entries of a folder, those too that share an id.
  static std::vector<Entry> list(const std::filesystem::path& folder);

  const std::filesystem::path& path() const { return path_; }
  // In natural order (level1/9 before level1/10) for folders, in the file's order for JSONL.
  const std::vector<Entry>& entries() const { return entries_; }

  // By id, or by file name: "level1/23", "level1/23_Softmax". InputError names the nearest id.
  const Entry& find(std::string_view id) const;
  // Reads, parses and checks the reference and its dimensions.
  Task load(const Entry& entry) const;

 private:
  Suite(std::filesystem::path path, std::vector<Entry> entries, bool rows)
      : path_(std::move(path)), entries_(std::move(entries)), by_id_(index_of(entries_)), rows_(rows) {}

  static Suite open_rows(const std::filesystem::path& path);
  static Suite open_folder(const std::filesystem::path& path);
  using ById = std::map<std::string, std::size_t, std::less<>>;
  static ById index_of(const std::vector<Entry>& entries);

  std::filesystem::path path_;
  std::vector<Entry> entries_;
  ById by_id_;  // its place among the entries
  bool rows_ = false;
};

// A KernelBench file; its dimensions are the integer constants that its inputs depend on.
Task load_task_file(const std::filesystem::path& path);

// What people write for a task: a file, SUITE:ID or FILE.jsonl#ID.
Task load_task(std::string_view argument);

}  // namespace tritonrl::task
