#pragma once

#include <string>

#include "base/json.h"
#include "task/operator_graph.h"

namespace tritonrl::data {

// The graph of what a reference's call was seen to do (verify/survey.h, "operators"): views, copies, constants and
// metadata are left out, and what read them reads what they were made of.
task::OperatorGraph graph_of_recording(const base::Json& operators);

// What a task is about, for counting: the family of its first product, else of its last operator; empty for no graph.
std::string main_family(const task::OperatorGraph& graph);

}  // namespace tritonrl::data
