#include "verify/cuda_arena.h"

#include <sys/random.h>

#include <algorithm>
#include <cerrno>

#include "base/error.h"
#include "gpu/device_bytes.h"

namespace tritonrl::verify {
namespace {

constexpr std::uint64_t kFlushBytes = std::uint64_t{256} << 20U;  // four times the second-level cache of an H200

std::uint32_t draw_pattern() {
  std::uint32_t drawn = 0;
  if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn) throw base::HostError::from_errno("draw a pattern", errno);
  // Both halves, and so the whole too: all exponent bits, and the first of the fraction.
  return (drawn & 0x803F'803FU) | 0x7FC0'7FC0U;
}

}  // namespace

CudaArena::CudaArena(int device, std::uint64_t given, std::uint64_t flush)
    : memory(device, given + flush), bytes(memory.bytes() - flush), flush_bytes(flush), pattern(draw_pattern()) {
  gpu::fill(memory.address(), memory.bytes(), pattern);
}

CudaArenas::CudaArenas(int device, std::uint64_t bytes, std::size_t most)
    : device_(device), bytes_(bytes), most_(most) {}

std::shared_ptr<CudaArena> CudaArenas::take() {
  Returned taken;
  {
    const std::scoped_lock lock(mutex_);
    if (made_ < most_) {
      ++made_;
    } else {
      base::check(!returned_.empty(), "there are more arenas than workers can hold");
      taken = std::move(returned_.front());
      returned_.erase(returned_.begin());
    }
  }
  if (!taken.arena) {
    const std::uint64_t for_tensors = bytes_ - std::min(kFlushBytes, bytes_ / 2);
    return std::make_shared<CudaArena>(device_, for_tensors, kFlushBytes);
  }
  taken.wait_for_guest();
  gpu::fill(taken.arena->memory.address(), taken.arena->dirty, taken.arena->pattern);
  taken.arena->dirty = 0;
  return std::move(taken.arena);
}

void CudaArenas::give_back(std::shared_ptr<CudaArena> arena, std::function<void()> wait_for_guest) {
  const std::scoped_lock lock(mutex_);
  returned_.push_back({.arena = std::move(arena), .wait_for_guest = std::move(wait_for_guest)});
}

}  // namespace tritonrl::verify
