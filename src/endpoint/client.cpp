#include "endpoint/client.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include "base/error.h"

namespace tritonrl::endpoint {
namespace {

using base::Json;

constexpr double kMostAskedFor = 600;  // seconds that a server may make us wait

std::string base_of(const std::string& url) {
  if (!url.starts_with("http://") && !url.starts_with("https://")) {
    throw base::InputError({.file = url}, "is no endpoint", "give a URL such as http://localhost:8000/v1");
  }
  std::string base = url;
  while (base.ends_with('/')) base.pop_back();
  const std::string_view completions = "/chat/completions";
  if (base.ends_with(completions)) base.resize(base.size() - completions.size());
  const bool host_alone = base.find('/', base.find("//") + 2) == std::string::npos;
  return host_alone ? base + "/v1" : base;
}

double draw() {
  thread_local std::minstd_rand random{std::random_device{}()};
  return std::uniform_real_distribution<double>(0, 1)(random);
}

}  // namespace

double wait_after(int failed, const ClientConfig& config, const ChatFailure& failure, double chance) {
  const double doubled = std::min(config.first_wait_s * std::exp2(failed - 1), config.most_wait_s);
  const double own = doubled * (0.75 + 0.25 * chance);
  return std::max(own, std::min(failure.wait_s.value_or(0), kMostAskedFor));
}

Client::Client(ClientConfig config) : config_(std::move(config)), base_(base_of(config_.url)) {}

template <typename Read, typename Again>
auto Client::ask_again(const HttpRequest& request, const Read& read, const Again& again) const {
  for (int failed = 1;; ++failed) {
    const auto came = http(request);
    using Result = decltype(read(std::declval<const HttpReply&>()));
    Result result = std::holds_alternative<HttpReply>(came)
                        ? read(std::get<HttpReply>(came))
                        : Result(ChatFailure{.message = std::get<HttpFailure>(came).message, .wait_s = {}});
    const auto* failure = std::get_if<ChatFailure>(&result);
    if (failure == nullptr || !failure->retryable() || failed >= config_.tries) return result;
    using Clock = std::chrono::steady_clock;
    const std::chrono::duration<double> wait(wait_after(failed, config_, *failure, draw()));
    for (const auto start = Clock::now(); again() && Clock::now() - start < wait;) {
      std::this_thread::sleep_for(std::min(wait, std::chrono::duration<double>(0.05)));
    }
    if (!again()) return result;
  }
}

std::variant<ChatAnswer, ChatFailure> Client::ask(const ChatRequest& request) const {
  const HttpRequest asked{.url = base_ + "/chat/completions",
                          .body = base::json_line(chat_body(request)),
                          .api_key = config_.api_key,
                          .silence_seconds = config_.silence_seconds};
  return ask_again(asked, read_chat, [] { return true; });
}

std::variant<Completion, ChatFailure> Client::complete(const CompletionRequest& request,
                                                       const CompletionWatch& watch) const {
  CompletionText shown(watch.on_text);
  const HttpRequest asked{.url = base_ + std::string(completion_path(request)),
                          .body = base::json_line(completion_body(request)),
                          .api_key = config_.api_key,
                          .silence_seconds = config_.silence_seconds,
                          .on_body = [&shown](std::string_view piece) { shown.push(piece); },
                          .cancelled = watch.cancelled};
  return ask_again(
      asked, [&](const HttpReply& reply) { return read_completion(request, reply); },
      [&] { return !shown.any() && (watch.cancelled == nullptr || !watch.cancelled->load()); });
}

std::vector<std::string> Client::models() const {
  const auto came = http({.url = base_ + "/models", .body = "", .api_key = config_.api_key, .silence_seconds = 60});
  const auto* reply = std::get_if<HttpReply>(&came);
  if (reply == nullptr) {
    throw base::HostError(fmt::format("{} does not answer: {}", base_, std::get<HttpFailure>(came).message),
                          base::Retry::kYes);
  }
  std::vector<std::string> names;
  const Json body = Json::parse(reply->body, nullptr, false);
  if (body.is_object() && body.contains("data") && body.at("data").is_array()) {
    for (const Json& model : body.at("data")) {
      if (model.is_object() && model.contains("id") && model.at("id").is_string()) names.push_back(model.at("id"));
    }
  }
  if (names.empty()) throw base::HostError(fmt::format("{} lists no models; name one with --model", base_));
  return names;
}

}  // namespace tritonrl::endpoint
