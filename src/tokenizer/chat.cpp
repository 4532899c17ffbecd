#include "tokenizer/chat.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/json.h"
#include "base/text.h"

namespace tritonrl::tokenizer {
namespace {

constexpr std::string_view kThinkStart = "<think>";
constexpr std::string_view kThinkEnd = "</think>";
constexpr std::string_view kClosing = "<|im_end|>\n";
constexpr std::array<std::pair<std::string_view, Role>, 4> kRoles = {
    {{"system", Role::kSystem}, {"user", Role::kUser}, {"assistant", Role::kAssistant}, {"tool", Role::kTool}}};

std::string_view without_newlines_before(std::string_view text) {
  const std::size_t first = text.find_first_not_of('\n');
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

std::string_view without_newlines_after(std::string_view text) {
  const std::size_t last = text.find_last_not_of('\n');
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

struct Answer {
  std::string_view plan;
  std::string_view rest;
};

// The plan ends at the first </think>, the rest starts after the last one: so the template has it.
Answer split_answer(const Message& message) {
  const std::string_view content = message.content;
  if (message.reasoning) return {*message.reasoning, content};
  const std::size_t plan_end = content.find(kThinkEnd);
  if (plan_end == std::string_view::npos) return {{}, content};
  std::string_view plan = without_newlines_after(content.substr(0, plan_end));
  if (const std::size_t start = plan.rfind(kThinkStart); start != std::string_view::npos) {
    plan.remove_prefix(start + kThinkStart.size());
  }
  return {without_newlines_before(plan),
          without_newlines_before(content.substr(content.rfind(kThinkEnd) + kThinkEnd.size()))};
}

bool is_question(const Message& message) {
  if (message.role != Role::kUser) return false;
  return !(message.content.starts_with("<tool_response>") && message.content.ends_with("</tool_response>"));
}

std::size_t last_question(std::span<const Message> messages) {
  for (std::size_t i = messages.size(); i > 0; --i) {
    if (is_question(messages[i - 1])) return i - 1;
  }
  return messages.empty() ? 0 : messages.size() - 1;
}

std::string_view role_name(Role role) {
  for (const auto& [name, known] : kRoles) {
    if (known == role) return name;
  }
  base::bug("a role without a name");
}

std::string opening(Role role) { return fmt::format("<|im_start|>{}\n", role_name(role)); }

}  // namespace

std::string render_chat(std::span<const Message> messages, const ChatConfig& config) {
  const std::size_t question = last_question(messages);
  const auto is_tool = [&](std::size_t i) { return i < messages.size() && messages[i].role == Role::kTool; };
  std::string out;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Message& message = messages[i];
    switch (message.role) {
      case Role::kSystem:
      case Role::kUser:
        out += opening(message.role) + message.content;
        out += kClosing;
        break;
      case Role::kAssistant: {
        const Answer answer = split_answer(message);
        out += opening(message.role);
        if (i > question && (i + 1 == messages.size() || !answer.plan.empty())) {
          out +=
              fmt::format("<think>\n{}\n</think>\n\n{}", without_newlines_after(without_newlines_before(answer.plan)),
                          without_newlines_before(answer.rest));
        } else {
          out += answer.rest;
        }
        out += kClosing;
        break;
      }
      case Role::kTool:  // answers of several tools share a turn
        if (i == 0 || !is_tool(i - 1)) out += "<|im_start|>user";
        out += fmt::format("\n<tool_response>\n{}\n</tool_response>", message.content);
        if (!is_tool(i + 1)) out += kClosing;
        break;
    }
  }
  if (config.ask) {
    out += opening(Role::kAssistant);
    if (!config.thinking) out += "<think>\n\n</think>\n\n";
  }
  return out;
}

std::vector<Message> read_messages(std::string_view json, const base::Place& where) {
  const base::Json list = base::parse_json(json, where);
  if (!list.is_array() || list.empty()) throw base::InputError(where, "expected an array of messages");
  std::vector<Message> messages;
  for (const auto& value : list) {
    base::JsonFields fields(value, where);
    const std::string role = fields.text("role");
    Message message{.content = fields.text("content"), .reasoning = fields.optional_text("reasoning_content")};
    const auto* known =
        std::find_if(kRoles.begin(), kRoles.end(), [&](const auto& entry) { return entry.first == role; });
    if (known == kRoles.end()) {
      fields.refuse("role", fmt::format("'{}' is none of system, user, assistant, tool", base::printable(role)));
    }
    message.role = known->second;
    fields.finish();
    messages.push_back(std::move(message));
  }
  return messages;
}

}  // namespace tritonrl::tokenizer
