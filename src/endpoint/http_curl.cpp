#include <curl/curl.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "base/error.h"
#include "endpoint/http.h"

namespace tritonrl::endpoint {
namespace {

constexpr std::size_t kMostReplyBytes = std::size_t{64} << 20;

struct Incoming {
  const HttpRequest& request;
  std::string body = {};
  bool too_large = false;
};

std::size_t take_body(const char* data, std::size_t size, std::size_t count, void* into) {
  auto& incoming = *static_cast<Incoming*>(into);
  if (incoming.body.size() + size * count > kMostReplyBytes) {
    incoming.too_large = true;
    return 0;
  }
  incoming.body.append(data, size * count);
  if (incoming.request.on_body) incoming.request.on_body({data, size * count});
  return size * count;
}

// Not 0 ends the transfer. libcurl asks a few times a second, also in silence.
int asks_to_end(void* cancelled, curl_off_t /*down*/, curl_off_t /*of*/, curl_off_t /*up*/, curl_off_t /*of*/) {
  return static_cast<const std::atomic<bool>*>(cancelled)->load() ? 1 : 0;
}

using Handle = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;
using Headers = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

Headers headers_of(const HttpRequest& request) {
  curl_slist* list = curl_slist_append(nullptr, "Content-Type: application/json");
  list = curl_slist_append(list, "Expect:");  // no second round trip for a large body
  if (!request.api_key.empty()) list = curl_slist_append(list, ("Authorization: Bearer " + request.api_key).c_str());
  return {list, &curl_slist_free_all};
}

void start_library() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw base::HostError("libcurl does not start");
  });
}

void set_options(CURL* curl, const HttpRequest& request, const Headers& headers, Incoming& incoming) {
  curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.connect_seconds * 1000));
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, static_cast<long>(std::max(1.0, request.silence_seconds)));
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &take_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &incoming);
  if (request.cancelled != nullptr) {
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, &asks_to_end);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, const_cast<std::atomic<bool>*>(request.cancelled));
  }
  if (request.body.empty()) return;
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.body.data());
}

}  // namespace

bool can_speak_http() { return true; }

std::variant<HttpReply, HttpFailure> http(const HttpRequest& request) {
  start_library();
  const Handle handle(curl_easy_init(), &curl_easy_cleanup);
  if (!handle) throw base::HostError("libcurl gives no handle");
  const Headers headers = headers_of(request);
  Incoming incoming{.request = request};
  CURL* curl = handle.get();
  set_options(curl, request, headers, incoming);
  const CURLcode code = curl_easy_perform(curl);
  if (incoming.too_large) return HttpFailure{"the answer is larger than 64 MiB"};
  if (code != CURLE_OK) return HttpFailure{curl_easy_strerror(code)};

  HttpReply reply;
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  reply.status = static_cast<int>(status);
  const char* type = nullptr;
  curl_easy_getinfo(curl, CURLINFO_CONTENT_TYPE, &type);
  if (type != nullptr) reply.content_type = type;
  curl_off_t wait_s = 0;  // a date is turned into seconds from now
  if (curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &wait_s) == CURLE_OK && wait_s > 0) {
    reply.retry_after_s = static_cast<double>(wait_s);
  }
  reply.body = std::move(incoming.body);
  return reply;
}

}  // namespace tritonrl::endpoint
