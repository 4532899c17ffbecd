#include "tokenizer/definition_reader.h"

#include <fmt/format.h>

#include <iterator>
#include <limits>

#include "base/error.h"
#include "base/text.h"

namespace tritonrl::tokenizer {
namespace {

using base::Json;

constexpr std::size_t kDeepest = 64;
// Looking a key up in an ordered object takes as long as it has keys.
constexpr std::size_t kMostKeys = 1000;

// Iterates over the text and tells how far the parser has come.
struct TrackedText {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at;
  const char** seen;

  reference operator*() const { return *at; }
  TrackedText& operator++() {
    *seen = ++at;
    return *this;
  }
  friend bool operator==(const TrackedText& a, const TrackedText& b) { return a.at == b.at; }
};

}  // namespace

void DefinitionReader::read() {
  const char* begin = definition_.text.data();
  seen_ = begin;
  const TrackedText first{begin, &seen_};
  const TrackedText last{begin + definition_.text.size(), &seen_};
  Json::sax_parse(first, last, this);
}

std::size_t DefinitionReader::offset_of(const std::string& section) const {
  const auto found = sections_.find(section);
  return found == sections_.end() ? 0 : found->second;
}

std::size_t DefinitionReader::here() const {
  const auto read = static_cast<std::size_t>(seen_ - definition_.text.data());
  return read == 0 ? 0 : read - 1;
}

std::size_t DefinitionReader::start_of_string() const {
  const std::string_view text = definition_.text;
  std::size_t at = here();
  while (at > 0) {
    at = text.rfind('"', at - 1);
    std::size_t backslashes = 0;
    while (backslashes < at && text[at - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) break;
  }
  return at;
}

bool DefinitionReader::at_model_field(const char* name) const {
  return open_.size() == 2 && keys_[0] == "model" && keys_[1] == name;
}

bool DefinitionReader::value(Json value) {
  switch (part_) {
    case Part::kVocabulary:
      definition_.refuse(here(), fmt::format("the token '{}' has no integer id", base::printable(entry_)));
    case Part::kMerges:
      definition_.refuse(here(), "a merge is neither a text nor a pair");
    case Part::kMergePair:
      definition_.refuse(here(), "a side of a merge is no text");
    case Part::kRest:
      break;
  }
  if (open_.empty()) {
    rest_ = std::move(value);
  } else if (open_.back()->is_array()) {
    open_.back()->push_back(std::move(value));
  } else {
    (*open_.back())[keys_.back()] = std::move(value);
  }
  return true;
}

bool DefinitionReader::number_integer(number_integer_t number) {
  if (part_ != Part::kVocabulary) return value(number);
  definition_.vocabulary.push_back({std::move(entry_), definition_.token_id(number, here()), here()});
  return true;
}

bool DefinitionReader::number_unsigned(number_unsigned_t number) {
  constexpr auto kMost = static_cast<number_unsigned_t>(std::numeric_limits<number_integer_t>::max());
  return number_integer(static_cast<number_integer_t>(std::min(number, kMost)));
}

bool DefinitionReader::number_float(number_float_t number, const string_t& /*digits*/) { return value(number); }

bool DefinitionReader::string(string_t& text) {
  if (part_ == Part::kMergePair) {
    if (pair_.size() == 2) definition_.refuse(start_of_string(), "a merge of more than two sides");
    pair_.push_back(std::move(text));
    return true;
  }
  if (part_ != Part::kMerges) return value(std::move(text));
  if (text.starts_with("#version")) return true;
  const std::size_t space = text.find(' ');
  if (space == std::string::npos || text.find(' ', space + 1) != std::string::npos) {
    definition_.refuse(
        start_of_string(),
        fmt::format("'{}' is no merge: two tokens with one space between them were expected", base::printable(text)));
  }
  definition_.merges.push_back({text.substr(0, space), text.substr(space + 1), start_of_string()});
  return true;
}

bool DefinitionReader::binary(binary_t& /*bytes*/) { base::bug("JSON text holds no binary values"); }

void DefinitionReader::open(Json container) {
  if (open_.size() == kDeepest) definition_.refuse(here(), fmt::format("nested deeper than {} levels", kDeepest));
  if (open_.size() == 2 && keys_[0] == "added_tokens") added_offsets_.push_back(here());
  value(std::move(container));
  Json* top = open_.empty() ? &rest_ : open_.back();
  if (!open_.empty()) top = top->is_array() ? &top->back() : &(*top)[keys_.back()];
  open_.push_back(top);
  keys_.emplace_back();
}

void DefinitionReader::close() {
  open_.pop_back();
  keys_.pop_back();
}

bool DefinitionReader::start_object(std::size_t /*elements*/) {
  if (part_ == Part::kRest && at_model_field("vocab")) {
    if (has_vocabulary_) definition_.refuse(here(), "a second vocab");
    has_vocabulary_ = true;
    part_ = Part::kVocabulary;
    return true;
  }
  open(Json::object());
  return true;
}

bool DefinitionReader::key(string_t& name) {
  if (part_ == Part::kVocabulary) {
    entry_ = std::move(name);
    return true;
  }
  if (open_.back()->size() == kMostKeys) {
    definition_.refuse(start_of_string(), fmt::format("an object with more than {} keys", kMostKeys));
  }
  if (open_.size() == 1) sections_[name] = start_of_string();
  keys_.back() = std::move(name);
  return true;
}

bool DefinitionReader::end_object() {
  if (part_ == Part::kVocabulary) {
    part_ = Part::kRest;
  } else {
    close();
  }
  return true;
}

bool DefinitionReader::start_array(std::size_t /*elements*/) {
  if (part_ == Part::kMerges) {
    part_ = Part::kMergePair;
    pair_.clear();
    return true;
  }
  if (part_ == Part::kRest && at_model_field("merges")) {
    if (has_merges_) definition_.refuse(here(), "second merges");
    has_merges_ = true;
    part_ = Part::kMerges;
    return true;
  }
  open(Json::array());
  return true;
}

bool DefinitionReader::end_array() {
  if (part_ == Part::kMergePair) {
    if (pair_.size() != 2) definition_.refuse(here(), "a merge of fewer than two sides");
    definition_.merges.push_back({std::move(pair_[0]), std::move(pair_[1]), here()});
    part_ = Part::kMerges;
  } else if (part_ == Part::kMerges) {
    part_ = Part::kRest;
  } else {
    close();
  }
  return true;
}

// "[json.exception...] parse error at line 1, column 2: what is wrong"
bool DefinitionReader::parse_error(std::size_t position, const std::string& /*token*/,
                                   const nlohmann::detail::exception& error) {
  std::string_view message = error.what();
  for (const std::string_view marker : {"] ", ": "}) {
    const std::size_t at = message.find(marker);
    if (at != std::string_view::npos) message.remove_prefix(at + marker.size());
  }
  definition_.refuse(position == 0 ? 0 : position - 1, "not JSON: " + base::printable(message, 200), "repair the file");
}

}  // namespace tritonrl::tokenizer
