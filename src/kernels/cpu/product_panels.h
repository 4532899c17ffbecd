#pragma once

#include <cstdint>

// How a weight is cut, whatever the instruction set. The last panel is as wide as it must be, in whole steps.
namespace tritonrl::kernels::cpu {

inline constexpr std::int64_t kPanelColumns = 48;
inline constexpr std::int64_t kPanelStep = 16;

struct Panel {
  std::int64_t first;  // column
  std::int64_t width;  // with the columns that fill up the last step
};

constexpr std::int64_t padded_columns(std::int64_t columns) {
  return (columns + kPanelStep - 1) / kPanelStep * kPanelStep;
}

// The one that `column`, of so many, lies in. Its floats begin after those of the columns before.
constexpr Panel panel_of(std::int64_t column, std::int64_t columns) {
  const std::int64_t first = column / kPanelColumns * kPanelColumns;
  const std::int64_t left = padded_columns(columns) - first;
  return {.first = first, .width = left < kPanelColumns ? left : kPanelColumns};
}

}  // namespace tritonrl::kernels::cpu
