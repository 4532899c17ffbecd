#include "cuda_arena.h"

#include <utility>

namespace tritonrl::guest {

void CudaArena::use(std::uint64_t base, std::uint64_t bytes) {
  base_ = base;
  bytes_ = bytes;
  pieces_.use(base, bytes);
}

std::uint64_t CudaArena::allocate(std::uint64_t bytes) {
  const std::uint64_t whole = (bytes + kGuard - 1) / kGuard * kGuard + 2 * kGuard;
  auto* const piece = pieces_.reserve(whole, kGuard);
  if (piece == nullptr) return 0;
  const std::uint64_t address = reinterpret_cast<std::uint64_t>(piece) + kGuard;
  const std::scoped_lock lock(mutex_);
  live_.insert(address);
  return address;
}

void CudaArena::shift(std::uint64_t bytes) {
  const std::scoped_lock lock(mutex_);
  if (left_free_ == nullptr && bytes > 0) left_free_ = pieces_.reserve(bytes, kGuard);
}

bool CudaArena::release(std::uint64_t address) {
  const std::scoped_lock lock(mutex_);
  if (live_.erase(address) == 0) return false;
  released_.push_back(address);
  return true;
}

void CudaArena::recycle() {
  const std::scoped_lock lock(mutex_);
  for (const std::uint64_t address : released_) pieces_.release(reinterpret_cast<void*>(address - kGuard));
  released_.clear();
  if (left_free_ != nullptr) pieces_.release(std::exchange(left_free_, nullptr));
}

}  // namespace tritonrl::guest
