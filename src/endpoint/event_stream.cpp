#include "endpoint/event_stream.h"

#include <string>

#include "base/text.h"

namespace tritonrl::endpoint {
namespace {

using base::Json;

// What the chunks amount to so far.
struct Joined {
  std::string content;
  std::string reasoning;
  Json finish;
  Json usage;

  static void append(const Json& delta, const char* key, std::string& to) {
    const auto found = delta.find(key);
    if (found != delta.end() && found->is_string()) to += found->get<std::string>();
  }

  // False for a chunk that makes no sense.
  bool take(const Json& chunk) {
    if (!chunk.is_object() || chunk.contains("error")) return false;
    if (chunk.contains("usage") && chunk.at("usage").is_object()) usage = chunk.at("usage");
    if (!chunk.contains("choices") || !chunk.at("choices").is_array() || chunk.at("choices").empty()) return true;
    const Json& choice = chunk.at("choices")[0];
    if (!choice.is_object()) return false;
    if (choice.contains("delta") && choice.at("delta").is_object()) {
      append(choice.at("delta"), "content", content);
      append(choice.at("delta"), "reasoning_content", reasoning);
      append(choice.at("delta"), "reasoning", reasoning);
    }
    if (choice.contains("finish_reason") && choice.at("finish_reason").is_string()) finish = choice.at("finish_reason");
    return true;
  }

  Json completion() const {
    const Json message = {{"role", "assistant"}, {"content", content}, {"reasoning_content", reasoning}};
    Json choice = {{"index", 0}, {"message", message}, {"finish_reason", finish}};
    Json whole = {{"choices", Json::array({std::move(choice)})}};
    if (!usage.is_null()) whole["usage"] = usage;
    return whole;
  }
};

}  // namespace

std::optional<Json> join_event_stream(std::string_view body) {
  Joined joined;
  bool done = false;
  for (std::string_view line : base::split(body, '\n')) {
    line = base::strip(line);
    if (!line.starts_with("data:")) continue;  // comments and other fields
    line = base::strip(line.substr(5));
    done = line == "[DONE]";
    if (done) break;
    if (!joined.take(Json::parse(line, nullptr, false))) return std::nullopt;
  }
  if (!done && joined.finish.is_null()) return std::nullopt;
  return joined.completion();
}

}  // namespace tritonrl::endpoint
