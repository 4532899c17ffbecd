#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "gpu/shared_memory.h"

namespace tritonrl::verify {

// Memory of a GPU for one guest at a time. What no allocation holds, holds the pattern: NaN in every floating-point
// format, and drawn at random, so that no kernel computes it.
struct CudaArena {
  CudaArena(int device, std::uint64_t bytes, std::uint64_t flush_bytes);

  gpu::SharedMemory memory;
  std::uint64_t bytes;        // for tensors
  std::uint64_t flush_bytes;  // behind them
  std::uint32_t pattern;
  std::uint64_t dirty = 0;  // so many bytes, from the first, may hold something else
};

// Arenas are dear to make and cheap to clean: they go from guest to guest. Safe from any thread of the context.
class CudaArenas {
 public:
  // Each of `bytes`, what is flushed included, unless that is more than half. `most`: so many are made before one is
  // used again, since a guest that was killed takes a while to go. More than are ever held at once.
  CudaArenas(int device, std::uint64_t bytes, std::size_t most);

  // Clean; give it back with a function that returns once the guest that had it is gone.
  std::shared_ptr<CudaArena> take();
  void give_back(std::shared_ptr<CudaArena> arena, std::function<void()> wait_for_guest);

 private:
  struct Returned {
    std::shared_ptr<CudaArena> arena;
    std::function<void()> wait_for_guest;
  };

  int device_;
  std::uint64_t bytes_;
  std::size_t most_;
  std::mutex mutex_;
  std::vector<Returned> returned_;  // the one that waits longest first
  std::size_t made_ = 0;
};

}  // namespace tritonrl::verify
