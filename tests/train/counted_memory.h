#pragma once

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace tritonrl::tests {

// Counts the bytes of tensors on the CPU, from any thread, for as long as it lives.
class CountedMemory {
 public:
  CountedMemory() : before_(c10::GetCPUAllocator()) {
    held() = 0;
    most() = 0;
    static Counting counting;
    c10::SetCPUAllocator(&counting, kPriority);
  }
  ~CountedMemory() { c10::SetCPUAllocator(before_, kPriority); }
  CountedMemory(const CountedMemory&) = delete;
  CountedMemory& operator=(const CountedMemory&) = delete;
  CountedMemory(CountedMemory&&) = delete;
  CountedMemory& operator=(CountedMemory&&) = delete;

  // Of what was made since it began, less what is gone of it.
  static std::int64_t bytes() { return held(); }
  static std::int64_t peak_bytes() { return most(); }
  static void forget_peak() { most() = held().load(); }

 private:
  static constexpr std::uint8_t kPriority = 100;
  static constexpr std::size_t kHeader = 64;  // holds the size, and keeps the alignment

  static std::atomic<std::int64_t>& held() {
    static std::atomic<std::int64_t> bytes = 0;
    return bytes;
  }
  static std::atomic<std::int64_t>& most() {
    static std::atomic<std::int64_t> bytes = 0;
    return bytes;
  }

  struct Counting final : c10::Allocator {
    c10::DataPtr allocate(std::size_t size) override {
      auto* block = static_cast<char*>(std::aligned_alloc(kHeader, kHeader + (size + kHeader - 1) / kHeader * kHeader));
      std::memcpy(block, &size, sizeof(size));
      const std::int64_t now = held() += static_cast<std::int64_t>(size);
      most() = std::max(most().load(), now);
      return {block + kHeader, block + kHeader, &release, at::Device(at::kCPU)};
    }
    static void release(void* data) {
      auto* block = static_cast<char*>(data) - kHeader;
      std::size_t size = 0;
      std::memcpy(&size, block, sizeof(size));
      held() -= static_cast<std::int64_t>(size);
      std::free(block);
    }
    c10::DeleterFnPtr raw_deleter() const override { return &release; }
    void copy_data(void* target, const void* source, std::size_t size) const override {
      std::memcpy(target, source, size);
    }
  };

  c10::Allocator* before_;
};

}  // namespace tritonrl::tests
