#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/file.h"

namespace tritonrl::base {

using Json = nlohmann::ordered_json;

// Parses one JSON text. `where` is the place of its first byte: errors are InputErrors that count
// lines and columns from there. Nesting past 200 levels is refused.
Json parse_json(std::string_view text, const Place& where);

// One line of JSON, for JSONL and for machines. Invalid UTF-8 becomes U+FFFD, never an exception.
std::string json_line(const Json& value);

// The fields of one JSON object by name and type. A wrong type, a missing field and, at finish(),
// a field nobody asked for are InputErrors at `where`; the last names the nearest known field.
class JsonFields {
 public:
  JsonFields(const Json& object, Place where);

  std::string text(const std::string& key);
  std::int64_t integer(const std::string& key);
  std::optional<std::string> optional_text(const std::string& key);
  std::optional<std::int64_t> optional_integer(const std::string& key);
  std::optional<double> optional_number(const std::string& key);
  std::optional<bool> optional_boolean(const std::string& key);
  // The value as it stands, or nullptr; null counts as absent.
  const Json* optional_value(const std::string& key);

  void finish() const;
  [[noreturn]] void refuse(const std::string& key, const std::string& problem) const;
  [[noreturn]] void refuse_type(const std::string& key, const std::string& expected, const Json& found) const;

 private:
  const Json& object_;
  Place where_;
  std::vector<std::string> known_;
};

// Reads a JSONL file row by row; memory is bounded by the longest line allowed. Blank lines are
// skipped, a UTF-8 byte order mark too.
class JsonLines {
 public:
  struct Row {
    Json value;
    Place where;                     // file and line
    std::uint64_t offset_bytes = 0;  // of the line's start in the file
  };

  explicit JsonLines(std::filesystem::path path, std::size_t max_line_bytes = std::size_t{16} << 20);

  // The next row, or nothing at the end. InputError for a line that is no JSON or too long.
  std::optional<Row> next();

  // Goes on at a row met before, in this reader or another of the same file.
  void seek(const Place& where, std::uint64_t offset_bytes);

 private:
  // The next line without its end; nothing at the end of the file.
  std::optional<std::string_view> next_line();

  std::filesystem::path path_;
  std::size_t max_line_bytes_;
  UniqueFd fd_;
  std::string buffer_;
  std::size_t consumed_ = 0;               // bytes of buffer_ already handed out
  std::uint64_t buffer_offset_bytes_ = 0;  // of buffer_'s first byte in the file
  std::size_t line_ = 0;
  bool at_end_ = false;
};

}  // namespace tritonrl::base
