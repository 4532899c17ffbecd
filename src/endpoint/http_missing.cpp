#include "base/error.h"
#include "endpoint/http.h"

namespace tritonrl::endpoint {

bool can_speak_http() { return false; }

std::variant<HttpReply, HttpFailure> http(const HttpRequest& /*request*/) {
  throw base::HostError(
      "this build speaks to no endpoint: libcurl was not found when it was made (Debian: libcurl4-openssl-dev)");
}

}  // namespace tritonrl::endpoint
