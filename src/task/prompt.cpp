#include "task/prompt.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "task/prompts/bare.md.h"
#include "task/prompts/evaluation.md.h"
#include "task/prompts/example_kernel.py.h"
#include "task/prompts/example_task.py.h"
#include "task/prompts/level.md.h"
#include "task/prompts/sizes.md.h"
#include "task/prompts/training.md.h"

namespace tritonrl::task {
namespace {

std::string_view form_of(PromptKind kind) {
  switch (kind) {
    case PromptKind::kTraining:
      return kTrainingPrompt;
    case PromptKind::kEvaluation:
      return kEvaluationPrompt;
    case PromptKind::kBare:
      return kBarePrompt;
    case PromptKind::kLevel:
      return kLevelPrompt;
    case PromptKind::kSizes:
      return kSizesPrompt;
  }
  base::bug("every prompt has its file");
}

std::string sizes_text(const Task& task) {
  if (task.dims.empty()) return "at the sizes of get_inputs()";
  std::string text;
  for (const Dimension& dimension : task.dims) {
    text += fmt::format("{}{} = {}", text.empty() ? "at " : ", ", dimension.name, dimension.value);
  }
  return text;
}

// In one pass: what a value holds is never taken for a field.
std::string filled(std::string_view text, std::initializer_list<std::pair<std::string_view, std::string_view>> fields) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find("{{");
    const std::size_t close = open == std::string_view::npos ? open : text.find("}}", open);
    if (close == std::string_view::npos) break;
    out += text.substr(0, open);
    const std::string_view name = text.substr(open + 2, close - open - 2);
    bool known = false;
    for (const auto& [field, value] : fields) {
      if (field == name) out += value;
      known = known || field == name;
    }
    base::check(known, "a prompt names an unknown field");
    text.remove_prefix(close + 2);
  }
  out += text;
  return out;
}

bool is_letter(unsigned char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80; }
bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }
bool is_space(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_line_end(unsigned char c) { return c == '\n' || c == '\r'; }
bool is_other(unsigned char c) { return !is_letter(c) && !is_digit(c) && !is_space(c); }

// Walks a text by the alternatives of Qwen's split pattern, in their order.
class Pieces {
 public:
  explicit Pieces(std::string_view text) : text_(text) {}

  std::size_t count() {
    std::size_t pieces = 0;
    while (at_ < text_.size()) {
      if (!contraction() && !word() && !digit() && !punctuation()) blank();
      ++pieces;
    }
    return pieces;
  }

 private:
  unsigned char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? static_cast<unsigned char>(text_[at_ + ahead]) : 0;
  }
  bool has(std::size_t ahead) const { return at_ + ahead < text_.size(); }

  bool contraction() {
    if (peek() != '\'') return false;
    const auto lower = [this](std::size_t n) { return static_cast<char>(peek(n) | 0x20); };
    const std::string two = {lower(1), lower(2)};
    if (two == "re" || two == "ve" || two == "ll") {
      at_ += 3;
      return true;
    }
    const bool one = two[0] == 's' || two[0] == 't' || two[0] == 'm' || two[0] == 'd';
    if (one) at_ += 2;
    return one;
  }

  // Letters, with one character before them that is neither letter, digit nor line end.
  bool word() {
    std::size_t length = is_letter(peek()) ? 0 : 1;
    if (length == 1 && (is_digit(peek()) || is_line_end(peek()) || !has(1) || !is_letter(peek(1)))) return false;
    while (has(length) && is_letter(peek(length))) ++length;
    at_ += length;
    return true;
  }

  bool digit() {
    if (!is_digit(peek())) return false;
    ++at_;
    return true;
  }

  bool punctuation() {
    std::size_t length = peek() == ' ' ? 1 : 0;
    if (!has(length) || !is_other(peek(length))) return false;
    while (has(length) && is_other(peek(length))) ++length;
    while (has(length) && is_line_end(peek(length))) ++length;
    at_ += length;
    return true;
  }

  // Blanks up to the last line end among them; else all but the last, which belongs to what follows.
  void blank() {
    std::size_t length = 0;
    std::size_t through_line_end = 0;
    while (has(length) && is_space(peek(length))) {
      ++length;
      if (is_line_end(peek(length - 1))) through_line_end = length;
    }
    if (through_line_end > 0) {
      length = through_line_end;
    } else if (has(length) && length > 1) {
      --length;
    }
    at_ += length;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

PromptKind prompt_named(std::string_view name) {
  if (name == "training") return PromptKind::kTraining;
  if (name == "evaluation") return PromptKind::kEvaluation;
  base::check(name == "bare", "options and configurations know their prompts");
  return PromptKind::kBare;
}

std::string make_prompt(const Task& task, PromptKind kind) {
  const std::string source = task.source.ends_with('\n') ? task.source : task.source + '\n';
  return filled(form_of(kind), {{"task", source},
                                {"sizes", sizes_text(task)},
                                {"example_task", kExampleTask},
                                {"example_kernel", kExampleKernel}});
}

std::size_t count_pieces(std::string_view text) { return Pieces(text).count(); }

}  // namespace tritonrl::task
