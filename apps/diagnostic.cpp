#include "apps/diagnostic.h"

#include <algorithm>
#include <ostream>
#include <string>

#include "base/text.h"

namespace tritonrl::apps {
namespace {

constexpr std::size_t kMaxLine = 160;  // longer lines are shown around the finding

struct Colors {
  std::string_view bold, red, yellow, green, reset;
};

Colors colors_for(const base::Terminal& terminal) {
  if (!terminal.color) return {};
  return {"\x1b[1m", "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;32m", "\x1b[0m"};
}

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// The bytes before the `column`th code point.
std::size_t byte_of_column(std::string_view line, std::size_t column) {
  std::size_t at = 0;
  for (std::size_t seen = 1; at < line.size() && seen < column; ++seen) {
    ++at;
    while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80U) ++at;
  }
  return at;
}

void print_source_line(std::ostream& out, const base::LineIndex& lines, const analysis::Finding& finding,
                       const Colors& colors) {
  std::string_view line = lines.line_text(finding.where.line);
  std::size_t at = std::min(byte_of_column(line, finding.where.column), line.size());
  if (line.size() > kMaxLine) {
    const std::size_t cut = at > kMaxLine / 2 ? at - kMaxLine / 2 : 0;
    line = line.substr(cut, kMaxLine);
    at -= cut;
  }
  const std::string number = std::to_string(finding.where.line);
  const std::size_t length = std::min<std::size_t>(finding.length, line.size() - std::min(at, line.size()));
  std::string mark(code_points(line.substr(0, at)), ' ');
  // Tabs stay tabs, so that the caret lands under what it marks.
  for (std::size_t i = 0, column = 0; i < at && column < mark.size(); ++i) {
    if (line[i] == '\t') mark[column] = '\t';
    if ((static_cast<unsigned char>(line[i]) & 0xC0U) != 0x80U) ++column;
  }
  mark += colors.green;
  mark += '^';
  const std::size_t tail = code_points(line.substr(std::min(at, line.size()), length));
  if (tail > 1) mark += std::string(tail - 1, '~');
  mark += colors.reset;
  std::string shown;
  for (const std::string_view part : base::split(line, '\t')) {
    shown += (shown.empty() && part.data() == line.data() ? "" : "\t") + base::printable(part, kMaxLine * 4);
  }
  out << ' ' << number << " | " << shown << '\n';
  out << ' ' << std::string(number.size(), ' ') << " | " << mark << '\n';
}

}  // namespace

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
      print_source_line(out, lines, finding, colors);
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
