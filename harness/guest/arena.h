#ifndef TRITONRL_HARNESS_ARENA_H
#define TRITONRL_HARNESS_ARENA_H

#include <cstdint>
#include <map>
#include <mutex>

namespace tritonrl::guest {

// Memory of the shared arena, handed out in pieces: the first gap that is large enough. Thread-safe.
class Arena {
 public:
  // False when the arena cannot be mapped where the other side expects it.
  bool map(int descriptor, std::uint64_t bytes);
  // Hands out of a range that lies there already.
  void use(std::uint64_t base, std::uint64_t bytes);

  void* reserve(std::uint64_t bytes, std::uint64_t alignment);
  void release(void* memory);

 private:
  std::mutex mutex_;
  std::map<std::uint64_t, std::uint64_t> gaps_;    // by address
  std::map<std::uint64_t, std::uint64_t> pieces_;  // by address
};

}  // namespace tritonrl::guest

#endif
