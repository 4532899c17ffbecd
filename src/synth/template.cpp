#include "synth/template.h"

#include <algorithm>

#include "base/error.h"

namespace tritonrl::synth {
namespace {

std::string_view value_of(std::string_view name, std::initializer_list<Blank> blanks) {
  for (const auto& [blank, value] : blanks)
    if (blank == name) return value;
  base::bug("a template has a blank that nobody fills: " + std::string(name));
}

// The only blank of a line that holds nothing else; empty when the line holds more.
std::string_view lone_blank(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(' ');
  if (begin == std::string_view::npos || line[begin] != '$') return {};
  const std::size_t end = line.find('$', begin + 1);
  return end + 1 == line.size() ? line.substr(begin + 1, end - begin - 1) : std::string_view();
}

void fill_line(std::string& out, std::string_view line, std::initializer_list<Blank> blanks) {
  std::size_t at = 0;
  while (at < line.size()) {
    const std::size_t begin = line.find('$', at);
    if (begin == std::string_view::npos) break;
    const std::size_t end = line.find('$', begin + 1);
    base::check(end != std::string_view::npos, "a template's blank does not end");
    out.append(line.substr(at, begin - at));
    out.append(value_of(line.substr(begin + 1, end - begin - 1), blanks));
    at = end + 1;
  }
  out.append(line.substr(at));
  out.push_back('\n');
}

}  // namespace

std::string indented(std::string_view text, int spaces) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    if (text.front() != '\n') out.append(static_cast<std::size_t>(spaces), ' ');
    out.append(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  if (!out.empty() && out.back() != '\n') out.push_back('\n');
  return out;
}

std::string fill(std::string_view text, std::initializer_list<Blank> blanks) {
  std::string out;
  out.reserve(text.size() * 2);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (const auto blank = lone_blank(line); !blank.empty()) {
      out += indented(value_of(blank, blanks), static_cast<int>(line.find('$')));
    } else {
      fill_line(out, line, blanks);
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

}  // namespace tritonrl::synth
