#pragma once

#include <cstddef>
#include <cstdint>

#include "base/file.h"

namespace tritonrl::verify {

// Memory that a guest and the trusted side both see; the trusted side owns it. Pages cost nothing until touched.
class Arena {
 public:
  explicit Arena(std::uint64_t bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  Arena(Arena&&) = delete;
  Arena& operator=(Arena&&) = delete;

  int descriptor() const { return fd_.get(); }
  std::uint64_t bytes() const { return bytes_; }

  // Where [address, address + bytes) of the guest lies here; nullptr when that is not all inside the arena.
  std::byte* at(std::uint64_t address, std::uint64_t bytes) const;

 private:
  base::UniqueFd fd_;
  std::uint64_t bytes_;
  std::byte* memory_ = nullptr;
};

}  // namespace tritonrl::verify
