#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "synth/operator.h"
#include "task/task.h"

namespace tritonrl::synth {

// A size with a name, its value when speed is judged, and others to be right at: small ones, odd ones.
struct Size {
  std::string name;
  std::int64_t judged = 0;
  std::vector<std::int64_t> others;  // as many for every size of a problem: they vary together
};

// An argument of forward: "torch.randn" over named sizes; an index draws integers below `below`.
struct Argument {
  std::string name;
  std::vector<std::string> shape;  // names of sizes, or numbers
  std::string maker = "torch.randn";
  std::string below;
};

// What a task asks for, before it is text: operators one after the other, and where their tensors come from.
struct Problem {
  std::string family;
  int level = 1;
  Dtype dtype = Dtype::kFloat32;
  bool ieee = false;
  std::vector<Size> sizes;
  std::vector<Argument> arguments;                               // the first is x
  std::vector<std::pair<std::string, std::string>> constructor;  // parameter, and what get_init_inputs gives it
  std::vector<std::string> layers;  // lines of the constructor, the reference's and the solution's
  bool keeps_input = false;         // forward begins with residual = x
  std::vector<std::unique_ptr<Operator>> operators;

  // Equal for problems that differ in sizes and constants alone.
  std::string structure() const;
  // All schedules that the teacher knows for it, from poor to good.
  std::vector<Schedule> schedules() const;
  std::string constructor_text() const;  // of class Model or ModelNew, indented; empty when nothing is constructed
  std::string signature() const;         // "x, other"

  // The last argument: dimensions as judged, or the first of the small ones.
  task::Task task(const std::string& id, bool small_sizes) const;
};

}  // namespace tritonrl::synth
