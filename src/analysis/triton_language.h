#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tritonrl::analysis {

// What a Triton function does with data inside a kernel, from data/triton_language.txt.
enum class TritonClass : std::uint8_t { kLoad, kStore, kAtomic, kPointer, kIndex, kConstant, kCopy, kCompute, kMeta };

// By full path ("triton.language.load", "triton.language.tensor.to"); nothing if no supported Triton has it.
std::optional<TritonClass> find_triton_function(std::string_view path);

}  // namespace tritonrl::analysis
