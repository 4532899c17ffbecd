#pragma once

#include <map>
#include <optional>
#include <string>

#include "task/task.h"

namespace tritonrl::data {

// Two tasks that are the same problem.
struct Overlap {
  std::string task;
  std::string with;
  std::string by;  // "tree": the same program but for names and numbers; "graph": the same operators, wired alike
};

// Tasks by what they are, whatever they are called and however large: for duplicates, and for keeping tests out of
// training.
class TaskIndex {
 public:
  // `name` is what overlaps call the task.
  void add(const std::string& name, const task::Task& task);
  // By tree, else by graph where both tasks have one.
  std::optional<Overlap> find(const task::Task& task) const;
  std::optional<Overlap> find_by_tree(const task::Task& task) const;

 private:
  std::map<std::string, std::string> trees_;
  std::map<std::string, std::string> graphs_;
};

}  // namespace tritonrl::data
