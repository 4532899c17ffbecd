#include "model/device_error.h"

#include <ATen/Functions.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace tritonrl::model {
namespace {

// What `work` ends with.
template <typename Work>
DeviceError error_of(const Work& work) {
  try {
    during("backward", work);
  } catch (const DeviceError& error) {
    return error;
  }
  throw std::logic_error("nothing failed");
}

void fail_with(const char* text) { throw c10::Error({__func__, __FILE__, __LINE__}, text); }

TEST(DeviceErrorTest, NamesTheAllocationThatFailedAndItsPhase) {
  const auto error = error_of([] { at::empty({std::int64_t{1} << 50}, at::kFloat); });
  EXPECT_STREQ(
      error.what(),
      "memory ran out during backward: 4503599627370496 bytes were asked for; `--plan` says what a run takes, and "
      "what would take less");
  EXPECT_FALSE(error.lost());
}

TEST(DeviceErrorTest, SaysWhatAGpuHasFree) {
  const auto error = error_of([] {
    fail_with(
        "CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total capacity of 139.80 GiB of which 1.20 GiB is "
        "free. Including non-PyTorch memory, this process has 138.00 GiB memory in use.");
  });
  EXPECT_STREQ(
      error.what(),
      "memory ran out during backward: 2.50 GiB were asked for; GPU 0 has a total capacity of 139.80 GiB of which "
      "1.20 GiB is free; `--plan` says what a run takes, and what would take less");
  EXPECT_FALSE(error.lost());
}

TEST(DeviceErrorTest, AnErrorOfTheGpuItselfLosesIt) {
  const auto error = error_of([] {
    fail_with(
        "CUDA error: an illegal memory access was encountered\nCUDA kernel errors might be asynchronously reported");
  });
  EXPECT_STREQ(
      error.what(),
      "the GPU failed during backward: CUDA error: an illegal memory access was encountered; only a new process can "
      "use it again");
  EXPECT_TRUE(error.lost());
}

TEST(DeviceErrorTest, MemoryOfTheProcessRunsOutToo) {
  const auto error = error_of([] { throw std::bad_alloc(); });
  EXPECT_STREQ(error.what(),
               "memory ran out during backward; `--plan` says what a run takes, and what would take less");
}

TEST(DeviceErrorTest, MistakesOfOursStayWhatTheyAre) {
  EXPECT_THROW(during("scores", [] { at::zeros({2, 3}).mm(at::zeros({2, 3})); }), c10::Error);
  EXPECT_EQ(during("scores", [] { return 7; }), 7);
}

}  // namespace
}  // namespace tritonrl::model
