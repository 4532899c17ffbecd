#include "endpoint/completion.h"

#include <fmt/format.h>

#include "base/text.h"

namespace tritonrl::endpoint {
namespace {

using base::Json;

ChatFailure broken(std::string message) { return {.message = std::move(message), .wait_s = {}}; }

void append_text(const Json& object, const char* key, std::string& to) {
  const auto found = object.find(key);
  if (found != object.end() && found->is_string()) to += found->get<std::string>();
}

template <typename T>
void append_numbers(const Json& object, const char* key, std::vector<T>& to) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return;
  for (const Json& one : *found) {
    if (one.is_number()) to.push_back(one.get<T>());
  }
}

// A choice, whole or a chunk of it: `text` of completions, `message` or `delta` of chats.
void take_choice(const Json& choice, Completion& into) {
  append_text(choice, "text", into.text);
  for (const char* key : {"message", "delta"}) {
    const auto found = choice.find(key);
    if (found == choice.end() || !found->is_object()) continue;
    append_text(*found, "content", into.text);
    append_text(*found, "reasoning_content", into.reasoning);
    append_text(*found, "reasoning", into.reasoning);
  }
  if (const auto finish = choice.find("finish_reason"); finish != choice.end() && finish->is_string()) {
    into.finish = finish->get<std::string>();
  }
  append_numbers(choice, "token_ids", into.token_ids);
  if (into.prompt_ids.empty()) append_numbers(choice, "prompt_token_ids", into.prompt_ids);
  const auto log_probs = choice.find("logprobs");
  if (log_probs == choice.end() || !log_probs->is_object()) return;
  append_numbers(*log_probs, "token_logprobs", into.log_probs);
  const auto content = log_probs->find("content");
  if (content == log_probs->end() || !content->is_array()) return;
  for (const Json& token : *content) {
    if (token.is_object() && token.contains("logprob") && token.at("logprob").is_number()) {
      into.log_probs.push_back(token.at("logprob").get<float>());
    }
  }
}

// False for what makes no sense.
bool take_object(const Json& object, Completion& into) {
  if (!object.is_object() || object.contains("error")) return false;
  append_numbers(object, "prompt_token_ids", into.prompt_ids);
  const auto choices = object.find("choices");
  if (choices == object.end() || !choices->is_array() || choices->empty()) return true;
  if (!(*choices)[0].is_object()) return false;
  take_choice((*choices)[0], into);
  return true;
}

// The data of an event's line; nothing for other lines.
std::optional<std::string_view> event_data(std::string_view line) {
  line = base::strip(line);
  if (!line.starts_with("data:")) return std::nullopt;
  return base::strip(line.substr(5));
}

std::variant<Completion, ChatFailure> read_stream(std::string_view body) {
  Completion completion;
  for (const std::string_view line : base::split(body, '\n')) {
    const auto data = event_data(line);
    if (!data || *data == "[DONE]") continue;
    if (!take_object(Json::parse(*data, nullptr, false), completion)) {
      return broken("the stream holds what is no completion: " + base::printable(*data, 120));
    }
  }
  // [DONE] alone does not do: a server that fails sends it, too.
  if (completion.finish.empty()) return broken("the stream ends before the answer does");
  return completion;
}

std::variant<Completion, ChatFailure> read_whole(const std::string& body) {
  Completion completion;
  if (!take_object(Json::parse(body, nullptr, false), completion) || completion.finish.empty()) {
    return broken("no completion: " + base::printable(base::strip(body), 120));
  }
  return completion;
}

}  // namespace

std::string_view completion_path(const CompletionRequest& request) {
  return std::holds_alternative<std::vector<Message>>(request.prompt) ? "/chat/completions" : "/completions";
}

Json completion_body(const CompletionRequest& request) {
  Json body = {{"model", request.model}};
  const auto* messages = std::get_if<std::vector<Message>>(&request.prompt);
  if (messages != nullptr) {
    Json list = Json::array();
    for (const Message& message : *messages) list.push_back({{"role", message.role}, {"content", message.content}});
    body["messages"] = std::move(list);
  } else if (const auto* text = std::get_if<std::string>(&request.prompt)) {
    body["prompt"] = *text;
  } else {
    body["prompt"] = std::get<std::vector<std::int32_t>>(request.prompt);
  }
  body["max_tokens"] = request.max_tokens;
  body["temperature"] = request.temperature;
  body["top_p"] = request.top_p;
  body["stream"] = request.stream;
  if (request.min_p) body["min_p"] = *request.min_p;
  if (request.top_k) body["top_k"] = *request.top_k;
  if (request.seed) body["seed"] = *request.seed;
  if (!request.stop.empty()) body["stop"] = request.stop;
  if (!request.stop_ids.empty()) body["stop_token_ids"] = request.stop_ids;
  if (request.details) {
    body["return_token_ids"] = true;
    body["logprobs"] = messages != nullptr ? Json(true) : Json(0);
  }
  return body;
}

std::variant<Completion, ChatFailure> read_completion(const CompletionRequest& request, const HttpReply& reply) {
  if (reply.status != 200) return failure_of_status(reply);
  const bool streamed = reply.content_type.starts_with("text/event-stream") || reply.body.starts_with("data:");
  auto read = streamed ? read_stream(reply.body) : read_whole(reply.body);
  const auto* completion = std::get_if<Completion>(&read);
  if (completion == nullptr || !request.details) return read;
  if (completion->token_ids.empty() || completion->log_probs.size() != completion->token_ids.size()) {
    return ChatFailure{
        .kind = ChatFailure::Kind::kDenied,
        .message = fmt::format("the server gave {} token ids and {} log-probabilities; it must give as many of "
                               "each as tokens (vLLM does, with return_token_ids)",
                               completion->token_ids.size(), completion->log_probs.size()),
        .wait_s = {}};
  }
  return read;
}

void CompletionText::push(std::string_view bytes) {
  if (!on_text_) return;
  line_ += bytes;
  for (std::size_t end = line_.find('\n'); end != std::string::npos; end = line_.find('\n')) {
    const std::string line = line_.substr(0, end);
    line_.erase(0, end + 1);
    const auto data = event_data(line);
    Completion piece;
    if (!data || !take_object(Json::parse(*data, nullptr, false), piece)) continue;
    const std::string text = piece.reasoning + piece.text;
    if (text.empty()) continue;
    any_ = true;
    on_text_(text);
  }
}

}  // namespace tritonrl::endpoint
