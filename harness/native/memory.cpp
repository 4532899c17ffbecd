#include "memory.h"

#include <bit>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <new>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>

namespace tritonrl::device {
namespace {

constexpr std::size_t kAlignment = 512;
constexpr std::size_t kGuard = 512;
constexpr std::size_t kBefore = kAlignment + kGuard;
constexpr std::size_t kMostBytes = std::size_t{1} << 46;
constexpr std::size_t kMostInQuarantine = 1024;
constexpr std::size_t kMostSpare = std::size_t{256} << 20;
static_assert(sizeof(Block) <= kAlignment);

tritonrl_torch_executor g_executor{};
tritonrl_torch_profile g_profile{};
thread_local int t_operators = 0;

struct Range {
  std::uint64_t bytes;
  bool pinned;
};

// Leaked: tensors are freed after static objects are gone.
struct Registry {
  std::mutex mutex;
  std::map<std::uint64_t, Range> ranges;
  std::unordered_set<void*> unadopted;  // data that the CPU allocator gave to an operator of the device
  std::deque<Block*> quarantine;
  std::uint64_t quarantined = 0;
  std::unordered_map<std::size_t, std::vector<Block*>> spare;  // out of quarantine, by capacity
  std::uint64_t spared = 0;
  std::uint64_t allocated = 0;
  std::uint64_t peak = 0;
};

Registry& registry() {
  static auto* instance = new Registry;
  return *instance;
}

void* data_of(Block* block) { return reinterpret_cast<char*>(block) + kBefore; }
std::uint64_t address_of(const void* data) { return reinterpret_cast<std::uint64_t>(data); }
Block* block_at(void* data) { return reinterpret_cast<Block*>(static_cast<char*>(data) - kBefore); }

// Fresh pages cost more than most operators, so memory is kept: small blocks in steps of the alignment, large ones in
// eighths of a power of two.
std::size_t capacity_for(std::size_t bytes) {
  constexpr std::size_t kLarge = std::size_t{1} << 20;
  const std::size_t step = bytes <= kLarge ? kAlignment : std::bit_floor(bytes) / 8;
  return (bytes + step - 1) & ~(step - 1);  // a step is a power of two
}

void* take_from_system(std::size_t bytes) {
  if (g_executor.reserve != nullptr) return g_executor.reserve(bytes, kAlignment);
  void* memory = nullptr;
  return posix_memalign(&memory, kAlignment, bytes) == 0 ? memory : nullptr;
}

void give_to_system(Block* block) {
  block->~Block();
  if (g_executor.release != nullptr) {
    g_executor.release(block);
  } else {
    std::free(block);
  }
}

// The registry is locked.
void keep_or_discard(Registry& all, Block* block) {
  if (all.spared + block->capacity > kMostSpare) {
    give_to_system(block);
    return;
  }
  all.spared += block->capacity;
  all.spare[block->capacity].push_back(block);
}

// The registry is locked.
Block* spare_block(Registry& all, std::size_t capacity) {
  const auto found = all.spare.find(capacity);
  if (found == all.spare.end() || found->second.empty()) return nullptr;
  Block* block = found->second.back();
  found->second.pop_back();
  all.spared -= capacity;
  return block;
}

Block* new_block(std::size_t bytes, bool unadopted) {
  TORCH_CHECK_WITH(OutOfMemoryError, bytes < kMostBytes, "CUDA out of memory. Tried to allocate ", bytes, " bytes.");
  const std::size_t capacity = capacity_for(bytes);
  auto& all = registry();
  const std::scoped_lock lock(all.mutex);
  void* memory = spare_block(all, capacity);
  if (memory == nullptr) memory = take_from_system(kBefore + capacity + kGuard);
  TORCH_CHECK_WITH(OutOfMemoryError, memory != nullptr, "CUDA out of memory. Tried to allocate ", bytes,
                   " bytes, which this machine does not have.");
  auto* block = new (memory) Block;
  block->bytes = bytes;
  block->capacity = capacity;
  if (unadopted) all.unadopted.insert(data_of(block));
  return block;
}

void make_known(Block* block, bool defined, bool pinned) {
  void* data = data_of(block);
  {
    auto& all = registry();
    const std::scoped_lock lock(all.mutex);
    if (!pinned) {
      TORCH_CHECK_WITH(OutOfMemoryError, all.allocated + block->bytes <= g_profile.memory_bytes,
                       "CUDA out of memory. Tried to allocate ", block->bytes, " bytes. GPU 0 has a total capacity of ",
                       g_profile.memory_bytes, " bytes, of which ", g_profile.memory_bytes - all.allocated,
                       " bytes are free.");
      all.allocated += block->bytes;
      if (all.allocated > all.peak) all.peak = all.allocated;
      block->counted = true;
    }
    all.ranges.emplace(address_of(data), Range{block->bytes, pinned});
    all.unadopted.erase(data);
  }
  block->known = true;
  block->undefined = !defined;
  g_executor.allocated(g_executor.device, address_of(data), block->bytes, defined ? 1 : 0,
                       pinned ? "pinned memory" : "cuda tensor");
}

void release(void* data) {
  Block* block = block_at(data);
  if (block->known) g_executor.freed(g_executor.device, address_of(data));
  auto& all = registry();
  const std::scoped_lock lock(all.mutex);
  if (!block->known) {
    all.unadopted.erase(data);
    keep_or_discard(all, block);
    return;
  }
  all.ranges.erase(address_of(data));
  if (block->counted) all.allocated -= block->bytes;
  all.quarantine.push_back(block);
  all.quarantined += block->capacity;
  while (all.quarantined > g_profile.quarantine_bytes || all.quarantine.size() > kMostInQuarantine) {
    Block* oldest = all.quarantine.front();
    all.quarantine.pop_front();
    all.quarantined -= oldest->capacity;
    keep_or_discard(all, oldest);
  }
}

const c10::Device kCuda(c10::DeviceType::CUDA, 0);
const c10::Device kCpu(c10::DeviceType::CPU);

c10::DataPtr pointer_to(Block* block, c10::Device device) {
  void* data = data_of(block);
  return {data, data, &release, device};
}

c10::DataPtr allocate_known(std::size_t bytes, bool defined, bool pinned) {
  const auto device = pinned ? kCpu : kCuda;
  if (bytes == 0) return {nullptr, device};
  Block* block = new_block(bytes, false);
  try {
    make_known(block, defined, pinned);
  } catch (...) {
    give_to_system(block);
    throw;
  }
  return pointer_to(block, device);
}

class CudaAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override { return allocate_known(bytes, false, false); }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* to, const void* from, std::size_t count) const override { std::memcpy(to, from, count); }
};

class PinnedAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override { return allocate_known(bytes, true, true); }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* to, const void* from, std::size_t count) const override { std::memcpy(to, from, count); }
};

class CpuAllocator final : public c10::Allocator {
 public:
  explicit CpuAllocator(c10::Allocator* base) : base_(base) { g_base_deleter = base->raw_deleter(); }
  c10::DataPtr allocate(std::size_t bytes) override {
    if (t_operators == 0 || bytes == 0) return base_->allocate(bytes);
    return pointer_to(new_block(bytes, true), kCpu);
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release_either; }
  void copy_data(void* to, const void* from, std::size_t count) const override { std::memcpy(to, from, count); }

 private:
  // oneDNN allocates through torch's raw interface and frees with nothing but the address.
  static void release_either(void* data) {
    bool ours = false;
    {
      auto& all = registry();
      const std::scoped_lock lock(all.mutex);
      ours = all.unadopted.contains(data);
    }
    if (ours) {
      release(data);
    } else {
      g_base_deleter(data);
    }
  }

  static inline c10::DeleterFnPtr g_base_deleter = nullptr;
  c10::Allocator* base_;
};

CpuAllocator* g_cpu_allocator = nullptr;

}  // namespace

const tritonrl_torch_executor& executor() { return g_executor; }
const tritonrl_torch_profile& profile() { return g_profile; }

void install_memory(const tritonrl_torch_executor& executor, const tritonrl_torch_profile& profile) {
  constexpr std::uint8_t kPriority = 100;
  g_executor = executor;
  g_profile = profile;
  g_cpu_allocator = new CpuAllocator(c10::GetCPUAllocator());
  c10::SetAllocator(c10::DeviceType::CUDA, cuda_allocator(), kPriority);
  c10::SetCPUAllocator(g_cpu_allocator, kPriority);
}

void forget_spare_memory() {
  auto& all = registry();
  const std::scoped_lock lock(all.mutex);
  all.spare.clear();
  all.spared = 0;
  all.quarantine.clear();
  all.quarantined = 0;
}

InOperator::InOperator() { ++t_operators; }
InOperator::~InOperator() { --t_operators; }
bool InOperator::any() { return t_operators != 0; }

c10::Allocator* cuda_allocator() {
  static auto* instance = new CudaAllocator;
  return instance;
}

c10::Allocator* pinned_allocator() {
  static auto* instance = new PinnedAllocator;
  return instance;
}

c10::Allocator* cpu_allocator() { return g_cpu_allocator; }

Block* block_of(const c10::DataPtr& data) {
  return data.get_deleter() == &release && data.get_context() != nullptr ? block_at(data.get_context()) : nullptr;
}

c10::DataPtr adopt(c10::DataPtr data, std::size_t bytes) {
  if (data.get() == nullptr) return {nullptr, kCuda};
  Block* block = block_of(data);
  if (block == nullptr || block->known || data.get() != data.get_context()) return copy_to_device(data.get(), bytes);
  make_known(block, true, false);
  data.unsafe_set_device(kCuda);
  return data;
}

c10::DataPtr copy_to_device(const void* data, std::size_t bytes) {
  auto copy = allocate_known(bytes, true, false);
  if (bytes != 0) std::memcpy(copy.get(), data, bytes);
  return copy;
}

bool owns(std::uint64_t address) {
  auto& all = registry();
  const std::scoped_lock lock(all.mutex);
  auto after = all.ranges.upper_bound(address);
  if (after == all.ranges.begin()) return false;
  const auto& [begin, range] = *--after;
  return address - begin < range.bytes;
}

bool is_pinned(const void* data) {
  auto& all = registry();
  const std::scoped_lock lock(all.mutex);
  auto after = all.ranges.upper_bound(address_of(data));
  if (after == all.ranges.begin()) return false;
  const auto& [begin, range] = *--after;
  return range.pinned && address_of(data) - begin < range.bytes;
}

std::uint64_t memory_allocated() {
  auto& all = registry();
  const std::scoped_lock lock(all.mutex);
  return all.allocated;
}

std::uint64_t max_memory_allocated() {
  auto& all = registry();
  const std::scoped_lock lock(all.mutex);
  return all.peak;
}

void reset_max_memory() {
  auto& all = registry();
  const std::scoped_lock lock(all.mutex);
  all.peak = all.allocated;
}

}  // namespace tritonrl::device
