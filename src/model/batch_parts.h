#pragma once

#include <vector>

#include "model/qwen3.h"

namespace tritonrl::model {

// The batch cut between requests into as many parts of about the same work, one for each thread: threads that compute a
// part each, from the first layer to the last, wait for each other once and not at every operator. The whole batch
// where a part would be too small to read all weights for: then threads share each operator.
std::vector<PagedBatch> parts_of(const PagedBatch& batch, const ModelConfig& config, int threads);

}  // namespace tritonrl::model
