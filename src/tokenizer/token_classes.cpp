#include "tokenizer/token_classes.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"

namespace tritonrl::tokenizer {
namespace {

constexpr std::string_view kThinkStart = "<think>";
constexpr std::string_view kThinkEnd = "</think>";

std::size_t plan_end(std::string_view bytes) {
  const std::size_t end = bytes.find(kThinkEnd);
  if (end != std::string_view::npos) return end + kThinkEnd.size();
  return base::strip(bytes).starts_with(kThinkStart) ? bytes.size() : 0;
}

}  // namespace

TokenSpans::TokenSpans(const Tokenizer& tokenizer, std::span<const TokenId> ids) {
  starts_.reserve(ids.size());
  for (const TokenId id : ids) {
    starts_.push_back(bytes_.size());
    bytes_ += tokenizer.bytes_of(id);
  }
}

std::pair<std::size_t, std::size_t> TokenSpans::tokens_in(std::size_t begin, std::size_t end) const {
  const auto index = [&](std::size_t byte) {
    return static_cast<std::size_t>(std::ranges::lower_bound(starts_, byte) - starts_.begin());
  };
  return {index(begin), index(std::max(begin, end))};
}

std::vector<TokenClass> classify(const TokenSpans& spans) {
  const std::size_t end = plan_end(spans.bytes());
  std::vector<TokenClass> classes(spans.size(), TokenClass::kCode);
  const auto [first, last] = spans.tokens_in(0, end);
  std::fill(classes.begin() + static_cast<std::ptrdiff_t>(first), classes.begin() + static_cast<std::ptrdiff_t>(last),
            TokenClass::kPlan);
  return classes;
}

}  // namespace tritonrl::tokenizer
