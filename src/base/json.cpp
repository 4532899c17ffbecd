#include "base/json.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <utility>

#include "base/text.h"

namespace tritonrl::base {
namespace {

constexpr std::size_t kDeepest = 200;
constexpr std::size_t kReadBytes = std::size_t{256} << 10;

// The position in the file of byte `offset` of a text that starts at `start`.
Place place_in(std::string_view text, std::size_t offset, const Place& start) {
  const Position position = LineIndex(text).position(offset);
  const std::size_t first_line = start.line == 0 ? 1 : start.line;
  const std::size_t first_column = start.column == 0 ? 1 : start.column;
  return {.file = start.file,
          .line = first_line + position.line - 1,
          .column = position.line == 1 ? first_column + position.column - 1 : position.column};
}

// Offset of the bracket that opens level kDeepest + 1. Recursive code further on (dump, copies)
// must not meet a text that nests without end.
std::optional<std::size_t> too_deep_at(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) {
        return i;
      }
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return std::nullopt;
}

// "[json.exception...] parse error at line 1, column 2: syntax error while parsing value - ..."
std::string problem_of(const Json::parse_error& error) {
  std::string_view message = error.what();
  for (const std::string_view marker : {"] ", ": ", "syntax error while parsing "}) {
    const std::size_t at = message.find(marker);
    if (at != std::string_view::npos) {
      message.remove_prefix(at + marker.size());
    }
  }
  return "not JSON: in " + printable(message, 200);
}

std::string type_name(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "an array";
    case Json::value_t::string:
      return "a string";
    case Json::value_t::boolean:
      return "a boolean";
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
      return "an integer";
    case Json::value_t::number_float:
      return "a number with a fraction";
    case Json::value_t::binary:
    case Json::value_t::discarded:
      break;
  }
  bug("a parsed JSON text holds no such value");
}

}  // namespace

Json parse_json(std::string_view text, const Place& where) {
  if (const auto deep = too_deep_at(text)) {
    throw InputError(place_in(text, *deep, where), "JSON nested deeper than " + std::to_string(kDeepest) + " levels",
                     "flatten it");
  }
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    // `byte` counts from 1 and is the last byte read.
    const std::size_t offset = error.byte == 0 ? 0 : error.byte - 1;
    if (strip(text).empty()) {
      throw InputError(where, "empty where JSON was expected");
    }
    throw InputError(place_in(text, offset, where), problem_of(error), "repair the JSON");
  } catch (const Json::out_of_range& error) {
    throw InputError(where, "not JSON: " + printable(error.what(), 200), "repair the JSON");
  }
}

std::string json_line(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

JsonFields::JsonFields(const Json& object, Place where) : object_(object), where_(std::move(where)) {
  if (!object.is_object()) {
    throw InputError(where_, "expected an object, found " + type_name(object));
  }
}

const Json* JsonFields::optional_value(const std::string& key) {
  known_.push_back(key);
  const auto found = object_.find(key);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

std::optional<std::string> JsonFields::optional_text(const std::string& key) {
  const Json* value = optional_value(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (!value->is_string()) {
    refuse_type(key, "a string", *value);
  }
  return value->get<std::string>();
}

std::optional<std::int64_t> JsonFields::optional_integer(const std::string& key) {
  const Json* value = optional_value(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (!value->is_number_integer()) {
    refuse_type(key, "an integer", *value);
  }
  if (value->is_number_unsigned() &&
      value->get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    refuse(key, "is too large an integer");
  }
  return value->get<std::int64_t>();
}

std::optional<double> JsonFields::optional_number(const std::string& key) {
  const Json* value = optional_value(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (!value->is_number()) {
    refuse_type(key, "a number", *value);
  }
  return value->get<double>();
}

std::optional<bool> JsonFields::optional_boolean(const std::string& key) {
  const Json* value = optional_value(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (!value->is_boolean()) {
    refuse_type(key, "a boolean", *value);
  }
  return value->get<bool>();
}

std::string JsonFields::text(const std::string& key) {
  auto value = optional_text(key);
  if (!value) {
    throw InputError(where_, "field \"" + key + "\" is missing", "add it (a string)");
  }
  return *std::move(value);
}

std::int64_t JsonFields::integer(const std::string& key) {
  const auto value = optional_integer(key);
  if (!value) {
    throw InputError(where_, "field \"" + key + "\" is missing", "add it (an integer)");
  }
  return *value;
}

void JsonFields::finish() const {
  for (const auto& [key, value] : object_.items()) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) {
      continue;
    }
    const auto nearest = nearest_name(key, known_);
    throw InputError(where_, "unknown field \"" + printable(key) + "\"",
                     nearest ? "did you mean \"" + *nearest + "\"?" : "remove it");
  }
}

void JsonFields::refuse(const std::string& key, const std::string& problem) const {
  throw InputError(where_, "field \"" + key + "\" " + problem);
}

void JsonFields::refuse_type(const std::string& key, const std::string& expected, const Json& found) const {
  refuse(key, "should be " + expected + ", found " + type_name(found));
}

JsonLines::JsonLines(std::filesystem::path path, std::size_t max_line_bytes)
    : path_(std::move(path)), max_line_bytes_(max_line_bytes), fd_(open_for_reading(path_)) {}

std::optional<std::string_view> JsonLines::next_line() {
  std::size_t searched = consumed_;
  while (true) {
    const std::size_t end = buffer_.find('\n', searched);
    const std::size_t length = (end == std::string::npos ? buffer_.size() : end) - consumed_;
    if (length > max_line_bytes_) {
      throw InputError({.file = path_.string(), .line = line_ + 1},
                       "the line is longer than " + std::to_string(max_line_bytes_) + " bytes",
                       "one JSON object a line is expected");
    }
    if (end != std::string::npos || at_end_) {
      const std::string_view line = std::string_view(buffer_).substr(consumed_, length);
      const bool nothing_left = end == std::string::npos && length == 0;
      consumed_ += length + (end == std::string::npos ? 0 : 1);
      ++line_;
      return nothing_left ? std::nullopt : std::optional(line);
    }
    buffer_.erase(0, consumed_);
    buffer_offset_bytes_ += consumed_;
    consumed_ = 0;
    searched = buffer_.size();
    buffer_.resize(searched + kReadBytes);
    const std::size_t count = read_some(fd_.get(), buffer_.data() + searched, kReadBytes, path_);
    buffer_.resize(searched + count);
    at_end_ = count < kReadBytes;
  }
}

void JsonLines::seek(const Place& where, std::uint64_t offset_bytes) {
  if (::lseek(fd_.get(), static_cast<off_t>(offset_bytes), SEEK_SET) < 0) {
    throw HostError::from_errno("move in " + path_.string(), errno);
  }
  buffer_.clear();
  buffer_offset_bytes_ = offset_bytes;
  consumed_ = 0;
  line_ = where.line - 1;
  at_end_ = false;
}

std::optional<JsonLines::Row> JsonLines::next() {
  while (auto line = next_line()) {
    const std::uint64_t offset_bytes = buffer_offset_bytes_ + static_cast<std::uint64_t>(line->data() - buffer_.data());
    if (line_ == 1 && line->starts_with("\xEF\xBB\xBF")) {
      line->remove_prefix(3);
    }
    if (!strip(*line).empty()) {
      Json value = parse_json(*line, {.file = path_.string(), .line = line_});
      return Row{
          .value = std::move(value), .where = {.file = path_.string(), .line = line_}, .offset_bytes = offset_bytes};
    }
  }
  return std::nullopt;
}

}  // namespace tritonrl::base
