#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace tritonrl::ttir {

// Memory for the shadow of one launch, taken from slabs that launches hand on to each other: small kernels are launched
// thousands of times a second. What it gives out is not cleared.
class ShadowArena {
 public:
  ShadowArena() = default;
  ~ShadowArena();
  ShadowArena(const ShadowArena&) = delete;
  ShadowArena& operator=(const ShadowArena&) = delete;

  static constexpr std::size_t kSlabBytes = std::size_t{256} << 10U;
  // At most kSlabBytes; aligned to 16.
  std::byte* take(std::size_t bytes);

  using Slab = std::unique_ptr<std::byte[]>;

 private:
  std::vector<Slab> slabs_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace tritonrl::ttir
