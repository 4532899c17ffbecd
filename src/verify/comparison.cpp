#include "verify/comparison.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

namespace tritonrl::verify {
namespace {

struct Dtype {
  std::string_view name;
  std::size_t bytes;
  double step;  // of the smallest numbers that arithmetic keeps; 0: no floating-point type
  double largest;
};

// GPUs flush fp32 below 2^-126 to zero, and keep all of fp16.
constexpr Dtype kDtypes[] = {
    {"float64", 8, 0x1p-1022, 0x1.fffffffffffffp+1023},
    {"float32", 4, 0x1p-126, 0x1.fffffep+127},
    {"float16", 2, 0x1p-24, 65504},
    {"bfloat16", 2, 0x1p-126, 0x1.fep+127},
    {"int64", 8, 0, 0},
    {"int32", 4, 0, 0},
    {"int16", 2, 0, 0},
    {"int8", 1, 0, 0},
    {"uint8", 1, 0, 0},
    {"uint16", 2, 0, 0},
    {"uint32", 4, 0, 0},
    {"uint64", 8, 0, 0},
    {"bool", 1, 0, 0},
};

const Dtype* dtype_of(std::string_view name) {
  const auto* found = std::ranges::find(kDtypes, name, &Dtype::name);
  return found == std::end(kDtypes) ? nullptr : found;
}

double half_to_double(std::uint16_t bits) {
  const int exponent = bits >> 10U & 0x1F;
  const int fraction = bits & 0x3FF;
  double value = 0;
  if (exponent == 0x1F) {
    value = fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  } else if (exponent == 0) {
    value = std::ldexp(fraction, -24);
  } else {
    value = std::ldexp(1024 + fraction, exponent - 25);
  }
  return (bits & 0x8000U) != 0 ? -value : value;
}

template <typename T>
T read(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

double float_at(std::string_view dtype, const std::byte* at) {
  if (dtype == "float32") return read<float>(at);
  if (dtype == "float64") return read<double>(at);
  if (dtype == "float16") return half_to_double(read<std::uint16_t>(at));
  return std::bit_cast<float>(static_cast<std::uint32_t>(read<std::uint16_t>(at)) << 16U);
}

std::string shape_text(const std::vector<std::int64_t>& shape) { return fmt::format("({})", fmt::join(shape, ", ")); }

// Visits elements in row-major order: `visit(index, byte offset)`, until it returns false.
template <typename Visit>
void for_each_element(const TensorView& tensor, std::size_t item, Visit visit) {
  const std::int64_t count = tensor.elements();
  std::vector<std::int64_t> index(tensor.shape.size(), 0);
  std::int64_t offset = 0;
  for (std::int64_t n = 0; n < count; ++n) {
    if (!visit(n, static_cast<std::size_t>(offset) * item)) return;
    for (std::size_t d = index.size(); d-- > 0;) {
      offset += tensor.strides[d];
      if (++index[d] < tensor.shape[d]) break;
      offset -= tensor.strides[d] * tensor.shape[d];
      index[d] = 0;
    }
  }
}

std::string place_text(std::int64_t flat, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    index[d] = flat % shape[d];
    flat /= shape[d];
  }
  return fmt::format("[{}]", fmt::join(index, ", "));
}

FloatLimits limits_of(const Dtype& dtype) {
  // Half a unit above the largest number rounds to infinity.
  return {.step = dtype.step, .largest = dtype.largest, .slack = dtype.name == "float64" ? 0 : 0x1p-12};
}

// What a value becomes in a dtype's range: overflow is infinite.
double in_range(double value, const FloatLimits& limits) {
  const double most = limits.largest * (1 + limits.slack);
  return std::abs(value) > most ? std::copysign(std::numeric_limits<double>::infinity(), value) : value;
}

// Twin of trusted_kernels.py: compare_floats.
ComparisonReport compare_floats(const TensorView& found, const ExpectedTensor& expected, const Dtype& dtype) {
  const FloatLimits limits = limits_of(dtype);
  FloatErrors errors;
  for_each_element(found, dtype.bytes, [&](std::int64_t n, std::size_t offset) {
    const double got = float_at(dtype.name, found.data + offset);
    const auto exact = read<double>(expected.values + static_cast<std::size_t>(n) * sizeof(double));
    const double want = in_range(exact, limits);
    if (!std::isfinite(want) || !std::isfinite(got)) {
      const bool same = std::isnan(want) ? std::isnan(got) : want == got;
      // Next to the edge of the range, rounding may fall on either side of it.
      const bool at_edge = std::isinf(got) != std::isinf(want) && std::abs(exact) > limits.largest * 0.99 &&
                           std::abs(exact) < limits.largest * 1.01 && std::signbit(got) == std::signbit(exact);
      if (same || at_edge) return true;
      errors.strange = {.at = n, .found = got, .exact = exact};
      return false;
    }
    const double spread = std::max(expected.spread[n], limits.step);
    const double error = std::abs(got - want) / spread;
    errors.squares += error * error;
    ++errors.counted;
    if (error > errors.most) {
      errors.most = error;
      errors.worst = {.at = n, .found = got, .exact = exact};
    }
    return true;
  });
  return judge_errors(errors, found.shape, limits);
}

ComparisonReport compare_exactly(const TensorView& found, const ExpectedTensor& expected, const Dtype& dtype) {
  ComparisonReport report;
  for_each_element(found, dtype.bytes, [&](std::int64_t n, std::size_t offset) {
    const std::size_t at = static_cast<std::size_t>(n) * dtype.bytes;
    const auto equals = [&](const std::byte* values) {
      return std::memcmp(found.data + offset, values + at, dtype.bytes) == 0;
    };
    if (equals(expected.values) || std::ranges::any_of(expected.alternatives, equals)) return true;
    report.worst = std::numeric_limits<double>::infinity();
    report.mismatch = {"wrong-result", fmt::format("{} of {} has another value than the reference's",
                                                   place_text(n, found.shape), dtype.name)};
    return false;
  });
  return report;
}

}  // namespace

std::int64_t TensorView::elements() const {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return count;
}

std::optional<std::size_t> item_bytes(std::string_view dtype) {
  const Dtype* known = dtype_of(dtype);
  return known == nullptr ? std::nullopt : std::optional(known->bytes);
}

std::optional<std::uint64_t> span_bytes(const TensorView& tensor) {
  const auto item = item_bytes(tensor.dtype);
  if (!item || tensor.shape.size() != tensor.strides.size()) return std::nullopt;
  std::int64_t count = 1;
  std::int64_t last = 0;
  for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
    std::int64_t step = 0;
    if (tensor.shape[d] < 0 || tensor.strides[d] < 0) return std::nullopt;
    if (__builtin_mul_overflow(count, tensor.shape[d], &count)) return std::nullopt;
    if (__builtin_mul_overflow(tensor.shape[d] - 1, tensor.strides[d], &step)) return std::nullopt;
    if (__builtin_add_overflow(last, step, &last)) return std::nullopt;
  }
  if (count == 0) return 0;
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(static_cast<std::uint64_t>(last) + 1, *item, &bytes)) return std::nullopt;
  return bytes;
}

std::optional<FloatLimits> float_limits(std::string_view dtype) {
  const Dtype* known = dtype_of(dtype);
  if (known == nullptr || known->step == 0) return std::nullopt;
  return limits_of(*known);
}

ComparisonReport judge_errors(const FloatErrors& errors, const std::vector<std::int64_t>& shape,
                              const FloatLimits& limits) {
  ComparisonReport report{.mismatch = {}, .worst = errors.most, .rms = 0};
  if (errors.counted > 0) report.rms = std::sqrt(errors.squares / static_cast<double>(errors.counted));
  if (errors.strange.at >= 0) {
    report.mismatch = {"wrong-nan", fmt::format("{} is {} and should be {}", place_text(errors.strange.at, shape),
                                                errors.strange.found, in_range(errors.strange.exact, limits))};
  } else if (report.worst > kMostSpreads) {
    const auto& worst = errors.worst;
    report.mismatch = {
        "wrong-result",
        fmt::format("{} is {:.9g} and should be {:.9g}: off by {:.3g}, {:.1f} times what rounding explains",
                    place_text(worst.at, shape), worst.found, worst.exact, std::abs(worst.found - worst.exact),
                    report.worst)};
  } else if (errors.counted >= 32 && report.rms > kMostRms) {
    report.mismatch = {"wrong-result",
                       fmt::format("the {} elements are off by {:.1f} times what rounding explains, on average",
                                   errors.counted, report.rms)};
  }
  return report;
}

double float_value(std::string_view dtype, const std::byte* at) { return float_at(dtype, at); }

ComparisonReport compare(const TensorView& found, const ExpectedTensor& expected) {
  ComparisonReport report;
  if (found.shape != expected.shape) {
    report.mismatch = {"wrong-shape", fmt::format("the shape is {} and should be {}", shape_text(found.shape),
                                                  shape_text(expected.shape))};
    return report;
  }
  if (found.dtype != expected.dtype) {
    report.mismatch = {"wrong-dtype", fmt::format("the dtype is {} and should be {}", found.dtype, expected.dtype)};
    return report;
  }
  const Dtype* dtype = dtype_of(found.dtype);
  if (dtype == nullptr) {
    report.mismatch = {"wrong-dtype", fmt::format("the dtype {} cannot be compared", found.dtype)};
    return report;
  }
  return dtype->step > 0 ? compare_floats(found, expected, *dtype) : compare_exactly(found, expected, *dtype);
}

}  // namespace tritonrl::verify
