#ifndef TRITONRL_HARNESS_CUDA_ARENA_H
#define TRITONRL_HARNESS_CUDA_ARENA_H

#include <cstdint>
#include <mutex>
#include <set>
#include <vector>

#include "arena.h"

namespace tritonrl::guest {

// Device memory for torch: pieces with free space on both sides, which the other side watches. What is freed is handed
// out again only after the command, so that nothing that was written in one is written over in it. Thread-safe.
class CudaArena {
 public:
  void use(std::uint64_t base, std::uint64_t bytes);

  // 0 when there is no room.
  std::uint64_t allocate(std::uint64_t bytes);
  // What is allocated until the next recycle() lies so much further on, where there is room.
  void shift(std::uint64_t bytes);
  // False when nothing was allocated there.
  bool release(std::uint64_t address);
  // What was released may be handed out again: between commands, or when the device is idle and memory short.
  void recycle();
  bool holds(std::uint64_t address) const { return address - base_ < bytes_; }

 private:
  static constexpr std::uint64_t kGuard = 512;

  std::uint64_t base_ = 0;
  std::uint64_t bytes_ = 0;
  Arena pieces_;
  std::mutex mutex_;
  std::set<std::uint64_t> live_;
  std::vector<std::uint64_t> released_;
  void* left_free_ = nullptr;
};

}  // namespace tritonrl::guest

#endif
