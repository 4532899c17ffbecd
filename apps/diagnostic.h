#pragma once

#include <cstddef>
#include <iosfwd>
#include <string_view>

#include "analysis/static_check.h"
#include "base/terminal.h"

namespace tritonrl::apps {

struct Colors {
  std::string_view bold, red, yellow, green, reset;
};

// Empty where the terminal wants no colour.
Colors colors_for(const base::Terminal& terminal);

// What to mark on a line: a caret at `column`, which counts code points from 1, and tildes under `begin` to `end`,
// bytes of the line.
struct LineMark {
  std::size_t line = 0;
  std::size_t column = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The bytes before the `column`th code point.
std::size_t byte_of_column(std::string_view line, std::size_t column);

// The source line, and the mark under it. Long lines are shown around the caret.
void print_source_line(std::ostream& out, std::string_view line, const LineMark& mark, const Colors& colors);

// Prints a file's findings as a good compiler does: place, severity, message and rule, the source line, a caret.
void print_findings(std::ostream& out, std::string_view file, std::string_view source,
                    const analysis::StaticReport& report, const base::Terminal& terminal);

}  // namespace tritonrl::apps
