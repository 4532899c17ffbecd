#include "base/random.h"

#include <cmath>
#include <numbers>

#include "base/error.h"

namespace tritonrl::base {
namespace {

__extension__ using u128 = unsigned __int128;

std::uint32_t low_word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high_word(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32U); }

}  // namespace

PhiloxBlock philox4x32(PhiloxBlock counter, PhiloxKey key) {
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53;
  constexpr std::uint64_t kMultiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9;
  constexpr std::uint32_t kWeyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = kMultiplier0 * counter[0];
    const std::uint64_t product1 = kMultiplier1 * counter[2];
    counter = {high_word(product1) ^ counter[1] ^ key[0], low_word(product1), high_word(product0) ^ counter[3] ^ key[1],
               low_word(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

std::uint32_t Random::next_u32() {
  const auto lane = static_cast<std::size_t>(position_ % 4);
  if (lane == 0 || !block_valid_) {
    const std::uint64_t index = position_ / 4;
    block_ = philox4x32({low_word(index), high_word(index), low_word(stream_), high_word(stream_)},
                        {low_word(seed_), high_word(seed_)});
    block_valid_ = true;
  }
  ++position_;
  return block_[lane];
}

std::uint64_t Random::next_u64() {
  const std::uint64_t high = next_u32();
  return (high << 32U) | next_u32();
}

double Random::uniform() { return static_cast<double>(next_u64() >> 11U) * 0x1p-53; }

float Random::uniform_float() { return static_cast<float>(next_u32() >> 8U) * 0x1p-24F; }

double Random::normal() {
  // Box-Muller, one of the pair only: keeping the other would be hidden state.
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

std::uint64_t Random::below(std::uint64_t bound) {
  check(bound != 0, "Random::below(0) has no value to return");
  // Lemire 2019: the high half of a product, with the few biased low halves drawn again.
  u128 product = static_cast<u128>(next_u64()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t threshold = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < threshold) {
      product = static_cast<u128>(next_u64()) * bound;
    }
  }
  return static_cast<std::uint64_t>(product >> 64U);
}

std::int64_t Random::between(std::int64_t low, std::int64_t high) {
  check(low <= high, "Random::between needs low <= high");
  const std::uint64_t width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  const std::uint64_t offset = width == 0 ? next_u64() : below(width);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

}  // namespace tritonrl::base
