#ifndef TRITONRL_HARNESS_MEMORY_H
#define TRITONRL_HARNESS_MEMORY_H

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <c10/core/Allocator.h>
#include <c10/core/StorageImpl.h>

#include "plugin_api.h"

namespace tritonrl::device {

// One allocation of the device. Its header and guard space lie before the data, guard space after it, so that an
// overrun of less than 512 bytes meets no other tensor.
struct Block {
  std::uint64_t bytes = 0;
  std::uint64_t capacity = 0;
  bool known = false;                   // to the executor
  bool counted = false;                 // as device memory
  std::atomic<bool> undefined = false;  // may hold bytes that nothing has written
  std::atomic<bool> reported = false;
};

const tritonrl_torch_executor& executor();
const tritonrl_torch_profile& profile();

// Sets the allocators of CUDA and CPU. The CPU's is torch's own, except in an operator of the device (InOperator):
// there a result is allocated in a Block, which a CUDA storage then adopts without a copy.
void install_memory(const tritonrl_torch_executor& executor, const tritonrl_torch_profile& profile);

// Forgets memory kept for reuse: it came from elsewhere than what is handed out from now on.
void forget_spare_memory();

class InOperator {
 public:
  InOperator();
  ~InOperator();
  InOperator(const InOperator&) = delete;
  InOperator& operator=(const InOperator&) = delete;
  InOperator(InOperator&&) = delete;
  InOperator& operator=(InOperator&&) = delete;

  // Whether this thread is in an operator of the device.
  static bool any();
};

c10::Allocator* cuda_allocator();
c10::Allocator* pinned_allocator();
c10::Allocator* cpu_allocator();

// The block that a storage's memory is, or null when it has none or it came from elsewhere.
Block* block_of(const c10::DataPtr& data);

// Turns memory that a CPU kernel allocated into memory of the device, its bytes written. Copies where it must.
c10::DataPtr adopt(c10::DataPtr data, std::size_t bytes);
// As adopt, for memory that someone else holds too.
c10::DataPtr copy_to_device(const void* data, std::size_t bytes);

bool owns(std::uint64_t address);
bool is_pinned(const void* data);

std::uint64_t memory_allocated();
std::uint64_t max_memory_allocated();
void reset_max_memory();

}  // namespace tritonrl::device

#endif
