#include "arena.h"

#include <sys/mman.h>

#include <iterator>

#include "verify/wire.h"

namespace tritonrl::guest {

bool Arena::map(int descriptor, std::uint64_t bytes) {
  auto* const base = reinterpret_cast<void*>(verify::wire::kArenaBase);
  void* const got =
      mmap(base, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, descriptor, 0);
  if (got != base) return false;
  use(verify::wire::kArenaBase, bytes);
  return true;
}

void Arena::use(std::uint64_t base, std::uint64_t bytes) {
  const std::scoped_lock lock(mutex_);
  gaps_ = {{base, bytes}};
}

void* Arena::reserve(std::uint64_t bytes, std::uint64_t alignment) {
  const std::scoped_lock lock(mutex_);
  for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
    const auto [begin, size] = *gap;
    const std::uint64_t address = (begin + alignment - 1) / alignment * alignment;
    if (address - begin > size || size - (address - begin) < bytes) continue;
    gaps_.erase(gap);
    if (address > begin) gaps_.emplace(begin, address - begin);
    if (begin + size > address + bytes) gaps_.emplace(address + bytes, begin + size - address - bytes);
    pieces_.emplace(address, bytes);
    return reinterpret_cast<void*>(address);
  }
  return nullptr;
}

void Arena::release(void* memory) {
  const std::scoped_lock lock(mutex_);
  const auto piece = pieces_.find(reinterpret_cast<std::uint64_t>(memory));
  if (piece == pieces_.end()) return;
  auto gap = gaps_.emplace(piece->first, piece->second).first;
  pieces_.erase(piece);
  if (const auto after = std::next(gap); after != gaps_.end() && gap->first + gap->second == after->first) {
    gap->second += after->second;
    gaps_.erase(after);
  }
  if (gap != gaps_.begin()) {
    const auto before = std::prev(gap);
    if (before->first + before->second == gap->first) {
      before->second += gap->second;
      gaps_.erase(gap);
    }
  }
}

}  // namespace tritonrl::guest
