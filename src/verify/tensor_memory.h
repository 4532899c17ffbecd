#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "verify/comparison.h"

namespace tritonrl::verify {

// Bytes as they were, where no guest can reach them.
struct Snapshot {
  std::shared_ptr<const std::byte> bytes;
  std::uint64_t size = 0;
};

// What the trusted side does with guests' memory. A pointer here is one that a GuestDevice gave: of this machine's
// memory or of a GPU's, which only the TensorMemory of that device may follow.
class TensorMemory {
 public:
  TensorMemory() = default;
  virtual ~TensorMemory() = default;
  TensorMemory(const TensorMemory&) = delete;
  TensorMemory& operator=(const TensorMemory&) = delete;
  TensorMemory(TensorMemory&&) = delete;
  TensorMemory& operator=(TensorMemory&&) = delete;

  virtual void copy(std::byte* to, const std::byte* from, std::uint64_t bytes) = 0;
  virtual Snapshot snapshot(const std::byte* from, std::uint64_t bytes) = 0;
  // Whether the bytes there are still those.
  virtual bool same(const std::byte* now, const Snapshot& then) = 0;
  virtual ComparisonReport compare(const TensorView& found, const ExpectedTensor& expected) = 0;
};

class HostMemory final : public TensorMemory {
 public:
  void copy(std::byte* to, const std::byte* from, std::uint64_t bytes) override;
  Snapshot snapshot(const std::byte* from, std::uint64_t bytes) override;
  bool same(const std::byte* now, const Snapshot& then) override;
  ComparisonReport compare(const TensorView& found, const ExpectedTensor& expected) override;
};

}  // namespace tritonrl::verify
