#include "data/adviser.h"

#include <algorithm>

#include "base/json.h"
#include "task/prompt.h"

namespace tritonrl::data {
namespace {

using base::Json;

constexpr std::int64_t kMostAdvised = std::int64_t{1} << 31U;

std::optional<task::Variant> variant_of(const Json& object, const task::Task& task) {
  if (!object.is_object() || object.empty()) return std::nullopt;
  task::Variant variant;
  for (const auto& [name, value] : object.items()) {
    const bool known = std::ranges::find(task.dims, name, &task::Dimension::name) != task.dims.end();
    if (!known || !value.is_number_integer()) return std::nullopt;
    variant.push_back({.name = name, .value = value.get<std::int64_t>()});
    if (variant.back().value < 1 || variant.back().value > kMostAdvised) return std::nullopt;
  }
  return variant;
}

// What a model says after it has thought.
std::string_view after_thinking(std::string_view answer) {
  const std::size_t end = answer.rfind("</think>");
  return end == std::string_view::npos ? answer : answer.substr(end + 8);
}

}  // namespace

std::optional<int> level_in(std::string_view answer) {
  answer = after_thinking(answer);
  const std::size_t digit = answer.find_last_of("0123456789");
  if (digit == std::string_view::npos || answer[digit] < '1' || answer[digit] > '3') return std::nullopt;
  return answer[digit] - '0';
}

std::vector<task::Variant> sizes_in(std::string_view answer, const task::Task& task) {
  answer = after_thinking(answer);
  const std::size_t end = answer.rfind(']');
  if (end == std::string_view::npos) return {};
  const std::size_t begin = answer.rfind('[', end);
  if (begin == std::string_view::npos) return {};
  const Json proposed = Json::parse(answer.substr(begin, end - begin + 1), nullptr, false);
  std::vector<task::Variant> variants;
  if (!proposed.is_array()) return variants;
  for (const Json& each : proposed) {
    if (auto variant = variant_of(each, task)) variants.push_back(*std::move(variant));
  }
  return variants;
}

std::optional<std::string> Adviser::ask(const std::string& prompt) const {
  const auto said = client_.ask({.model = model_,
                                 .messages = {{.role = "user", .content = prompt}},
                                 .temperature = 0,
                                 .top_p = 1,
                                 .max_tokens = 4096});
  if (const auto* answer = std::get_if<endpoint::ChatAnswer>(&said)) return answer->text;
  return std::nullopt;
}

std::optional<int> Adviser::level(const task::Task& task) const {
  const auto answer = ask(task::make_prompt(task, task::PromptKind::kLevel));
  return answer ? level_in(*answer) : std::nullopt;
}

std::vector<task::Variant> Adviser::sizes(const task::Task& task) const {
  if (task.dims.empty()) return {};
  const auto answer = ask(task::make_prompt(task, task::PromptKind::kSizes));
  return answer ? sizes_in(*answer, task) : std::vector<task::Variant>();
}

}  // namespace tritonrl::data
