#pragma once

#include <string>

namespace tritonrl::apps {

// The key for endpoints: $TRITONRL_API_KEY, else $OPENAI_API_KEY, else none.
std::string api_key();

}  // namespace tritonrl::apps
