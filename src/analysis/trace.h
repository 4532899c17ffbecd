#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/kernel_flow.h"
#include "analysis/torch_ops.h"
#include "analysis/value.h"
#include "pysource/syntax_tree.h"

namespace tritonrl::analysis {

// What happens on the path from the entry (or, without an entry, anywhere in the file).
struct Trace {
  struct TorchOp {
    std::string_view name;
    OpClass cls;
    bool main;  // a main operator, as opposed to pointwise arithmetic
    bool in_handler;
    pysource::NodeId node;
  };
  struct Launch {
    const Value* kernel;
    pysource::NodeId node;
    const KernelSummary* flow;
  };
  // What one abstract call of the entry gave back.
  struct Call {
    const Value* entry = nullptr;
    int number = 0;  // of all calls, from 1
    Value* returned = nullptr;
    std::size_t launches = 0;
    std::size_t first_torch_op = 0;  // of torch_ops, up to the last
    std::size_t last_torch_op = 0;
  };
  std::vector<TorchOp> torch_ops;
  std::vector<Launch> launches;
  std::vector<Call> calls;
  std::vector<pysource::NodeId> launched_elsewhere;  // kernels that only __init__, backward and the like launch
  std::vector<pysource::NodeId> unresolved_calls;
};

}  // namespace tritonrl::analysis
