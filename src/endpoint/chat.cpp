#include "endpoint/chat.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "endpoint/event_stream.h"

namespace tritonrl::endpoint {
namespace {

using base::Json;

// What a server says about an error, in a line.
std::string error_text(const HttpReply& reply) {
  const Json body = Json::parse(reply.body, nullptr, false);
  if (body.is_object()) {
    for (const char* key : {"error", "detail", "message"}) {
      const auto found = body.find(key);
      if (found == body.end()) continue;
      if (found->is_string()) return base::printable(found->get<std::string>(), 300);
      if (found->is_object() && found->contains("message")) return base::printable(found->at("message").dump(), 300);
    }
  }
  return base::printable(base::strip(reply.body), 300);
}

ChatFailure broken(std::string message) { return {.message = std::move(message), .wait_s = {}}; }

std::string text_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::int64_t count_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

// {"choices": [{"message": {...}}]}: the first choice, or nullptr.
const Json* first_choice(const Json& body) {
  if (!body.is_object() || !body.contains("choices")) return nullptr;
  const Json& choices = body.at("choices");
  if (!choices.is_array() || choices.empty() || !choices[0].is_object()) return nullptr;
  return choices[0].contains("message") && choices[0].at("message").is_object() ? &choices[0] : nullptr;
}

}  // namespace

ChatFailure failure_of_status(const HttpReply& reply) {
  using Kind = ChatFailure::Kind;
  Kind kind = Kind::kRefused;
  if (reply.status == 429 || reply.status == 503) {
    kind = Kind::kBusy;
  } else if (reply.status >= 500 || reply.status == 408) {
    kind = Kind::kBroken;
  } else if (reply.status == 401 || reply.status == 403 || reply.status == 404) {
    kind = Kind::kDenied;
  }
  return {.kind = kind,
          .message = fmt::format("status {}: {}", reply.status, error_text(reply)),
          .wait_s = reply.retry_after_s};
}

Json chat_body(const ChatRequest& request) {
  Json messages = Json::array();
  for (const Message& message : request.messages) {
    messages.push_back({{"role", message.role}, {"content", message.content}});
  }
  Json body = {{"model", request.model}, {"messages", std::move(messages)},  {"temperature", request.temperature},
               {"top_p", request.top_p}, {"max_tokens", request.max_tokens}, {"stream", request.stream}};
  if (request.stream) body["stream_options"] = {{"include_usage", true}};
  return body;
}

std::variant<ChatAnswer, ChatFailure> read_chat(const HttpReply& reply) {
  if (reply.status != 200) return failure_of_status(reply);
  const bool streamed = reply.content_type.starts_with("text/event-stream") || reply.body.starts_with("data:");
  Json body;
  if (streamed) {
    auto joined = join_event_stream(reply.body);
    if (!joined) return broken("the stream ends before the answer does");
    body = *std::move(joined);
  } else {
    body = Json::parse(reply.body, nullptr, false);
  }
  const Json* choice = first_choice(body);
  if (choice == nullptr) return broken("no chat completion: " + base::printable(base::strip(reply.body), 120));
  const Json& message = choice->at("message");
  ChatAnswer answer{.text = text_at(message, "content"),
                    .reasoning = text_at(message, "reasoning_content"),
                    .finish = text_at(*choice, "finish_reason")};
  if (answer.reasoning.empty()) answer.reasoning = text_at(message, "reasoning");
  if (answer.text.empty() && answer.reasoning.empty()) return broken("the answer is empty");
  if (const auto usage = body.find("usage"); usage != body.end() && usage->is_object()) {
    answer.prompt_tokens = count_at(*usage, "prompt_tokens");
    answer.completion_tokens = count_at(*usage, "completion_tokens");
    answer.counted = true;
  }
  return answer;
}

std::string response_text(const ChatAnswer& answer) {
  if (answer.reasoning.empty()) return answer.text;
  return fmt::format("<think>\n{}\n</think>\n\n{}", base::strip(answer.reasoning), answer.text);
}

}  // namespace tritonrl::endpoint
