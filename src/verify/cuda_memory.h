#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/context.h"
#include "gpu/device_bytes.h"
#include "gpu/kernel.h"
#include "verify/compiler.h"
#include "verify/tensor_memory.h"

namespace tritonrl::verify {

// Guests' memory on a GPU, seen from a context of our own: comparisons are kernels of the harness, made by the trusted
// compiler. Safe from any thread that has made the context current. HostError when the GPU fails.
class CudaMemory final : public TensorMemory {
 public:
  CudaMemory(const gpu::Context& context, Compiler& compiler);
  ~CudaMemory() override;

  void copy(std::byte* to, const std::byte* from, std::uint64_t bytes) override;
  Snapshot snapshot(const std::byte* from, std::uint64_t bytes) override;
  bool same(const std::byte* now, const Snapshot& then) override;
  ComparisonReport compare(const TensorView& found, const ExpectedTensor& expected) override;

  struct Range {
    const std::byte* begin = nullptr;
    std::uint64_t bytes = 0;  // no more than kMostRange
  };
  static constexpr std::uint64_t kMostRange = 1024;
  // The first range that no longer holds the pattern, and the byte in it.
  std::optional<std::pair<std::size_t, std::uint64_t>> first_broken(std::span<const Range> ranges,
                                                                    std::uint32_t pattern);
  // Whether a whole word of the range holds the pattern.
  bool holds_word(const std::byte* begin, std::uint64_t bytes, std::uint32_t pattern);

 private:
  class Figures;

  const gpu::Kernel& kernel(const std::string& key);
  FloatErrors errors_of(const TensorView& found, const ExpectedTensor& expected, const FloatLimits& limits);
  ComparisonReport compare_on_host(const TensorView& found, const ExpectedTensor& expected);
  bool equal(const std::byte* left, const std::byte* right, std::uint64_t bytes);
  gpu::DevicePointer scratch(std::uint64_t bytes);

  const gpu::Context& context_;
  std::map<std::string, PendingCompile> compiling_;
  std::map<std::string, std::unique_ptr<gpu::Kernel>> kernels_;
  std::mutex mutex_;  // of kernels and scratch memory
  std::unique_ptr<gpu::DeviceBytes> scratch_;
};

}  // namespace tritonrl::verify
