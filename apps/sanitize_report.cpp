#include "apps/sanitize_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <exception>
#include <filesystem>
#include <ostream>

#include "apps/diagnostic.h"
#include "base/file.h"
#include "base/text.h"

namespace tritonrl::apps {
namespace {

using base::Json;

constexpr std::size_t kMaxMessage = 400;
constexpr std::size_t kMaxSourceBytes = std::size_t{16} << 20;

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string shown_place(const SourcePlace& place) {
  return base::Place{.file = shown_path(place.file), .line = place.line, .column = place.column}.text();
}

// Where memory lies differs from run to run and helps nobody: "of 4 bytes at 0x5600, past" is shown as "of 4 bytes,
// past".
std::string without_addresses(std::string_view message) {
  constexpr std::string_view kAddress = " at 0x";
  std::string result;
  while (true) {
    const std::size_t at = message.find(kAddress);
    result += message.substr(0, at);
    if (at == std::string_view::npos) return result;
    const std::size_t end = message.find_first_not_of("0123456789abcdef", at + kAddress.size());
    message = end == std::string_view::npos ? std::string_view() : message.substr(end);
  }
}

class Sources {
 public:
  // Empty when there is no such file or line: scripts may write kernels to files and delete them.
  std::string_view line(const SourcePlace& place) {
    auto [known, is_new] = texts_.try_emplace(place.file);
    if (is_new) {
      try {
        known->second = base::read_file(place.file, kMaxSourceBytes);
      } catch (const std::exception&) {
        known->second.clear();
      }
      indexes_.emplace(place.file, base::LineIndex(known->second));
    }
    return indexes_.at(place.file).line_text(place.line);
  }

 private:
  std::map<std::string, std::string> texts_;
  std::map<std::string, base::LineIndex> indexes_;
};

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

std::size_t name_begin(std::string_view line, std::size_t end) {
  while (end > 0 && is_name(line[end - 1])) --end;
  return end;
}

std::size_t closing(std::string_view line, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < line.size(); ++i) {
    if (line[i] == '(') ++depth;
    if (line[i] == ')' && --depth == 0) return i + 1;
  }
  return std::min(line.find_last_not_of(" \t\r") + 1, line.size());
}

bool is_access(std::string_view name) {
  name.remove_prefix(std::min(name.rfind('.') + 1, name.size()));
  return name == "load" || name == "store" || name == "device_assert" || name.starts_with("atomic_");
}

enum class Around : bool { kAccess, kAnyCall };

// Triton gives a call the place of its last argument. The call around it is what a reader looks for.
void widen_to_call(LineMark& mark, std::string_view line, std::size_t at, Around around) {
  int depth = 0;
  for (std::size_t i = at; i-- > 0;) {
    if (line[i] == ')') ++depth;
    if (line[i] != '(' || depth-- > 0) continue;
    const std::size_t begin = name_begin(line, i);
    if (begin < i && (around == Around::kAnyCall || is_access(line.substr(begin, i - begin)))) {
      mark.begin = begin;
      mark.end = closing(line, i);
    }
    return;
  }
}

LineMark mark_of(const SourcePlace& place, std::string_view line, Around around) {
  const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
  LineMark mark{.line = place.line, .column = place.column, .begin = first, .end = line.size()};
  if (place.column == 0) {
    mark.column = first + 1;
    return mark;
  }
  const std::size_t at = byte_of_column(line, place.column);
  mark.begin = mark.end = at;
  while (mark.end < line.size() && is_name(line[mark.end])) ++mark.end;
  widen_to_call(mark, line, at, around);
  return mark;
}

std::string program_text(const RunFinding& finding) {
  std::string text;
  if (!finding.kernel.empty()) text += "kernel " + finding.kernel;
  if (finding.program) text += fmt::format(", program ({})", fmt::join(*finding.program, ", "));
  if (finding.lane) text += fmt::format(", lane {}", *finding.lane);
  if (finding.occurrences > 1) text += fmt::format("; {}", counted(finding.occurrences, "time"));
  if (finding.launches > 1 && !finding.kernel.empty()) text += fmt::format(" in {} launches", finding.launches);
  return text;
}

class FindingPrinter {
 public:
  FindingPrinter(std::ostream& out, const base::Terminal& terminal) : out_(out), colors_(colors_for(terminal)) {}

  void print(const RunFinding& finding) {
    out_ << colors_.bold << shown_place(finding.where) << ": " << (finding.is_error ? colors_.red : colors_.yellow)
         << (finding.is_error ? "error" : "warning") << colors_.reset << ": "
         << base::printable(without_addresses(finding.message), kMaxMessage) << " [" << finding.rule << "]\n";
    print_line(finding.where, Around::kAccess);
    if (const std::string text = program_text(finding); !text.empty()) {
      out_ << "  " << base::printable(text, kMaxMessage) << '\n';
    }
    for (const SourcePlace& caller : finding.callers) {
      out_ << "  called from " << shown_place(caller) << '\n';
      print_line(caller, Around::kAnyCall);
    }
    print_launch(finding);
  }

 private:
  void print_line(const SourcePlace& place, Around around) {
    const std::string_view line = sources_.line(place);
    if (!base::strip(line).empty()) print_source_line(out_, line, mark_of(place, line, around), colors_);
  }

  void print_launch(const RunFinding& finding) {
    for (std::size_t i = 0; i < finding.launched_at.size(); ++i) {
      const SourcePlace& frame = finding.launched_at[i];
      // The place of a torch operator's finding is its Python line already.
      if (i == 0 && finding.kernel.empty()) continue;
      out_ << (i == 0 ? "  launched at " : "  called from ") << shown_place(frame);
      const std::string_view line = base::strip(sources_.line(frame));
      if (!line.empty()) out_ << ": " << base::printable(line, 100);
      out_ << '\n';
    }
  }

  std::ostream& out_;
  Colors colors_;
  Sources sources_;
};

std::string summary(const RunRecords& records) {
  const std::size_t errors = records.errors();
  const std::size_t warnings = records.findings().size() - errors;
  std::string text;
  if (errors > 0) text = counted(errors, "error");
  if (warnings > 0) text += (text.empty() ? "" : ", ") + counted(warnings, "warning");
  if (text.empty()) text = "no defect found";
  if (records.launches() == 0) return text + "; no Triton kernel was launched";
  return text + fmt::format(" in {} of {}",
                            records.launches() == 1 ? "1 launch" : fmt::format("{} launches", records.launches()),
                            counted(records.kernels().size(), "kernel"));
}

Json place_json(const SourcePlace& place) {
  Json json = {{"file", place.file}, {"line", place.line}};
  if (place.column > 0) json["column"] = place.column;
  if (!place.function.empty()) json["function"] = place.function;
  return json;
}

Json places_json(const std::vector<SourcePlace>& places) {
  Json json = Json::array();
  for (const SourcePlace& place : places) json.push_back(place_json(place));
  return json;
}

}  // namespace

std::string shown_path(const std::string& file) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  const std::filesystem::path inside = std::filesystem::path(file).lexically_relative(here);
  const bool below = !error && std::filesystem::path(file).is_absolute() && !inside.empty() && *inside.begin() != "..";
  return base::printable(below ? inside.string() : file, 4096);
}

void print_run(std::ostream& out, const std::string& script, const RunRecords& records, std::size_t most,
               const base::Terminal& terminal) {
  FindingPrinter printer(out, terminal);
  const auto& findings = records.findings();
  const std::size_t shown = most == 0 ? findings.size() : std::min(most, findings.size());
  for (std::size_t i = 0; i < shown; ++i) printer.print(findings[i]);
  if (shown < findings.size()) {
    out << fmt::format("{} more not shown (--max-findings {})\n", findings.size() - shown, most);
  }
  const Colors colors = colors_for(terminal);
  out << colors.bold << shown_path(script) << ": " << (records.errors() > 0 ? colors.red : colors.green)
      << summary(records) << colors.reset << '\n';
}

Json finding_json(const RunFinding& finding) {
  return {{"rule", finding.rule},
          {"severity", finding.is_error ? "error" : "warning"},
          {"file", finding.where.file.empty() ? Json() : Json(finding.where.file)},
          {"line", finding.where.line == 0 ? Json() : Json(finding.where.line)},
          {"column", finding.where.column == 0 ? Json() : Json(finding.where.column)},
          {"program", finding.program ? Json(*finding.program) : Json()},
          {"lane", finding.lane ? Json(*finding.lane) : Json()},
          {"message", finding.message},
          {"kernel", finding.kernel.empty() ? Json() : Json(finding.kernel)},
          {"callers", places_json(finding.callers)},
          {"launched_at", finding.launched_at.empty() ? Json() : place_json(finding.launched_at.front())},
          {"stack", places_json(finding.launched_at)},
          {"occurrences", finding.occurrences},
          {"launches", finding.kernel.empty() ? 0 : finding.launches}};
}

}  // namespace tritonrl::apps
