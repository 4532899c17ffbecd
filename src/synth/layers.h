#pragma once

#include <string>

#include "synth/draft.h"
#include "synth/line_kernels.h"
#include "synth/window_kernels.h"

namespace tritonrl::synth {

// Operators with their layers and sizes, as families put them together.

// A norm of some kind along the last dimension of `shape`. `layer` names the module: "norm".
LineOperator& add_row_norm(Draft& draft, const Shape& shape, const std::string& layer = "norm");
// A group, instance or batch norm of (batch, channel, ...).
Operator& add_channel_norm(Draft& draft, const Shape& shape);
// A batch norm with fixed statistics. `channels` names the size.
Operator& add_batch_norm(Draft& draft, const Shape& shape, const std::string& layer, const std::string& channels);
// A product of arguments, or a linear layer, of sizes that it draws.
Operator& add_matmul(Draft& draft);
// A linear layer from the named size `in` to `out` over `rows` rows.
Operator& add_linear(Draft& draft, const std::string& layer, const std::string& in, const std::string& out,
                     std::int64_t rows);
Window draw_pool(Draft& draft, int dimensions);
// A convolution into as many channels as the size FILTERS says, which it declares.
WindowOperator& add_convolution(Draft& draft, int dimensions, const Shape& shape);

// The judged value of a size of the draft.
std::int64_t judged(const Draft& draft, const std::string& size);

}  // namespace tritonrl::synth
