#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ttir/ir/program.h"

namespace tritonrl::ttir {

enum class Severity : std::uint8_t { kWarning, kError };

// One defect that the sanitizer looks for. docs/sanitize.md has a section for each.
struct SanitizerRule {
  std::string_view id;
  Severity severity = Severity::kError;
  std::string_view sentence;
};

namespace rules {
inline constexpr SanitizerRule kOutOfBounds{"out-of-bounds", Severity::kError,
                                            "an access outside every live allocation"};
inline constexpr SanitizerRule kUseAfterFree{"use-after-free", Severity::kError, "an access to freed memory"};
inline constexpr SanitizerRule kNullPointer{"null-pointer", Severity::kError, "an access through a null pointer"};
inline constexpr SanitizerRule kOutsideTensor{"outside-tensor", Severity::kWarning,
                                              "an access outside the tensor that was passed, inside other memory"};
inline constexpr SanitizerRule kMisaligned{"misaligned-access", Severity::kError,
                                           "an address that is no multiple of the element's size"};
inline constexpr SanitizerRule kUninitialisedRead{"uninitialised-read", Severity::kError,
                                                  "a read of memory that nothing has written"};
inline constexpr SanitizerRule kUndefinedLane{
    "undefined-lane", Severity::kError, "a lane masked off without `other` reaches a store, an address or a branch"};
inline constexpr SanitizerRule kUnwrittenOutput{"unwritten-output", Severity::kError,
                                                "bytes of an output that no kernel wrote are read"};
inline constexpr SanitizerRule kDataRace{"data-race", Severity::kError,
                                         "two programs use the same memory, one writes, nothing orders them"};
inline constexpr SanitizerRule kSameValueRace{"same-value-race", Severity::kWarning,
                                              "two programs write the same value to the same memory"};
inline constexpr SanitizerRule kWrongDivisibility{"wrong-divisibility", Severity::kError,
                                                  "an argument is not divisible as the compiled kernel assumes"};
inline constexpr SanitizerRule kDivisionByZero{"division-by-zero", Severity::kError, "an integer divided by zero"};
inline constexpr SanitizerRule kDeviceAssert{"device-assert", Severity::kError, "a device_assert does not hold"};
inline constexpr SanitizerRule kStepBudget{"step-budget", Severity::kError, "the launch did not end within its budget"};
}  // namespace rules

using ProgramId = std::array<std::uint32_t, 3>;

// The first time a rule was broken at a location in a launch, and how often after that.
struct Finding {
  const SanitizerRule* rule = nullptr;
  LocationId location = 0;
  ProgramId program{};
  std::int64_t lane = -1;  // in row-major order of the tensor; -1: the finding is about no lane
  std::string message;
  std::uint64_t occurrences = 1;
};

}  // namespace tritonrl::ttir
