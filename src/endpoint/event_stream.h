#pragma once

#include <optional>
#include <string_view>

#include "base/json.h"

namespace tritonrl::endpoint {

// The chunks of a streamed chat completion as the one object that the same request gives without streaming. Nothing
// where the stream ends early: neither [DONE] nor a finish_reason came, or a chunk is no JSON.
std::optional<base::Json> join_event_stream(std::string_view body);

}  // namespace tritonrl::endpoint
