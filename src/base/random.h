#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace tritonrl::base {

using PhiloxBlock = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

// Philox4x32-10 (Salmon et al., 2011): four random words that depend on nothing but the arguments.
PhiloxBlock philox4x32(PhiloxBlock counter, PhiloxKey key);

// Random numbers as a function of (seed, stream, position): no hidden state, so a run that stores three integers
// resumes exactly, and streams never overlap. Copies continue independently. Not for secrets.
class Random {
 public:
  using result_type = std::uint32_t;

  explicit Random(std::uint64_t seed, std::uint64_t stream = 0, std::uint64_t position = 0)
      : seed_(seed), stream_(stream), position_(position) {}

  // 32-bit words drawn so far.
  std::uint64_t position() const { return position_; }

  std::uint32_t next_u32();
  std::uint64_t next_u64();
  double uniform();       // [0, 1), 53 random bits
  float uniform_float();  // [0, 1), 24 random bits
  double normal();        // mean 0, deviation 1; draws four words
  // Every value of [0, bound) equally likely; `bound` must not be 0.
  std::uint64_t below(std::uint64_t bound);
  // Every value of [low, high] equally likely; low <= high.
  std::int64_t between(std::int64_t low, std::int64_t high);

  template <typename T, std::size_t Extent>
  void shuffle(std::span<T, Extent> items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      using std::swap;
      swap(items[i - 1], items[below(i)]);
    }
  }

  // For <random> and <algorithm>; their distributions differ between standard libraries, ours do not.
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()() { return next_u32(); }

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t position_;
  PhiloxBlock block_{};
  bool block_valid_ = false;  // block_ is the one that position_ lies in
};

}  // namespace tritonrl::base
