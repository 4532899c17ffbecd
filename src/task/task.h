#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace tritonrl::task {

// A size with a name: a module constant of the reference, an item of one ("shape[0]"), or a literal in get_inputs.
struct Dimension {
  std::string name;
  std::int64_t value = 0;
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

// Other values for some of a task's dimensions; the rest keep theirs.
using Variant = std::vector<Dimension>;

// How exactly products are computed where the reference says nothing: tf32 allowed, or IEEE fp32.
enum class Precision : std::uint8_t { kTf32, kIeee };

std::string_view precision_name(Precision precision);  // "tf32", "ieee"

// A problem to solve: a PyTorch reference in KernelBench's format, and what is known about its sizes.
struct Task {
  std::string id;
  int level = 0;       // 0: unknown
  std::string source;  // Python that defines Model, get_inputs and get_init_inputs
  std::string origin;  // where it comes from, for people
  std::vector<Dimension> dims;
  std::vector<Variant> variants;
  Precision precision = Precision::kTf32;
  std::optional<double> tolerance;
  std::string graph;  // what it computes (operator_graph.h), where that was recorded
  base::Place where;  // for errors: the file, or the JSONL row

  // Nothing is known that could be varied.
  bool fixed_shape() const { return dims.empty(); }
};

// The source with the variant's values in place of the task's: module constants, get_inputs and get_init_inputs
// together. InputError when the variant names no dimension of the task, or the source does not show where it is.
std::string rewritten_source(const Task& task, const Variant& variant);

// The task as one JSONL row, without its line end; load_task() reads it back equal.
std::string task_row(const Task& task);

}  // namespace tritonrl::task
