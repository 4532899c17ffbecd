#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace tritonrl::synth {

using Blank = std::pair<std::string_view, std::string_view>;

// Python text with blanks to fill in: every $name$ becomes its value. A blank that stands alone on a line may be many
// lines, or none: they take the line's indentation.
std::string fill(std::string_view text, std::initializer_list<Blank> blanks);

// `text` with every line moved right by `spaces`.
std::string indented(std::string_view text, int spaces);

}  // namespace tritonrl::synth
