#include "gpu/shared_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "gpu/context.h"
#include "gpu/device_bytes.h"
#include "gpu_test.h"

namespace tritonrl::gpu {
namespace {

class SharedMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_gpu()) GTEST_SKIP() << "there is no GPU";
    context_ = std::make_unique<Context>(0);
  }

  std::unique_ptr<Context> context_;
};

TEST_F(SharedMemoryTest, HoldsWhatIsCopiedThere) {
  const SharedMemory memory(0, 1 << 20);
  EXPECT_GE(memory.bytes(), std::uint64_t{1} << 20U);
  EXPECT_GE(memory.descriptor(), 0);
  std::vector<std::uint8_t> given(1000);
  std::iota(given.begin(), given.end(), std::uint8_t{0});
  copy_to_device(memory.address() + 3, given.data(), given.size());
  copy_on_device(memory.address() + 5000, memory.address() + 3, given.size());
  std::vector<std::uint8_t> found(1000);
  copy_to_host(found.data(), memory.address() + 5000, found.size());
  EXPECT_EQ(found, given);
}

TEST_F(SharedMemoryTest, AnotherMappingOfTheDescriptorSeesTheSameBytes) {
  const SharedMemory memory(0, 1 << 20);
  const DriverApi& api = Driver::get().api();
  fill(memory.address(), 4096, 0x01020304);
  AllocationHandle handle = 0;
  DevicePointer address = 0;
  ASSERT_EQ(api.cuMemImportFromShareableHandle(&handle, as_pointer(static_cast<DevicePointer>(memory.descriptor())), 1),
            kSuccess);
  ASSERT_EQ(api.cuMemAddressReserve(&address, memory.bytes(), 0, 0x2000'0000'0000, 0), kSuccess);
  ASSERT_EQ(api.cuMemMap(address, memory.bytes(), 0, handle, 0), kSuccess);
  const AccessDescription access;
  ASSERT_EQ(api.cuMemSetAccess(address, memory.bytes(), &access, 1), kSuccess);
  RecordProperty("address", std::to_string(address));
  std::uint32_t found = 0;
  copy_to_host(&found, address + 4092, 4);
  EXPECT_EQ(found, 0x01020304U);
  api.cuMemUnmap(address, memory.bytes());
  api.cuMemAddressFree(address, memory.bytes());
  api.cuMemRelease(handle);
}

TEST_F(SharedMemoryTest, PatternsDoNotDependOnWhereARangeBegins) {
  const DeviceBytes memory(64);
  fill(memory.address(), 64, 0);
  fill(memory.address() + 5, 22, 0xDDCCBBAA);
  std::vector<std::uint8_t> found(64);
  copy_to_host(found.data(), memory.address(), found.size());
  constexpr std::uint8_t kPattern[] = {0xAA, 0xBB, 0xCC, 0xDD};
  for (std::size_t n = 0; n < found.size(); ++n) {
    EXPECT_EQ(found[n], n >= 5 && n < 27 ? kPattern[n % 4] : 0) << n;
  }
}

}  // namespace
}  // namespace tritonrl::gpu
