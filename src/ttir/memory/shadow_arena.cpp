#include "ttir/memory/shadow_arena.h"

#include <mutex>
#include <utility>

#include "base/error.h"

namespace tritonrl::ttir {
namespace {

constexpr std::size_t kSlabsKept = (std::size_t{128} << 20U) / ShadowArena::kSlabBytes;

// Slabs that no launch uses at present.
class SlabPool {
 public:
  ShadowArena::Slab take() {
    {
      const std::lock_guard lock(mutex_);
      if (!slabs_.empty()) {
        ShadowArena::Slab slab = std::move(slabs_.back());
        slabs_.pop_back();
        return slab;
      }
    }
    // NOLINTNEXTLINE(modernize-make-unique): make_unique would clear it
    return ShadowArena::Slab(new std::byte[ShadowArena::kSlabBytes]);
  }

  void give(std::vector<ShadowArena::Slab>& slabs) {
    const std::lock_guard lock(mutex_);
    while (!slabs.empty() && slabs_.size() < kSlabsKept) {
      slabs_.push_back(std::move(slabs.back()));
      slabs.pop_back();
    }
  }

 private:
  std::mutex mutex_;
  std::vector<ShadowArena::Slab> slabs_;
};

SlabPool& pool() {
  static SlabPool slabs;
  return slabs;
}

}  // namespace

ShadowArena::~ShadowArena() {
  if (!slabs_.empty()) pool().give(slabs_);
}

std::byte* ShadowArena::take(std::size_t bytes) {
  bytes = (bytes + 15) / 16 * 16;
  if (bytes > left_) {
    base::check(bytes <= kSlabBytes, "a piece of shadow is larger than a slab");
    slabs_.push_back(pool().take());
    next_ = slabs_.back().get();
    left_ = kSlabBytes;
  }
  std::byte* piece = next_;
  next_ += bytes;
  left_ -= bytes;
  return piece;
}

}  // namespace tritonrl::ttir
