#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

// The only accesses to guest memory and to its shadow of definedness. Two programs may race on them by a fault of the
// kernel's, which is reported as the kernel's: ThreadSanitizer, where it is on, must not report it as ours. It checks
// every memcpy, whatever the attribute of the caller; hence the loops.
namespace tritonrl::ttir::guest {

#if defined(__SANITIZE_THREAD__)
#define TRITONRL_GUEST_RACES __attribute__((no_sanitize("thread"), noinline))
TRITONRL_GUEST_RACES inline void copy(void* to, const void* from, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) {
    static_cast<std::byte*>(to)[i] = static_cast<const std::byte*>(from)[i];
    asm volatile("" ::: "memory");  // or the compiler makes a memcpy of it
  }
}
TRITONRL_GUEST_RACES inline void set_defined(std::uint8_t* defined, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) {
    defined[i] = 1;
    asm volatile("" ::: "memory");
  }
}
TRITONRL_GUEST_RACES inline bool all_defined(const std::uint8_t* defined, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) {
    if (defined[i] == 0) return false;
  }
  return true;
}
TRITONRL_GUEST_RACES inline bool equal(const void* a, const void* b, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) {
    if (static_cast<const std::byte*>(a)[i] != static_cast<const std::byte*>(b)[i]) return false;
  }
  return true;
}
template <std::size_t kBytes>
bool lane_defined(const std::uint8_t* defined) {
  return all_defined(defined, kBytes);
}
#undef TRITONRL_GUEST_RACES
#else
inline void copy(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
inline void set_defined(std::uint8_t* defined, std::size_t bytes) { std::memset(defined, 1, bytes); }
inline bool all_defined(const std::uint8_t* defined, std::size_t bytes) {
  return std::memchr(defined, 0, bytes) == nullptr;
}
inline bool equal(const void* a, const void* b, std::size_t bytes) { return std::memcmp(a, b, bytes) == 0; }
template <std::size_t kBytes>
bool lane_defined(const std::uint8_t* defined) {
  using Word = std::conditional_t<
      kBytes == 8, std::uint64_t,
      std::conditional_t<kBytes == 4, std::uint32_t, std::conditional_t<kBytes == 2, std::uint16_t, std::uint8_t>>>;
  Word all;
  std::memcpy(&all, defined, kBytes);
  return all == static_cast<Word>(0x0101010101010101U);
}
#endif

}  // namespace tritonrl::ttir::guest
