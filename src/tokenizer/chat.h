#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace tritonrl::tokenizer {

enum class Role { kSystem, kUser, kAssistant, kTool };

struct Message {
  Role role = Role::kUser;
  std::string content;
  std::optional<std::string> reasoning = {};  // an assistant's; otherwise what its content has in <think>
};

struct ChatConfig {
  bool ask = true;       // end with the start of an answer
  bool thinking = true;  // otherwise that answer starts after an empty think block
};

// The text that a Qwen3 model reads, as its chat template has it (ChatML): assistants' turns before the last question
// lose their reasoning. data/chat_template.jinja says the same to other programs; a test compares.
std::string render_chat(std::span<const Message> messages, const ChatConfig& config = {});

// Messages from JSON: [{"role", "content", "reasoning_content"?}...]. InputError at `where` for anything else.
std::vector<Message> read_messages(std::string_view json, const base::Place& where);

}  // namespace tritonrl::tokenizer
