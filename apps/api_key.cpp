#include "apps/api_key.h"

#include <cstdlib>

namespace tritonrl::apps {

std::string api_key() {
  for (const char* name : {"TRITONRL_API_KEY", "OPENAI_API_KEY"}) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): no thread runs yet
    if (value != nullptr && *value != '\0') return value;
  }
  return {};
}

}  // namespace tritonrl::apps
