#include "apps/verify_report.h"

#include <fmt/format.h>

#include <string>

#include "apps/diagnostic.h"
#include "base/text.h"

namespace tritonrl::apps {
namespace {

using base::Json;

constexpr std::size_t kMostMessage = 600;

void print_finding(std::ostream& out, const Json& layer, const Json& finding, const base::LineIndex& lines,
                   const Colors& colors) {
  const bool rejects = finding.at("severity") == "reject";
  out << "  " << (rejects ? colors.red : colors.yellow) << (rejects ? "reject" : "suspect") << colors.reset << " in "
      << layer.at("name").get<std::string>() << ": "
      << base::printable(finding.at("message").get<std::string>(), kMostMessage) << " ["
      << finding.at("rule").get<std::string>() << "]\n";
  const auto number = finding.at("line").get<std::size_t>();
  if (number == 0 || number > lines.line_count()) return;
  const std::string_view line = lines.line_text(number);
  const std::size_t column = std::max<std::size_t>(finding.at("column").get<std::size_t>(), 1);
  const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
  const std::size_t at = column > 1 ? byte_of_column(line, column) : first;
  print_source_line(out, line, {.line = number, .column = column > 1 ? column : first + 1, .begin = at, .end = at + 1},
                    colors);
}

std::string speed_text(const Json& speedup) {
  if (!speedup.is_object()) return {};
  return fmt::format(", {:.2f} times the reference ({}: {:.1f} us against {:.1f} us)",
                     speedup.at("value").get<double>(), speedup.at("kind").get<std::string>(),
                     speedup.at("candidate_us").get<double>(), speedup.at("reference_us").get<double>());
}

}  // namespace

void print_verdict(std::ostream& out, const verify::Candidate& candidate, const Json& verdict,
                   const base::Terminal& terminal) {
  const Colors colors = colors_for(terminal);
  const std::string who = fmt::format("{} sample {}", candidate.task->id, candidate.sample);
  if (verdict.contains("error")) {
    out << who << ": " << colors.yellow << "not judged" << colors.reset << ": "
        << base::printable(verdict.at("error").get<std::string>(), kMostMessage) << '\n';
    return;
  }
  const bool accepted = verdict.at("accepted").get<bool>();
  out << colors.bold << who << colors.reset << ": " << (accepted ? colors.green : colors.red)
      << (accepted ? "accepted" : "rejected") << colors.reset;
  if (!accepted) out << " in " << verdict.at("stage").get<std::string>();
  out << speed_text(verdict.at("speedup"));
  if (accepted && verdict.at("general") == false) out << "; wrong at sizes that the task does not list";
  out << '\n';
  const base::LineIndex lines(candidate.text);
  for (const Json& layer : verdict.at("layers")) {
    for (const Json& finding : layer.at("findings")) print_finding(out, layer, finding, lines, colors);
  }
}

}  // namespace tritonrl::apps
