#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tritonrl::verify {

// A tensor in memory that we can read. Strides in elements.
struct TensorView {
  std::string dtype;  // torch's name without "torch."
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  const std::byte* data = nullptr;

  std::int64_t elements() const;
};

// Bytes of one element; nothing for a dtype that we do not know.
std::optional<std::size_t> item_bytes(std::string_view dtype);
// Bytes from a tensor's first element to behind its last; nothing when that overflows or a stride is negative.
std::optional<std::uint64_t> span_bytes(const TensorView& tensor);

// What one output should be. Floating-point: the exact values in fp64, and the spread that honest roundings give each.
// Others: the exact values, and what they become when the reference is rounded.
struct ExpectedTensor {
  std::string dtype;
  std::vector<std::int64_t> shape;
  const std::byte* values = nullptr;  // contiguous; fp64, or `dtype` where that is no floating-point type
  const double* spread = nullptr;
  std::vector<const std::byte*> alternatives;
};

struct Mismatch {
  std::string_view rule;  // wrong-shape, wrong-dtype, wrong-nan, wrong-result
  std::string message;
};

struct ComparisonReport {
  std::optional<Mismatch> mismatch;
  double worst = 0;  // largest error, in spreads
  double rms = 0;    // of errors, in spreads
};

struct FloatLimits {
  double step;  // of the smallest numbers that arithmetic keeps: half of it no relative error covers
  double largest;
  double slack;  // relative, above the largest, that still rounds to it
};
// Nothing for a dtype that is no floating-point type, or that we do not know.
std::optional<FloatLimits> float_limits(std::string_view dtype);

// What a walk over all elements of a floating-point output gives.
struct FloatErrors {
  struct Element {
    std::int64_t at = -1;
    double found = 0;
    double exact = 0;
  };
  double most = 0;     // error, in spreads, of finite elements
  double squares = 0;  // their sum
  std::int64_t counted = 0;
  Element worst;
  Element strange;  // finite and should not be, or the other way round
};
ComparisonReport judge_errors(const FloatErrors& errors, const std::vector<std::int64_t>& shape,
                              const FloatLimits& limits);
// The floating-point number in one element's bytes.
double float_value(std::string_view dtype, const std::byte* at);

// No share of elements may be wrong: each one counts, and the errors of all together must look like roundings.
ComparisonReport compare(const TensorView& found, const ExpectedTensor& expected);

// Whether two results are close enough to be the same by the same measure; used where a difference is wanted.
inline constexpr double kMostSpreads = 6.0;
inline constexpr double kMostRms = 2.0;

}  // namespace tritonrl::verify
