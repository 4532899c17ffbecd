#pragma once

#include <cstdint>

// How attention is cut: blocks of queries against blocks of keys, whose products stay in the second-level cache.
namespace tritonrl::kernels::cpu {

inline constexpr std::int64_t kQueryBlock = 48;
inline constexpr std::int64_t kKeyBlock = 128;
inline constexpr std::int64_t kColumnStep = 64;  // rows of transposed keys are as long as a multiple of this

constexpr std::int64_t rounded_up(std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; }
constexpr std::int64_t padded_dim(std::int64_t head_dim) { return rounded_up(head_dim, 16); }

}  // namespace tritonrl::kernels::cpu
