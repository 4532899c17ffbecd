#include "apps/diagnostic.h"

#include <algorithm>
#include <ostream>
#include <string>

#include "base/text.h"

namespace tritonrl::apps {
namespace {

constexpr std::size_t kMaxLine = 160;  // longer lines are shown around the finding

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// As wide as `text`. Tabs stay tabs, so that what follows lands under what it marks.
std::string blank(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) result += c == '\t' ? '\t' : ' ';
  }
  return result;
}

}  // namespace

Colors colors_for(const base::Terminal& terminal) {
  if (!terminal.color) return {};
  return {"\x1b[1m", "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;32m", "\x1b[0m"};
}

std::size_t byte_of_column(std::string_view line, std::size_t column) {
  std::size_t at = 0;
  for (std::size_t seen = 1; at < line.size() && seen < column; ++seen) {
    ++at;
    while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80U) ++at;
  }
  return at;
}

void print_source_line(std::ostream& out, std::string_view line, const LineMark& mark, const Colors& colors) {
  std::size_t at = byte_of_column(line, mark.column);
  std::size_t cut = 0;
  if (line.size() > kMaxLine) {
    cut = at > kMaxLine / 2 ? at - kMaxLine / 2 : 0;
    line = line.substr(cut, kMaxLine);
    at -= cut;
  }
  const std::size_t begin = std::min(std::max(mark.begin, cut) - cut, at);
  const std::size_t end = std::min(std::max(mark.end, cut) - cut, line.size());
  std::string marks = blank(line.substr(0, begin));
  marks += colors.green;
  marks += std::string(code_points(line.substr(begin, at - begin)), '~');
  marks += '^';
  const std::size_t tail = end > at ? code_points(line.substr(at, end - at)) : 0;
  if (tail > 1) marks += std::string(tail - 1, '~');
  marks += colors.reset;
  std::string shown;
  for (const std::string_view part : base::split(line, '\t')) {
    shown += (shown.empty() && part.data() == line.data() ? "" : "\t") + base::printable(part, kMaxLine * 4);
  }
  const std::string number = std::to_string(mark.line);
  out << ' ' << number << " | " << shown << '\n';
  out << ' ' << std::string(number.size(), ' ') << " | " << marks << '\n';
}

void print_findings(std::ostream& out, std::string_view file, std::string_view source,
                    const analysis::StaticReport& report, const base::Terminal& terminal) {
  const Colors colors = colors_for(terminal);
  const base::LineIndex lines(source);
  for (const auto& layer : report.layers) {
    for (const auto& finding : layer.findings) {
      const bool rejects = finding.severity == analysis::Severity::kReject;
      out << colors.bold << file << ':' << finding.where.line << ':' << finding.where.column << ": "
          << (rejects ? colors.red : colors.yellow) << (rejects ? "reject" : "suspect") << colors.reset << ": "
          << base::printable(finding.message, 400) << " [" << finding.rule << "]\n";
      const std::string_view line = lines.line_text(finding.where.line);
      const std::size_t at = byte_of_column(line, finding.where.column);
      print_source_line(out, line, {finding.where.line, finding.where.column, at, at + finding.length}, colors);
    }
  }
  const auto* reason = report.reason();
  if (reason == nullptr) {
    out << colors.bold << file << ": " << colors.green << "accepted" << colors.reset << " by the static layers\n";
  } else {
    out << colors.bold << file << ": " << colors.red << "rejected" << colors.reset << ": " << reason->rule << '\n';
  }
}

}  // namespace tritonrl::apps
