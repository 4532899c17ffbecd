#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace tritonrl::endpoint {

struct HttpRequest {
  std::string url;
  std::string body;     // JSON; empty: a GET
  std::string api_key;  // as a bearer token; empty: none
  double connect_seconds = 20;
  double silence_seconds = 600;                             // without a byte, after which nothing more is expected
  std::function<void(std::string_view)> on_body = nullptr;  // each piece of the answer, as it comes
  const std::atomic<bool>* cancelled = nullptr;             // set by another thread, it ends the request
};

// What a server said, all of it.
struct HttpReply {
  int status = 0;
  std::string content_type;
  std::optional<double> retry_after_s;
  std::string body;
};

// Nothing came, or less than was announced.
struct HttpFailure {
  std::string message;
};

// Whether the program was built with libcurl.
bool can_speak_http();

// Safe from any thread. HostError where the program was built without libcurl.
std::variant<HttpReply, HttpFailure> http(const HttpRequest& request);

}  // namespace tritonrl::endpoint
